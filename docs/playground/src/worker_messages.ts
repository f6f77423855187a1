// What crosses between the page and the worker: texts of requests and replies, and how loading goes.

/** From the page: a request as JSON text; its number comes back with the reply. */
export interface WorkerRequest {
  number: number;
  request: string;
}

/** To the page. */
export type WorkerNotice =
  | { what: "loading"; loaded: number; total: number }
  | { what: "ready"; restored: boolean } // from the snapshot, or the slow way
  | { what: "failed"; error: string }
  | { what: "progress"; number: number; text: string }
  | { what: "reply"; number: number; text: string };
