// Which file is open: a shipped one, its changed draft, or one of the reader's own.

import { dropDraft, freeName, listDrafts, readCurrent, readDraft, writeCurrent, writeDraft } from "./drafts";
import type { ShippedGame } from "./protocol";
import type { Shared } from "./sharing";

const FIRST = "sins.rules"; // what newcomers see: it plays with two, and in ten minutes

export interface Files {
  readonly file: string;
  /** The text of the open file as it is kept. */
  text(): string;
  shipped(): ShippedGame | null;
  /** The reader's own files. */
  own(): string[];
  /** Whether the shipped file has a draft. */
  isChanged(file: string): boolean;
  open(file: string): void;
  /** Keep a text for the open file; false if there is no room. */
  keep(text: string): boolean;
  /** Add a file without touching another one, and open it; false if there is no room. */
  add(shared: Shared): boolean;
  /** Forget the draft: the shipped text is there again, or the file is gone. */
  discard(): void;
}

export function openFiles(storage: Storage, games: readonly ShippedGame[]): Files {
  const byFile = new Map(games.map((game) => [game.file, game]));
  const exists = (name: string): boolean => byFile.has(name) || readDraft(storage, name) !== null;
  const textOf = (name: string): string => readDraft(storage, name) ?? byFile.get(name)?.text ?? "";
  const first = (byFile.get(FIRST) ?? games[0])?.file ?? "new.rules";
  const last = readCurrent(storage);
  let file = last !== null && exists(last) ? last : first;

  function open(name: string): void {
    file = exists(name) ? name : first;
    writeCurrent(storage, file);
  }

  return {
    get file() {
      return file;
    },
    text: () => textOf(file),
    shipped: () => byFile.get(file) ?? null,
    own: () => listDrafts(storage).filter((name) => !byFile.has(name)),
    isChanged: (name) => byFile.has(name) && readDraft(storage, name) !== null,
    open,
    keep(text) {
      if (text === byFile.get(file)?.text) {
        dropDraft(storage, file);
        return true;
      }
      return writeDraft(storage, file, text);
    },
    add({ file: wanted, text }) {
      const isOther = (name: string): boolean => exists(name) && textOf(name) !== text;
      const name = freeName(wanted, isOther);
      if (!exists(name) && !writeDraft(storage, name, text)) return false;
      open(name);
      return true;
    },
    discard() {
      dropDraft(storage, file);
      open(file);
    },
  };
}

/** The browser's storage; or, where that is forbidden, one that lasts as long as the page. */
export function findStorage(): Storage {
  try {
    localStorage.length;
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      get length() {
        return kept.size;
      },
      key: (index) => [...kept.keys()][index] ?? null,
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
      clear: () => kept.clear(),
    };
  }
}
