#!/usr/bin/env node
// The playground's sources and the wheels -> its files in the built site.
//
//   build.mjs SITE    everything, into SITE/playground, whose page mkdocs has built before
//   build.mjs --test  the unit tests, bundled and run
//
// What Python needs is compiled by Pyodide itself, and a snapshot of its memory is taken with everything imported:
// a browser would need some seconds for it at every visit. `make playground` installs the packages and makes the
// wheels.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const MADE = join(HERE, "../../.venv/playground");
const MODULES = join(MADE, "node_modules");
const WHEELS = join(MADE, "wheels");
const CORE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
const esbuild = createRequire(join(MADE, "package.json"))("esbuild");

const SHARED = {
  absWorkingDir: HERE,
  bundle: true,
  format: "esm",
  target: "es2022",
  nodePaths: [MODULES],
  charset: "utf8",
  legalComments: "eof", // the licences of what is bundled stay with it
  logLevel: "warning",
};

// ---- Python ----------------------------------------------------------------------------------------

/** Compile what Python needs, and ask the backend what never changes; unless that was done with the same files. */
async function preparePython() {
  const wheels = readdirSync(WHEELS).filter((name) => name.endsWith(".whl")).sort().map((name) => join(WHEELS, name));
  const library = join(MODULES, "pyodide/python_stdlib.zip");
  if (isOutdated("library", [library])) {
    const [zipped] = await runInPython("/library", [library], COMPILE);
    keep("library", [library], { "library.zip": zipped });
  }
  if (isOutdated("packages", wheels)) {
    const [packed, zipped, games, lexis] = await runInPython("/packages", wheels, ASK + COMPILE + PACK);
    keep("packages", wheels, { "packages.bin": gzipSync(packed), "packages.zip": zipped, "games.json": games, "lexis.json": lexis });
  }
  const parts = ["library.zip", "packages.zip"].map((name) => join(MADE, name));
  if (isOutdated("snapshot", parts)) keep("snapshot", parts, { "snapshot.bin": gzipSync(await takeSnapshot()) });
}

async function runInPython(folder, archives, program) {
  const python = await startPython({});
  for (const path of archives) unpack(python, path, folder);
  return python.runPython(`folder = ${JSON.stringify(folder)}\nmade = []\n${program}\nmade`).toJs();
}

/** The memory of a Python in which a backend is ready, as `worker.ts` will restore it: with the same library and folder. */
async function takeSnapshot() {
  const python = await startPython({ stdLibURL: pathToFileURL(join(MADE, "library.zip")).href, _makeSnapshot: true });
  unpack(python, join(MADE, "packages.zip"), "/lib/packages");
  python.runPython(WARM);
  return python.makeMemorySnapshot();
}

async function startPython(options) {
  const { loadPyodide } = await import(pathToFileURL(join(MODULES, "pyodide/pyodide.mjs")).href);
  return loadPyodide(options);
}

function unpack(python, path, folder) {
  python.unpackArchive(new Uint8Array(readFileSync(path)), "zip", { extractDir: folder });
}

function isOutdated(name, sources) {
  const mark = join(MADE, `${name}.mark`);
  return !existsSync(mark) || readFileSync(mark, "utf-8") !== digestOf(sources);
}

function keep(name, sources, made) {
  for (const [file, content] of Object.entries(made)) writeFileSync(join(MADE, file), content);
  writeFileSync(join(MADE, `${name}.mark`), digestOf(sources));
}

function digestOf(sources) {
  const digest = createHash("sha256");
  for (const path of [...sources, join(MODULES, "pyodide/package.json"), fileURLToPath(import.meta.url)]) digest.update(readFileSync(path));
  return digest.digest("hex");
}

// Modules without their sources are smaller, and sooner unpacked; what else lies beside them is kept.
const COMPILE = `
import compileall, re, shutil
from pathlib import Path

READ = "/interpreter/wasm/helpers/"  # texts that are translated, and no modules

if not compileall.compile_dir(folder, quiet=1, legacy=True, stripdir=folder, rx=re.compile(READ)):
    raise RuntimeError("a module does not compile")
for path in [*Path(folder).glob("**/*.py"), *Path(folder).glob("**/*.pyi")]:
    if not re.search(READ, str(path)):
        path.unlink()
for path in [*Path(folder).glob("**/__pycache__")]:
    shutil.rmtree(path)
made.insert(0, Path(shutil.make_archive(folder, "zip", folder)).read_bytes())
`;

// All files one after another, and before them their names and sizes.
const PACK = `
import json

files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
index = json.dumps([[str(path.relative_to(folder)), path.stat().st_size] for path in files]).encode()
made.insert(0, len(index).to_bytes(4, "little") + index + b"".join(path.read_bytes() for path in files))
`;

const WARM = `
import os, sys

sys.path.insert(0, "/lib/packages")
os.environ["RULESPEC_CACHE"] = "off"
from rulespec.playground.warming import warm_up

backend = warm_up()
`;

const ASK = `
import json, sys

sys.path.insert(0, folder)
from rulespec.playground.backend import Backend
from rulespec.syntax.scanner import lexis

games = Backend().answer('{"kind": "games"}')
if not json.loads(games)["ok"]:
    raise RuntimeError(games)
words = {"keywords": sorted(lexis().keywords), "reserved": sorted(lexis().reserved), "signs": sorted(lexis().signs)}
made += [games, json.dumps(words)]
`;

// ---- The page --------------------------------------------------------------------------------------

/** Check the types, bundle, and put everything into the folder of the page. */
async function publish(site) {
  const folder = join(site, "playground");
  runChecked(join(MODULES, ".bin/tsc"), ["--project", HERE]);
  mkdirSync(join(folder, "pyodide"), { recursive: true });
  for (const name of CORE) cpSync(join(MODULES, "pyodide", name), join(folder, "pyodide", name));
  writeFileSync(join(folder, "pyodide/pyodide-lock.json"), emptyLock());
  cpSync(join(MADE, "library.zip"), join(folder, "pyodide/python_stdlib.zip"));
  for (const name of ["games.json", "packages.bin", "snapshot.bin"]) cpSync(join(MADE, name), join(folder, name));
  await esbuild.build({
    ...SHARED,
    entryPoints: { playground: "src/page.ts", worker: "src/worker.ts", style: "src/style.css" },
    outdir: folder,
    minify: true,
    external: ["./pyodide/*"],
    define: {
      LEXIS: readFileSync(join(MADE, "lexis.json"), "utf-8"),
      BYTES: String(bytesToLoad(folder)),
    },
  });
  finishPage(join(folder, "index.html"));
  await addServiceWorker(site, folder);
}

/** No package can be asked for that would come from another host. */
function emptyLock() {
  const lock = JSON.parse(readFileSync(join(MODULES, "pyodide/pyodide-lock.json"), "utf-8"));
  return JSON.stringify({ ...lock, packages: {} });
}

/** How much the worker counts while it fetches, so that it can tell how far it is. */
function bytesToLoad(folder) {
  const loaded = ["packages.bin", "snapshot.bin", "pyodide/python_stdlib.zip", "pyodide/pyodide-lock.json"];
  return loaded.map((name) => statSync(join(folder, name)).size).reduce((sum, size) => sum + size, 0);
}

/**
 * Only scripts of ours may run on the page, and those that the theme has written into it. Its worker is made by the
 * page, from a `blob:`, and so has the same policy; only there is WebAssembly needed.
 */
function finishPage(path) {
  const page = readFileSync(path, "utf-8");
  const inline = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text);
  const allowed = inline.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${[...new Set(allowed)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const tail = '<link rel="stylesheet" href="style.css"><script type="module" src="playground.js"></script>';
  writeFileSync(path, page.replace(/<meta charset="utf-8">/, `$&${head}`).replace("</head>", `${tail}</head>`));
}

/** The service worker knows every file of the page, and what is in them: another content, another cache. */
async function addServiceWorker(site, folder) {
  const files = [...listFiles(folder), ...assetsOf(join(folder, "index.html")).map((name) => join(folder, name))];
  const digest = createHash("sha256");
  for (const path of files) digest.update(relative(site, path)).update(readFileSync(path));
  await esbuild.build({
    ...SHARED,
    format: "iife",
    entryPoints: { "service-worker": "src/service-worker.ts" },
    outdir: folder,
    minify: true,
    define: {
      FILES: JSON.stringify(files.map((path) => relative(folder, path)).filter((name) => name !== "index.html")),
      VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)),
    },
  });
}

/** What the theme loads on the page: its scripts and styles, and the worker and index of its search. */
function assetsOf(path) {
  const page = readFileSync(path, "utf-8");
  const named = [...page.matchAll(/(?:src|href)="(\.\.\/[^"#?]+\.(?:css|js|svg|png))"/g)].map(([, name]) => name);
  const { base, search } = JSON.parse(/<script id="__config"[^>]*>([^]*?)<\/script>/.exec(page)[1]);
  return [...new Set([...named, `${base}/${search.replace(`${base}/`, "")}`, `${base}/search/search_index.json`])];
}

function listFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

// ---- Tests -----------------------------------------------------------------------------------------

async function runTests() {
  const folder = join(MADE, "tests");
  rmSync(folder, { force: true, recursive: true });
  runChecked(join(MODULES, ".bin/tsc"), ["--project", join(HERE, "tests")]);
  const names = readdirSync(join(HERE, "tests")).filter((name) => name.endsWith(".test.ts"));
  await esbuild.build({
    ...SHARED,
    platform: "node",
    entryPoints: names.map((name) => `tests/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    define: { LEXIS: readFileSync(join(MADE, "lexis.json"), "utf-8") },
  });
  const files = names.map((name) => join(folder, name.replace(/ts$/, "mjs")));
  runChecked(process.execPath, ["--test", "--test-reporter=dot", ...files]);
}

function runChecked(command, words) {
  const { status } = spawnSync(command, words, { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

try {
  await preparePython();
  await (process.argv[2] === "--test" ? runTests() : publish(resolve(process.argv[2])));
} catch (error) {
  console.error(error.message); // the program that Pyodide is would be shown in whole
  process.exit(1);
}
