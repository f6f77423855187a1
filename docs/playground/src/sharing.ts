// A file of rules <-> the fragment of a link. Servers never get to see it.
//
// A changed copy of a shipped file is written as its changes, so that the link stays short.
// A link comes from anybody: what is read from it is bounded, and nothing but text.

import { isFileName, LONGEST } from "./drafts";
import type { ShippedGame } from "./protocol";
import { applyEdits, findEdits, isEdits } from "./edits";

const MARK = "#rules=";
const LONGEST_LINK = 100_000; // characters; mail and browsers differ, none takes much more
const MOST_BYTES = 4 * LONGEST + 1000;

export interface Shared {
  file: string;
  text: string;
}

/** The texts of the shipped files by their names. */
export type Shipped = ReadonlyMap<string, string>;

export function textsOf(games: readonly ShippedGame[]): Shipped {
  return new Map(games.map((game) => [game.file, game.text]));
}

/** The fragment for a file, or null if it would be too long. */
export async function writeFragment({ file, text }: Shared, shipped: Shipped): Promise<string | null> {
  const base = shipped.get(file);
  const content = base === undefined ? [file, text] : [file, digest(base), findEdits(base, text)];
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const packed = await readAll(pipe(bytes, new CompressionStream("deflate-raw")), MOST_BYTES);
  const fragment = MARK + toBase64(packed);
  return fragment.length > LONGEST_LINK ? null : fragment;
}

/** The file in a fragment; null if there is none. Throws a sentence if there is one that cannot be read. */
export async function readFragment(fragment: string, shipped: Shipped): Promise<Shared | null> {
  if (!fragment.startsWith(MARK)) return null;
  if (fragment.length > LONGEST_LINK) throw new Error("This link is too long to be one of ours.");
  let found: unknown;
  try {
    const packed = fromBase64(fragment.slice(MARK.length));
    const bytes = await readAll(pipe(packed, new DecompressionStream("deflate-raw")), MOST_BYTES);
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("This link is damaged: the rules in it cannot be read.");
  }
  if (!Array.isArray(found) || typeof found[0] !== "string" || typeof found[1] !== "string") {
    throw new Error("This link holds no rules.");
  }
  const [file, rest] = found as [string, string];
  const text = found.length === 3 ? change(file, rest, found[2], shipped) : rest;
  if (text.length > LONGEST) throw new Error("The rules in this link are too long.");
  return { file: isFileName(file) ? file : "shared.rules", text };
}

function change(file: string, version: string, edits: unknown, shipped: Shipped): string {
  const base = shipped.get(file);
  if (!isEdits(edits)) throw new Error("This link holds no rules.");
  if (base === undefined || digest(base) !== version) {
    throw new Error(`This link changes another version of ${isFileName(file) ? file : "a game"}: ask its sender for the file.`);
  }
  return applyEdits(base, edits);
}

/** A short number that differs where texts do (FNV-1a); it keeps versions apart, and is no secret. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

function pipe(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
}

/** All bytes of a stream; a small link may hold endless ones, so there is a limit. */
async function readAll(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too much");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function toBase64(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
