// How the messages of `messages.ts` go to and fro between the page and the worker.
//
// On the Python side `rulespec.playground.Backend` answers: `backend.answer(request, tell)` takes a request as
// JSON text and gives the reply as JSON text, always, and never raises. While it works it may call `tell`
// with a `Progress` as JSON text. The worker does nothing but carry these texts to and fro.
//
// Texts come from rules that anybody may have written: set them as text, never as HTML. Only
// `Figure.svg` and the pictures of cards are markup; they are made by us, with all strings escaped.

import type { Refusal, Replies } from "./messages";

export type * from "./messages";

export type Kind = keyof Replies;

/** The reply to a request of some kind: what was asked for, or why there is none. */
export type Reply<K extends Kind = Kind> = ({ ok: true } & Replies[K]) | Refusal;
