// What the viewer is asked -> buttons for the answers, or things to tick.

import { button, make } from "./dom";
import type { Ticked } from "./offers";
import type { Item, Question } from "./protocol";
import { paint } from "./table";

const MOST_SHOWN = 60; // buttons; more of them are no help, and the cards can be clicked

export interface Answers {
  choose(item: number): void;
  tick(item: number): void;
  finish(): void;
  /** Show all items again, after a click on cards with several of them. */
  widen(): void;
}

/** What is to be done. It can have the focus: whoever has just chosen goes on from here. */
export function prompt(text: string): HTMLElement {
  return make("p", { class: "pg-prompt", tabindex: -1, "data-key": "prompt" }, text);
}

/** `narrowed` are the items of the cards that were clicked, if there are several of them. */
export function drawQuestion(question: Question, ticked: Ticked, narrowed: readonly number[] | null, answers: Answers): HTMLElement {
  const items = narrowed === null ? question.items : question.items.filter((item) => narrowed.includes(item.number));
  const shown = items.slice(0, MOST_SHOWN);
  const { decline } = question;
  const count = narrowed === null ? question.count - Number(decline !== null) : items.length;
  const hidden = count - shown.length;
  return make(
    "div",
    { class: "pg-question" },
    prompt(question.prompt),
    make("div", { class: "pg-items" }, ...shown.map((item) => drawItem(item, question, ticked, answers))),
    hidden > 0 && !question.ticking ? make("p", { class: "pg-note" }, `and ${hidden} more: click cards on the table`) : null,
    make(
      "div",
      { class: "pg-row", hidden: !question.ticking && decline === null && narrowed === null },
      question.ticking ? drawFinish(ticked, answers) : null,
      decline && button(decline.text, () => answers.choose(decline.number), { "data-key": `item ${decline.number}`, "data-item": decline.number }),
      narrowed === null ? null : button("Show all", () => answers.widen(), { "data-key": "widen" }),
    ),
  );
}

function drawItem(item: Item, question: Question, ticked: Ticked, answers: Answers): HTMLElement {
  const { number } = item;
  const isTicked = ticked.chosen.includes(number);
  const attributes = {
    class: "pg-button pg-item",
    style: paint(item.tone),
    "data-key": `item ${number}`,
    "data-item": number,
  };
  if (!question.ticking) return button(item.text, () => answers.choose(number), attributes);
  const may = isTicked || ticked.more.has(number);
  return button(`${isTicked ? "✓ " : ""}${item.text}`, () => answers.tick(number), {
    ...attributes,
    "aria-pressed": String(isTicked),
    "aria-disabled": may ? null : "true",
    class: `pg-button pg-item${isTicked ? " pg-ticked" : ""}${may ? "" : " pg-dim"}`,
  });
}

function drawFinish(ticked: Ticked, answers: Answers): HTMLElement {
  return make(
    "span",
    { class: "pg-finish" },
    button("Done", () => answers.finish(), { class: "pg-button pg-main", "data-key": "finish", disabled: !ticked.complete }),
    make("span", { role: "status", class: "pg-note" }, ticked.need),
  );
}
