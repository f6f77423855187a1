import assert from "node:assert/strict";
import { test } from "node:test";
import { readNumber } from "../src/forms";
import { beginSetup, seatPlayers } from "../src/setup";
import { MENU } from "./stage";

const BEFORE = { players: 9, kinds: ["human", "human"], variants: ["long", "gone"], options: { actions: "3", lost: "1" } };
const variant = { name: "long", title: "Long", players: [2, 4] as [number, number], about: "" };
const option = { name: "actions", values: ["1..5"], default: "2", about: "" };

test("a game begins with the fewest players, one of them a person", () => {
  const setup = beginSetup(MENU, null);

  assert.equal(setup.players, 2);
  assert.deepEqual(seatPlayers(setup), [
    { name: "You", kind: "human" },
    { name: "Ben", kind: "normal" },
  ]);
});

test("what was chosen stays as far as it fits other rules", () => {
  const setup = beginSetup({ ...MENU, variants: [variant], options: [option] }, BEFORE);

  assert.deepEqual(setup, { players: 4, kinds: ["human", "human"], variants: ["long"], options: { actions: "3" } });
});

test("people who share a screen have names", () => {
  const seats = seatPlayers({ ...BEFORE, players: 3 });

  assert.deepEqual(seats.map(({ name }) => name), ["Ada", "Ben", "Cleo"]);
  assert.deepEqual(seats.map(({ kind }) => kind), ["human", "human", "normal"]);
});

test("a number is within its bounds, whatever was typed", () => {
  const read = (value: string): number => readNumber({ value, min: "2", max: "5" } as HTMLInputElement);

  assert.deepEqual(["3", "", "x", "-1", "99", "2.6", "1e9", "NaN"].map(read), [3, 2, 2, 2, 5, 3, 5, 2]);
});
