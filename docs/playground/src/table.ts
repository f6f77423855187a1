// What a player sees -> the card table: groups of zones, cards with their names, backs with their number.
//
// Every card is a button. One that may be chosen is lit; the others tell what they are, or why not.

import { make, type Child } from "./dom";
import { isLit, itemsAt, itemsOf, type Ticked } from "./offers";
import type { CardPictures } from "./pictures";
import type { Badge, Counter, Frame, Group, Stack, Subject, Tone, Zone } from "./protocol";

/** What a click on something may do. */
export interface TableActions {
  /** On cards: the subject, and the numbers of the items that lie there. */
  card(subject: Subject, items: number[]): void;
  ask(subject: Subject): void;
  pictures: CardPictures;
}

/** The others sit above what all share, one player below it. */
export function drawTable(frame: Frame, ticked: Ticked, actions: TableActions): HTMLElement {
  const draw = (groups: readonly Group[]): HTMLElement[] => groups.map((group) => drawGroup(group, frame, ticked, actions));
  // Who sits near is the last one, whoever looks: nobody changes seats.
  const near = frame.groups.findLast(({ seat }) => seat !== null);
  const isNear = (group: Group): boolean => group === near;
  const others = frame.groups.filter((group) => group.seat !== null && !isNear(group));
  const shared = frame.groups.filter(({ seat }) => seat === null);
  return make(
    "div",
    { class: "pg-table" },
    make("div", { class: "pg-others" }, ...draw(others)),
    ...draw(shared),
    ...draw(frame.groups.filter(isNear)),
  );
}

function drawGroup(group: Group, frame: Frame, ticked: Ticked, actions: TableActions): HTMLElement {
  const isViewer = group.seat !== null && group.seat === frame.viewer;
  const isTurn = group.seat !== null && group.seat === frame.turn;
  const seat = frame.question?.items.filter((item) => item.seat !== null && item.seat === group.seat) ?? [];
  const name = make("h3", {}, drawName(group, seat.map((item) => item.number), actions));
  const counters = group.counters.filter((counter) => !counter.idle);
  const isColumns = group.seat === null && group.zones.length > 1 && group.zones.every(isOpenPile);
  return make(
    "section",
    { class: `pg-group${group.seat === null ? " pg-middle" : ""}${isViewer ? " pg-mine" : ""}${isTurn ? " pg-turn" : ""}` },
    make("header", {}, name, isTurn ? make("span", { class: "pg-to-move" }, "to move") : null, ...group.badges.map((badge) => drawBadge(badge, actions))),
    counters.length ? make("div", { class: "pg-counters" }, ...counters.map((each) => drawCounter(each, actions))) : null,
    make("div", { class: "pg-zones" }, ...group.zones.filter((zone) => isShown(zone, frame)).map((zone) => drawZone(zone, frame, ticked, actions, isColumns))),
  );
}

/** Of a row of piles whose cards all see, each is a column. */
function isOpenPile({ pile, stacks }: Zone): boolean {
  return pile && stacks.every(({ text }) => text !== null);
}

/** A place where nothing has ever lain is no part of the table, unless it may be chosen. */
function isShown(zone: Zone, frame: Frame): boolean {
  return zone.used || itemsOf(frame.question, zone.zone).length > 0;
}

function drawName(group: Group, items: number[], actions: TableActions): Child {
  const { seat } = group;
  if (seat === null) return group.title;
  const subject: Subject = { of: "player", seat };
  const element = make(
    "button",
    { type: "button", class: `pg-name${items.length ? " pg-lit" : ""}`, "data-key": `seat ${seat}` },
    group.title,
  );
  element.addEventListener("click", () => actions.card(subject, items));
  return element;
}

function drawBadge(badge: Badge, actions: TableActions): HTMLElement {
  const { variable } = badge;
  if (variable === null) return make("span", { class: "pg-badge" }, badge.text);
  const element = make("button", { type: "button", class: "pg-badge", "data-key": `badge ${variable}` }, badge.text);
  element.addEventListener("click", () => actions.ask({ of: "counter", variable }));
  return element;
}

function drawCounter(counter: Counter, actions: TableActions): HTMLElement {
  const values = counter.values.length
    ? counter.values.map(({ text, tone }) => make("span", { class: "pg-value", style: paint(tone) }, text))
    : [make("b", {}, counter.text)];
  const element = make(
    "button",
    { type: "button", class: "pg-counter", "data-key": `counter ${counter.variable}` },
    `${counter.title} `,
    ...values,
  );
  element.addEventListener("click", () => actions.ask({ of: "counter", variable: counter.variable }));
  return element;
}

function drawZone(zone: Zone, frame: Frame, ticked: Ticked, actions: TableActions, isColumn: boolean): HTMLElement {
  const items = itemsOf(frame.question, zone.zone).map(({ number }) => number);
  const name = zone.seat === null ? "" : (frame.players[zone.seat]?.name ?? "");
  const owner = name === "" || name.toLowerCase() === zone.title.toLowerCase() ? "" : `${name}: `;
  const title = make(
    "button",
    { type: "button", class: `pg-zone-title${items.length ? " pg-lit" : ""}`, "data-key": `zone ${zone.zone}`, "data-items": items.length ? items.join(" ") : null },
    owner + zone.title,
  );
  title.addEventListener("click", () => actions.card({ of: "zone", zone: zone.zone }, items));
  const cards = zone.stacks.map((stack, place) => drawCards(zone, stack, place, frame, ticked, actions));
  return make(
    "div",
    { class: "pg-zone", role: "group", "aria-label": `${zone.title}, ${zone.count ?? "?"}` },
    make("div", { class: "pg-zone-head" }, title, make("span", { class: "pg-count" }, String(zone.count ?? "?")), zone.grown ? make("span", { class: "pg-grown" }, zone.grown > 0 ? `+${zone.grown}` : `−${-zone.grown}`) : null),
    cards.length ? make("div", { class: `pg-cards${isColumn ? " pg-column" : ""}` }, ...cards) : null,
  );
}

function drawCards(zone: Zone, stack: Stack, place: number, frame: Frame, ticked: Ticked, actions: TableActions): HTMLElement {
  const items = itemsAt(frame.question, zone.zone, stack);
  const numbers = items.map((item) => item.number);
  const chosen = numbers.filter((number) => ticked.chosen.includes(number)).length;
  const isBack = stack.text === null;
  const picture = actions.pictures.picture(stack);
  const does = actions.pictures.does(stack);
  const classes = ["pg-card"];
  if (isBack) classes.push("pg-back");
  if (picture) classes.push("pg-drawn");
  if (stack.moved) classes.push("pg-moved");
  if (stack.told) classes.push("pg-told");
  if (stack.count > 1) classes.push("pg-several");
  if (isLit(items, frame.question, ticked)) classes.push("pg-lit");
  if (chosen) classes.push("pg-ticked");
  const element = make(
    "button",
    {
      type: "button",
      class: classes.join(" "),
      style: `z-index: ${zone.stacks.length - place};${isBack || picture ? "" : paint(stack.tone)}`,
      title: isBack ? null : does || stack.text,
      "data-does": does || null,
      "data-key": `card ${zone.zone} ${place}`,
      "data-items": numbers.length ? numbers.join(" ") : null,
      "aria-pressed": frame.question?.ticking && numbers.length ? chosen > 0 : null,
      "aria-label": nameCards(stack, chosen),
    },
    picture ? make("img", { src: picture, alt: "" }) : make("span", { class: "pg-face" }, stack.text ?? "?"),
    stack.count > 1 ? make("span", { class: "pg-times" }, `×${stack.count}`) : null,
    chosen ? make("span", { class: "pg-tick" }, stack.count > 1 ? `✓ ${chosen}` : "✓") : null,
  );
  const subject: Subject = isBack
    ? { of: "zone", zone: zone.zone }
    : { of: "cards", zone: zone.zone, faces: stack.faces };
  element.addEventListener("click", () => actions.card(subject, numbers));
  return element;
}

function nameCards(stack: Stack, chosen: number): string {
  const what = stack.text ?? (stack.count > 1 ? "cards face down" : "card face down");
  return `${stack.count > 1 ? `${stack.count} × ` : ""}${what}${chosen ? `, ${chosen} ticked` : ""}`;
}

/** Colours come from the backend as `#rrggbb`, and are nothing else here. */
export function paint(tone: Tone | null): string | null {
  const safe = (colour: string): boolean => /^#[0-9a-f]{6}$/i.test(colour);
  return tone && safe(tone.ground) && safe(tone.ink) ? `background-color: ${tone.ground}; color: ${tone.ink}` : null;
}
