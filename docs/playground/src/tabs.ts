// Panes of which one is shown, with a row of tabs to choose it: by mouse, and by the arrow keys.

import { make } from "./dom";

export interface Tab {
  id: string;
  title: string;
  pane: HTMLElement;
}

export interface Tabs {
  row: HTMLElement;
  show(id: string): void;
}

export function makeTabs(label: string, tabs: readonly Tab[], shown: (id: string) => void): Tabs {
  const buttons = tabs.map(({ id, title, pane }) => {
    const element = make("button", { type: "button", role: "tab", id: `pg-tab-${id}`, "aria-controls": `pg-${id}` }, title);
    pane.id = `pg-${id}`;
    pane.setAttribute("role", "tabpanel");
    pane.setAttribute("aria-labelledby", element.id);
    element.addEventListener("click", () => show(id));
    return element;
  });
  const row = make("div", { role: "tablist", "aria-label": label, class: "pg-tabs" }, ...buttons);
  row.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    event.preventDefault();
    if (next !== undefined) show(next.id);
    buttons.find((element) => element.ariaSelected === "true")?.focus();
  });

  function show(id: string): void {
    tabs.forEach((tab, index) => {
      const selected = tab.id === id;
      tab.pane.hidden = !selected;
      buttons[index]?.setAttribute("aria-selected", String(selected));
      buttons[index]?.setAttribute("tabindex", selected ? "0" : "-1");
    });
    shown(id);
  }

  return { row, show };
}
