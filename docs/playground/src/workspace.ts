// What all panes share: the engine, the shipped games, and the rules in the editor.

import type { Lookup } from "./clauses";
import { make } from "./dom";
import { listDiagnostics } from "./diagnostics";
import type { Engine } from "./engine";
import type { Bot, Menu, Refusal, Rules, ShippedGame, Span } from "./protocol";

export interface Workspace {
  engine: Engine;
  games: readonly ShippedGame[];
  bots: readonly Bot[];
  /** The file in the editor, as it is now. */
  rules(): Rules;
  /** What can be chosen in it; null as long as it cannot be played. */
  menu: Menu | null;
  /** Called whenever the menu may be another one. */
  onMenu: (() => void)[];
  /** Called when the worker had to be stopped, and the game on the table with it. */
  onLost: (() => void)[];
  /** Leads to the clauses that the rules in the editor cite. */
  lookup(): Lookup;
  /** Show a place in the editor. */
  goTo(span: Span): void;
}

/** Why something could not be done. */
export function tellRefusal(refusal: Refusal, workspace: Workspace): HTMLElement {
  return make(
    "div",
    { class: "pg-refusal", role: "alert" },
    make("p", {}, refusal.error),
    refusal.diagnostics.length ? listDiagnostics(refusal.diagnostics, (span) => workspace.goTo(span)) : null,
  );
}
