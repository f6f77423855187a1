// Text of the language -> colours in the editor, word by word and line by line.
//
// The vocabulary comes from the grammar when the site is built. Some of its words are names elsewhere; the
// page cannot run the automaton at every key, so a few of them are told by their place. A test compares
// the result with the highlighting of the pages, on all that is shipped.

import { HighlightStyle, StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

declare const LEXIS: { keywords: string[]; reserved: string[]; signs: string[] };

export type Colour =
  | "comment"
  | "cite"
  | "string"
  | "number"
  | "keyword"
  | "constant"
  | "word"
  | "class"
  | "function"
  | "name"
  | "operator"
  | "punctuation"
  | "wrong";

/** Where these words are keywords: first on a line, in the heading of a table, or in a cell of one. */
const NARROW: Record<string, "opening" | "heading" | "cell"> = {
  about: "opening",
  advice: "opening",
  ages: "opening",
  called: "opening",
  first: "opening",
  goal: "opening",
  minutes: "opening",
  players: "opening",
  order: "heading",
  seen: "heading",
  shown: "heading",
  type: "heading",
  holds: "heading",
  others: "cell",
  top: "cell",
};
const HEADINGS = new Set(["zones", "pieces", "state"]);
const CONSTANTS = new Set(["yes", "no", "none"]);
const WORDS = new Set(["and", "or", "not", "in"]);
const KEYWORDS = new Set(LEXIS.keywords);
const PUNCTUATION = new Set("()[],:;|.");
const SIGNS = [...LEXIS.signs].sort((one, other) => other.length - one.length);

/** What was seen before: of this line its first word, and the last token; and how deep a text begins that goes on. */
export interface Line {
  opener: string;
  before: string;
  text: number | null;
}

export const beginLines = (): Line => ({ opener: "", before: "", text: null });

function readToken(stream: StringStream, line: Line): Colour | null {
  if (stream.sol()) {
    Object.assign(line, { opener: "", before: "" });
    // What is indented deeper belongs to a text that is still open; anything else closes it.
    if (line.text !== null && stream.indentation() <= line.text) line.text = null;
  }
  if (stream.eatSpace()) return null;
  const start = stream.pos;
  const colour = readColour(stream, line);
  line.before = stream.string.slice(start, stream.pos);
  if (line.before !== "override") line.opener ||= line.before;
  return colour;
}

function readColour(stream: StringStream, line: Line): Colour {
  if (line.text !== null || stream.peek() === '"') return readText(stream, line);
  if (stream.match("--")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^@[\p{L}\p{N}_.-]*/u)) return "cite";
  if (stream.match(/^\d+/)) return "number";
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
  if (word) return colourWord(String((word as RegExpMatchArray)[0]), stream.string.slice(stream.pos), line);
  const sign = SIGNS.find((each) => stream.match(each));
  if (sign === undefined) {
    stream.next();
    return "wrong";
  }
  return PUNCTUATION.has(sign) ? "punctuation" : "operator";
}

function readText(stream: StringStream, line: Line): Colour {
  if (line.text === null) stream.next();
  stream.eatWhile(/[^"]/);
  const isClosed = stream.eat('"') !== undefined;
  line.text = isClosed ? null : (line.text ?? stream.indentation());
  return "string";
}

function colourWord(word: string, rest: string, line: Line): Colour {
  if (CONSTANTS.has(word)) return "constant";
  if (WORDS.has(word)) return "word";
  if (LEXIS.reserved.includes(word) || (KEYWORDS.has(word) && isKeyword(word, rest, line))) return "keyword";
  if (/^\p{Lu}/u.test(word)) return "class";
  return rest.startsWith("(") ? "function" : "name";
}

function isKeyword(word: string, rest: string, line: Line): boolean {
  if (/^[([.]|^\s*=>/.test(rest)) return false;
  switch (NARROW[word]) {
    case "opening":
      return line.opener === "";
    case "heading":
      return HEADINGS.has(line.opener);
    case "cell":
      return line.before === "|" || line.before === ",";
    default:
      return true;
  }
}

export const rules = StreamLanguage.define<Line>({
  name: "rules",
  startState: beginLines,
  copyState: (line) => ({ ...line }),
  token: readToken,
  languageData: { commentTokens: { line: "--" }, closeBrackets: { brackets: ["(", "[", '"'] } },
  tokenTable: {
    comment: tags.lineComment,
    cite: tags.annotation,
    string: tags.string,
    number: tags.number,
    keyword: tags.keyword,
    constant: tags.bool,
    word: tags.operatorKeyword,
    class: tags.className,
    function: tags.function(tags.variableName),
    name: tags.variableName,
    operator: tags.operator,
    punctuation: tags.punctuation,
    wrong: tags.invalid,
  },
});

/** The colours of the pages, by light and by dark. */
export const colours = HighlightStyle.define([
  { tag: tags.lineComment, color: "var(--md-code-hl-comment-color)" },
  { tag: tags.annotation, color: "var(--md-code-hl-special-color)" },
  { tag: tags.string, color: "var(--md-code-hl-string-color)" },
  { tag: tags.number, color: "var(--md-code-hl-number-color)" },
  { tag: tags.keyword, color: "var(--md-code-hl-keyword-color)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--md-code-hl-keyword-color)" },
  { tag: tags.bool, color: "var(--md-code-hl-constant-color)" },
  { tag: tags.className, color: "var(--md-code-hl-constant-color)" },
  { tag: tags.function(tags.variableName), color: "var(--md-code-hl-function-color)" },
  { tag: tags.invalid, color: "var(--md-code-hl-number-color)", textDecoration: "underline wavy" },
]);

/** The tokens of a line, for tests: where each begins and ends, and its colour. */
export { readToken };
