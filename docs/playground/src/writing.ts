// The pane with the editor: which file is open, what is wrong with it, and where it may go.

import { tellRefusal, type Bench } from "./bench";
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

export function makeWritingPane(bench: Bench, files: Files): WritingPane {
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
    bench.menu = files.isChanged(files.file) ? null : (files.shipped()?.menu ?? null);
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
    const rules = bench.rules();
    const reply = await bench.engine.ask<"check">({ kind: "check", rules });
    checking = false;
    const now = bench.rules();
    if (now.text !== rules.text || now.file !== rules.file) return check();
    found.setAttribute("aria-busy", "false");
    if (!reply.ok) {
      editor.mark([]);
      bench.menu = null;
      fill(found, tellRefusal(reply, bench));
    } else {
      editor.mark(reply.diagnostics);
      bench.menu = reply.playable ? reply.menu : null;
      const rest = reply.playable || !reply.correct ? "" : "; this is not a whole game yet";
      fill(found, make("p", { class: "pg-summary", "data-correct": String(reply.correct) }, reply.summary + rest), listDiagnostics(reply.diagnostics, (span) => bench.goTo(span), (each) => void mend(each)));
    }
    tellMenu();
  }

  function tellMenu(): void {
    for (const listener of bench.onMenu) listener();
  }

  async function complete(at: number) {
    const reply = await bench.engine.ask<"complete">({ kind: "complete", rules: bench.rules(), at });
    return reply.ok ? reply : null;
  }

  async function name(at: number) {
    const reply = await bench.engine.ask<"name">({ kind: "name", rules: bench.rules(), at });
    return reply.ok ? reply.meaning : null;
  }

  // ---- Names ---------------------------------------------------------------------------------------

  async function lead(at: number): Promise<void> {
    const reply = await bench.engine.ask<"places">({ kind: "places", rules: bench.rules(), at });
    if (!reply.ok || reply.name === null) return say("There is no name here.");
    const last = reply.definitions.at(-1); // the one that is in force
    if (last === undefined) return say(`Nothing declares \`${reply.name}\`: the language has it.`);
    go(last);
  }

  async function showPlaces(at: number): Promise<void> {
    const reply = await bench.engine.ask<"places">({ kind: "places", rules: bench.rules(), at });
    if (!reply.ok || reply.name === null) return say("There is no name here.");
    fill(said, listPlaces(reply.name, reply.uses, go));
  }

  function go(span: Span): void {
    if (span.own) bench.goTo(span);
    else if (span.file !== files.file && bench.games.some((game) => game.file === span.file)) show(span.file, span.line);
    else say(`This is in \`${span.file}\`, line ${span.line}.`);
  }

  async function rename(at: number): Promise<void> {
    const rules = bench.rules();
    const there = await bench.engine.ask<"places">({ kind: "places", rules, at });
    if (!there.ok || there.name === null) return say("There is no name here.");
    const chosen = await askForName(there.name);
    if (chosen === null) return;
    const reply = await bench.engine.ask<"rename">({ kind: "rename", rules, at, name: chosen });
    if (!reply.ok) return fill(found, tellRefusal(reply, bench));
    if (reply.refused !== null) return say(`It keeps its name: ${reply.refused}.`);
    apply(rules.text, reply.changes);
  }

  async function mend(diagnostic: Diagnostic): Promise<void> {
    const rules = bench.rules();
    const { code, span } = diagnostic;
    const reply = await bench.engine.ask<"mend">({ kind: "mend", rules, at: span.start, code });
    if (!reply.ok) return fill(found, tellRefusal(reply, bench));
    if (reply.change === null) return say("This hint has to be followed by hand.");
    apply(rules.text, [reply.change]);
  }

  function apply(text: string, changes: readonly Change[]): void {
    if (bench.rules().text === text) editor.apply(changes);
  }

  // ---- The file ------------------------------------------------------------------------------------

  function drawFiles(): void {
    const option = (file: string, title: string): HTMLElement => {
      const changedMark = files.isChanged(file) ? " (changed)" : "";
      return make("option", { value: file, selected: file === files.file }, title + changedMark);
    };
    const group = (label: string, options: HTMLElement[]): HTMLElement | null => (options.length ? make("optgroup", { label }, ...options) : null);
    const whole = bench.games.filter((game) => game.extends === null);
    const overlays = bench.games.filter((game) => game.extends !== null);
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
    const wanted = await askForOverlay(bench.games, findBase(editor.text()) ?? files.file);
    if (wanted === null) return;
    const reply = await bench.engine.ask<"overlay">({ kind: "overlay", ...wanted });
    if (reply.ok) add(reply);
    else fill(found, tellRefusal(reply, bench));
  }

  async function format(): Promise<void> {
    const rules = bench.rules();
    const reply = await bench.engine.ask<"format">({ kind: "format", rules });
    if (!reply.ok) return fill(found, tellRefusal(reply, bench));
    if (bench.rules().text !== rules.text) return;
    if (reply.changed) editor.change(reply.text);
    say(reply.changed ? "Formatted." : "This is the canonical form already.");
  }

  async function share(): Promise<void> {
    const fragment = await writeFragment({ file: files.file, text: editor.text() }, textsOf(bench.games));
    if (fragment === null) return say("These rules are too long for a link: download the file and send that.");
    await showLink(new URL(fragment, location.href).href);
  }

  async function download(): Promise<void> {
    const reply = await bench.engine.ask<"export">({ kind: "export", rules: bench.rules() });
    if (!reply.ok) return fill(found, tellRefusal(reply, bench));
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
  bench.rules = () => ({ file: files.file, text: editor.text() });
  bench.goTo = (span) => editor.goTo(span.start, span.end);
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
