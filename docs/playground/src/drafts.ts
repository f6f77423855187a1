// Drafts in the browser's own storage: one entry for each file, so that two tabs do not undo each other's.
//
// A shipped file has a draft once it is changed. Whatever is stored may be old, or not ours: it is only
// ever read as text.

const PREFIX = "rulespec-draft:";
const CURRENT = "rulespec-draft";
export const LONGEST = 300_000; // characters, as in the parser

/** A file name that any system takes. */
export function isFileName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ -]{0,50}\.rules$/u.test(name);
}

export function readDraft(storage: Storage, file: string): string | null {
  return storage.getItem(PREFIX + file);
}

/** Whether there was room for it. */
export function writeDraft(storage: Storage, file: string, text: string): boolean {
  return tryTo(() => storage.setItem(PREFIX + file, text));
}

export function dropDraft(storage: Storage, file: string): void {
  storage.removeItem(PREFIX + file);
}

/** The files that have drafts, in order. */
export function listDrafts(storage: Storage): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)).sort();
}

/** The file that was open last. */
export function readCurrent(storage: Storage): string | null {
  return storage.getItem(CURRENT);
}

export function writeCurrent(storage: Storage, file: string): void {
  tryTo(() => storage.setItem(CURRENT, file));
}

/** A name like this one that no other file has: `mine.rules`, `mine 2.rules`. */
export function freeName(wanted: string, taken: (name: string) => boolean): string {
  const stem = wanted.replace(/\.rules$/, "").replace(/ \d+$/, "");
  let name = wanted;
  for (let number = 2; taken(name); number += 1) name = `${stem} ${number}.rules`;
  return name;
}

function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false; // storage may be full, or forbidden
  }
}
