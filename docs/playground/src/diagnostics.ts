// What is wrong with the rules -> what is read about it.

import { button, make, type Child } from "./dom";
import type { Diagnostic, Span } from "./protocol";

const ROOT = "../"; // from the page to the site

type Mend = (diagnostic: Diagnostic) => void;

/** The message with its hint, a button that does what it says, the other places, and the page of its code. */
export function tellDiagnostic(diagnostic: Diagnostic, mend: Mend | null = null): HTMLElement {
  const apply = mend !== null && diagnostic.span.own ? button("Apply", () => mend(diagnostic)) : null;
  const page = make("a", { href: ROOT + diagnostic.page, target: "_blank", title: diagnostic.title }, diagnostic.code);
  return make(
    "div",
    { class: `pg-diagnostic pg-${diagnostic.severity}` },
    make("p", {}, ...quoteNames(diagnostic.message), " ", page),
    diagnostic.hint === null ? null : make("p", { class: "pg-hint" }, "hint: ", ...quoteNames(diagnostic.hint), " ", apply),
    ...diagnostic.related.map(({ message, span }) =>
      make("p", { class: "pg-related" }, `${place(span)}: `, ...quoteNames(message)),
    ),
  );
}

/** A list, from which one gets to the places in the editor. */
export function listDiagnostics(diagnostics: readonly Diagnostic[], goTo: (span: Span) => void, mend: Mend | null = null): HTMLElement {
  const list = make("ul", { class: "pg-diagnostics" });
  for (const diagnostic of diagnostics) {
    const { span, severity } = diagnostic;
    const where = span.own ? link(span, goTo) : make("span", { class: "pg-place" }, place(span));
    list.append(make("li", {}, make("div", { class: "pg-where" }, `${severity} `, where), tellDiagnostic(diagnostic, mend)));
  }
  return list;
}

/** A button that leads to a place in the editor. */
export function link(span: Span, goTo: (span: Span) => void): HTMLElement {
  const element = make("button", { type: "button", class: "pg-place" }, `line ${span.line}`);
  element.addEventListener("click", () => goTo(span));
  return element;
}

/** All places of a name, from which one gets there. */
export function listPlaces(name: string, places: readonly Span[], goTo: (span: Span) => void): HTMLElement {
  const links = places.map((span) => {
    const there = make("button", { type: "button", class: "pg-place" }, place(span));
    there.addEventListener("click", () => goTo(span));
    return make("li", {}, there);
  });
  const count = places.length === 1 ? "once" : `${places.length} times`;
  return make("div", { class: "pg-note" }, make("p", {}, make("code", {}, name), ` stands here ${count}:`), make("ul", { class: "pg-places" }, ...links));
}

function place(span: Span): string {
  return span.own ? `line ${span.line}` : `${span.file}, line ${span.line}`;
}

/** Names stand in backticks; on the page they are set as code. */
export function quoteNames(text: string): Child[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
}
