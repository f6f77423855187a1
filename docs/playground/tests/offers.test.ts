import assert from "node:assert/strict";
import { test } from "node:test";
import { beginTicking, isLit, itemsAt, toggleOne } from "../src/offers";
import { ask, item, stack } from "./stage";

test("the items of cards are those with a face among them, in their zone", () => {
  const question = ask([item(0, 7), item(1, 8), item(2)], false, item(3, 7));

  assert.deepEqual(itemsAt(question, 1, stack(2, 7)).map((each) => each.number), [0, 3]);
  assert.deepEqual(itemsAt(question, 2, stack(2, 7)), []);
  assert.deepEqual(itemsAt(null, 1, stack(1, 7)), []);
});

test("a click on equal cards ticks one after the other, and then takes the last one back", () => {
  const items = [item(0, 7), item(1, 7)];
  const nothing = beginTicking(ask(items, true));
  const one = toggleOne(items, nothing);
  const both = toggleOne(items, { ...nothing, chosen: one, more: new Set([1]) });
  const fewer = toggleOne(items, { ...nothing, chosen: both, more: new Set() });

  assert.deepEqual([one, both, fewer], [[0], [0, 1], [0]]);
});

test("a click on what does not fit changes nothing", () => {
  const ticked = { ...beginTicking(null), chosen: [5] };

  assert.deepEqual(toggleOne([item(0, 7)], ticked), [5]);
});

test("cards are lit as long as a click on them does something", () => {
  const items = [item(0, 7)];
  const ticking = ask(items, true);
  const full = { ...beginTicking(ticking), more: new Set<number>() };

  assert.ok(isLit(items, ask(items), beginTicking(null)));
  assert.ok(isLit(items, ticking, beginTicking(ticking)));
  assert.ok(!isLit(items, ticking, full));
  assert.ok(isLit(items, ticking, { ...full, chosen: [0] }));
  assert.ok(!isLit([], ticking, beginTicking(ticking)));
  assert.ok(!isLit(items, null, beginTicking(null)));
});
