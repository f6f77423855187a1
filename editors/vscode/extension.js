// The extension: starts `rulespec lsp`, and runs games in a terminal. All else is the server's.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  return vscode.workspace.getConfiguration("rulespec").get("command") || "rulespec";
}

async function activate() {
  const server = { command: command(), args: ["lsp"] };
  const started = new LanguageClient("rulespec", "rulespec", server, {
    documentSelector: [{ language: "rules" }],
    // The server only says what to type; here is a terminal.
    middleware: { executeCommand: (name, words, next) => (name === "rulespec.play" ? play(words[0]) : run(name, words, next)) },
  });
  try {
    await started.start();
    client = started;
  } catch {
    const sentence = `rulespec cannot be started as \`${command()}\`: install it with \`pip install "rulespec[lsp]"\`, or set rulespec.command`;
    vscode.window.showErrorMessage(sentence);
  }
}

/** What is tested is the saved file. */
async function run(name, words, next) {
  await save(words[0]);
  return next(name, words);
}

async function play(uri) {
  await save(uri);
  const file = vscode.Uri.parse(uri).fsPath;
  const terminal = vscode.window.createTerminal({ name: "rulespec", shellPath: command(), shellArgs: ["play", file] });
  terminal.show();
}

async function save(uri) {
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
  if (open?.isDirty) await open.save();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
