// What happened, sentence by sentence with the clauses of the booklet.

import type { Lookup } from "./clauses";
import { make, type Child } from "./dom";
import type { Sentence, Subject } from "./protocol";

/** The clauses, each with a link where there is a page for it. */
export function cite(cites: readonly string[], lookup: Lookup): Child[] {
  return cites.flatMap((name) => {
    const href = lookup(name);
    return [" ", href ? make("a", { class: "pg-cite", href, target: "_blank" }, name) : make("span", { class: "pg-cite" }, name)];
  });
}

export function tellSentence(sentence: Sentence, number: number, lookup: Lookup, ask: (subject: Subject) => void): HTMLElement {
  const why = make("button", { type: "button", class: "pg-said", title: "Why?" }, sentence.text);
  why.addEventListener("click", () => ask({ of: "sentence", number }));
  if (sentence.level !== null) return make("li", { class: "pg-heading", "data-level": String(sentence.level) }, why);
  return make("li", { "data-rule": sentence.rule }, why, ...cite(sentence.cites, lookup));
}
