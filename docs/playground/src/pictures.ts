// What everybody has in sight: pictures of cards, what they do, trump and points.
//
// Pictures are addresses of images: in an image no script of an SVG could ever run.

import { make, type Child } from "./dom";
import type { CardsReply, Fact, Stack } from "./protocol";

export interface CardPictures {
  /** The picture of cards that lie together, if there is one. */
  picture(stack: Stack): string | null;
  /** What they do; empty if nothing is said of them. */
  does(stack: Stack): string;
  facts: readonly Fact[];
}

export const NO_PICTURES: CardPictures = { picture: () => null, does: () => "", facts: [] };

export function keepPictures({ cards, back, facts }: CardsReply): CardPictures {
  const pictures = new Map(cards.map(({ face, svg }) => [face, addressOf(svg)]));
  const texts = new Map(cards.map(({ face, does }) => [face, does]));
  const unseen = addressOf(back);
  return {
    picture: ({ text, faces: [face] }) => (text === null || face === undefined ? unseen : (pictures.get(face) ?? null)),
    does: ({ faces: [face] }) => (face === undefined ? "" : (texts.get(face) ?? "")),
    facts,
  };
}

function addressOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A line for each fact, below the table. */
export function drawFacts(facts: readonly Fact[]): Child[] {
  return facts.map(({ title, words }) => {
    const parts = words.flatMap(({ text, tone }): Child[] => [
      tone === null ? make("span", { class: "pg-word" }, text) : make("span", { class: "pg-word pg-named", style: `background: ${tone.ground}; color: ${tone.ink}` }, text),
    ]);
    return make("p", {}, make("b", {}, `${title}: `), ...parts);
  });
}
