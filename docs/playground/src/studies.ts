// The panes that play many games: of the rules in the editor, or of these and the shipped ones.

import { tellRefusal, type Workspace } from "./workspace";
import { findBase } from "./clauses";
import { button, fill, make } from "./dom";
import { drawFigure } from "./figures";
import { choose, readNumber, typeNumber } from "./forms";
import type { CompareRequest, Report, SimulateRequest, StudyReply } from "./protocol";
import { beginSetup, drawOptions, drawVariants, type Setup } from "./setup";

type Sort = "simulate" | "compare";

const GAMES: Record<Sort, number> = { simulate: 300, compare: 300 };
const MOST = 100_000; // as many as `rulespec.playground.studies` plays
const MOST_WITHOUT = 1_000;
const ABOUT: Record<Sort, string> = {
  simulate: "Bots play your rules many times, and what can be said of it is counted.",
  compare: "The same bots play your rules and the shipped ones on the same shuffles; what differs is told with its certainty.",
};

export function makeStudyPane(workspace: Workspace, sort: Sort): HTMLElement {
  const form = make("form", { class: "pg-fields" });
  const bar = make("progress", { max: 1, value: 0 });
  const told = make("span", { role: "status" });
  const age = make("div", { class: "pg-age" });
  const out = make("div", { class: "pg-report" });
  const run = button(sort === "simulate" ? "Simulate" : "Compare", () => void play(), { class: "pg-button pg-main" });
  const halt = button("Stop", () => (wanted = null));
  const meter = make("div", { class: "pg-meter", hidden: true }, bar, told, halt);
  let setup: Setup | null = null;
  let wanted: symbol | null = null;
  let subject: { file: string; text: string } | null = null; // the rules that the report is about
  let drawn = ""; // the file for which the fields were drawn
  let fields: { games: HTMLInputElement; without: HTMLInputElement; players: HTMLSelectElement; bot: HTMLSelectElement; against: HTMLSelectElement | null } | null = null;

  function draw(): void {
    const { menu } = workspace;
    run.disabled = menu === null || !meter.hidden;
    tellAge();
    if (menu === null) return fill(form, make("p", { class: "pg-note" }, "As soon as the rules have no mistakes, they can be counted here."));
    setup = beginSetup(menu, setup);
    const chosen = setup;
    const numbers = Array.from({ length: menu.players[1] - menu.players[0] + 1 }, (_, index) => String(menu.players[0] + index));
    const all = { value: "", text: `each of ${menu.players.join("–")}` };
    const before = fields?.players.value;
    const wish = before !== undefined && ["", ...numbers].includes(before) ? before : (numbers[0] ?? "");
    const players = choose("Players", [...(numbers.length > 1 ? [all] : []), ...numbers.map((value) => ({ value, text: value }))], wish, "players");
    const games = typeNumber("Games", fields ? readNumber(fields.games) : GAMES[sort], [10, MOST], "games");
    const without = typeNumber("Again without each thing", fields ? readNumber(fields.without) : 0, [0, MOST_WITHOUT], "without");
    const bot = choose("Bots", workspace.bots.map(({ word }) => ({ value: word, text: word })), fields?.bot.value ?? "random", "bot");
    const { file, text } = workspace.rules();
    // What was chosen stays as long as it is the same file.
    const other = (file === drawn && fields?.against?.value) || (findBase(text) ?? file);
    drawn = file;
    const against = sort === "compare"
      ? choose("With", workspace.games.map((game) => ({ value: game.file, text: game.menu.title })), other, "against")
      : null;
    fields = { games: games.input, without: without.input, players: players.input, bot: bot.input, against: against?.input ?? null };
    fill(form, games.field, players.field, bot.field, without.field, against?.field ?? null, drawVariants(menu, chosen, () => undefined), drawOptions(menu, chosen, () => undefined));
  }

  function request(): SimulateRequest | CompareRequest | null {
    if (fields === null || setup === null) return null;
    const shared = {
      rules: { ...workspace.rules(), variants: setup.variants, options: setup.options },
      games: readNumber(fields.games),
      seats: [fields.bot.value],
      ...(readNumber(fields.without) ? { without: readNumber(fields.without) } : {}),
      ...(fields.players.value ? { players: [Number(fields.players.value)] } : {}),
    };
    return fields.against ? { kind: "compare", against: fields.against.value, ...shared } : { kind: "simulate", ...shared };
  }

  async function play(): Promise<void> {
    const first = request();
    if (first === null || !meter.hidden) return;
    const mine = (wanted = Symbol(sort));
    subject = workspace.rules();
    tellAge();
    fill(out);
    run.disabled = true;
    meter.hidden = false;
    told.textContent = "The rules are being read …";
    bar.value = 0;
    let reply = await workspace.engine.ask<Sort>(first);
    // A slice at a time: in between the worker answers others, and whoever has stopped waits for no more.
    while (reply.ok && !reply.finished && wanted === mine) {
      show(reply);
      reply = await workspace.engine.ask<"more">({ kind: "more", study: reply.study });
    }
    meter.hidden = true;
    run.disabled = workspace.menu === null;
    if (reply.ok) show(reply);
    else fill(out, tellRefusal(reply, workspace));
  }

  function show(reply: StudyReply): void {
    bar.value = reply.total ? reply.done / reply.total : 0;
    told.textContent = reply.text;
    fill(out, tellReport(reply.report, reply));
  }

  /** Figures of other rules than those in the editor must not be taken for theirs. */
  function tellAge(): void {
    const now = workspace.rules();
    const isOther = subject !== null && now.file !== subject.file;
    const isOlder = subject !== null && now.text !== subject.text;
    fill(age, isOther || isOlder ? make("p", { class: "pg-note" }, isOther ? `What follows is about ${subject?.file}.` : "The rules have changed since this was counted.") : null);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void play();
  });
  workspace.onMenu.push(draw);
  draw();
  return make("div", { class: "pg-study" }, make("p", {}, ABOUT[sort]), form, make("div", { class: "pg-row" }, run), meter, age, out);
}

function tellReport(report: Report, reply: StudyReply): HTMLElement {
  const verdicts = report.verdicts.map((verdict) =>
    make("p", { class: `pg-verdict${verdict.changed ? " pg-changed" : ""}` }, make("b", {}, `${verdict.players} players: `), verdict.text),
  );
  const figures = report.figures.map((figure) => {
    const drawn = drawFigure(figure.svg);
    return drawn && make("figure", {}, drawn, make("figcaption", {}, `${figure.title}, ${figure.players} players: ${figure.note}`));
  });
  return make(
    "div",
    {},
    make("p", { class: "pg-note" }, reply.finished ? `${reply.done} games.` : `${reply.done} of ${reply.total} games so far.`),
    ...verdicts,
    make("div", { class: "pg-figures" }, ...figures),
    make("details", { open: true }, make("summary", {}, "In words and numbers"), make("pre", {}, report.text)),
  );
}
