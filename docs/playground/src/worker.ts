// Requests of the page -> replies of Python: rulespec on Pyodide, in a worker of its own.
//
// Everything comes from the folder of the page, and its policy holds here too: Python cannot fetch from another
// host. What is asked for while Python is being loaded waits.

import type { loadPyodide, PyodideAPI } from "pyodide";
import type { WorkerRequest, WorkerNotice } from "./worker_messages";
import { readGame, writeGame } from "./kept_games";

declare const BYTES: number; // set when the site is built: the size of all that is fetched here

/** `rulespec.playground.Backend`, seen from here. */
interface Backend {
  answer(request: string, tell: (progress: string) => void): string;
  keep(): string | undefined;
  recall(kept: string | undefined): void;
}

/** What Pyodide tells its module, of which we need this. */
interface Settings {
  INITIAL_MEMORY: number;
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): unknown;
}

const PACKAGES = "/lib/packages";
const PAGE = 65536; // bytes by which memory grows

function send(notice: WorkerNotice): void {
  self.postMessage(notice);
}

/** Count what is loaded: Pyodide fetches some of it by itself. Its program goes as it comes: so the browser can keep it compiled. */
function countBytes(): void {
  const fetchPlainly = self.fetch.bind(self);
  let loaded = 0;
  self.fetch = async (...words) => {
    const response = await fetchPlainly(...words);
    if (!response.ok || response.body === null || response.url.endsWith(".wasm")) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        send({ what: "loading", loaded: Math.min(loaded, BYTES), total: BYTES });
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

async function fetchFile(name: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok || response.body === null) throw new Error(`${name} cannot be loaded (${response.status})`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Put files where they were when the snapshot was taken: it has the memory of Python, and no files. */
function unpack(python: PyodideAPI, packed: ArrayBuffer): void {
  const length = new DataView(packed).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(packed, 4, length))) as [string, number][];
  let start = 4 + length;
  for (const [name, size] of index) {
    const path = `${PACKAGES}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(packed, start, size));
    start += size;
  }
}

/** A backend from the snapshot, which answers at once. */
async function restoreBackend(packages: Promise<ArrayBuffer>): Promise<Backend> {
  const snapshot = fetchFile("snapshot.bin");
  const { default: createModule } = await import("./pyodide/pyodide.asm.mjs" as string);
  const python = await startPython({
    _loadSnapshot: snapshot,
    // Pyodide says how much memory a snapshot needs, and the module does not hear it.
    createPyodideModule: (settings: Settings) => {
      const { INITIAL_MEMORY: size, instantiateWasm } = settings;
      settings.instantiateWasm = (imports, done) =>
        instantiateWasm(imports, (instance, module) => {
          const memory = instance.exports.memory as WebAssembly.Memory;
          memory.grow(Math.ceil(Math.max(0, size - memory.buffer.byteLength) / PAGE));
          done(instance, module);
        });
      return createModule(settings);
    },
  });
  unpack(python, await packages);
  return python.globals.get("backend") as Backend;
}

/** A backend from the packages alone: some seconds later, and wherever Python runs. */
async function makeBackend(packages: Promise<ArrayBuffer>): Promise<Backend> {
  const python = await startPython({});
  unpack(python, await packages);
  return python.runPython(`
    import os, sys
    sys.path.insert(0, "${PACKAGES}")
    os.environ["RULESPEC_CACHE"] = "off"  # the files here are gone with the worker
    from rulespec.playground.backend import Backend
    Backend()
  `) as Backend;
}

async function startPython(options: object): Promise<PyodideAPI> {
  const module: { loadPyodide: typeof loadPyodide } = await import("./pyodide/pyodide.mjs" as string);
  return module.loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href, ...options });
}

let restored = true;

async function loadPython(): Promise<Backend> {
  const kept = readGame(self.name);
  const packages = fetchFile("packages.bin");
  const backend = await restoreBackend(packages).catch((error: unknown) => {
    console.warn("Python starts without its snapshot:", error);
    restored = false;
    return makeBackend(packages);
  });
  backend.recall(await kept);
  return backend;
}

let stored: string | undefined;
countBytes();
const python = loadPython();
python.then(
  () => send({ what: "ready", restored }),
  (error: unknown) => send({ what: "failed", error: String(error) }),
);

self.addEventListener("message", async ({ data }: MessageEvent<WorkerRequest>) => {
  const backend = await python;
  const { number, request } = data;
  send({ what: "reply", number, text: backend.answer(request, (text) => send({ what: "progress", number, text })) });
  // Here, and not on the page: a kept game holds what its players must not see.
  const game = backend.keep();
  if (game !== stored) writeGame(self.name, (stored = game));
});
