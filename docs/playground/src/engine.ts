// Requests -> promises of replies, whatever becomes of the worker.
//
// One request is with the worker at a time; the others wait here. Whoever takes longer than its kind may
// take is stopped together with the worker, and a new worker goes on with what waits. So rules without
// an end cost some seconds and the game on the table, but never the page.

import type { WorkerRequest, WorkerNotice } from "./worker_messages";
import type { Kind, Progress, Refusal, Replies, Reply, Request } from "./protocol";

/** Seconds for each kind of request; loading is not counted. */
export const LIMITS: Record<Kind, number> = {
  hello: 60,
  games: 30,
  overlay: 30,
  check: 15,
  complete: 6,
  name: 15,
  places: 15,
  rename: 40,
  mend: 40,
  format: 15,
  examples: 60,
  cards: 20,
  reference: 20,
  resume: 40,
  start: 40,
  take: 20,
  bot: 120,
  tick: 20,
  choose: 40,
  undo: 40,
  leave: 20,
  why: 20,
  hint: 60,
  simulate: 60,
  compare: 60,
  more: 60,
  export: 20,
};

/** What goes on, to be shown. */
export type Status =
  | { what: "loading"; loaded: number; total: number }
  | { what: "starting" }
  | { what: "failed"; error: string }
  | { what: "idle" }
  | { what: "busy"; kind: Kind; progress: Progress | null };

/** What a worker must be able to do, so that tests can bring their own. */
export interface WorkerLike {
  postMessage(request: WorkerRequest): void;
  terminate(): void;
  onmessage: ((event: { data: WorkerNotice }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

export interface Engine {
  /** The reply, sooner or later; a refusal if it had to be stopped. */
  ask<K extends Kind>(request: RequestOf<K>): Promise<Reply<K>>;
  /** End what is being worked on. */
  stop(): void;
}

export type RequestOf<K extends Kind> = Extract<Request, { kind: K }>;

interface Waiting {
  request: Request;
  settle: (reply: Reply) => void;
}

/** Begin to load, and take requests at once. `lost` is told when a worker, and its game, are gone. */
export function startEngine(
  makeWorker: () => WorkerLike,
  show: (status: Status) => void,
  lost: () => void = () => undefined,
): Engine {
  const queue: Waiting[] = [];
  let current: (Waiting & { number: number; timer: number | undefined }) | null = null;
  let worker: WorkerLike | null = null;
  let ready = false;
  let sent = 0;

  function open(): void {
    ready = false;
    worker = makeWorker();
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = ({ message }) => giveUp(message ?? "the worker does not start");
    show({ what: "loading", loaded: 0, total: 1 });
  }

  function hear(notice: WorkerNotice): void {
    switch (notice.what) {
      case "loading":
        if (!ready) show(notice.loaded < notice.total ? notice : { what: "starting" });
        return;
      case "ready":
        ready = true;
        show({ what: "idle" });
        sendNext();
        return;
      case "failed":
        giveUp(notice.error);
        return;
      case "progress":
        if (current?.number === notice.number) {
          const progress = JSON.parse(notice.text) as Progress;
          show({ what: "busy", kind: current.request.kind, progress });
        }
        return;
      case "reply":
        if (current?.number === notice.number) settle(JSON.parse(notice.text) as Reply);
    }
  }

  function sendNext(): void {
    const next = ready && current === null ? queue.shift() : undefined;
    if (next === undefined || worker === null) return;
    const number = ++sent;
    const limit = LIMITS[next.request.kind];
    const timer = setTimeout(() => end(`This took more than ${limit} seconds, so it was stopped.`), limit * 1000);
    current = { ...next, number, timer: timer as unknown as number };
    show({ what: "busy", kind: next.request.kind, progress: null });
    worker.postMessage({ number, request: JSON.stringify(next.request) });
  }

  function settle(reply: Reply): void {
    if (current === null) return;
    const { timer, settle: finish } = current;
    clearTimeout(timer);
    current = null;
    show({ what: "idle" });
    finish(reply);
    sendNext();
  }

  function end(error: string): void {
    if (current === null) return;
    worker?.terminate();
    open();
    lost();
    settle(refuse(error));
  }

  function giveUp(error: string): void {
    worker?.terminate();
    worker = null;
    ready = false;
    for (const { settle: finish } of [...(current ? [current] : []), ...queue.splice(0)]) finish(refuse(error));
    current = null;
    show({ what: "failed", error });
  }

  open();
  return {
    ask<K extends Kind>(request: RequestOf<K>): Promise<Reply<K>> {
      return new Promise((resolve) => {
        if (worker === null) open();
        queue.push({ request, settle: resolve as (reply: Reply) => void });
        sendNext();
      });
    },
    stop: () => end("This was stopped."),
  };
}

function refuse(error: string): Refusal {
  return { ok: false, error, fault: "rules", diagnostics: [] };
}

/** Narrow a reply: what was asked for, or null after telling why not. */
export function accept<K extends Kind>(reply: Reply<K>, complain: (refusal: Refusal) => void): Replies[K] | null {
  if (reply.ok) return reply as Replies[K];
  complain(reply as Refusal);
  return null;
}
