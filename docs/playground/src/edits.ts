// Two texts <-> the lines in which they differ.

/** From a line on so many lines go, and others come. */
export type Edit = [line: number, gone: number, come: string[]];

const MOST_CELLS = 4_000_000; // of the table of common lines; texts that differ in more are one edit

export function findEdits(before: string, after: string): Edit[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const [left, right] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  if (left.length === 0 && right.length === 0) return [];
  if (left.length * right.length > MOST_CELLS) return [[start, left.length, right]];
  return walk(left, right, countCommon(left, right), start);
}

export function applyEdits(before: string, edits: readonly Edit[]): string {
  const lines = before.split("\n");
  // From the end, so that the numbers of lines stay what they were.
  for (const [line, gone, come] of [...edits].reverse()) lines.splice(line, gone, ...come);
  return lines.join("\n");
}

export function isEdits(found: unknown): found is Edit[] {
  const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
  const isLines = (value: unknown): boolean => Array.isArray(value) && value.every((line) => typeof line === "string");
  return Array.isArray(found) && found.every((each) => Array.isArray(each) && each.length === 3 && isCount(each[0]) && isCount(each[1]) && isLines(each[2]));
}

/** How many lines the rests of both texts have in common, from each pair of lines on. */
function countCommon(left: string[], right: string[]): Uint16Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      table[a]![b] = left[a] === right[b] ? table[a + 1]![b + 1]! + 1 : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
    }
  }
  return table;
}

function walk(left: string[], right: string[], common: Uint16Array[], start: number): Edit[] {
  const edits: Edit[] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    if (a < left.length && b < right.length && left[a] === right[b]) {
      [a, b] = [a + 1, b + 1];
      continue;
    }
    const edit: Edit = [start + a, 0, []];
    while ((a < left.length || b < right.length) && !(a < left.length && b < right.length && left[a] === right[b])) {
      if (b >= right.length || (a < left.length && common[a + 1]![b]! >= common[a]![b + 1]!)) {
        a += 1;
        edit[1] += 1;
      } else {
        edit[2].push(right[b]!);
        b += 1;
      }
    }
    edits.push(edit);
  }
  return edits;
}
