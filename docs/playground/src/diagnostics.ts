// What is wrong with the rules -> what is read about it.

import { make, type Child } from "./dom";
import type { Diagnostic, Span } from "./protocol";

const ROOT = "../"; // from the page to the site

/** The message with its hint, the other places, and the page of its code. */
export function tellDiagnostic(diagnostic: Diagnostic): HTMLElement {
  const page = make("a", { href: ROOT + diagnostic.page, target: "_blank", title: diagnostic.title }, diagnostic.code);
  return make(
    "div",
    { class: `pg-diagnostic pg-${diagnostic.severity}` },
    make("p", {}, ...quoteNames(diagnostic.message), " ", page),
    diagnostic.hint === null ? null : make("p", { class: "pg-hint" }, "hint: ", ...quoteNames(diagnostic.hint)),
    ...diagnostic.related.map(({ message, span }) =>
      make("p", { class: "pg-related" }, `${place(span)}: `, ...quoteNames(message)),
    ),
  );
}

/** A list, from which one gets to the places in the editor. */
export function listDiagnostics(diagnostics: readonly Diagnostic[], goTo: (span: Span) => void): HTMLElement {
  const list = make("ul", { class: "pg-diagnostics" });
  for (const diagnostic of diagnostics) {
    const { span, severity } = diagnostic;
    const where = span.own ? link(span, goTo) : make("span", { class: "pg-place" }, place(span));
    list.append(make("li", {}, make("div", { class: "pg-where" }, `${severity} `, where), tellDiagnostic(diagnostic)));
  }
  return list;
}

/** A button that leads to a place in the editor. */
export function link(span: Span, goTo: (span: Span) => void): HTMLElement {
  const element = make("button", { type: "button", class: "pg-place" }, `line ${span.line}`);
  element.addEventListener("click", () => goTo(span));
  return element;
}

function place(span: Span): string {
  return span.own ? `line ${span.line}` : `${span.file}, line ${span.line}`;
}

/** Names stand in backticks; on the page they are set as code. */
export function quoteNames(text: string): Child[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
}
