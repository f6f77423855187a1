import assert from "node:assert/strict";
import { test } from "node:test";
import { freeName, isFileName } from "../src/drafts";
import { openFiles } from "../src/files";
import { makeStorage, ship } from "./stage";

const GAMES = [ship("deadlies.rules", "deadly"), ship("sins.rules", "sinful")];

test("a newcomer sees a shipped game", () => {
  const files = openFiles(makeStorage(), GAMES);

  assert.equal(files.file, "sins.rules");
  assert.equal(files.text(), "sinful");
  assert.deepEqual(files.own(), []);
});

test("a draft of a shipped game survives a reload, and is gone when it is thrown away", () => {
  const storage = makeStorage();
  openFiles(storage, GAMES).keep("changed");
  const later = openFiles(storage, GAMES);

  assert.equal(later.text(), "changed");
  assert.ok(later.isChanged("sins.rules"));
  later.discard();
  assert.equal(later.text(), "sinful");
  assert.ok(!later.isChanged("sins.rules"));
});

test("whoever changes everything back has no draft", () => {
  const files = openFiles(makeStorage(), GAMES);
  files.keep("changed");
  files.keep("sinful");

  assert.ok(!files.isChanged("sins.rules"));
});

test("what comes with a link never replaces another text", () => {
  const storage = makeStorage();
  const files = openFiles(storage, GAMES);
  files.keep("my draft");
  files.add({ file: "sins.rules", text: "from a link" });

  assert.equal(files.file, "sins 2.rules");
  assert.equal(files.text(), "from a link");
  files.open("sins.rules");
  assert.equal(files.text(), "my draft");
});

test("the same link twice is one file", () => {
  const files = openFiles(makeStorage(), GAMES);
  files.add({ file: "a.rules", text: "one" });
  files.add({ file: "a.rules", text: "one" });

  assert.deepEqual(files.own(), ["a.rules"]);
});

test("a file of one's own is remembered, and another is open when it is deleted", () => {
  const storage = makeStorage();
  openFiles(storage, GAMES).add({ file: "mine.rules", text: "mine" });
  const later = openFiles(storage, GAMES);

  assert.equal(later.file, "mine.rules");
  later.discard();
  assert.deepEqual(later.own(), []);
  assert.equal(later.file, "sins.rules");
});

test("a full storage is told, and keeps what it has", () => {
  const storage = makeStorage(100);
  const files = openFiles(storage, GAMES);

  assert.ok(files.keep("short"));
  assert.ok(!files.keep("x".repeat(200)));
  assert.equal(openFiles(storage, GAMES).text(), "short");
});

test("a shared file that finds no room is told as well", () => {
  const files = openFiles(makeStorage(100), GAMES);

  assert.ok(!files.add({ file: "big.rules", text: "x".repeat(200) }));
  assert.equal(files.file, "sins.rules");
});

test("two tabs do not undo each other's drafts", () => {
  const storage = makeStorage();
  const [one, other] = [openFiles(storage, GAMES), openFiles(storage, GAMES)];
  one.keep("sins in one tab");
  other.open("deadlies.rules");
  other.keep("deadlies in another");

  assert.equal(openFiles(storage, GAMES).isChanged("sins.rules"), true);
  assert.equal(openFiles(storage, GAMES).isChanged("deadlies.rules"), true);
});

test("names of files", () => {
  for (const name of ["a.rules", "Für Ida 2.rules", "my_sins.rules"]) assert.ok(isFileName(name), name);
  for (const name of ["a", ".rules", "a/b.rules", "<b>.rules", 'a".rules', " a.rules"]) assert.ok(!isFileName(name), name);
  assert.equal(freeName("a.rules", (name) => ["a.rules", "a 2.rules"].includes(name)), "a 3.rules");
});
