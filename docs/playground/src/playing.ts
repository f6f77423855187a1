// The pane with the card table: a game from its start to its result.
//
// The worker holds the game; here is only the frame that the viewer may see, and what is ticked in it.

import { tellRefusal, type Workspace } from "./workspace";
import { linkClauses, type Lookup } from "./clauses";
import { button, fill, make } from "./dom";
import { choose as chooseField } from "./forms";
import { drawFacts, keepPictures, NO_PICTURES, type CardPictures } from "./pictures";
import { beginTicking, toggleOne, type Ticked } from "./offers";
import type { Frame, FrameReply, HintReply, Refusal, Reply, Rules, Subject } from "./protocol";
import { drawQuestion, prompt } from "./question";
import { tellReasons } from "./reasons";
import { showReference } from "./reference";
import { tellResult } from "./result";
import { beginSetup, drawSetup, seatPlayers, type Setup } from "./setup";
import { colour, tellSentence } from "./story";
import { drawTable } from "./table";

const PACES = [
  { value: "900", text: "one by one" },
  { value: "250", text: "quickly" },
  { value: "0", text: "at once" },
];

export function makePlayPane(workspace: Workspace): HTMLElement {
  let setup: Setup | null = null;
  let frame: Frame | null = null;
  let ticked: Ticked = beginTicking(null);
  let narrowed: number[] | null = null;
  let asking = false;
  let busy = false;
  let lookup: Lookup = workspace.lookup();
  let pictures: CardPictures = NO_PICTURES;
  let goOn: (() => void) | null = null; // ends the rest on a moment

  const start = make("div", { class: "pg-start" });
  const trouble = make("div", {});
  const news = make("div", { class: "pg-news", "aria-live": "polite" });
  const question = make("div", { class: "pg-ask" });
  const reasons = make("div", { "aria-live": "polite" });
  const where = make("p", { class: "pg-where" });
  const table = make("div", {});
  const sights = make("div", { class: "pg-facts" });
  const does = make("p", { class: "pg-does", "aria-live": "polite" });
  const span = make("h3", {});
  const story = make("ol", { class: "pg-story", "aria-label": "What happened" });
  const again = button("New game", () => leave());
  const undo = button("Undo", () => void go({ kind: "undo" }));
  const hint = button("Hint", () => void advise());
  const why = button("Why?", () => setAsking(!asking), { "aria-pressed": "false", title: "Then click on anything" });
  const rules = button("Rules", () => void refer(), { title: "Goal, turn, points and end of this game" });
  const pace = chooseField("Bots move", PACES, "900", "pace");
  const bar = make("div", { class: "pg-row pg-bar" }, again, undo, hint, why, rules, pace.field);
  const board = make(
    "div",
    { class: "pg-board", hidden: true },
    make("div", { class: "pg-play" }, bar, question, news, reasons, where, table, does, sights),
    make("section", { class: "pg-log" }, span, story),
  );
  const pane = make("div", { class: "pg-playing" }, start, trouble, board);

  // ---- Before the game -----------------------------------------------------------------------------

  function drawStart(): void {
    if (!board.hidden) return;
    const { menu } = workspace;
    if (menu === null) return fill(start, make("p", { class: "pg-note" }, "As soon as the rules have no mistakes, they can be played here."));
    const chosen = (setup = beginSetup(menu, setup));
    fill(
      start,
      make("h2", {}, menu.title),
      menu.about ? make("p", {}, menu.about) : null,
      drawSetup(menu, chosen, workspace.bots, drawStart),
      make(
        "div",
        { class: "pg-row" },
        button("Start the game", () => void begin(), { class: "pg-button pg-main", "data-key": "start" }),
        button("How it is played", () => void refer(), { "data-key": "reference" }),
      ),
    );
  }

  function chosenRules(): Rules {
    return { ...workspace.rules(), variants: setup?.variants ?? [], options: setup?.options ?? {} };
  }

  async function refer(): Promise<void> {
    if (busy) return;
    const reply = await workspace.engine.ask<"reference">({ kind: "reference", ...(board.hidden ? { rules: chosenRules() } : {}) });
    if (!reply.ok) return complain(reply);
    await showReference(reply);
  }

  /** Go on with the game that was on the table before the page was loaded again, or before its worker was lost. */
  async function resume(): Promise<void> {
    const reply = await workspace.engine.ask<"resume">({ kind: "resume" });
    if (reply.ok && reply.lost !== null) fill(trouble, make("p", { class: "pg-note", role: "status" }, reply.lost));
    if (!reply.ok || reply.frame === null || reply.rules === null || !board.hidden) return;
    lookup = linkClauses(reply.rules.file, reply.rules.text, workspace.games);
    await fetchPictures();
    show(reply.frame);
  }

  async function fetchPictures(): Promise<void> {
    const reply = await workspace.engine.ask<"cards">({ kind: "cards" });
    pictures = reply.ok ? keepPictures(reply) : NO_PICTURES;
    fill(sights, ...drawFacts(pictures.facts));
  }

  async function begin(): Promise<void> {
    if (setup === null) return;
    lookup = workspace.lookup();
    fill(trouble, make("p", { class: "pg-note", role: "status" }, "The cards are being dealt …"));
    await go({ kind: "start", rules: chosenRules(), seats: seatPlayers(setup) });
  }

  function leave(): void {
    if (frame !== null) void workspace.engine.ask<"leave">({ kind: "leave" });
    close();
  }

  function close(): void {
    frame = null;
    board.hidden = true;
    start.hidden = false;
    fill(trouble);
    drawStart();
    start.querySelector<HTMLElement>("[data-key=start]")?.focus();
  }

  // ---- The game goes on ----------------------------------------------------------------------------

  type Step = Parameters<typeof workspace.engine.ask<"start" | "take" | "bot" | "choose" | "undo">>[0];

  /** One thing at a time: what is clicked meanwhile is not meant for what will be there then. */
  function setBusy(on: boolean): void {
    busy = on;
    pane.setAttribute("aria-busy", String(on));
  }

  async function go(step: Step): Promise<void> {
    if (busy) return;
    setBusy(true);
    const rests = Number(pace.input.value) > 0 && (step.kind === "bot" || step.kind === "choose");
    const reply: Reply<"start" | "choose"> = await workspace.engine.ask(rests ? { ...step, beats: true } : step);
    if (reply.ok && step.kind === "start") await fetchPictures();
    if (reply.ok && "beats" in reply) await showBeats(reply.beats, reply.frame);
    setBusy(false);
    if (!reply.ok) return complain(reply as Refusal);
    fill(trouble);
    show((reply as FrameReply).frame);
  }

  /** The moments of a move, each as long as the pace says; the outcome until the screen is passed on. */
  async function showBeats(beats: readonly Frame[], next: Frame): Promise<void> {
    const passesTo = next.hand_to === null ? null : (next.players[next.hand_to]?.name ?? "");
    let skipped = false;
    for (const beat of beats) {
      const isOutcome = passesTo !== null && beat === beats.at(-1);
      if (skipped && !isOutcome) continue;
      present(beat);
      const rest = new Promise<boolean>((resolve) => {
        goOn = () => resolve(true);
        if (!isOutcome) setTimeout(() => resolve(false), Number(pace.input.value));
      });
      const text = isOutcome ? `Hide this, and pass the screen to ${passesTo}` : "Go on";
      fill(question, prompt(isOutcome ? "This is what came of it." : ""), button(text, () => goOn?.(), { class: `pg-button${isOutcome ? " pg-main" : ""}`, "data-key": isOutcome ? "pass" : "skip" }));
      if (isOutcome) pane.setAttribute("aria-busy", "false"); // the player is waited for
      skipped = (await rest) || skipped;
      goOn = null;
    }
  }

  function show(next: Frame): void {
    present(next);
    if (next.waiting !== null) setTimeout(() => frame === next && void go({ kind: "bot" }), Number(pace.input.value));
  }

  function present(next: Frame): void {
    const hadFocus = pane.contains(document.activeElement);
    frame = next;
    ticked = beginTicking(next.question);
    narrowed = null;
    start.hidden = true;
    board.hidden = false;
    fill(reasons);
    const fresh = next.story.slice(next.fresh);
    fill(news, ...fresh.slice(-3).map((sentence) => make("p", {}, ...sentence.words.map(colour))));
    fill(story, ...next.story.map((sentence, number) => tellSentence(sentence, number, lookup, (subject) => void explain(subject))));
    // What rules ask players to remember is not written down for them.
    span.textContent = next.viewer === null || next.over ? "What happened" : "What happened lately";
    story.scrollTop = story.scrollHeight; // not into view: the page must stay where it is
    redraw();
    if (hadFocus && !pane.contains(document.activeElement)) focusQuestion();
  }

  function redraw(): void {
    if (frame === null) return;
    undo.disabled = !frame.may_undo;
    hint.disabled = frame.question === null;
    pane.classList.toggle("pg-asking", asking);
    where.textContent = frame.where.join(" · ");
    does.textContent = "";
    fill(question, drawNext(frame));
    fill(table, frame.hand_to === null ? drawTable(frame, ticked, { card, ask: (subject) => void explain(subject), pictures }) : null);
  }

  function drawNext(now: Frame): HTMLElement | null {
    if (now.hand_to !== null) {
      const name = now.players[now.hand_to]?.name ?? "";
      return make("div", { class: "pg-question" }, prompt(`Hand the screen to ${name}.`), button(`I am ${name}`, () => void go({ kind: "take" }), { class: "pg-button pg-main", "data-key": "take" }));
    }
    if (now.result !== null) return tellResult(now, now.result, (subject) => void explain(subject));
    if (now.question !== null) {
      return drawQuestion(now.question, ticked, narrowed, {
        choose: (item) => (asking ? void explain({ of: "item", number: item }) : void go({ kind: "choose", item })),
        tick: (item) => (asking ? void explain({ of: "item", number: item }) : void tick(item)),
        finish: () => void go({ kind: "choose", ticked: ticked.chosen }),
        widen: () => narrow(null),
      });
    }
    return prompt(now.waiting ?? "");
  }

  function focusQuestion(): void {
    question.querySelector<HTMLElement>("[data-key=prompt], button")?.focus({ preventScroll: true });
  }

  // ---- Clicks on the table ---------------------------------------------------------------------------

  function card(subject: Subject, items: number[]): void {
    const asked = frame?.question ?? null;
    if (asking || asked === null || items.length === 0) return void explain(subject);
    if (asked.ticking) {
      const lying = asked.items.filter((item) => items.includes(item.number));
      const chosen = toggleOne(lying, ticked);
      return void (chosen.length === ticked.chosen.length ? explain(subject) : setTicked(chosen));
    }
    if (items.length > 1) return narrow(items);
    void go({ kind: "choose", item: items[0] ?? -1 });
  }

  function narrow(items: number[] | null): void {
    narrowed = items;
    redraw();
    focusQuestion();
  }

  async function tick(item: number): Promise<void> {
    const has = ticked.chosen.includes(item);
    if (!has && !ticked.more.has(item)) return explain({ of: "item", number: item });
    await setTicked(has ? ticked.chosen.filter((number) => number !== item) : [...ticked.chosen, item]);
  }

  async function setTicked(chosen: number[]): Promise<void> {
    if (busy) return;
    setBusy(true);
    const reply = await workspace.engine.ask<"tick">({ kind: "tick", chosen });
    setBusy(false);
    if (!reply.ok) return complain(reply);
    ticked = { chosen, more: new Set(reply.more), complete: reply.complete, need: reply.need };
    redraw();
  }

  // ---- Questions of the player -----------------------------------------------------------------------

  function setAsking(on: boolean): void {
    asking = on;
    why.setAttribute("aria-pressed", String(on));
    redraw();
    if (on) void explain({ of: "question" });
  }

  async function explain(subject: Subject): Promise<void> {
    if (busy) return;
    const reply = await workspace.engine.ask<"why">({ kind: "why", subject, chosen: ticked.chosen });
    if (!reply.ok) return complain(reply);
    fill(reasons, tellReasons(reply, lookup, (span) => workspace.goTo(span), () => fill(reasons)));
  }

  async function advise(): Promise<void> {
    const asked = frame;
    if (busy) return;
    setBusy(true);
    const reply = await workspace.engine.ask<"hint">({ kind: "hint" });
    setBusy(false);
    if (!reply.ok) return complain(reply);
    if (frame !== asked) return;
    fill(reasons, tellHint(reply, asked));
    if (asked?.question?.ticking) await setTicked(reply.ticked);
  }

  function complain(refusal: Refusal): void {
    fill(trouble, tellRefusal(refusal, workspace));
  }

  function tellCard({ target }: Event): void {
    const card = target instanceof Element ? target.closest("[data-does]") : null;
    if (card !== null) does.textContent = card.getAttribute("data-does");
  }
  table.addEventListener("pointerover", tellCard);
  table.addEventListener("focusin", tellCard);
  workspace.onMenu.push(drawStart);
  workspace.onLost.push(() => {
    if (frame === null) return;
    close();
    void resume();
  });
  drawStart();
  void resume();
  return pane;
}

function tellHint(hint: HintReply, frame: Frame | null): HTMLElement {
  const name = (item: number): string => frame?.question?.items.find((each) => each.number === item)?.text ?? "";
  const opinions = hint.opinions.slice(0, 5).map(({ item, share, tried }) =>
    make("li", {}, `${name(item)}: ${Math.round(share * 100)} % won of ${tried} tried`),
  );
  return make("aside", { class: "pg-why", "aria-label": "Hint" }, make("p", {}, hint.text), make("ul", {}, ...opinions));
}
