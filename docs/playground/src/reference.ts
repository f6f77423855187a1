// What one should know to play: goal, turn, points, end and advice, in a window of its own.

import { openDialog } from "./dialogs";
import { make, type Child } from "./dom";
import type { Points, ReferenceReply } from "./protocol";

export async function showReference(reference: ReferenceReply): Promise<void> {
  const { title, about, facts, goal, turn, cards, scoring, points, winning, ending, advice } = reference;
  await openDialog(title, [
    make(
      "div",
      { class: "pg-reference", tabindex: "0" },
      about && make("p", {}, about),
      make("p", { class: "pg-note" }, facts.join(", ")),
      section("Goal", goal === null ? [] : [goal]),
      section("How it is played", turn),
      section("Cards", cards),
      section("Scoring", scoring),
      ...points.map(drawPoints),
      section("The end", ending),
      section("Who wins", winning),
      section("Advice", advice),
    ),
  ], null);
}

function section(title: string, sentences: readonly string[]): Child {
  if (sentences.length === 0) return null;
  const said = sentences.length === 1 ? [make("p", {}, ...sentences)] : [make("ul", {}, ...sentences.map((each) => make("li", {}, each)))];
  return make("section", {}, make("h3", {}, title), ...said);
}

function drawPoints({ title, about, columns, rows }: Points): HTMLElement {
  const head = make("tr", {}, ...columns.map((each) => make("th", { scope: "col" }, each)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
  return make(
    "section",
    {},
    make("h3", {}, title.slice(0, 1).toUpperCase() + title.slice(1)),
    about && make("p", {}, about),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)),
  );
}
