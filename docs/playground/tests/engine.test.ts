import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { LIMITS, startEngine, type Status } from "../src/engine";
import { FakeWorker } from "./stage";

let workers: FakeWorker[] = [];
let shown: Status[] = [];
let lost = 0;

function begin() {
  workers = [];
  shown = [];
  lost = 0;
  const make = (): FakeWorker => {
    workers.push(new FakeWorker());
    return workers.at(-1) as FakeWorker;
  };
  const engine = startEngine(make, (status) => shown.push(status), () => (lost += 1));
  return { engine, worker: workers[0] as FakeWorker };
}

const HELLO = { ok: true, version: "1" } as const;
const kinds = (worker: FakeWorker | undefined): string[] => worker?.letters.map(({ request }) => (JSON.parse(request) as { kind: string }).kind) ?? [];

beforeEach(() => mock.timers.reset());

test("requests wait until Python is there, and then go one at a time", async () => {
  const { engine, worker } = begin();
  const first = engine.ask<"hello">({ kind: "hello" });
  const second = engine.ask<"games">({ kind: "games" });

  assert.deepEqual(kinds(worker), []);
  worker.tell({ what: "ready", restored: true });
  assert.deepEqual(kinds(worker), ["hello"]);
  worker.reply(HELLO);
  assert.deepEqual(await first, HELLO);
  assert.deepEqual(kinds(worker), ["hello", "games"]);
  worker.reply({ ok: false, error: "no", fault: "bug", diagnostics: [] });
  assert.equal((await second).ok, false);
});

test("what takes too long is stopped with its worker, and a new one goes on with the rest", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { engine, worker } = begin();
  worker.tell({ what: "ready", restored: true });
  const endless = engine.ask<"check">({ kind: "check", rules: { file: "a.rules", text: "" } });
  const next = engine.ask<"hello">({ kind: "hello" });
  mock.timers.tick(LIMITS.check * 1000 - 1);
  assert.equal(worker.ended, false);
  mock.timers.tick(1);
  const refusal = await endless;

  assert.ok(worker.ended);
  assert.ok(!refusal.ok && refusal.error.includes(`${LIMITS.check} seconds`));
  assert.equal(lost, 1);
  workers[1]?.tell({ what: "ready", restored: true });
  workers[1]?.reply(HELLO);
  assert.deepEqual(await next, HELLO);
});

test("loading is not counted as working", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { engine, worker } = begin();
  void engine.ask<"hello">({ kind: "hello" });
  mock.timers.tick(600_000);

  assert.equal(worker.ended, false);
});

test("whoever stops it hears that it was stopped", async () => {
  const { engine, worker } = begin();
  worker.tell({ what: "ready", restored: true });
  const reply = engine.ask<"hello">({ kind: "hello" });
  engine.stop();

  assert.deepEqual(await reply, { ok: false, error: "This was stopped.", fault: "rules", diagnostics: [] });
  assert.ok(worker.ended);
});

test("to stop when nothing is done ends no worker", () => {
  const { engine, worker } = begin();
  worker.tell({ what: "ready", restored: true });
  engine.stop();

  assert.equal(worker.ended, false);
});

test("a late reply of a stopped worker reaches nobody", async () => {
  const { engine, worker } = begin();
  worker.tell({ what: "ready", restored: true });
  void engine.ask<"hello">({ kind: "hello" });
  engine.stop();
  const next = engine.ask<"hello">({ kind: "hello" });
  workers[1]?.tell({ what: "ready", restored: true });
  worker.reply({ ok: true, version: "late" });
  workers[1]?.reply({ ok: true, version: "new" });

  assert.deepEqual(await next, { ok: true, version: "new" });
});

test("if Python cannot be loaded, everybody hears why, and the next request tries again", async () => {
  const { engine, worker } = begin();
  const reply = engine.ask<"hello">({ kind: "hello" });
  worker.tell({ what: "failed", error: "no network" });

  assert.deepEqual(await reply, { ok: false, error: "no network", fault: "rules", diagnostics: [] });
  assert.deepEqual(shown.at(-1), { what: "failed", error: "no network" });
  void engine.ask<"hello">({ kind: "hello" });
  assert.equal(workers.length, 2);
});

test("what is shown: how far loading is, what is done, and how far that is", () => {
  const { engine, worker } = begin();
  worker.tell({ what: "loading", loaded: 1, total: 4 });
  worker.tell({ what: "loading", loaded: 4, total: 4 });
  worker.tell({ what: "ready", restored: true });
  void engine.ask<"hello">({ kind: "hello" });
  worker.tell({ what: "progress", number: 1, text: '{"share": 0.5, "text": "half"}' });
  worker.tell({ what: "progress", number: 99, text: '{"share": 1, "text": "of another"}' });
  worker.reply(HELLO);

  assert.deepEqual(shown.map((status) => status.what), ["loading", "loading", "starting", "idle", "busy", "busy", "idle"]);
  assert.deepEqual(shown[5], { what: "busy", kind: "hello", progress: { share: 0.5, text: "half" } });
});
