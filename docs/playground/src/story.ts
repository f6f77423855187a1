// What happened, sentence by sentence with the clauses of the booklet; and how it ended.

import type { Lookup } from "./clauses";
import { make, type Child } from "./dom";
import type { Frame, Result, Sentence, Subject } from "./protocol";

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

export function tellResult(frame: Frame, result: Result, lookup: Lookup, ask: (subject: Subject) => void): HTMLElement {
  const heads = result.titles.map((title) => make("th", { scope: "col", title: title.about }, title.text, ...cite(title.cites, lookup)));
  const rows = result.rows.map((row) => {
    const scores = row.scores.map((score, index) => {
      const why = make("button", { type: "button", class: "pg-said", title: "Why?" }, score);
      why.addEventListener("click", () => ask({ of: "score", seat: row.seat, row: index }));
      return make("td", {}, why);
    });
    const wins = result.winners.includes(row.seat);
    const name = `${frame.players[row.seat]?.name ?? ""}${wins ? " ★" : ""}`;
    return make("tr", { class: wins ? "pg-winner" : null }, make("td", {}, String(row.place)), make("th", { scope: "row" }, name), ...scores);
  });
  return make(
    "div",
    { class: "pg-result" },
    make("h3", {}, result.text),
    make("table", { class: "pg-scores" }, make("thead", {}, make("tr", {}, make("th", {}, "Place"), make("th", {}, "Player"), ...heads)), make("tbody", {}, ...rows)),
    make("p", { class: "pg-note" }, `Seed ${result.seed}: with it, the same choices make the same game.`),
  );
}
