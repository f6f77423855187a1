import assert from "node:assert/strict";
import { test } from "node:test";
import { findBase, linkClauses } from "../src/clauses";
import { saidOnce } from "../src/reasons";
import { paint } from "../src/table";
import { ship } from "./stage";

const GAMES = [
  ship("sins.rules", 'game "Sins"\n@S-01 "Two play."\n'),
  ship("my_sins.rules", 'extends "sins.rules"\n@M-01 "Three play."\n'),
  ship("other.rules", 'game "Other"\n@O-01 "Four play."\n'),
];

test("an overlay names the file on which it stands", () => {
  assert.equal(findBase('-- mine\nextends "sins.rules" with long\n'), "sins.rules");
  assert.equal(findBase('game "A"\n  extends "no.rules"'), null);
});

test("clauses lead to the booklet in which they are told", () => {
  const lookup = linkClauses("mine.rules", 'extends "my_sins.rules"', GAMES);

  assert.equal(lookup("S-01"), "../games/my_sins/clauses/#clause-s-01");
  assert.equal(lookup("M-01"), "../games/my_sins/clauses/#clause-m-01");
  assert.equal(lookup("O-01"), null);
  assert.equal(lookup("nonsense"), null);
  assert.equal(linkClauses("sins.rules", "", GAMES)("S-35"), "../games/sins/clauses/#clause-s-35");
});

test("what is said of several clauses is said once", () => {
  const clause = (name: string, ...texts: string[]) => ({ name, section: "", texts });
  const why = { ok: true as const, title: "", sentences: ["a"], quotes: [], clauses: [clause("1", "a", "b"), clause("2", "b", "c")] };

  assert.deepEqual(saidOnce(why).map(([, texts]) => texts), [["b"], ["c"]]);
});

test("colours are nothing but colours", () => {
  assert.equal(paint({ ground: "#FF0000", ink: "#000000" }), "background-color: #FF0000; color: #000000");
  assert.equal(paint({ ground: "red; background: url(//evil)", ink: "#000000" }), null);
  assert.equal(paint(null), null);
});
