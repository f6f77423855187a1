// A file of Python in Pyodide, with wheels: what its `report` gives for a task is printed.
//
//   node in_pyodide.mjs FOLDER-OF-PYODIDE FILE TASK WHEEL...

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, file, task, ...wheels] = process.argv;
try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const python = await loadPyodide({});
  for (const path of wheels) python.unpackArchive(new Uint8Array(readFileSync(path)), "zip", { extractDir: "/packages" });
  python.runPython('import os, sys; sys.path.insert(0, "/packages"); os.environ["RULESPEC_CACHE"] = "off"');
  python.runPython(readFileSync(file, "utf-8"));
  console.log(python.globals.get("report")(task));
} catch (error) {
  console.error(error.message); // the program that Pyodide is would be shown in whole
  process.exit(1);
}
