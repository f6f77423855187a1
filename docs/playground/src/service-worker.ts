// Keeps the page and all that it needs, so that it works without a network after the first visit.
//
// Each version of the site has a cache of its own. A page that is open keeps the version it began with; the
// next visit takes the newer one.

declare const FILES: string[]; // set when the site is built
declare const VERSION: string;

interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: globalThis.Request;
  respondWith(response: Promise<Response>): void;
}

interface Scope extends EventTarget {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}

const scope = self as unknown as Scope;
const PREFIX = "rulespec-playground-";
const CACHE = PREFIX + VERSION;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Past the browser's own cache, where an older version may be.
  await cache.addAll(["./", ...FILES].map((name) => new Request(new URL(name, scope.registration.scope), { cache: "no-cache" })));
}

async function dropOthers(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function answer(request: globalThis.Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}

scope.addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(keepFiles()));
scope.addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(dropOthers()));
scope.addEventListener("message", () => void scope.skipWaiting());
scope.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method === "GET") (event as FetchEvent).respondWith(answer(request));
});
