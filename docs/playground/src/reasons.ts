// Why something is as it is -> a panel with sentences, words of the rules, and clauses.

import type { Lookup } from "./clauses";
import { link, quoteNames } from "./diagnostics";
import { button, make } from "./dom";
import type { Clause, Span, WhyReply } from "./protocol";
import { cite } from "./story";

/** What is said of a clause, without what is said above already. */
export function saidOnce(why: WhyReply): [Clause, string[]][] {
  const said = new Set([...why.sentences, ...why.quotes.map((quote) => quote.sentence)]);
  return why.clauses.map((clause) => {
    const texts = clause.texts.filter((text) => !said.has(text));
    texts.forEach((text) => said.add(text));
    return [clause, texts];
  });
}

export function tellReasons(why: WhyReply, lookup: Lookup, goTo: (span: Span) => void, close: () => void): HTMLElement {
  return make(
    "aside",
    { class: "pg-why", "aria-label": "Why" },
    make("header", {}, make("h3", {}, why.title), button("Close", close, { "data-key": "close why" })),
    ...why.sentences.map((sentence) => make("p", {}, ...quoteNames(sentence))),
    ...why.quotes.map((quote) =>
      make(
        "figure",
        {},
        quote.sentence === null ? null : make("figcaption", {}, quote.sentence),
        make(
          "details",
          { open: why.sentences.length === 0 && quote.sentence === null },
          make("summary", {}, "As the rules write it"),
          make("pre", {}, quote.text),
          make("p", { class: "pg-note" }, quote.span.own ? link(quote.span, goTo) : quote.place),
        ),
      ),
    ),
    why.clauses.length === 0
      ? null
      : make(
          "details",
          {},
          make("summary", {}, "Clauses of the booklet"),
          ...saidOnce(why).map(([clause, texts]) =>
            make("p", {}, ...cite([clause.name], lookup), ` ${clause.section}`, ...texts.flatMap((text) => [make("br"), text])),
          ),
        ),
  );
}
