import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { StringStream } from "@codemirror/language";
import { beginLines, readToken, type Line } from "../src/language";

// Of all that is shipped: each line with the colours that the pages of the site give to its words.
const ASK = `
import json
from pathlib import Path
from pygments import token as t
from rulespec.highlighting import RulesLexer
NAMES = [(t.Comment, "comment"), (t.Name.Decorator, "cite"), (t.String, "string"), (t.Number, "number"),
  (t.Keyword.Constant, "constant"), (t.Keyword, "keyword"), (t.Operator.Word, "word"), (t.Name.Class, "class"),
  (t.Name.Function, "function"), (t.Name, "name"), (t.Operator, "operator"), (t.Punctuation, "punctuation")]
found = []
for path in sorted([*Path("games").glob("**/*.rules"), *Path("rulespec/std").glob("*.rules"), *Path("tests/accepted").glob("*.rules")]):
    lines = [[]]
    for _, colour, text in RulesLexer().get_tokens_unprocessed(path.read_text("utf-8")):
        name = next((name for kind, name in NAMES if colour in kind), None)
        for number, part in enumerate(text.split("\\n")):
            lines.extend([[]] if number else [])
            lines[-1].append([part, name])
    found.append([path.name, [[each for each in line if each[0].strip()] for line in lines], path.read_text("utf-8").split("\\n")])
print(json.dumps(found))
`;
type Token = [string, string | null];

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const asked = execFileSync(`${ROOT}.venv/bin/python`, ["-c", ASK], { cwd: ROOT, maxBuffer: 1 << 28, encoding: "utf-8" });
const FILES = JSON.parse(asked) as [string, Token[][], string[]][];

function colourLine(text: string, line: Line = beginLines()): Token[] {
  const stream = new StringStream(text, 2, 2);
  const found: Token[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const colour = readToken(stream, line);
    if (colour !== null) found.push([stream.current(), colour]);
  }
  return found;
}

test("there is something to compare", () => assert.ok(FILES.length >= 20));

test("the editor colours rules as the pages do", () => {
  let all = 0;
  const others: string[] = [];
  for (const [file, lines, texts] of FILES) {
    const line = beginLines();
    texts.forEach((text, number) => {
      const expected = new Map((lines[number] ?? []).map(([word, colour]) => [word.trim(), colour]));
      for (const [word, colour] of colourLine(text, line)) {
        all += 1;
        if (expected.get(word) !== colour) others.push(`${file}:${number + 1} ${word}: ${colour}, not ${expected.get(word)}`);
      }
    });
  }

  assert.ok(all > 5000);
  // The page cannot run the automaton: of a thousand words, three may differ.
  assert.ok(others.length <= all * 0.003, `${others.length} of ${all} differ:\n${others.slice(0, 40).join("\n")}`);
});

test("whatever is typed, each step of the colouring goes on", () => {
  for (const text of ["\u0000\u2028§", '"never-closed', "@", "--", "😀ß∑", "a".repeat(10_000), "(".repeat(10_000)]) {
    assert.equal(colourLine(text).map(([word]) => word).join(""), text.replaceAll("\u2028", ""));
  }
});

test("a text goes on below if that is indented deeper, and otherwise ends there", () => {
  const line = beginLines();
  colourLine('  say "one', line);

  assert.deepEqual(colourLine('    two" and', line), [['two"', "string"], ["and", "word"]]);
  colourLine('  say "three', line);
  assert.deepEqual(colourLine("  and", line), [["and", "word"]]);
});
