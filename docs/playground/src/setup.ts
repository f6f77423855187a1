// What is chosen before a game or a study: how many play, who, which variants and options.

import { make } from "./dom";
import { choose, tick, typeNumber, readNumber, labelled } from "./forms";
import type { Bot, Menu, Option, Seat } from "./protocol";

/** Kept while the rules are edited, as far as it still fits. */
export interface Setup {
  players: number;
  kinds: string[];
  variants: string[];
  options: Record<string, string>;
}

export const HUMAN = "human";
const USUAL = "normal"; // the bot that sits down unless another is chosen
const NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"];

export function beginSetup(menu: Menu, before: Setup | null): Setup {
  const [least, most] = menu.players;
  const names = new Set(menu.variants.map((variant) => variant.name));
  const options = new Map(menu.options.map((option) => [option.name, option]));
  return {
    players: Math.min(Math.max(before?.players ?? least, least), most),
    kinds: before?.kinds ?? [HUMAN],
    variants: before?.variants.filter((name) => names.has(name)) ?? [],
    options: Object.fromEntries(Object.entries(before?.options ?? {}).filter(([name]) => options.has(name))),
  };
}

/** Who sits where: people get names if there are several, a single one is spoken to. */
export function seatPlayers(setup: Setup): Seat[] {
  const kinds = Array.from({ length: setup.players }, (_, seat) => setup.kinds[seat] ?? USUAL);
  const alone = kinds.filter((kind) => kind === HUMAN).length === 1;
  return kinds.map((kind, seat) => ({ kind, name: kind === HUMAN && alone ? "You" : (NAMES[seat] ?? `P${seat + 1}`) }));
}

/** The fields for seats, variants and options; `changed` is called after each change. */
export function drawSetup(menu: Menu, setup: Setup, bots: readonly Bot[], changed: () => void): HTMLElement {
  const players = typeNumber("Players", setup.players, menu.players, "players");
  players.input.addEventListener("change", () => {
    setup.players = readNumber(players.input);
    changed();
  });
  return make(
    "div",
    { class: "pg-setup" },
    make("div", { class: "pg-fields" }, players.field, ...drawSeats(setup, bots, changed)),
    ...tellBots(setup, bots),
    drawVariants(menu, setup, changed),
    drawOptions(menu, setup, changed),
  );
}

/** What the bots at this table are like, each once. */
function tellBots(setup: Setup, bots: readonly Bot[]): HTMLElement[] {
  const seated = new Set(seatPlayers(setup).map(({ kind }) => kind));
  return bots.filter(({ word }) => seated.has(word)).map(({ word, about }) => make("p", { class: "pg-note" }, `${word}: ${about}`));
}

function drawSeats(setup: Setup, bots: readonly Bot[], changed: () => void): HTMLElement[] {
  const kinds = [{ value: HUMAN, text: "person" }, ...bots.map((bot) => ({ value: bot.word, text: `${bot.word} bot` }))];
  return Array.from({ length: setup.players }, (_, seat) => {
    const { field, input } = choose(`Seat ${seat + 1}`, kinds, setup.kinds[seat] ?? USUAL, `seat ${seat}`);
    input.addEventListener("change", () => {
      setup.kinds = Array.from({ length: Math.max(setup.players, seat + 1) }, (__, each) => setup.kinds[each] ?? USUAL);
      setup.kinds[seat] = input.value;
      changed();
    });
    return field;
  });
}

export function drawVariants(menu: Menu, setup: Setup, changed: () => void): HTMLElement | null {
  if (menu.variants.length === 0) return null;
  const boxes = menu.variants.map((variant) => {
    const { field, input } = tick(variant.title, setup.variants.includes(variant.name), `variant ${variant.name}`, variant.about);
    input.addEventListener("change", () => {
      setup.variants = input.checked
        ? [...setup.variants, variant.name]
        : setup.variants.filter((name) => name !== variant.name);
      changed();
    });
    return field;
  });
  return make("fieldset", {}, make("legend", {}, "Variants"), ...boxes);
}

export function drawOptions(menu: Menu, setup: Setup, changed: () => void): HTMLElement | null {
  if (menu.options.length === 0) return null;
  const rows = menu.options.map((option) => {
    const { field, input } = drawOption(option, setup.options[option.name] ?? option.default);
    input.addEventListener("change", () => {
      setup.options[option.name] = input instanceof HTMLInputElement ? String(readNumber(input)) : input.value;
      if (setup.options[option.name] === option.default) delete setup.options[option.name];
      changed();
    });
    return make("div", { class: "pg-option" }, field, make("small", {}, option.about));
  });
  return make("details", { open: Object.keys(setup.options).length > 0 }, make("summary", {}, `Rulings that can be chosen (${rows.length})`), ...rows);
}

function drawOption(option: Option, value: string): { field: HTMLElement; input: HTMLInputElement | HTMLSelectElement } {
  const title = option.name.replaceAll("_", " ");
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(option.values[0] ?? "");
  if (range && option.values.length === 1) {
    return typeNumber(title, Number(value), [Number(range[1]), Number(range[2])], `option ${option.name}`);
  }
  const input = make(
    "select",
    { "data-key": `option ${option.name}` },
    ...option.values.map((each) => make("option", { value: each, selected: each === value }, each)),
  );
  return { field: labelled(title, input), input };
}
