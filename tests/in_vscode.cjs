// The extension for VS Code in as much of VS Code as it touches: what it starts, registers and shows, as JSON.
//
//   node in_vscode.cjs EXTENSION.js COMMAND FILE
//
// The extension, its client of the protocol and the server are real; the editor around them is not, and whatever
// else they ask of it does nothing.

const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { fileURLToPath, pathToFileURL } = require("node:url");

const PATIENCE = 60; // seconds until something must have been found
const [, , extension, command, file] = process.argv;
const found = { said: [], commands: {}, providers: [], findings: new Map(), terminals: [] };
const nothing = () => ({ dispose() {} });

/** Something with these parts; others are made as they are asked for. */
const partly = (parts, other) => new Proxy(parts, { get: (all, name) => (name in all ? all[name] : other(String(name))) });
const parts = (names) =>
  class {
    constructor(...values) {
      names.forEach((name, index) => (this[name] = values[index]));
    }
    dispose() {}
  };

class Uri {
  constructor(text) {
    const { protocol, pathname } = new URL(text);
    Object.assign(this, { text, scheme: protocol.slice(0, -1), path: pathname, fsPath: fileURLToPath(text) });
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
}

const text = readFileSync(file, "utf-8");
const uri = new Uri(pathToFileURL(file).href);
const opened = { uri, languageId: "rules", version: 1, getText: () => text, isDirty: false, fileName: file };
const say = async (sentence) => void found.said.push(sentence);
const isOurs = (selector) => [selector].flat().some((each) => (each.language ?? each) === opened.languageId);

const languages = partly(
  {
    createDiagnosticCollection: () =>
      partly({ set: (of, list) => found.findings.set(of.toString(), list) }, () => nothing),
    match: (selector, document) => (document === opened && isOurs(selector) ? 10 : 0),
  },
  (name) => () => {
    if (name.startsWith("register")) found.providers.push(name.replace(/^register|Provider$/g, ""));
    return nothing();
  },
);
const workspace = partly(
  {
    textDocuments: [opened],
    notebookDocuments: [],
    workspaceFolders: undefined,
    isTrusted: true,
    getConfiguration: (section) => ({ get: (name) => (`${section}.${name}` === "rulespec.command" ? command : undefined) }),
  },
  () => nothing,
);
const window = partly(
  {
    visibleTextEditors: [],
    tabGroups: partly({ all: [] }, () => nothing),
    createOutputChannel: () => partly({}, () => nothing),
    showErrorMessage: say,
    showWarningMessage: say,
    showInformationMessage: say,
    createTerminal: (options) => ({ show: () => found.terminals.push(options) }),
  },
  () => nothing,
);
const classes = new Map();
const vscode = partly(
  {
    version: "1.100.0",
    env: { appName: "tests", language: "en" },
    Uri,
    Position: parts(["line", "character"]),
    Range: class {
      constructor(line, character, lastLine, lastCharacter) {
        Object.assign(this, { start: { line, character }, end: { line: lastLine, character: lastCharacter } });
      }
    },
    Diagnostic: parts(["range", "message", "severity"]),
    EventEmitter: class {
      event = nothing;
      fire() {}
      dispose() {}
    },
    CancellationTokenSource: class {
      token = { isCancellationRequested: false, onCancellationRequested: nothing };
      dispose() {}
    },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    CodeActionKind: partly({}, (value) => ({ value, append: (more) => ({ value: more }), contains: () => true })),
    commands: { registerCommand: (name, act) => ((found.commands[name] = act), nothing()) },
    extensions: { getExtension: () => undefined },
    languages,
    workspace,
    window,
  },
  (name) => {
    if (!classes.has(name)) classes.set(name, /(Kind|Severity|Tag|Reason|Type)$/.test(name) ? partly({}, () => 1) : parts([]));
    return classes.get(name);
  },
);

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function main() {
  const { activate, deactivate } = require(extension);
  await activate({ subscriptions: [] });
  const end = Date.now() + 1000 * PATIENCE;
  const isRunning = found.providers.length > 0;
  while (isRunning && !found.findings.get(uri.text)?.length && Date.now() < end) await new Promise((done) => setTimeout(done, 50));
  await found.commands["rulespec.play"]?.(uri.text);
  await found.commands["rulespec.test"]?.(uri.text);
  await deactivate();
  const findings = (found.findings.get(uri.text) ?? []).map(({ range, message }) => ({ line: range.start.line, message }));
  console.log(JSON.stringify({ ...found, commands: Object.keys(found.commands), findings }));
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
