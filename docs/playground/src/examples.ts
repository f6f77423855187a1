// The pane that runs the examples of the rules and tells which of them hold.

import { tellRefusal, type Workspace } from "./workspace";
import { link, tellDiagnostic } from "./diagnostics";
import { button, fill, make } from "./dom";
import type { Example } from "./protocol";

export function makeExamplesPane(workspace: Workspace): HTMLElement {
  const out = make("div", { class: "pg-examples", "aria-live": "polite" });
  const run = button("Run the examples", () => void runAll(), { class: "pg-button pg-main" });

  async function runAll(): Promise<void> {
    run.disabled = true;
    fill(out, make("p", { class: "pg-note" }, "The examples are being played …"));
    const reply = await workspace.engine.ask<"examples">({ kind: "examples", rules: workspace.rules() });
    run.disabled = false;
    if (!reply.ok) return fill(out, tellRefusal(reply, workspace));
    const order = [...reply.examples].sort((one, other) => Number(one.passed) - Number(other.passed));
    fill(out, make("p", { class: "pg-summary" }, reply.summary), make("ol", {}, ...order.map((each) => tellExample(each, workspace))));
  }

  return make("div", {}, make("p", {}, "Examples are part of the rules: they say what must happen, and are played step by step."), run, out);
}

function tellExample(example: Example, workspace: Workspace): HTMLElement {
  const { span, passed } = example;
  const sign = make("span", { class: "pg-sign" }, passed ? "✓ holds" : "✗ fails");
  const where = span.own ? link(span, (place) => workspace.goTo(place)) : `${span.file}, line ${span.line}`;
  return make(
    "li",
    { class: passed ? "pg-passed" : "pg-failed" },
    sign,
    ` ${example.title}${example.variant === null ? "" : ` (${example.variant})`} `,
    make("small", {}, where),
    ...example.diagnostics.map((each) => tellDiagnostic(each)),
    example.running.length ? make("p", { class: "pg-note" }, `while ${example.running.join(", in ")} was running`) : null,
  );
}
