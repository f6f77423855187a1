// What tests stand on: a storage like a browser's, a worker that does what it is told, and small games.

import type { WorkerLike } from "../src/engine";
import type { WorkerRequest, WorkerNotice } from "../src/worker_messages";
import type { Item, Menu, Question, ShippedGame, Stack } from "../src/protocol";

/** A storage with so much room, in characters. */
export function makeStorage(room = Infinity): Storage {
  const kept = new Map<string, string>();
  const size = (): number => [...kept].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      const before = kept.get(key);
      kept.set(key, value);
      if (size() <= room) return;
      if (before === undefined) kept.delete(key);
      else kept.set(key, before);
      throw new Error("QuotaExceededError");
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

export class FakeWorker implements WorkerLike {
  letters: WorkerRequest[] = [];
  ended = false;
  onmessage: ((event: { data: WorkerNotice }) => void) | null = null;
  onerror: ((event: { message?: string }) => void) | null = null;

  postMessage(request: WorkerRequest): void {
    this.letters.push(request);
  }

  terminate(): void {
    this.ended = true;
  }

  tell(notice: WorkerNotice): void {
    this.onmessage?.({ data: notice });
  }

  /** Reply to the last request. */
  reply(content: object): void {
    this.tell({ what: "reply", number: this.letters.at(-1)?.number ?? 0, text: JSON.stringify(content) });
  }
}

export const MENU: Menu = { title: "A game", author: null, about: "", players: [2, 4], variants: [], options: [] };

export function ship(file: string, text: string): ShippedGame {
  return { file, text, extends: null, menu: MENU };
}

export function item(number: number, ...faces: number[]): Item {
  return { number, text: `item ${number}`, tone: null, seat: null, zones: [], spots: faces.map((face) => ({ zone: 1, face })) };
}

export function ask(items: Item[], ticking = false, decline: Item | null = null): Question {
  const ticks = ticking ? { more: items.map((each) => each.number), complete: false, need: "two" } : null;
  return { prompt: "Which?", ticking, items, decline, count: items.length, ticks };
}

export function stack(count: number, ...faces: number[]): Stack {
  return { text: "Ace", count, faces, tone: { ground: "#ffffff", ink: "#000000" }, moved: false, told: false };
}
