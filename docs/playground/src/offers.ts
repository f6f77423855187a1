// The question of a game -> what a click on the table would answer.

import type { Item, Question, Stack } from "./protocol";

/** What the viewer has ticked, and what the backend said about it. */
export interface Ticked {
  chosen: number[];
  /** Items that go with what is ticked. */
  more: ReadonlySet<number>;
  complete: boolean;
  need: string;
}

/** Nothing is ticked yet. */
export function beginTicking(question: Question | null): Ticked {
  const { more, complete, need } = question?.ticks ?? { more: [], complete: false, need: "" };
  return { chosen: [], more: new Set(more), complete, need };
}

/** The items that lie where these cards are. */
export function itemsAt(question: Question | null, zone: number, stack: Stack): Item[] {
  const faces = new Set(stack.faces);
  const lies = (item: Item): boolean => item.spots.some((spot) => spot.zone === zone && faces.has(spot.face));
  return question === null ? [] : [...question.items, ...declining(question)].filter(lies);
}

/** The items that stand for a zone. */
export function itemsOf(question: Question | null, zone: number): Item[] {
  return question === null ? [] : [...question.items, ...declining(question)].filter((item) => item.zones.includes(zone));
}

function declining(question: Question): Item[] {
  return question.decline === null ? [] : [question.decline];
}

/** Of equal cards, the one that a click ticks; or the last ticked one, if no other can be. */
export function toggleOne(items: readonly Item[], ticked: Ticked): number[] {
  const next = items.find(({ number }) => !ticked.chosen.includes(number) && ticked.more.has(number));
  if (next !== undefined) return [...ticked.chosen, next.number];
  const last = items.findLast(({ number }) => ticked.chosen.includes(number));
  return ticked.chosen.filter((number) => number !== last?.number);
}

/** Whether a click on any of these does something. */
export function isLit(items: readonly Item[], question: Question | null, ticked: Ticked): boolean {
  if (question === null || items.length === 0) return false;
  return !question.ticking || items.some(({ number }) => ticked.chosen.includes(number) || ticked.more.has(number));
}
