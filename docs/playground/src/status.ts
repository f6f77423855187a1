// What the engine is doing -> a line above the panes: how far loading is, what is being worked on, what failed.

import { button, fill, make } from "./dom";
import type { Kind } from "./protocol";
import type { Status } from "./engine";

const PATIENCE = 1500; // milliseconds until it is worth saying that something is going on

const DOING: Partial<Record<Kind, string>> = {
  check: "The rules are being checked",
  examples: "The examples are being played",
  start: "The game is being set up",
  bot: "A bot is thinking",
  hint: "A bot is thinking",
  simulate: "Games are being played",
  compare: "Games are being played",
  more: "Games are being played",
};

export function makeStatus(stop: () => void): { element: HTMLElement; show(status: Status): void } {
  const element = make("div", { class: "pg-status", role: "status" });
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(status: Status): void {
    clearTimeout(timer);
    element.dataset.what = status.what;
    switch (status.what) {
      case "loading":
        return fill(element, meter(status.loaded / status.total), `Loading Python: ${megabytes(status.loaded)} of ${megabytes(status.total)} MB`);
      case "starting":
        return fill(element, meter(null), "Starting Python …");
      case "failed":
        return fill(element, make("strong", {}, "Python could not be loaded. "), `${status.error} `, button("Try again", () => location.reload()));
      case "idle":
        return fill(element);
      case "busy": {
        const { kind, progress } = status;
        const tell = (): void => fill(element, meter(progress?.share ?? null), `${progress?.text ?? DOING[kind] ?? "Working"} … `, button("Stop", stop));
        if (progress) tell();
        else timer = setTimeout(tell, PATIENCE);
      }
    }
  }

  return { element, show };
}

function meter(share: number | null): HTMLElement {
  return make("progress", { max: 1, value: share, "aria-label": "Progress" });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
