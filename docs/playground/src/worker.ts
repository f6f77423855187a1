// Requests of the page -> replies of Python: rulespec on Pyodide, in a worker of its own.
//
// Everything comes from the folder of the page, and its policy holds here too: Python cannot fetch from another
// host. What is asked for while Python is being loaded waits.

import type { loadPyodide } from "pyodide";
import type { Letter, Notice } from "./mail";
import { readGame, writeGame } from "./shelf";

declare const BYTES: number; // set when the site is built: the size of all that is fetched here

/** `rulespec.playground.Desk`, seen from here. */
interface Desk {
  answer(request: string, tell: (progress: string) => void): string;
  keep(): string | undefined;
  recall(kept: string | undefined): void;
}

const PACKAGES = "/lib/packages";

function send(notice: Notice): void {
  self.postMessage(notice);
}

/** Count what is loaded: Pyodide fetches most of it by itself. */
function countBytes(): void {
  const fetchPlainly = self.fetch.bind(self);
  let loaded = 0;
  self.fetch = async (...words) => {
    const response = await fetchPlainly(...words);
    if (!response.ok || response.body === null) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        send({ what: "loading", loaded: Math.min(loaded, BYTES), total: BYTES });
        controller.enqueue(chunk);
      },
    });
    // The headers stay: without its type, a program cannot be compiled while it comes in.
    return new Response(response.body.pipeThrough(counter), response);
  };
}

async function fetchFile(name: string): Promise<ArrayBuffer> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  return response.arrayBuffer();
}

async function loadPython(): Promise<Desk> {
  const kept = readGame(self.name);
  const home = new URL("./", import.meta.url).href;
  const packages = fetchFile(`${home}packages.zip`);
  const module: { loadPyodide: typeof loadPyodide } = await import("./pyodide/pyodide.mjs" as string);
  const python = await module.loadPyodide({ indexURL: `${home}pyodide/` });
  python.unpackArchive(await packages, "zip", { extractDir: PACKAGES });
  const desk = python.runPython(`
    import os, sys
    sys.path.insert(0, "${PACKAGES}")
    os.environ["RULESPEC_CACHE"] = "off"  # the files here are gone with the worker
    from rulespec.playground.desk import Desk
    Desk()
  `) as Desk;
  desk.recall(await kept);
  return desk;
}

let stored: string | undefined;
countBytes();
const python = loadPython();
python.then(
  () => send({ what: "ready" }),
  (error: unknown) => send({ what: "failed", error: String(error) }),
);

self.addEventListener("message", async ({ data }: MessageEvent<Letter>) => {
  const desk = await python;
  const { number, request } = data;
  send({ what: "reply", number, text: desk.answer(request, (text) => send({ what: "progress", number, text })) });
  // Here, and not on the page: a kept game holds what its players must not see.
  const game = desk.keep();
  if (game !== stored) writeGame(self.name, (stored = game));
});
