// The pane with the editor: which file is open, what is wrong with it, and where it may go.

import { tellRefusal, type Workspace } from "./workspace";
import { findBase } from "./clauses";
import { listDiagnostics, listPlaces, quoteNames } from "./diagnostics";
import { LONGEST } from "./drafts";
import { button, fill, make } from "./dom";
import { makeEditor, type Editor } from "./editor";
import type { Files } from "./files";
import { labelled } from "./forms";
import { askForName, askForOverlay, showLink } from "./dialogs";
import type { Change, Diagnostic, Span } from "./protocol";
import { textsOf, writeFragment, type Shared } from "./sharing";

const NO_ROOM = "There is no room left for drafts in this browser";
const PAUSE = 350; // milliseconds without a key until the rules are checked

export interface WritingPane {
  element: HTMLElement;
  editor: Editor;
  /** Open a file that came with a link or from a disk, beside those that there are; false if there is no room. */
  add(shared: Shared): boolean;
  /** Open a file that there is, at a line if one is wanted. */
  show(file: string, line: number | null): void;
  /** Something to be read above the editor. */
  say(text: string): void;
}

export function makeWritingPane(workspace: Workspace, files: Files): WritingPane {
  const picker = make("select", { "data-key": "file", "aria-label": "File" });
  const discard = button("Discard changes", () => throwAway());
  const bar = make(
    "div",
    { class: "pg-row pg-bar" },
    labelled("File", picker),
    button("New overlay", () => void addOverlay()),
    button("Format", () => void format()),
    button("Share", () => void share()),
    button("Download", () => void download()),
    labelledUpload((shared) => void add(shared)),
    discard,
  );
  const said = make("div", { role: "status", class: "pg-said-here" });
  const field = make("div", { class: "pg-editor" });
  const found = make("div", { class: "pg-found", "aria-live": "polite" });
  const editor = makeEditor(field, {
    changed,
    complete,
    name,
    lead: (at) => void lead(at),
    places: (at) => void showPlaces(at),
    rename: (at) => void rename(at),
    mend: (diagnostic) => void mend(diagnostic),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opening = false;
  let checking = false;

  // ---- The text ------------------------------------------------------------------------------------

  function changed(): void {
    if (opening) return;
    const kept = files.keep(editor.text());
    if (!kept) say(`${NO_ROOM}: download what you want to keep.`);
    drawFiles();
    found.setAttribute("aria-busy", "true"); // what is said there is about an older text
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE);
  }

  function open(): void {
    opening = true;
    editor.open(files.text());
    opening = false;
    workspace.menu = files.isChanged(files.file) ? null : (files.shipped()?.menu ?? null);
    drawFiles();
    tellMenu();
    fill(found);
    found.setAttribute("aria-busy", "true");
    void check();
  }

  /** One check at a time; what was typed meanwhile is checked after it. */
  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    const rules = workspace.rules();
    const reply = await workspace.engine.ask<"check">({ kind: "check", rules });
    checking = false;
    const now = workspace.rules();
    if (now.text !== rules.text || now.file !== rules.file) return check();
    found.setAttribute("aria-busy", "false");
    if (!reply.ok) {
      editor.mark([]);
      workspace.menu = null;
      fill(found, tellRefusal(reply, workspace));
    } else {
      editor.mark(reply.diagnostics);
      workspace.menu = reply.playable ? reply.menu : null;
      const rest = reply.playable || !reply.correct ? "" : "; this is not a whole game yet";
      fill(found, make("p", { class: "pg-summary", "data-correct": String(reply.correct) }, reply.summary + rest), listDiagnostics(reply.diagnostics, (span) => workspace.goTo(span), (each) => void mend(each)));
    }
    tellMenu();
  }

  function tellMenu(): void {
    for (const listener of workspace.onMenu) listener();
  }

  async function complete(at: number) {
    const reply = await workspace.engine.ask<"complete">({ kind: "complete", rules: workspace.rules(), at });
    return reply.ok ? reply : null;
  }

  async function name(at: number) {
    const reply = await workspace.engine.ask<"name">({ kind: "name", rules: workspace.rules(), at });
    return reply.ok ? reply.meaning : null;
  }

  // ---- Names ---------------------------------------------------------------------------------------

  async function lead(at: number): Promise<void> {
    const reply = await workspace.engine.ask<"places">({ kind: "places", rules: workspace.rules(), at });
    if (!reply.ok || reply.name === null) return say("There is no name here.");
    const last = reply.definitions.at(-1); // the one that is in force
    if (last === undefined) return say(`Nothing declares \`${reply.name}\`: the language has it.`);
    go(last);
  }

  async function showPlaces(at: number): Promise<void> {
    const reply = await workspace.engine.ask<"places">({ kind: "places", rules: workspace.rules(), at });
    if (!reply.ok || reply.name === null) return say("There is no name here.");
    fill(said, listPlaces(reply.name, reply.uses, go));
  }

  function go(span: Span): void {
    if (span.own) workspace.goTo(span);
    else if (span.file !== files.file && workspace.games.some((game) => game.file === span.file)) show(span.file, span.line);
    else say(`This is in \`${span.file}\`, line ${span.line}.`);
  }

  async function rename(at: number): Promise<void> {
    const rules = workspace.rules();
    const there = await workspace.engine.ask<"places">({ kind: "places", rules, at });
    if (!there.ok || there.name === null) return say("There is no name here.");
    const chosen = await askForName(there.name);
    if (chosen === null) return;
    const reply = await workspace.engine.ask<"rename">({ kind: "rename", rules, at, name: chosen });
    if (!reply.ok) return fill(found, tellRefusal(reply, workspace));
    if (reply.refused !== null) return say(`It keeps its name: ${reply.refused}.`);
    apply(rules.text, reply.changes);
  }

  async function mend(diagnostic: Diagnostic): Promise<void> {
    const rules = workspace.rules();
    const { code, span } = diagnostic;
    const reply = await workspace.engine.ask<"mend">({ kind: "mend", rules, at: span.start, code });
    if (!reply.ok) return fill(found, tellRefusal(reply, workspace));
    if (reply.change === null) return say("This hint has to be followed by hand.");
    apply(rules.text, [reply.change]);
  }

  function apply(text: string, changes: readonly Change[]): void {
    if (workspace.rules().text === text) editor.apply(changes);
  }

  // ---- The file ------------------------------------------------------------------------------------

  function drawFiles(): void {
    const option = (file: string, title: string): HTMLElement => {
      const changedMark = files.isChanged(file) ? " (changed)" : "";
      return make("option", { value: file, selected: file === files.file }, title + changedMark);
    };
    const group = (label: string, options: HTMLElement[]): HTMLElement | null => (options.length ? make("optgroup", { label }, ...options) : null);
    const whole = workspace.games.filter((game) => game.extends === null);
    const overlays = workspace.games.filter((game) => game.extends !== null);
    fill(
      picker,
      group("Games", whole.map((game) => option(game.file, game.menu.title))),
      group("Overlays", overlays.map((game) => option(game.file, game.menu.title))),
      group("Yours", files.own().map((file) => option(file, file))),
    );
    discard.hidden = files.shipped() !== null && !files.isChanged(files.file);
    discard.textContent = files.shipped() === null ? "Delete" : "Discard changes";
  }

  function throwAway(): void {
    const what = files.shipped() === null ? `Delete ${files.file}?` : `Go back to ${files.file} as it is shipped?`;
    if (!window.confirm(what)) return;
    files.discard();
    open();
  }

  function add(shared: Shared): boolean {
    const added = files.add(shared);
    if (added) open();
    else say(`${NO_ROOM}, so ${shared.file} was not opened.`);
    return added;
  }

  function show(file: string, line: number | null): void {
    files.open(file);
    open();
    if (line !== null) editor.goToLine(line);
  }

  async function addOverlay(): Promise<void> {
    const wanted = await askForOverlay(workspace.games, findBase(editor.text()) ?? files.file);
    if (wanted === null) return;
    const reply = await workspace.engine.ask<"overlay">({ kind: "overlay", ...wanted });
    if (reply.ok) add(reply);
    else fill(found, tellRefusal(reply, workspace));
  }

  async function format(): Promise<void> {
    const rules = workspace.rules();
    const reply = await workspace.engine.ask<"format">({ kind: "format", rules });
    if (!reply.ok) return fill(found, tellRefusal(reply, workspace));
    if (workspace.rules().text !== rules.text) return;
    if (reply.changed) editor.change(reply.text);
    say(reply.changed ? "Formatted." : "This is the canonical form already.");
  }

  async function share(): Promise<void> {
    const fragment = await writeFragment({ file: files.file, text: editor.text() }, textsOf(workspace.games));
    if (fragment === null) return say("These rules are too long for a link: download the file and send that.");
    await showLink(new URL(fragment, location.href).href);
  }

  async function download(): Promise<void> {
    const reply = await workspace.engine.ask<"export">({ kind: "export", rules: workspace.rules() });
    if (!reply.ok) return fill(found, tellRefusal(reply, workspace));
    const address = URL.createObjectURL(new Blob([reply.text], { type: "text/plain" }));
    make("a", { href: address, download: reply.file }).click();
    URL.revokeObjectURL(address);
    say(reply.playable ? `To play it in a terminal: ${reply.command}` : `Saved as ${reply.file}.`);
  }

  function say(text: string): void {
    fill(said, text ? make("p", { class: "pg-note" }, ...quoteNames(text)) : null);
  }

  picker.addEventListener("change", () => {
    files.open(picker.value);
    say("");
    open();
  });
  const element = make("div", { class: "pg-writing" }, bar, said, field, found);
  workspace.rules = () => ({ file: files.file, text: editor.text() });
  workspace.goTo = (span) => editor.goTo(span.start, span.end);
  queueMicrotask(open);
  return { element, editor, add, show, say };
}

/** A button that reads a file from the disk. */
function labelledUpload(take: (shared: Shared) => void): HTMLElement {
  const input = make("input", { type: "file", accept: ".rules,text/plain", class: "pg-hidden", tabindex: -1, "aria-hidden": "true", "aria-label": "Open a file" });
  input.addEventListener("change", async () => {
    const [chosen] = input.files ?? [];
    if (chosen) take({ file: chosen.name.endsWith(".rules") ? chosen.name : `${chosen.name}.rules`, text: (await chosen.slice(0, 4 * LONGEST).text()).slice(0, LONGEST + 1) });
    input.value = "";
  });
  return make("span", {}, button("Open", () => input.click()), input);
}
