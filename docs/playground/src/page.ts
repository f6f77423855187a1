// The page: puts the panes together, starts Python in its worker, and opens what a link brings.

import type { Workspace } from "./workspace";
import { linkClauses } from "./clauses";
import { button, byId, fill, make } from "./dom";
import { startEngine, type WorkerLike } from "./engine";
import { makeExamplesPane } from "./examples";
import { findStorage, openFiles } from "./files";
import { workOffline } from "./offline";
import { makePlayPane } from "./playing";
import type { GamesReply, PlotStyle } from "./protocol";
import { readFragment, textsOf } from "./sharing";
import { makeStatus } from "./status";
import { makeStudyPane } from "./studies";
import { makeTabs } from "./tabs";
import { makeWritingPane, type WritingPane } from "./writing";

const TAB = "rulespec-tab";

async function openPage(): Promise<void> {
  const home = byId("pg");
  const status = makeStatus(() => engine.stop());
  fill(home, status.element);
  const onLost: (() => void)[] = [];
  // Python takes longest, so it begins first.
  const engine = startEngine(makeWorker, (each) => status.show(each), () => onLost.forEach((listener) => listener()));
  const { games, bots, plots } = (await (await fetch("./games.json")).json()) as GamesReply;
  const workspace: Workspace = {
    engine,
    games,
    bots,
    menu: null,
    onMenu: [],
    onLost,
    rules: () => ({ file: "", text: "" }),
    lookup: () => linkClauses(workspace.rules().file, workspace.rules().text, games),
    goTo: () => undefined,
  };
  addStyle(plots);
  void workspace.engine.ask<"hello">({ kind: "hello" });
  const writing = makeWritingPane(workspace, openFiles(findStorage(), games));
  const showRules = layOut(home, status.element, writing, workspace);
  await openLink(writing, workspace, showRules);
  window.addEventListener("hashchange", () => void openLink(writing, workspace, showRules));
  await workOffline(() => home.setAttribute("data-offline", "ready"));
}

function makeWorker(): WorkerLike {
  // A worker that comes from an address has the policy of its own answer, and a plain server sends none. One that
  // is made here has the policy of this page.
  const address = new URL("./worker.js", location.href).href;
  const source = new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" });
  const made = URL.createObjectURL(source);
  return new Worker(made, { type: "module", name: nameTab() }) as unknown as WorkerLike;
}

/** A name that this tab keeps over a reload: its worker stores the game under it. */
function nameTab(): string {
  try {
    const name = sessionStorage.getItem(TAB) ?? crypto.randomUUID();
    sessionStorage.setItem(TAB, name);
    return name;
  } catch {
    return crypto.randomUUID(); // storage is forbidden: a reload begins anew
  }
}

/** The rules share the page with what is done with them; where there is no room, they are a tab among others.
 *
 * What is given back shows the rules wherever they are. */
function layOut(home: HTMLElement, status: HTMLElement, writing: WritingPane, workspace: Workspace): () => void {
  const panes = [
    { id: "play", title: "Play", pane: makePlayPane(workspace) },
    { id: "examples", title: "Examples", pane: makeExamplesPane(workspace) },
    { id: "simulate", title: "Simulate", pane: makeStudyPane(workspace, "simulate") },
    { id: "compare", title: "Compare", pane: makeStudyPane(workspace, "compare") },
  ];
  const right = make("div", { class: "pg-right" }, ...panes.map(({ pane }) => pane));
  const rulesTab = { id: "rules", title: "Rules", pane: writing.element };
  const tabs = makeTabs("What to do", [rulesTab, ...panes], (id) => home.setAttribute("data-shown", id));
  const fold = button("Hide the rules", () => {
    const folded = home.toggleAttribute("data-folded");
    fold.textContent = folded ? "Show the rules" : "Hide the rules";
  }, { class: "pg-button pg-fold" });
  const help = make("a", { class: "pg-help", href: "../play/#in-the-browser", target: "_blank" }, "How it is used");
  fill(home, status, make("div", { class: "pg-top" }, tabs.row, make("span", { class: "pg-row" }, help, fold)), make("div", { class: "pg-columns" }, writing.element, right));
  tabs.show("play");
  return () => tabs.show(getComputedStyle(writing.element).display === "none" ? "rules" : "play");
}

/** `#open=sins.rules`, or `#open=sins.rules:212`: a link from the page of a game, or of a rule. */
const OPEN = /^#open=([\w -]+\.rules)(?::(\d{1,6}))?$/;

async function openLink(writing: WritingPane, workspace: Workspace, showRules: () => void): Promise<void> {
  const wanted = OPEN.exec(location.hash);
  try {
    const shared = await readFragment(location.hash, textsOf(workspace.games));
    if (wanted !== null) {
      writing.show(wanted[1]!, wanted[2] === undefined ? null : Number(wanted[2]));
      if (wanted[2] !== undefined) showRules();
      window.history.replaceState(null, "", location.pathname + location.search);
      return;
    }
    if (shared === null) return;
    if (!writing.add(shared)) return;
    writing.say(`${shared.file} came with the link; it is kept as a draft here.`);
  } catch (error) {
    writing.say((error as Error).message);
  }
  // From now on the draft counts, not the link: a reload must not bring back what was changed since.
  window.history.replaceState(null, "", location.pathname + location.search);
}

function addStyle({ light, dark, rules }: PlotStyle): void {
  const text = `.pg-figures svg { ${light} } [data-md-color-scheme="slate"] .pg-figures svg { ${dark} } ${rules}`;
  document.head.append(make("style", {}, text));
}

void openPage();
