import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { LONGEST } from "../src/drafts";
import { readFragment, writeFragment } from "../src/sharing";

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
