// Pictures of cards as addresses of images: in an image no script of an SVG could ever run.

import type { CardsReply, Stack } from "./protocol";

/** The picture of cards that lie together, if there is one. */
export type Pictures = (stack: Stack) => string | null;

export const NO_PICTURES: Pictures = () => null;

export function keepPictures({ cards, back }: CardsReply): Pictures {
  const faces = new Map(cards.map(({ face, svg }) => [face, addressOf(svg)]));
  const unseen = addressOf(back);
  return ({ text, faces: [face] }) => (text === null || face === undefined ? unseen : (faces.get(face) ?? null));
}

function addressOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
