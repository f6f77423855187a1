// The clause of a booklet -> its row on the pages of this site.

import type { ShippedGame } from "./protocol";

/** The shipped file that a text builds on, as far as its first words tell. */
export function findBase(text: string): string | null {
  return /^extends\s+"([^"\n]+)"/m.exec(text)?.[1] ?? null;
}

/** What there is to know to link the clauses of a file. */
export type Lookup = (clause: string) => string | null;

/** Links for the clauses that a file cites; those of nobody's shipped booklet have none. */
export function linkClauses(file: string, text: string, games: readonly ShippedGame[]): Lookup {
  const byFile = new Map(games.map((game) => [game.file, game]));
  const chain = [file, findBase(text) ?? ""].filter((name) => byFile.has(name));
  return (clause) => {
    const series = /^[^-]+-/.exec(clause)?.[0];
    const home = series && chain.find((name) => cites(byFile.get(name), series, byFile));
    return home ? `../games/${home.replace(/\.rules$/, "")}/clauses/#clause-${clause.toLowerCase()}` : null;
  };
}

function cites(game: ShippedGame | undefined, series: string, byFile: Map<string, ShippedGame>): boolean {
  if (game === undefined) return false;
  return game.text.includes(`@${series}`) || cites(byFile.get(findBase(game.text) ?? ""), series, byFile);
}
