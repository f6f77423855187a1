// Elements of the page. Whatever is put into them is text: nothing here ever reads HTML.

export type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | null>;

/** A new element. An attribute that is false or null is left out; one that is true stands alone. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button that does something. */
export function button(text: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = make("button", { type: "button", class: "pg-button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

/** Show other children. Whoever had the focus keeps it, if something with the same `data-key` is there again. */
export function fill(parent: Element, ...children: Child[]): void {
  const focused = document.activeElement;
  const key = parent.contains(focused) ? focused?.getAttribute("data-key") : null;
  parent.replaceChildren(...children.filter((child) => child !== null));
  if (key) parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** The element of the page with this id, which is there because we have written it. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
