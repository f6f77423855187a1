// How a game ended: who wins and why, the places, and how every score came about, added up line by line.

import { make, type Child } from "./dom";
import type { Account, Criterion, Frame, Result, ScoreSheet, Subject } from "./protocol";

export function tellResult(frame: Frame, result: Result, ask: (subject: Subject) => void): HTMLElement {
  const counting = result.criteria.filter((each) => each.seats.length);
  return make(
    "div",
    { class: "pg-result" },
    make("h3", {}, result.text),
    result.ending === null ? null : make("p", {}, result.ending),
    drawPlaces(result, ask),
    ...counting.flatMap((each) => tellCriterion(frame, each)),
    make("p", { class: "pg-note" }, `Seed ${result.seed}: with it, the same choices make the same game.`),
  );
}

function drawPlaces(result: Result, ask: (subject: Subject) => void): HTMLElement {
  const counting = [...result.criteria.entries()].filter(([, each]) => each.seats.length);
  const heads = counting.map(([, each]) => make("th", { scope: "col", title: each.about }, each.title));
  const rows = result.rows.map((row) => {
    const scores = counting.map(([index, each]) => {
      if (!each.seats.includes(row.seat)) return make("td", {});
      const why = make("button", { type: "button", class: "pg-said", title: "Why?" }, row.scores[index] ?? "");
      why.addEventListener("click", () => ask({ of: "score", seat: row.seat, row: index }));
      return make("td", {}, why);
    });
    const wins = result.winners.includes(row.seat);
    const name = `${row.name}${wins ? " ★" : ""}`;
    return make("tr", { class: wins ? "pg-winner" : null }, make("td", {}, String(row.place)), make("th", { scope: "row" }, name), ...scores, make("td", { class: "pg-note" }, row.note ?? ""));
  });
  const head = make("tr", {}, make("th", {}, "Place"), make("th", {}, "Player"), ...heads, make("td", {}));
  return make("table", { class: "pg-scores" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

function tellCriterion(frame: Frame, criterion: Criterion): Child[] {
  const own = criterion.seats.flatMap((seat) => criterion.accounts[seat] ?? []);
  const told = own.some((each) => each.entries.length || each.notes.length || each.parts.length) ? own : [];
  return [
    ...criterion.shared.map(drawAccount),
    ...criterion.sentences.map((sentence) => make("p", {}, sentence)),
    told.length ? make("div", { class: "pg-accounts" }, ...told.map(drawAccount)) : null,
    criterion.sheet === null ? null : drawSheet(frame, criterion.sheet),
  ];
}

export function drawAccount(account: Account): HTMLElement {
  const { entries, columns } = account;
  const rows = entries.map((each) =>
    make("tr", {}, make("th", { scope: "row" }, each.title), ...each.cells.map((cell) => make("td", {}, cell)), make("td", {}, each.value), make("td", { class: "pg-note" }, each.note ?? "")),
  );
  const only = entries.length === 1 && entries[0]?.value === account.value;
  if (account.total && entries.length && !only) {
    rows.push(make("tr", { class: "pg-total" }, make("th", { scope: "row" }, account.total), ...columns.map(() => make("td", {})), make("td", {}, account.value), make("td", {})));
  }
  const unit = account.unit.toLowerCase() === account.title.toLowerCase() ? "" : account.unit;
  const head = make("tr", {}, make("th", {}), ...[...columns, unit].map((text) => make("th", { scope: "col" }, text)), make("td", {}));
  const title = account.title.charAt(0).toUpperCase() + account.title.slice(1);
  return make(
    "div",
    { class: "pg-account" },
    entries.length
      ? make("table", { class: "pg-scores" }, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...rows))
      : make("p", {}, `${title} ${account.value}`.trim()),
    ...account.notes.map((note) => make("p", { class: "pg-note" }, note)),
    ...account.parts.map(drawAccount),
  );
}

/** What was added in each round and what it makes; what is behind a number unfolds. */
function drawSheet(frame: Frame, sheet: ScoreSheet): HTMLElement {
  const rows = sheet.rounds.map((round) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, round.title),
      ...round.marks.map((mark) => {
        const added = mark.added.startsWith("−") ? mark.added : `+${mark.added}`;
        const number = mark.why === null ? added : make("details", {}, make("summary", {}, added), drawAccount(mark.why));
        return make("td", { class: mark.leads ? "pg-winner" : null }, number, " ", make("b", {}, mark.total), mark.leads ? " ★" : "");
      }),
    ),
  );
  const head = make("tr", {}, make("th", {}), ...frame.players.map((each) => make("th", { scope: "col" }, each.name)));
  const title = sheet.title.charAt(0).toUpperCase() + sheet.title.slice(1);
  return make("table", { class: "pg-scores pg-sheet" }, make("caption", {}, `${title}; ★ leads after this round`), make("thead", {}, head), make("tbody", {}, ...rows));
}
