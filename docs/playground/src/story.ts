// What happened, sentence by sentence; beneath each, on demand, its steps and the clauses of the booklet.

import type { Lookup } from "./clauses";
import { make, type Child } from "./dom";
import type { Sentence, Subject, Word } from "./protocol";

/** The clauses, each with a link where there is a page for it. */
export function cite(cites: readonly string[], lookup: Lookup): Child[] {
  return cites.flatMap((name) => {
    const href = lookup(name);
    return [" ", href ? make("a", { class: "pg-cite", href, target: "_blank" }, name) : make("span", { class: "pg-cite" }, name)];
  });
}

export function tellSentence(sentence: Sentence, number: number, lookup: Lookup, ask: (subject: Subject) => void): HTMLElement {
  const why = make("button", { type: "button", class: "pg-said", title: "Why?", "data-key": `sentence ${number}` }, ...sentence.words.map(colour));
  why.addEventListener("click", () => ask({ of: "sentence", number }));
  if (sentence.level !== null) return make("li", { class: "pg-heading", "data-level": String(sentence.level) }, why);
  return make("li", { "data-rule": sentence.rule }, why, unfold(sentence.details, cite(sentence.cites, lookup)));
}

/** A sentence as it is said, in colours. */
export function colour({ text, tone, seat }: Word): Child {
  if (tone !== null) return make("span", { class: "pg-named", style: `background: ${tone.ground}; color: ${tone.ink}` }, text);
  return seat === null ? text : make("b", { "data-seat": String(seat % 7) }, text);
}

function unfold(details: readonly string[], cites: readonly Child[]): Child {
  const steps = details.length < 2 ? null : make("ul", {}, ...details.map((each) => make("li", {}, each)));
  if (steps === null && cites.length === 0) return null;
  return make("details", {}, make("summary", { title: "Step by step, with the clauses of the booklet" }, "…"), steps, ...cites);
}
