// Fields of forms, each with its label.

import { make, type Child } from "./dom";

export interface Choice {
  value: string;
  text: string;
  about?: string;
}

export function choose(label: string, choices: readonly Choice[], value: string, key: string): { field: HTMLElement; input: HTMLSelectElement } {
  const options = choices.map((each) => make("option", { value: each.value, selected: each.value === value }, each.text));
  const input = make("select", { "data-key": key }, ...options);
  return { field: labelled(label, input), input };
}

export function typeNumber(label: string, value: number, [least, most]: [number, number], key: string): { field: HTMLElement; input: HTMLInputElement } {
  const input = make("input", { type: "number", value, min: least, max: most, step: 1, "data-key": key, required: true });
  return { field: labelled(label, input), input };
}

export function typeText(label: string, value: string, key: string): { field: HTMLElement; input: HTMLInputElement } {
  const input = make("input", { type: "text", value, maxlength: 30, "data-key": key });
  return { field: labelled(label, input), input };
}

export function tick(label: string, checked: boolean, key: string, about = ""): { field: HTMLElement; input: HTMLInputElement } {
  const input = make("input", { type: "checkbox", checked, "data-key": key });
  return { field: make("label", { class: "pg-check", title: about || null }, input, ` ${label}`), input };
}

export function labelled(label: string, ...inputs: Child[]): HTMLElement {
  return make("label", { class: "pg-field" }, make("span", {}, label), ...inputs);
}

/** A number within bounds, whatever was typed. */
export function readNumber(input: HTMLInputElement): number {
  const typed = Math.round(Number(input.value)) || Number(input.min);
  return Math.min(Math.max(typed, Number(input.min)), Number(input.max));
}
