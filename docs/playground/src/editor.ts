// A text field for rules: CodeMirror with our language, completion and marks under what is wrong.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import type { Completion as Offer, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineKeepIndent, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from "@codemirror/view";
import { quoteNames, tellDiagnostic } from "./diagnostics";
import { button, make } from "./dom";
import { colours, rules } from "./language";
import type { Change, CompleteReply, Completion, Diagnostic, Meaning } from "./protocol";

export interface Editor {
  readonly view: EditorView;
  text(): string;
  /** Another file: another text, and nothing to undo. */
  open(text: string): void;
  /** The same file with another text, which can be undone. */
  change(text: string): void;
  /** The same file with some places changed, which can be undone at once. */
  apply(changes: readonly Change[]): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  goTo(from: number, to: number): void;
  goToLine(line: number): void;
}

/** What an editor needs: whom to tell of a change, and whom to ask for names and what can be done with them. */
export interface EditorHost {
  changed(): void;
  complete(at: number): Promise<CompleteReply | null>;
  name(at: number): Promise<Meaning | null>;
  /** Go where the name at a place is declared. */
  lead(at: number): void;
  /** Show all places of the name at a place. */
  places(at: number): void;
  rename(at: number): void;
  /** Do what a hint says. */
  mend(diagnostic: Diagnostic): void;
}

export function makeEditor(parent: HTMLElement, around: EditorHost): Editor {
  const extensions = [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    rules,
    syntaxHighlighting(colours),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    lintGutter(),
    autocompletion({ override: [(context) => offer(context, around)], icons: false }),
    hoverTooltip(async (_view, at) => tellMeaning(await around.name(at), around)),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const at = event.ctrlKey || event.metaKey ? view.posAtCoords(event) : null;
        if (at !== null) around.lead(at);
        return at !== null;
      },
    }),
    // The tab key is left alone: whoever has no mouse leaves the editor with it.
    keymap.of([
      { key: "Enter", run: insertNewlineKeepIndent },
      { key: "F12", shift: atCursor(around.places), run: atCursor(around.lead) },
      { key: "F2", run: atCursor(around.rename) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": "Rules", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) around.changed();
    }),
  ];
  const makeState = (doc: string): EditorState => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent, state: makeState("") });
  function goTo(from: number, to: number): void {
    const end = view.state.doc.length;
    const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
    view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    view.focus();
  }

  return {
    view,
    text: () => view.state.doc.toString(),
    open(text) {
      view.scrollDOM.scrollTo(0, 0);
      view.setState(makeState(text));
    },
    change(text) {
      const kept = Math.min(view.state.selection.main.head, text.length);
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      // Taken back by itself, and not together with what was typed just before.
      view.dispatch({ changes, selection: { anchor: kept }, annotations: isolateHistory.of("full") });
    },
    apply(changes) {
      const specs = changes.map(({ start, end, text }) => ({ from: start, to: end, insert: text }));
      view.dispatch({ changes: specs, annotations: isolateHistory.of("full") });
      view.focus();
    },
    mark(diagnostics) {
      const own = diagnostics.filter((each) => each.span.own).map((each) => mark(each, view.state.doc.length, around.mend));
      view.dispatch(setDiagnostics(view.state, own));
    },
    goTo,
    goToLine(line) {
      const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      goTo(from, to);
    },
  };
}

/** A key that does something with the name at the cursor. */
function atCursor(act: (at: number) => void): (view: EditorView) => boolean {
  return (view) => {
    act(view.state.selection.main.head);
    return true;
  };
}

function mark(diagnostic: Diagnostic, length: number, mend: (found: Diagnostic) => void): Mark {
  const { start, end } = diagnostic.span;
  return {
    from: Math.min(start, length),
    to: Math.min(Math.max(start, end), length),
    severity: diagnostic.severity,
    message: diagnostic.message,
    renderMessage: () => tellDiagnostic(diagnostic, mend),
  };
}

async function offer(context: CompletionContext, around: EditorHost): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u)) return null;
  const reply = await around.complete(context.pos);
  if (reply === null || context.aborted || reply.items.length === 0) return null;
  return { from: reply.start, options: reply.items.map(describe), validFor: /^[\p{L}\p{N}_]*$/u };
}

function describe(item: Completion): Offer {
  return { label: item.text, detail: item.detail || item.kind, ...(item.about ? { info: item.about } : {}) };
}

function tellMeaning(meaning: Meaning | null, around: EditorHost): Tooltip | null {
  if (meaning === null) return null;
  const { start, end, code, sentences } = meaning;
  const lines = sentences.map((each) => make("p", {}, ...quoteNames(each)));
  const declared = code ? make("p", {}, make("code", {}, code)) : null;
  const deeds = make(
    "p",
    { class: "pg-row" },
    button("Declaration", () => around.lead(start), { title: "F12" }),
    button("All places", () => around.places(start), { title: "Shift-F12" }),
    button("Rename", () => around.rename(start), { title: "F2" }),
  );
  return { pos: start, end, above: true, create: () => ({ dom: make("div", { class: "pg-meaning" }, declared, ...lines, deeds) }) };
}
