// Registers the service worker, and tells when the page no longer needs a network.

/** A newer version that was fetched meanwhile takes over now, while nothing is lost by it. */
export async function workOffline(ready: () => void): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const known = await navigator.serviceWorker.getRegistration("./");
    if (known?.waiting) {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      known.waiting.postMessage("take over");
      return;
    }
    await navigator.serviceWorker.register("./service-worker.js");
    await navigator.serviceWorker.ready;
    ready();
  } catch {
    // Without it the page works as well, with a network.
  }
}
