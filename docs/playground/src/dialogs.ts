// Small windows: for a new overlay, and for a link to copy.

import { button, make, type Child } from "./dom";
import { choose, typeText } from "./forms";
import type { ShippedGame } from "./protocol";

/** Which game is to be changed, and what the changed one is called; null if nothing is wanted. */
export async function askForOverlay(games: readonly ShippedGame[], base: string): Promise<{ file: string; title: string } | null> {
  const bases = games.filter((game) => game.extends === null);
  const choice = choose("A change of", bases.map((game) => ({ value: game.file, text: game.menu.title })), base, "base");
  const title = typeText("is called", "Our house rules", "title");
  const agreed = await openDialog("A new overlay", [choice.field, title.field], "Create");
  return agreed ? { file: choice.input.value, title: title.input.value.trim() || "Our house rules" } : null;
}

/** Another name; null if it stays. */
export async function askForName(name: string): Promise<string | null> {
  const field = typeText("New name", name, "new-name");
  const agreed = await openDialog(`Rename ${name}`, [field.field], "Rename");
  const chosen = field.input.value.trim();
  return agreed && chosen !== name ? chosen : null;
}

export async function showLink(link: string): Promise<void> {
  const field = make("textarea", { readonly: true, rows: 3, "aria-label": "Link", class: "pg-link" });
  field.value = link;
  const copy = button("Copy", async () => {
    field.select();
    await navigator.clipboard?.writeText(link).catch(() => undefined);
    copy.textContent = "Copied";
  });
  const about = make("p", {}, "The rules are in the link itself; no server gets to see them.");
  await openDialog("Share these rules", [about, field, copy], null);
}

/** Whether it was agreed to; Escape and Close say no. */
export function openDialog(title: string, content: Child[], agree: string | null): Promise<boolean> {
  return new Promise((resolve) => {
    const form = make("form", { method: "dialog" });
    const dialog = make("dialog", { class: "pg-dialog", "aria-label": title }, make("h2", {}, title), form);
    const buttons = [
      agree && make("button", { class: "pg-button pg-main", value: "yes" }, agree),
      make("button", { class: "pg-button", value: "" }, "Close"),
    ].filter((each) => each !== null);
    form.append(...content.filter((each) => each !== null), make("div", { class: "pg-row" }, ...buttons));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    (document.getElementById("pg") ?? document.body).append(dialog);
    dialog.showModal();
    dialog.querySelector("input")?.select(); // what is typed takes the place of what is proposed
  });
}
