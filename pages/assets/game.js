/* Rulebooks: the switch for the formal text, and examples that open when a link leads to them. */
(() => {
  "use strict";
  const KEY = "rulespec-formal";
  const root = document.documentElement;

  const kept = () => {
    try {
      return localStorage.getItem(KEY) === "on";
    } catch {
      return false; // storage may be forbidden; the switch works without it
    }
  };

  const show = (on) => {
    root.dataset.formal = on ? "on" : "off";
    for (const button of document.querySelectorAll(".rs-switch")) {
      button.setAttribute("aria-pressed", String(on));
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest(".rs-switch") : null;
    if (!button) return;
    const on = root.dataset.formal !== "on";
    // What the reader looks at stays where it is, though much appears above it.
    const anchor = [...document.querySelectorAll(".rs-prose, h2, h3")].find(
      (each) => each.getBoundingClientRect().top > 60,
    );
    const before = anchor ? anchor.getBoundingClientRect().top : 0;
    show(on);
    if (anchor && window.scrollY > 0) {
      window.scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
    }
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // as above
    }
  });

  const open = () => {
    let id = "";
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      // an address that somebody has broken leads nowhere
    }
    const goal = id ? document.getElementById(id) : null;
    if (goal && goal.closest(".rs-law")) {
      show(true);
      goal.scrollIntoView();
    }
    const fold = goal ? goal.closest("details") : null;
    if (fold && !fold.open) {
      fold.open = true;
      goal.scrollIntoView();
    }
  };

  const begin = () => {
    show(kept());
    open();
  };

  window.addEventListener("hashchange", open);
  // The theme tells when it has put another page in place of this one.
  if (typeof document$ !== "undefined") document$.subscribe(begin);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
