import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { LONGEST } from "../src/drafts";
import { applyEdits, findEdits } from "../src/edits";
import * as sharing from "../src/sharing";

const BASE = Array.from({ length: 700 }, (_, line) => `  ${line} => ${line * 7}`).join("\n") + "\n";
const SHIPPED = new Map([["sins.rules", BASE]]);
const writeFragment = (shared: sharing.Shared) => sharing.writeFragment(shared, SHIPPED);
const readFragment = (fragment: string) => sharing.readFragment(fragment, SHIPPED);

const pack = (content: string | Buffer): string => `#rules=${deflateRawSync(content).toString("base64url")}`;
const share = (file: unknown, text: unknown): string => pack(JSON.stringify([file, text]));

for (const text of ["", 'game "A"\n', "– ♠ 😀 \u0000 \\ \"", "x".repeat(LONGEST), "</script><script>alert(1)</script>"]) {
  test(`what is shared comes back: ${JSON.stringify(text.slice(0, 30))}`, async () => {
    const fragment = await writeFragment({ file: "mine.rules", text });

    assert.ok(fragment);
    assert.match(fragment, /^#rules=[\w-]*$/);
    assert.deepEqual(await readFragment(fragment), { file: "mine.rules", text });
  });
}

test("a text that would make a link too long is not shared", async () => {
  const noise = Array.from({ length: 120_000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join("");

  assert.equal(await writeFragment({ file: "a.rules", text: noise }), null);
});

test("a fragment of others is none of ours", async () => {
  for (const fragment of ["", "#", "#__tabbed_1_2", "#rules", "#Rules=abc"]) assert.equal(await readFragment(fragment), null);
});

const DAMAGED: Record<string, string> = {
  "no base64": "#rules=%%%",
  "nothing at all": "#rules=",
  "nothing packed": "#rules=AAAA",
  "half of a link": share("a.rules", "players 2".repeat(50)).slice(0, 30),
  "no JSON": pack("players 2"),
  "no UTF-8": pack(Buffer.from([0xff, 0xfe, 0x22])),
};
for (const [what, fragment] of Object.entries(DAMAGED)) {
  test(`a damaged link says so: ${what}`, () => assert.rejects(readFragment(fragment), /damaged/));
}

test("a link without rules says so", async () => {
  for (const content of [null, 1, {}, [], ["a.rules"], [1, 2], ["a.rules", null]]) {
    await assert.rejects(readFragment(pack(JSON.stringify(content))), /holds no rules/);
  }
});

test("a small link that holds endless rules is given up", async () => {
  const bomb = pack(Buffer.alloc(60_000_000, "a"));

  assert.ok(bomb.length < 100_000);
  await assert.rejects(readFragment(bomb), /damaged/);
});

test("rules that are too long, and links that are", async () => {
  await assert.rejects(readFragment(share("a.rules", "x".repeat(LONGEST + 1))), /too long/);
  await assert.rejects(readFragment(`#rules=${"A".repeat(200_000)}`), /too long/);
});

test("a name that is none for a file is replaced", async () => {
  for (const name of ["../../etc/passwd", "<img src=x>.rules", "a.txt", "", `${"x".repeat(99)}.rules`, "__proto__"]) {
    assert.equal((await readFragment(share(name, "")))?.file, "shared.rules");
  }
  assert.equal((await readFragment(share("Für Ida 2.rules", "")))?.file, "Für Ida 2.rules");
});

test("the link of a small change is short", async () => {
  const text = BASE.replace("=> 2100\n", "=> 2101\n");
  const fragment = await writeFragment({ file: "sins.rules", text });

  assert.ok(fragment && fragment.length < 120, String(fragment?.length));
  assert.deepEqual(await readFragment(fragment), { file: "sins.rules", text });
});

test("a change of another version says so", async () => {
  const fragment = await writeFragment({ file: "sins.rules", text: `${BASE}more\n` });
  const newer = new Map([["sins.rules", `${BASE}\n`]]);

  await assert.rejects(sharing.readFragment(fragment!, newer), /another version of sins.rules/);
  await assert.rejects(sharing.readFragment(fragment!, new Map()), /another version/);
});

test("changes that are none say so", async () => {
  for (const edits of [1, [1], [[1, 2]], [[-1, 0, []]], [[0, 0.5, []]], [[0, 0, [1]]], [[0, 0, "x"]]]) {
    await assert.rejects(readFragment(pack(JSON.stringify(["sins.rules", "x", edits]))), /holds no rules/);
  }
});

test("edits make one text of another", () => {
  let seed = 1;
  const chance = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below;
  const words = (most: number): string => Array.from({ length: chance(most) }, () => "abc"[chance(3)]).join("\n");
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [words(12), words(12)];
    assert.equal(applyEdits(before, findEdits(before, after)), after);
  }
  assert.deepEqual(findEdits("a\nb\nc\nd", "a\nB\nc\nD"), [[1, 1, ["B"]], [3, 1, ["D"]]]);
  assert.deepEqual(findEdits("same", "same"), []);
});
