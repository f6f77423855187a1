// Written by `make accept` from the classes of `rulespec.playground.protocol`: change them there.

/** What the page may ask for, by `kind`. */
export type Request =
  | HelloRequest
  | GamesRequest
  | OverlayRequest
  | CheckRequest
  | FormatRequest
  | ExportRequest
  | ExamplesRequest
  | CompleteRequest
  | NameRequest
  | PlacesRequest
  | RenameRequest
  | MendRequest
  | CardsRequest
  | ReferenceRequest
  | ResumeRequest
  | StartRequest
  | TakeRequest
  | BotRequest
  | TickRequest
  | ChooseRequest
  | UndoRequest
  | LeaveRequest
  | HintRequest
  | WhyRequest
  | SimulateRequest
  | CompareRequest
  | MoreRequest;

/** What comes back for each kind, if all is well. */
export interface Replies {
  hello: HelloReply;
  games: GamesReply;
  overlay: OverlayReply;
  check: CheckReply;
  format: FormatReply;
  export: ExportReply;
  examples: ExamplesReply;
  complete: CompleteReply;
  name: NameReply;
  places: PlacesReply;
  rename: RenameReply;
  mend: MendReply;
  cards: CardsReply;
  reference: ReferenceReply;
  resume: ResumeReply;
  start: FrameReply;
  take: FrameReply;
  bot: MoveReply;
  tick: Ticks;
  choose: MoveReply;
  undo: FrameReply;
  leave: LeaveReply;
  hint: HintReply;
  why: WhyReply;
  simulate: StudyReply;
  compare: StudyReply;
  more: StudyReply;
}

/** All that is wrong with a text. */
export interface CheckRequest {
  kind: "check";
  rules: Rules;
}

export interface CheckReply {
  diagnostics: Diagnostic[];
  /** `1 error, 2 warnings`, or `no errors`. */
  summary: string;
  /** Whether it has no error. */
  correct: boolean;
  /** Whether it can be played: it has no error, and is a whole game. */
  playable: boolean;
  /** What can be chosen in it; null as long as it cannot be told. */
  menu: Menu | null;
}

/** Names and words that fit at a place. */
export interface CompleteRequest {
  kind: "complete";
  rules: Rules;
  /** Where, as an offset in UTF-16 units. */
  at: number;
}

export interface Completion {
  /** What is written. */
  text: string;
  kind: "keyword" | "rule" | "function" | "table" | "zone" | "variable" | "local" | "member" | "enum" | "attribute" | "piece" | "option" | "variant" | "type" | "player" | "file";
  /** A few words to stand beside it: how it is declared. */
  detail: string;
  /** A sentence about it, or nothing. */
  about: string;
}

export interface CompleteReply {
  /** Where the word begins that would be replaced; it ends at `at`. */
  start: number;
  items: Completion[];
}

/** What the name at a place is. */
export interface NameRequest {
  kind: "name";
  rules: Rules;
  /** Where, as an offset in UTF-16 units. */
  at: number;
}

export interface Meaning {
  /** Where the name stands. */
  start: number;
  end: number;
  /** The line by which it is declared, or nothing. */
  code: string;
  /** What is said of it; names stand in backticks. */
  sentences: string[];
}

export interface NameReply {
  /** Null if there is no name, or nobody knows it. */
  meaning: Meaning | null;
}

/** Where the name at a place is declared, and where else it stands. */
export interface PlacesRequest {
  kind: "places";
  rules: Rules;
  /** Where, as an offset in UTF-16 units. */
  at: number;
}

export interface PlacesReply {
  /** Null if there is no name. */
  name: string | null;
  /** The last one is in force. Of a clause its place in the rulebook, of a file its beginning. */
  definitions: Span[];
  /** All places, those of its declarations among them, also in files on which this one builds. */
  uses: Span[];
}

/** Another name for what has a name at a place. */
export interface RenameRequest {
  kind: "rename";
  rules: Rules;
  /** Where, as an offset in UTF-16 units. */
  at: number;
  /** The new name. */
  name: string;
}

/** What stands between two places of the text is replaced. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface RenameReply {
  /** In this text; none if it cannot be renamed. */
  changes: Change[];
  /** Why it cannot be renamed; null if it can. */
  refused: string | null;
}

/** What the hint of a finding asks for. */
export interface MendRequest {
  kind: "mend";
  rules: Rules;
  /** Where the finding begins, as an offset in UTF-16 units, and its code. */
  at: number;
  code: string;
}

export interface MendReply {
  /** Null if nothing that was tried mends it. */
  change: Change | null;
}

/** The text in its canonical form. */
export interface FormatRequest {
  kind: "format";
  rules: Rules;
}

export interface FormatReply {
  text: string;
  /** Whether it differs from what was sent. */
  changed: boolean;
}

/** Run the examples of a text, and those of its variants. */
export interface ExamplesRequest {
  kind: "examples";
  rules: Rules;
}

export interface Example {
  title: string;
  /** The variant to which it belongs, if any. */
  variant: string | null;
  /** Where it stands. */
  span: Span;
  passed: boolean;
  /** What went wrong, and where. */
  diagnostics: Diagnostic[];
  /** The rules that were running then, the innermost first. */
  running: string[];
}

export interface ExamplesReply {
  examples: Example[];
  /** `12 of 13 examples hold`. */
  summary: string;
}

/** The text as a file that `rulespec play` takes. */
export interface ExportRequest {
  kind: "export";
  rules: Rules;
}

export interface ExportReply {
  /** A name that is good on every system, and that of no shipped file. */
  file: string;
  text: string;
  /** What to type: `rulespec play my_sins.rules`. */
  command: string;
  /** Whether it can be played as it is. */
  playable: boolean;
}

/** A text of rules and how it is to be played. */
export interface Rules {
  /** The name of the file: `my_sins.rules`. */
  file: string;
  /** What stands in the editor. */
  text: string;
  /** Variants by name; none if it is left out. */
  variants?: string[];
  /** Values of options, as they are written in the rules; the defaults if it is left out. */
  options?: Record<string, string>;
}

/** A place in a file. Offsets and columns count UTF-16 units, as editors in browsers do. */
export interface Span {
  /** The file; it may be another one than that in the editor, such as the file that this one extends. */
  file: string;
  /** Whether it is the file in the editor: only then the offsets belong to its text. */
  own: boolean;
  /** The first unit, counted from 0. */
  start: number;
  /** The unit behind the last one. */
  end: number;
  /** The line on which it begins, counted from 1. */
  line: number;
  /** The column in which it begins, counted from 1. */
  column: number;
}

export interface Related {
  message: string;
  span: Span;
}

/** One sentence about one place, as `rulespec check` prints it. */
export interface Diagnostic {
  /** The public code, such as `RS201`. */
  code: string;
  severity: "error" | "warning";
  /** What is wrong, in the author's words. */
  message: string;
  /** Something to type, if there is something. */
  hint: string | null;
  /** Where. */
  span: Span;
  /** Other places that matter, and why they do. */
  related: Related[];
  /** What this kind of mistake is called. */
  title: string;
  /** Why it is a mistake. */
  why: string;
  /** Its entry in the reference, from the root of the site: `language/diagnostics/#rs201`. */
  page: string;
}

/** Why there is no answer. */
export interface Refusal {
  ok: false;
  /** A sentence for people. */
  error: string;
  /** Whose fault it is: that of the rules, of the player, of the request, or a bug of ours. */
  fault: "rules" | "player" | "request" | "bug";
  /** What is wrong with the rules, if they are at fault. */
  diagnostics: Diagnostic[];
}

/** Told while a request is worked on. */
export interface Progress {
  /** How much is done, from 0 to 1; null if nobody knows. */
  share: number | null;
  /** What is being done. */
  text: string;
}

/** Play many games, and tell what can be said of them. */
export interface SimulateRequest {
  kind: "simulate";
  rules: Rules;
  /** With each number of players. */
  games: number;
  /** How many play; every number that the rules allow if it is left out. */
  players?: number[];
  /** Who plays, in the order of play; one word stands for all seats; all at random if it is left out. */
  seats?: string[];
  /** The same seed gives the same numbers; 1 if it is left out. */
  seed?: number;
  /** Of so many games look at every step, for rules, cards and the lead; 20 if it is left out. */
  sample?: number;
  /** So many games are played again by somebody who never does a thing, for each thing; 0 if it is left out. */
  without?: number;
}

/** Play the shipped rules and those in the editor on the same seeds, and tell how they differ. */
export interface CompareRequest {
  kind: "compare";
  rules: Rules;
  /** The shipped file to compare with. */
  against: string;
  games: number;
  players?: number[];
  seats?: string[];
  seed?: number;
  without?: number;
}

/** Another slice of a study. */
export interface MoreRequest {
  kind: "more";
  study: number;
}

export interface Verdict {
  players: number;
  changed: boolean;
  text: string;
}

/** A plot. */
export interface Figure {
  /** How many play. */
  players: number;
  title: string;
  note: string;
  /** An `<svg>` of ours, with a title and a description in it. */
  svg: string;
}

export interface Report {
  /** As `rulespec simulate` or `rulespec compare` prints it. */
  text: string;
  /** What surely changed, of each number of players; only of a comparison. */
  verdicts: Verdict[];
  figures: Figure[];
  /** The numbers, as `rulespec simulate --json` gives them. */
  data: Record<string, unknown>;
}

export interface StudyReply {
  /** To ask for more. */
  study: number;
  finished: boolean;
  /** Games that are played, of all of them. */
  done: number;
  total: number;
  /** How far it is: `3 players, 120 of 300 games`. */
  text: string;
  /** What can be said by now: every slice has at least one game. */
  report: Report;
}

/** Pictures of the cards of the game on the table. */
export interface CardsRequest {
  kind: "cards";
}

export interface CardPicture {
  /** As in `Stack.faces`. */
  face: number;
  /** Shown as an image, never as a part of the page. */
  svg: string;
  /** What it does, in the author's words; empty if nothing is said of it. */
  does: string;
}

export interface FactWord {
  text: string;
  tone: Tone | null;
}

/** Something to have in sight, such as trump or points. */
export interface Fact {
  title: string;
  words: FactWord[];
}

export interface CardsReply {
  cards: CardPicture[];
  /** The back of a card, as SVG. */
  back: string;
  facts: Fact[];
}

/** What one should know to play. */
export interface ReferenceRequest {
  kind: "reference";
  /** Without them it is about the game on the table. */
  rules?: Rules;
}

/** A table of points. */
export interface Points {
  title: string;
  about: string | null;
  columns: [string, string];
  rows: [string, string][];
}

export interface ReferenceReply {
  title: string;
  about: string | null;
  goal: string | null;
  /** `2 to 5 players`, `30 minutes` */
  facts: string[];
  /** How it is played, in sentences. */
  turn: string[];
  /** What cards do. */
  cards: string[];
  scoring: string[];
  points: Points[];
  /** Who wins, and what breaks a tie. */
  winning: string[];
  ending: string[];
  advice: string[];
}

export interface ZoneSubject {
  of: "zone";
  zone: number;
}

export interface CardsSubject {
  of: "cards";
  zone: number;
  faces: number[];
}

export interface CounterSubject {
  of: "counter";
  variable: number;
}

export interface PlayerSubject {
  of: "player";
  seat: number;
}

export interface ItemSubject {
  of: "item";
  number: number;
}

export interface QuestionSubject {
  of: "question";
}

export interface SentenceSubject {
  of: "sentence";
  number: number;
}

export interface ScoreSubject {
  of: "score";
  seat: number;
  row: number;
}

/** Why something is as it is, or what it is. */
export interface WhyRequest {
  kind: "why";
  subject: Subject;
  /** The items that are ticked. */
  chosen?: number[];
}

export interface Quote {
  /** `sins.rules:120:3` */
  place: string;
  text: string;
  /** What is said above these words. */
  sentence: string | null;
  /** Where they stand. */
  span: Span;
}

export interface Clause {
  name: string;
  section: string;
  /** What the rules say of it. */
  texts: string[];
}

export interface WhyReply {
  title: string;
  sentences: string[];
  /** Words of the rules. */
  quotes: Quote[];
  /** Clauses of the rulebook that are cited. */
  clauses: Clause[];
}

/** What a bot would choose in the place of the viewer, with what that player knows. */
export interface HintRequest {
  kind: "hint";
  /** The word of a bot; a search of a second if it is left out. */
  bot?: string;
}

export interface Opinion {
  item: number;
  /** The share of games won after it. */
  share: number;
  /** In how many games it was tried. */
  tried: number;
}

export interface HintReply {
  /** `A bot would choose …` */
  text: string;
  /** The item, if one item is the answer. */
  item: number | null;
  /** The items to tick, if several are. */
  ticked: number[];
  /** What it thinks of the items, the best first; none if things are ticked. */
  opinions: Opinion[];
}

/** What one can point at. */
export type Subject = ZoneSubject | CardsSubject | CounterSubject | PlayerSubject | ItemSubject | QuestionSubject | SentenceSubject | ScoreSubject;

/** Begin a game; an older one is forgotten. */
export interface StartRequest {
  kind: "start";
  rules: Rules;
  seats: Seat[];
  /** Decimal digits, for tests: whoever knows the seed knows all cards. Leave it out, and one is drawn. */
  seed?: string;
  /** The seat that begins, if chance is not to say. */
  first?: number;
}

/** The player in `Frame.hand_to` has the screen now, and the others do not look. */
export interface TakeRequest {
  kind: "take";
}

/** If `Frame.waiting` says that bots think: let them choose until something can be seen. */
export interface BotRequest {
  kind: "bot";
  /** Whether every moment of it is to be seen. */
  beats?: boolean;
}

/** What may be ticked beside what is ticked, if `Question.ticking`. */
export interface TickRequest {
  kind: "tick";
  /** Numbers of items. */
  chosen: number[];
}

/** Answer the question: with an item, or with those that are ticked. */
export interface ChooseRequest {
  kind: "choose";
  /** An item, if nothing is ticked; also the one for declining. */
  item?: number;
  /** The ticked items. */
  ticked?: number[];
  /** Whether every moment of what follows is to be seen. */
  beats?: boolean;
}

/** Take back the last choice of a person, and what bots did after it. */
export interface UndoRequest {
  kind: "undo";
}

export interface FrameReply {
  frame: Frame;
}

export interface MoveReply {
  /** The moments of what was chosen, for whoever had the screen; the last one is the outcome if they must pass it on. */
  beats: Frame[];
  frame: Frame;
}

/** Take the game off the table. */
export interface LeaveRequest {
  kind: "leave";
}

/** Nothing is left to say. */
export interface LeaveReply {
}

/** Go on with the game that an earlier worker of this tab has kept. */
export interface ResumeRequest {
  kind: "resume";
}

export interface ResumeReply {
  /** What it is played by; null if there is no such game. */
  rules: Rules | null;
  /** The game as it was left; null if there is none. */
  frame: Frame | null;
  /** Why a game that was kept cannot go on; null if it can, or if there is none. */
  lost: string | null;
}

export interface AccountEntry {
  title: string;
  cells: string[];
  value: string;
  note: string | null;
}

/** How a number came about: entries that are added up, and what they follow from. */
export interface Account {
  title: string;
  value: string;
  /** Above the cells of the entries. */
  columns: string[];
  /** Above their values. */
  unit: string;
  entries: AccountEntry[];
  /** The word before the sum. */
  total: string;
  notes: string[];
  parts: Account[];
}

export interface ScoreMark {
  added: string;
  total: string;
  leads: boolean;
  /** How what was added came about, if there is anything to say. */
  why: Account | null;
}

export interface ScoreRound {
  title: string;
  marks: ScoreMark[];
}

/** Rounds as rows, players as columns, by seat. */
export interface ScoreSheet {
  title: string;
  rounds: ScoreRound[];
}

/** Something that is counted, and how what the players have came about. */
export interface Criterion {
  title: string;
  /** `The most points win.` */
  about: string;
  /** The players whom it had to tell apart; nobody, if there was no tie. */
  seats: number[];
  /** What wins, and what else the rules say of it. */
  sentences: string[];
  /** What all scores follow from. */
  shared: Account[];
  /** Of each seat; nothing if there is a sheet. */
  accounts: Account[];
  sheet: ScoreSheet | null;
}

export interface ResultRow {
  /** The player, or the first one of a team. */
  seat: number;
  /** `Ada`, or `Ada and Cleo (North and South)` */
  name: string;
  place: number;
  /** The values as texts; `–` if there is none. */
  scores: string[];
  /** What broke a tie, or who shares the victory; where everybody can lose, how it went. */
  note: string | null;
}

export interface Result {
  /** The seats that win. */
  winners: number[];
  /** `The game is over: Ada and Ben win.` */
  text: string;
  /** Why it ended; null if the rules do not say it in a sentence. */
  ending: string | null;
  /** What is counted, in order. */
  criteria: Criterion[];
  /** A row for each player or team, the best first. */
  rows: ResultRow[];
  /** The seed, as decimal digits: now it may be told. */
  seed: string;
}

export interface Seat {
  /** One who is called `You` is spoken to. */
  name: string;
  /** `human`, or the word of a bot. */
  kind: string;
}

export interface Badge {
  text: string;
  /** The variable that it stands for, to ask why; null for who begins. */
  variable: number | null;
}

/** Colours of a card: `#rrggbb`. They never tell more than the text does. */
export interface Tone {
  ground: string;
  ink: string;
}

export interface Coloured {
  text: string;
  tone: Tone;
}

/** A variable of the rules. */
export interface Counter {
  variable: number;
  title: string;
  text: string;
  /** Whether it says no or nothing, and may be left out where room is scarce. */
  idle: boolean;
  /** Its values one by one, if they have colours. */
  values: Coloured[];
}

/** Equal cards that lie together. */
export interface Stack {
  /** What stands on them; null if only their backs are seen. */
  text: string | null;
  count: number;
  /** Which faces these are, to match with `Item.spots` and to ask why; none for backs. */
  faces: number[];
  tone: Tone;
  /** Whether one of them has come here since the viewer chose. */
  moved: boolean;
  /** Whether something was just said about one of them, such as that it wins the trick. */
  told: boolean;
}

export interface Zone {
  zone: number;
  /** Whose it is, though it lies in the middle. */
  seat: number | null;
  /** Whether anything has ever lain there. */
  used: boolean;
  /** How many cards have come there since the viewer chose. */
  grown: number;
  title: string;
  /** A pile has an order, and its first card is the top one. */
  pile: boolean;
  /** How many cards there are; null if the viewer does not count them. */
  count: number | null;
  stacks: Stack[];
}

/** What lies together: a player's things, the zones of a family, or the rest. */
export interface Group {
  title: string;
  seat: number | null;
  /** Such as `dealer` or `first`. */
  badges: Badge[];
  counters: Counter[];
  zones: Zone[];
}

export interface Spot {
  zone: number;
  face: number;
}

export interface Item {
  /** What `choose`, `tick` and `why` call it. */
  number: number;
  text: string;
  tone: Tone | null;
  /** Where it lies on the table: it may be chosen by a click there. */
  spots: Spot[];
  /** The player that it is, if it is one. */
  seat: number | null;
  /** The zones that it stands for. */
  zones: number[];
}

/** What may be ticked beside what is ticked. */
export interface Ticks {
  /** Numbers of items that go with what is ticked. */
  more: number[];
  /** Whether what is ticked is an answer. */
  complete: boolean;
  /** What is still to be done, in a few words. */
  need: string;
}

export interface Question {
  prompt: string;
  /** Whether several things are ticked for one answer; otherwise one item is the answer. */
  ticking: boolean;
  items: Item[];
  /** The item for declining, if that is allowed. */
  decline: Item | null;
  /** How many answers there are; with more than a thousand only the first are among the items. */
  count: number;
  /** If `ticking`: what `tick` replies as long as nothing is ticked. */
  ticks: Ticks | null;
}

/** A part of a sentence: it may name a player, or something that has a colour. */
export interface Word {
  text: string;
  tone: Tone | null;
  seat: number | null;
}

/** Something that happened, or a heading above it. */
export interface Sentence {
  text: string;
  /** The same text in parts. */
  words: Word[];
  /** Of a heading how deep it stands; null for what happened. */
  level: number | null;
  /** What it consists of, step by step. */
  details: string[];
  /** The clauses of the rulebook that the rule cites: `S-30`. */
  cites: string[];
  /** The rule that made it happen. */
  rule: string;
}

/** Everything that may be on the screen now. */
export interface Frame {
  title: string;
  /** All players by seat. */
  players: Seat[];
  /** Whose eyes these are; null if everybody may see it, as when the game is over or only bots play. */
  viewer: number | null;
  /** The person to whom the screen must be handed before anything is shown; then there is nothing else. */
  hand_to: number | null;
  /** What to say while bots think; null if none does. */
  waiting: string | null;
  over: boolean;
  /** The headings that are open: the round, the turn, the trick. */
  where: string[];
  /** Whose move it is, if that may be known. */
  turn: number | null;
  /** The table: what belongs to nobody first, then the players; whoever looks comes last. */
  groups: Group[];
  /** What the viewer is asked. */
  question: Question | null;
  /** What happened, as far as the viewer may look back. */
  story: Sentence[];
  /** The first sentence of the story that was not told before. */
  fresh: number;
  /** Whether the last choice can be taken back. */
  may_undo: boolean;
  /** Who won, when the game is over. */
  result: Result | null;
}

/** Ask who is there; this also loads what the editor needs first. */
export interface HelloRequest {
  kind: "hello";
}

export interface HelloReply {
  /** The version of rulespec. */
  version: string;
}

/** The shipped games and overlays. The reply is always the same, so it may be made when the site is built. */
export interface GamesRequest {
  kind: "games";
}

export interface Variant {
  name: string;
  title: string;
  /** How many play it. */
  players: [number, number];
  about: string;
}

export interface Option {
  name: string;
  /** The values as they are written; for a number there is one, its range, such as `1..5`. */
  values: string[];
  default: string;
  about: string;
}

/** What can be chosen before a game begins. */
export interface Menu {
  title: string;
  author: string | null;
  /** What stands beside the title, or the rulebook after which it is told. */
  about: string;
  /** The fewest players and the most. */
  players: [number, number];
  variants: Variant[];
  options: Option[];
}

export interface ShippedGame {
  file: string;
  /** The whole text, for the editor. */
  text: string;
  /** The file that it builds on, if it is an overlay; with what is chosen there. */
  extends: string | null;
  menu: Menu;
}

export interface Bot {
  /** `random`, `greedy` or `search`; in a seat also with a strength, `search:3s`. */
  word: string;
  about: string;
}

export interface PlotStyle {
  /** Custom properties by light: `--ink: #1b1d21; …`. */
  light: string;
  /** The same by dark. */
  dark: string;
  /** Rules for the parts of a plot, which use these properties. */
  rules: string;
}

export interface GamesReply {
  games: ShippedGame[];
  /** The kinds of bots, each with a sentence about it. */
  bots: Bot[];
  /** Style sheet of the plots: put it on the page once. */
  plots: PlotStyle;
}

/** An overlay of a shipped game that changes nothing yet, and shows what could be changed. */
export interface OverlayRequest {
  kind: "overlay";
  /** The shipped file. */
  file: string;
  /** What the changed game is called. */
  title: string;
}

export interface OverlayReply {
  /** A name for the new file. */
  file: string;
  text: string;
}
