"""Every diagnostic code: what it is called, why it is an error, a wrong and a right text.

Codes are public and never used again for something else. The first digit says who finds it: 1 syntax,
2 names, 3 types, 4 information, 5 flow, 9 while playing. `rulespec explain` and the reference page
print this table; a test sees to it that `wrong` draws the code and `right` does not.
"""

from attrs import frozen


@frozen
class Code:
    """One kind of mistake. To be wrong, `wrong` must stand `repeat` times in a row."""

    number: str
    title: str
    why: str
    wrong: str
    right: str
    repeat: int = 1


# ---- RS100: text ----------------------------------------------------------------------------------

UNEXPECTED = Code(
    "RS101",
    "something else was expected",
    "The text reads well up to the marked place, and cannot go on like this. The message says what "
    "could stand there.",
    wrong="""
players 2..5 5
""",
    right="""
players 2..5 clockwise
""",
)

NOT_UTF8 = Code(
    "RS102",
    "the file is not UTF-8",
    "A file of rules is text in UTF-8, so that everybody reads the same characters. Save it as UTF-8 "
    "in your editor.",
    wrong="""
game "The Sea \udce9"
""",
    right="""
game "The Sea é"
""",
)

INVISIBLE = Code(
    "RS103",
    "an invisible character",
    "Control characters, and those that turn the direction of reading, would let a line say something "
    "else than it shows.",
    wrong="""
rule turn(p: Player)
  shuffle\u202e deck
""",
    right="""
rule turn(p: Player)
  shuffle deck
""",
)

STRAY_SIGN = Code(
    "RS104",
    "a sign that the language does not have",
    "Rules are written with few signs: `and`, `or` and `not` are words, blocks are indented, comments "
    "begin with `--`, strings stand between straight double quotes.",
    wrong="""
let over = #deck == 0 && #hand == 0
""",
    right="""
let over = #deck == 0 and #hand == 0
""",
)

TAB = Code(
    "RS105",
    "a tab",
    "A tab is as wide as an editor likes, and the indentation of a line has a meaning. Use spaces, "
    "two for each level.",
    wrong="""
rule setup
\tshuffle deck
""",
    right="""
rule setup
  shuffle deck
""",
)

OPEN_STRING = Code(
    "RS106",
    "a text without its quotes",
    'A text begins and ends with `"`. It may go on over several lines if these are indented deeper '
    "than the line it began on; it ends before the next line that is not.",
    wrong="""
game "The Well
players 2..4
""",
    right="""
game "The Well"
players 2..4
""",
)

BAD_CLAUSE = Code(
    "RS107",
    "not a clause of a rulebook",
    "A clause is cited by the letters of its rulebook in capitals, a hyphen and its number, with one "
    "more letter before the number where there are several lists: `@S-19`, `@S-A03`. A range names "
    "both ends in full: `@S-30..S-32`.",
    wrong="""
@s19 "Keep the cards."
rule setup: nothing
""",
    right="""
@S-19 "Keep the cards."
rule setup: nothing
""",
)

BAD_NUMBER = Code(
    "RS108",
    "not a number",
    "Numbers are whole and have at most nine digits. Points with halves are counted in halves.",
    wrong="""
let bonus = 1.5
""",
    right="""
let bonus_in_halves = 3
""",
)

RESERVED = Code(
    "RS109",
    "a reserved word as a name",
    "Some words always mean the same, so that a reader need not ask what they mean here. Nothing can "
    "be named like them.",
    wrong="""
rule end(p: Player)
  shuffle deck
""",
    right="""
rule end_round(p: Player)
  shuffle deck
""",
)

TOO_LONG = Code(
    "RS111",
    "too long",
    "A file of rules may come from anywhere, so sizes have limits: 300,000 characters for the file and "
    "60 for a name. The longest game we know has 30,000.",
    wrong="""
-- one more line of sixty characters that says nothing at all
""",
    right="""
-- one line is enough
""",
    repeat=20_000,
)

TOO_DEEP = Code(
    "RS112",
    "nested too deeply",
    "Brackets, blocks and chains of operators may be nested 100 levels deep. Give a part of it a name "
    "with `let`.",
    wrong="let n = " + "(1 + " * 100 + "1" + ")" * 100 + "\n",
    right="""
let one = 1 + 1
let n = one + one
""",
)

TOO_MANY = Code(
    "RS113",
    "too many mistakes",
    "After fifty mistakes in one file the rest is not reported: most of it would follow from what has "
    "been said.",
    wrong="""
gaem "The Well"
""",
    right="""
game "The Well"
""",
    repeat=60,
)

# ---- RS120: lines and blocks ----------------------------------------------------------------------

UNEVEN = Code(
    "RS121",
    "uneven indentation",
    "The lines of a block are indented alike. A line that is indented less ends the block, and must "
    "stand where the lines of an outer one stand.",
    wrong="""
rule setup
    shuffle deck
  shuffle stock
""",
    right="""
rule setup
  shuffle deck
  shuffle stock
""",
)

TOO_FAR_IN = Code(
    "RS122",
    "indented for no reason",
    "Only the lines of a block, and those that continue a line, are indented deeper than the line "
    "before them.",
    wrong="""
rule setup
  shuffle deck
    shuffle stock
""",
    right="""
rule setup
  shuffle deck
  shuffle stock
""",
)

NO_BLOCK = Code(
    "RS123",
    "a block is missing",
    "This line opens a block, and the next line is not indented deeper. An empty block says so: "
    "`nothing`.",
    wrong="""
rule refill
  if #deck == 0
  shuffle deck
""",
    right="""
rule refill
  if #deck == 0
    shuffle deck
""",
)

OPEN_BRACKET = Code(
    "RS124",
    "a bracket is never closed",
    "Inside brackets a line may go on in the next one, if that is indented deeper; so the mistake is "
    "noticed at the next line that is not.",
    wrong="""
let score(p: Player) = sum(worth(c) for c in hand[p]
let highest = 7
""",
    right="""
let score(p: Player) = sum(worth(c) for c in hand[p])
let highest = 7
""",
)

WRONG_BRACKET = Code(
    "RS125",
    "the wrong bracket",
    "Each `(` is closed by `)` and each `[` by `]`, the last one opened first. Parameters, arguments and "
    "attributes stand in `( )`, an index in `[ ]`.",
    wrong="""
let market_size = #(market[Vice)]
""",
    right="""
let market_size = #(market[Vice])
""",
)

NOT_CONTINUED = Code(
    "RS126",
    "a line that should continue another one",
    "A line that begins with `and`, `or`, `where` or a text continues the line before it, and shows "
    "that by being indented deeper. A line that is to be continued does not end with these words.",
    wrong="""
let over(p: Player) = #deck == 0
and #hand[p] == 0
""",
    right="""
let over(p: Player) = #deck == 0
  and #hand[p] == 0
""",
)

# ---- RS130: declarations and rows -----------------------------------------------------------------

UNKNOWN_WORD = Code(
    "RS131",
    "a word that means nothing here",
    "Every declaration begins with its keyword, and so do most statements.",
    wrong="""
tabel points(cards: 0..3)
  cards => points
  *     => 1
""",
    right="""
table points(cards: 0..3)
  cards => points
  *     => 1
""",
)

WRONG_PLACE = Code(
    "RS132",
    "a good line in the wrong place",
    "Declarations stand at the left margin or in a `variant`, statements in a rule, a trigger or a row "
    "of an action table, and the steps of an example in an `example`.",
    wrong="""
shuffle deck
""",
    right="""
rule setup
  shuffle deck
""",
)

WRONG_CELLS = Code(
    "RS133",
    "a row that does not fit its table",
    "Every row has a key for each input before the `=>`, and a cell for each output after it. Only the "
    "last columns of `pieces` and `zones` may be left empty.",
    wrong="""
table amounts
  players => sins | stones
  2       => 4    | 4
  3+      => 5    | 6 | 8
""",
    right="""
table amounts
  players => sins | stones
  2       => 4    | 4
  3+      => 5    | 6
""",
)

WRONG_HEADING = Code(
    "RS134",
    "a table with the wrong heading",
    "Pieces, zones and state are tables with fixed columns: `pieces | copies | shown as`, "
    "`zones | order | seen by | holds` and `state | type | start`. The last columns of the first two "
    "may be missing. Below `table` the first line is a heading of your own, such as `cards => points`: "
    "what is asked, and names for what is answered.",
    wrong="""
zones   | order | visible to
  deck  | pile  | nobody
""",
    right="""
zones   | order | seen by
  deck  | pile  | nobody
""",
)

NO_ARROW = Code(
    "RS135",
    "a row without `=>`",
    "In a table `=>` stands between what is asked and what is answered, in the header and in every "
    "row.",
    wrong="""
table points(cards: 0..3)
  cards => points
  0     => 0
  1+    =  1
""",
    right="""
table points(cards: 0..3)
  cards => points
  0     => 0
  1+    => 1
""",
)

IDLE_DOC = Code(
    "RS136",
    "a clause that documents nothing",
    "A line with a clause and a sentence documents the declaration, row or statement that follows it "
    "in the same block.",
    wrong="""
rule setup
  shuffle deck
  @S-06 "Shuffle the deck."
""",
    right="""
rule setup
  @S-06 "Shuffle the deck."
  shuffle deck
""",
)

IDLE_STATEMENT = Code(
    "RS137",
    "a statement that does nothing",
    "A value that stands alone has no effect. A rule is called with brackets, even if nothing stands "
    "in them.",
    wrong="""
rule setup
  restock
""",
    right="""
rule setup
  restock()
""",
)

NOT_A_TARGET = Code(
    "RS138",
    "something that cannot be assigned",
    "On the left of `=`, `+=` and `-=` stands a variable, with its index in `[ ]` if it has one. Pieces "
    "change their place with `move`.",
    wrong="""
rule setup
  score(first) = 0
""",
    right="""
rule setup
  score[first] = 0
""",
)

EQUALS = Code(
    "RS139",
    "`=` and `==` exchanged",
    "`=` gives something its value, `==` asks whether two values are the same.",
    wrong="""
rule turn(p: Player)
  if #deck = 0: end
""",
    right="""
rule turn(p: Player)
  if #deck == 0: end
""",
)

CHAIN = Code(
    "RS140",
    "a chain of comparisons",
    "A comparison has two sides. Join several with `and`, or ask for a range with `in`.",
    wrong="""
let few = 1 <= #deck <= 5
""",
    right="""
let few = #deck in 1..5
""",
)

NOT_ONE_LINE = Code(
    "RS141",
    "too much for one line",
    "After `:`, and between `;`, stand simple statements. `if`, `for`, `repeat` and `else` begin a line "
    "of their own.",
    wrong="""
rule turn(p: Player)
  for q in others(p): if #hand[q] == 0: end
""",
    right="""
rule turn(p: Player)
  for q in others(p)
    if #hand[q] == 0: end
""",
)

ELSE_ALONE = Code(
    "RS142",
    "`else` without `if`",
    "`else` follows the block of its `if`, and is indented like it.",
    wrong="""
rule turn(p: Player)
  repeat 3: shuffle deck
  else: end
""",
    right="""
rule turn(p: Player)
  if #deck > 0: shuffle deck
  else: end
""",
)

INCOMPLETE = Code(
    "RS143",
    "a part is missing",
    "The line is of a kind that we know, and a part that it needs is not there.",
    wrong="""
rule setup
  move box[Vice] deck
""",
    right="""
rule setup
  move box[Vice] to deck
""",
)

NO_COMMA = Code(
    "RS144",
    "a comma is missing",
    "The items of a list, the arguments of a call and the members of an enum are separated by commas.",
    wrong="""
let small = [1 2 3]
""",
    right="""
let small = [1, 2, 3]
""",
)

NO_ITEM = Code(
    "RS145",
    "a comma with nothing after it",
    "After a comma another item follows, on the same line or on the next one, indented deeper.",
    wrong="""
enum Act = keep, feed,
""",
    right="""
enum Act = keep, feed
""",
)

COLON_AND_BLOCK = Code(
    "RS146",
    "a colon before a block",
    "`:` opens a block on the same line. A block on the next lines is opened by its indentation alone.",
    wrong="""
rule setup:
  shuffle deck
""",
    right="""
rule setup
  shuffle deck
""",
)

BAD_KEY = Code(
    "RS147",
    "not a key",
    "A key is a name, a number, a range such as `2..6`, `7+` or `..7`, or `*` for anything, and commas "
    "stand between alternatives. A condition belongs in the header; its keys are `yes` and `no`.",
    wrong="""
table points(cards: 0..9)
  cards => points
  > 6   => 10
  *     => 0
""",
    right="""
table points(cards: 0..9)
  cards => points
  7+    => 10
  *     => 0
""",
)

# ---- RS200: names ---------------------------------------------------------------------------------

UNKNOWN_NAME = Code(
    "RS201",
    "an unknown name",
    "Every name is declared somewhere: in this file, in the file that it extends, in a mechanism that it "
    "uses, as a parameter, or by being given a value in the same rule.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  shuffle dekc
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  shuffle deck
""",
)

REDECLARED = Code(
    "RS202",
    "declared twice",
    "A name means one thing in a program, so that a reader need not ask which. What a base or a mechanism "
    "declares is replaced with `override`.",
    wrong="""
let bonus = 1
table bonus(n: 1..2)
  n => bonus
  * => 1
always more: bonus > 0
""",
    right="""
let bonus = 1
let second_bonus = 2
always more: bonus < second_bonus
""",
)

UNUSED = Code(
    "RS203",
    "declared and never used",
    "What is never used is a slip of the pen somewhere else, or can go.",
    wrong="""
let bonus = 1
let bonsu = 2
always more: bonus > 0
""",
    right="""
let bonus = 1
always more: bonus > 0
""",
)

WRONG_KIND = Code(
    "RS204",
    "a name of the wrong kind",
    "A rule is called and does something, a `let` or a table has a value, a zone holds pieces, a type says "
    "what values there are. Each has its own places.",
    wrong="""
rule setup
  nothing
always odd: setup > 0
""",
    right="""
let size = 1
always odd: size > 0
""",
)

NOT_ASSIGNED = Code(
    "RS205",
    "a name that cannot be given a value here",
    "A rule gives values to state variables and to names of its own. Its parameters and the names of its "
    "loops keep their values, and what is declared elsewhere keeps its meaning. In an example `given` fills "
    "zones and sets state variables.",
    wrong="""
rule setup
  for n in 1..3: n = 2
""",
    right="""
rule setup
  for n in 1..3
    twice = 2 * n
    repeat twice: nothing
""",
)

TOO_EARLY = Code(
    "RS206",
    "a value that is not known yet",
    "Options, pieces and the start of variables are fixed before anything lies anywhere. They may depend on "
    "`players` and on options declared before, the start of a variable also on `first`. In an example "
    "`result` is known once a rule was called that returns something.",
    wrong="""
players 2..5
zones  | order | seen by
  deck | pile  | nobody
option size: 0..60 = #deck
always few: #deck <= size
""",
    right="""
players 2..5
zones  | order | seen by
  deck | pile  | nobody
option size: 0..60 = 10 * players
always few: #deck <= size
""",
)

NO_PLAY = Code(
    "RS207",
    "a game without `play`",
    "A game is played by its rule `play`, which a mechanism such as `turns` or `rounds` may give it.",
    wrong="""
game "The Well"
""",
    right="""
game "The Well"
rule play
  end
""",
)

# ---- RS220: layers --------------------------------------------------------------------------------

OVERRIDE_OF_NOTHING = Code(
    "RS221",
    "nothing to override or to add to",
    "`override`, `rows`, `before` and `after` change something that a layer below declares. If there is no "
    "such thing, its name is misspelt.",
    wrong="""
extends "sins.rules"
override rule trun(p: Player)
  nothing
""",
    right="""
extends "sins.rules"
override rule turn(p: Player)
  super(p)
""",
)

BAD_OVERRIDE = Code(
    "RS222",
    "an override that does not fit",
    "What is overridden is used elsewhere, so it keeps its kind, its parameters and the type of its result.",
    wrong="""
extends "sins.rules"
override rule turn(q: Player)
  super(q)
""",
    right="""
extends "sins.rules"
override rule turn(p: Player)
  super(p)
""",
)

UNKNOWN_VARIANT = Code(
    "RS223",
    "an unknown variant or option",
    "After `with` stand variants and options of the game that is extended.",
    wrong="""
extends "sins.rules" with penitence
""",
    right="""
extends "sins.rules" with penitenziagite
""",
)

VARIANTS_CLASH = Code(
    "RS224",
    "two variants that change the same thing",
    "Variants may be chosen together only if each changes something else: otherwise the order in which they "
    "are named would decide.",
    wrong="""
extends "clash.rules" with low, high
""",
    right="""
extends "clash.rules" with low
""",
)

LONELY_SUPER = Code(
    "RS225",
    "`super` without `override`",
    "`super` is what was overridden, and here nothing was.",
    wrong="""
rule setup
  super()
""",
    right="""
extends "sins.rules"
override rule setup
  super()
""",
)

BAD_FILE = Code(
    "RS231",
    "a file that cannot be used",
    "A file of rules reaches files beside or below it, and shipped ones. So a stranger's game cannot read "
    "what is none of its business.",
    wrong="""
extends "../elsewhere.rules"
""",
    right="""
extends "sins.rules"
""",
)

# ---- RS250: clauses -------------------------------------------------------------------------------

UNKNOWN_CLAUSE = Code(
    "RS251",
    "a clause that no rulebook declares",
    "A file that declares the clauses of its rulebook cites these and no others, so that a reader can look "
    "each of them up. A range goes upwards within one kind of clause.",
    wrong="""
rulebook "The booklet"
  @S-01..S-02 "Setup"
@S-01 @S-02 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
rule setup
  @S-03 "Shuffle it."
  shuffle deck
""",
    right="""
rulebook "The booklet"
  @S-01..S-03 "Setup"
@S-01 @S-02 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
rule setup
  @S-03 "Shuffle it."
  shuffle deck
""",
)

UNCITED_CLAUSE = Code(
    "RS252",
    "a clause that nothing cites",
    "Every clause of the rulebook is cited by the rule that says it, decided by a `ruling` or left out by an "
    "`omit` with its reason: so nothing is forgotten. Examples show clauses and do not replace them.",
    wrong="""
rulebook "The booklet"
  @S-01..S-03 "Setup"
@S-01 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
always few_cards: #deck < 99
""",
    right="""
rulebook "The booklet"
  @S-01..S-03 "Setup"
@S-01 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
always few_cards: #deck < 99
ruling @S-02 "Nobody looks at it."
omit @S-03 "Advice only."
""",
)

CITED_AND_OMITTED = Code(
    "RS253",
    "a clause that is both cited and omitted",
    "`omit` says that no rule says what a clause does. One of the two is wrong.",
    wrong="""
rulebook "The booklet"
  @S-01 "Setup"
@S-01 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
always few_cards: #deck < 99
omit @S-01 "Advice only."
""",
    right="""
rulebook "The booklet"
  @S-01..S-02 "Setup"
@S-01 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
always few_cards: #deck < 99
omit @S-02 "Advice only."
""",
)

UNDOCUMENTED = Code(
    "RS254",
    "a rule that cites no clause",
    "In a game with a rulebook a reader asks of every rule where it comes from. A doc line before it, or in "
    "it, says so; what a documented rule calls need not say it again.",
    wrong="""
rulebook "The booklet"
  @S-01 "Setup"
ruling @S-01 "The deck lies face down."
zones  | order | seen by
  deck | pile  | nobody
rule setup
  shuffle deck
""",
    right="""
rulebook "The booklet"
  @S-01 "Setup"
zones  | order | seen by
  deck | pile  | nobody
@S-01 "The deck is shuffled."
rule setup
  shuffle deck
""",
)

CLAUSE_TWICE = Code(
    "RS255",
    "a clause that is declared twice",
    "A clause stands in one section of one rulebook: a citation means one place to look up.",
    wrong="""
rulebook "The booklet"
  @S-01..S-03 "Setup"
  @S-03..S-04 "Turn"
ruling @S-01..S-04 "All of it is obvious."
""",
    right="""
rulebook "The booklet"
  @S-01..S-03 "Setup"
  @S-04 "Turn"
ruling @S-01..S-04 "All of it is obvious."
""",
)

# ---- RS290: limits of what a file may ask for -----------------------------------------------------

TOO_MANY_PIECES = Code(
    "RS291",
    "too many pieces",
    "A box holds at most 10,000 pieces: one for each combination of the ranged attributes, times the copies.",
    wrong="""
pieces                              | copies
  Card(suit: 1..100, value: 1..100) | 2
""",
    right="""
pieces                           | copies
  Card(suit: 1..4, value: 1..13) | 2
""",
)

LARGE_DOMAIN = Code(
    "RS292",
    "too many values",
    "An enum has at most 1,000 members, and a variable holds a set out of at most 4,096 values. A set of "
    "pieces may be as large as the box.",
    wrong="""
state   | type        | start
  taken | set 1..9999 | []
always taken_few: #taken < 10
""",
    right="""
state   | type       | start
  taken | set 1..999 | []
always taken_few: #taken < 10
""",
)

TOO_MANY_PLACES = Code(
    "RS293",
    "too many zones or variables",
    "A family has one zone, or one variable, for each value of its indices. There are at most 10,000 zones, "
    "and as many variables.",
    wrong="""
zones                  | order | seen by
  cell[1..200, 1..200] | pile  | everyone
always no_pile: #cell == 0
""",
    right="""
zones              | order | seen by
  cell[1..8, 1..8] | pile  | everyone
always no_pile: #cell == 0
""",
)

BAD_PLAYERS = Code(
    "RS294",
    "a number of players that cannot be",
    "A game is played by 1 to 100 players; the smaller number comes first.",
    wrong="""
players 5..2
""",
    right="""
players 2..5
""",
)

LARGE_FAMILY = Code(
    "RS295",
    "too many sets to choose from",
    "The sets of a family are counted, and a count is at most 2147483647. Choose sets of a certain size, or "
    "one element after the other.",
    wrong="""
rule setup
  first chooses numbers from subsets(1..40)
  repeat #numbers: nothing
""",
    right="""
rule setup
  first chooses numbers from subsets(1..40, 2)
  repeat #numbers: nothing
""",
)

LARGE_TABLE = Code(
    "RS296",
    "too many cells",
    "A table has at most 10,000 cells, keys among them. What needs more is a calculation.",
    wrong="table half(n: 0..5000)\n  n => half\n"
    + "".join(f"  {number} => {number // 2}\n" for number in range(5001))
    + "always fine: half(2) == 1\n",
    right="""
let half(n: 0..5000) = n / 2
always fine: half(2) == 1
""",
)

TOO_MANY_VARIANTS = Code(
    "RS297",
    "too many variants",
    "A file has at most 30 variants of its own: each of them is checked and tried.",
    wrong="".join(f"variant v{number}\n  let n{number} = 1\n" for number in range(31)),
    right="""
variant short
  let cards = 5
  always few: cards < 6
""",
)

# ---- RS300: types ---------------------------------------------------------------------------------

WRONG_TYPE = Code(
    "RS301",
    "a value of the wrong type",
    "Every place takes values of one type: a condition is `yes` or `no`, sums are of numbers, and only like "
    "can be compared with like. A set-valued attribute is tested with `in`.",
    wrong="""
enum Sin = pride, envy
let lucky(p: Player) = p == envy
always fair: all(lucky(p) for p in Player)
""",
    right="""
enum Sin = pride, envy
let lucky(s: Sin) = s == envy
always fair: any(lucky(s) for s in Sin)
""",
)

WRONG_ARGUMENTS = Code(
    "RS302",
    "the wrong number of values in brackets",
    "A rule, a table or a `let` takes one value for each of its parameters.",
    wrong="""
let double(n: 0..9) = 2 * n
always even: double(1, 2) > 0
""",
    right="""
let double(n: 0..9) = 2 * n
always even: double(1) > 0
""",
)

OUT_OF_RANGE = Code(
    "RS303",
    "a value outside its range",
    "The value can never be one of those that the declaration allows. Whether a value that may be allowed "
    "really is gets tested while playing; but options and pieces are there before, and theirs must all be.",
    wrong="""
state   | type | start
  lives | 0..5 | 6
always alive: lives > 0
""",
    right="""
state   | type | start
  lives | 0..6 | 6
always alive: lives > 0
""",
)

NO_ATTRIBUTE = Code(
    "RS304",
    "an attribute that nothing here has",
    "Only pieces have attributes, each kind its own, and only tables with several outputs have outputs. Here "
    "no piece that may be meant has this one.",
    wrong="""
pieces             | copies
  Card(value: 1..9) | 1
  Stone             | 5
zones    | order | seen by  | holds
  supply | pool  | everyone | Stone
always rich: #supply.value > 0 or #box.value > 0
""",
    right="""
pieces             | copies
  Card(value: 1..9) | 1
  Stone             | 5
zones    | order | seen by  | holds
  supply | pool  | everyone | Card, Stone
always rich: #supply.value > 0 or #box.value > 0
""",
)

WRONG_ZONE = Code(
    "RS305",
    "a zone that cannot do this",
    "A zone takes only the kinds of piece that it `holds`. Only a pile has an order that can be shuffled. "
    "And pieces move to one zone, not to a set of pieces or a whole family of zones.",
    wrong="""
pieces  | copies
  Stone | 5
zones    | order | seen by
  supply | pool  | everyone
rule setup
  move box[Stone] to supply
  shuffle supply
""",
    right="""
pieces  | copies
  Stone | 5
zones    | order | seen by
  supply | pile  | nobody
rule setup
  move box[Stone] to supply
  shuffle supply
""",
)

WRONG_INDEX = Code(
    "RS306",
    "an index or a selection that does not fit",
    "A family is indexed by values of its index types, one after the other. From pieces one selects by kind, "
    "by member, by face, by the value of an attribute, or by a set of these, and something there must be able "
    "to match.",
    wrong="""
enum Sin = pride, envy
state           | type | start
  score[Player] | 0..9 | 0
always fair: all(score[s] > 0 for s in Sin)
""",
    right="""
state           | type | start
  score[Player] | 0..9 | 0
always fair: all(score[p] > 0 for p in Player)
""",
)

ALWAYS_NONE = Code(
    "RS307",
    "a value that is always `none`",
    "A value is needed here, and at this place it can only be `none`: a test before has shown so, or nothing "
    "has been given to this name yet.",
    wrong="""
rule setup
  if winner == none: announce(winner)
  winner = first
rule announce(p: Player)
  show box to p
""",
    right="""
rule setup
  winner = first
  if winner != none: announce(winner)
rule announce(p: Player)
  show box to p
""",
)

SET_OF_SETS = Code(
    "RS308",
    "a set of sets that is kept",
    "There can be very many subsets of a hand, so they are never listed: one can choose from them, count "
    "them and filter them, but neither keep them all nor run through them with `for`.",
    wrong="""
pieces             | copies
  Card(value: 1..9) | 1
rule setup
  pairs = subsets(box, 2)
  first chooses pair from pairs
  reveal pair
""",
    right="""
pieces             | copies
  Card(value: 1..9) | 1
rule setup
  first chooses pair from subsets(box, 2)
  reveal pair
""",
)

BAD_DIVISOR = Code(
    "RS309",
    "a divisor that may be 0",
    "`/` and `%` need a divisor that is always positive. `max(1, …)` makes sure of it.",
    wrong="""
always even: 12 % #box == 0
""",
    right="""
always even: 12 % max(1, #box) == 0
""",
)

# ---- RS330: tables --------------------------------------------------------------------------------

NO_ROW = Code(
    "RS331",
    "a combination without a row",
    "A table has a row for every combination of its inputs. Add the rows of the hint, or a last row with `*`.",
    wrong="""
enum Wax = red, white, black
table penalty(wax: Wax)
  wax => penalty
  red => 2
always dear: penalty(red) > 0
""",
    right="""
enum Wax = red, white, black
table penalty(wax: Wax)
  wax => penalty
  red => 2
  *   => 3
always dear: penalty(red) > 0
""",
)

NEVER_REACHED = Code(
    "RS332",
    "a row that is never reached",
    "The first row that matches counts. All that this row could match is taken by the rows above it.",
    wrong="""
enum Wax = red, white, black
table penalty(wax: Wax)
  wax   => penalty
  *     => 3
  white => 2
always dear: penalty(red) > 0
""",
    right="""
enum Wax = red, white, black
table penalty(wax: Wax)
  wax   => penalty
  white => 2
  *     => 3
always dear: penalty(red) > 0
""",
)

WRONG_ROW = Code(
    "RS333",
    "a row of another shape than its table",
    "Every row has a key for each input of the table and a value for each output. Rows of a table whose "
    "output is called `does` are statements, those of other tables are values.",
    wrong="""
extends "sins.rules"
rows points
  7 | 8 => 7
""",
    right="""
extends "sins.rules"
rows points
  7..8 => 7
""",
)

WRONG_KEY = Code(
    "RS334",
    "a key that can never match",
    "The keys of a column are values of its input: members of one enum, numbers in its range, kinds of piece, "
    "`yes` and `no`. A range runs from the first to the last.",
    wrong="""
table points(cards: 0..13)
  cards => points
  0..6  => 0
  9..7  => 1
  *     => 2
always low: points(1) < 2
""",
    right="""
table points(cards: 0..13)
  cards => points
  0..6  => 0
  7..9  => 1
  *     => 2
always low: points(1) < 2
""",
)

MIXED_CELLS = Code(
    "RS335",
    "cells of different types",
    "All values in one column of a table are of one type, so that what uses the table can rely on it.",
    wrong="""
enum Wax = red, white
table penalty(cards: 0..13)
  cards => penalty
  0     => red
  1+    => 3
always cheap: penalty(0) == penalty(1)
""",
    right="""
table penalty(cards: 0..13)
  cards => penalty
  0     => 2
  1+    => 3
always cheap: penalty(0) == penalty(1)
""",
)

# ---- RS350: choices -------------------------------------------------------------------------------

NO_OPTIONS = Code(
    "RS351",
    "nothing to choose from",
    "A choice, by a player or by chance, needs something to choose from. What is empty only now and then is "
    "found while playing, and listed by `rulespec check --doubts`; this is empty in every game.",
    wrong="""
rule play
  first chooses bid from 7..1 "How many tricks?"
  if bid > 3: end
""",
    right="""
rule play
  first chooses bid from 1..7 "How many tricks?"
  if bid > 3: end
""",
)

LISTED_FAMILY = Code(
    "RS352",
    "a family of sets that must be listed",
    "Twelve cards have 4096 subsets. A player picks one of them card by card, without anybody listing them "
    "all, as long as the options are a family as it is. A filter, a union or a comprehension "
    "forces every set to be looked at.",
    wrong="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  first chooses cards from subsets(hand[first], 3) where all(c.value > 4 for c in cards) "Which?"
  move cards to pile
""",
    right="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  first chooses cards from subsets(hand[first] where it.value > 4, 3) "Which?"
  move cards to pile
""",
)

EACH_INDEX = Code(
    "RS353",
    "`each` without a place for everybody's choice",
    "All choose at the same time, so there are as many choices as players. Each goes to its own "
    "place: the target is indexed by the name after `each`.",
    wrong="""
pieces | copies
  Card | 9
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  each q in others(first) chooses gift from hand[q] "Which card?"
  move gift to pile
""",
    right="""
pieces | copies
  Card | 9
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  each q in others(first) chooses gift[q] from hand[q] "Which card?"
  for q in others(first): move gift[q] to pile
""",
)

# ---- RS370: examples ------------------------------------------------------------------------------

BAD_SEATS = Code(
    "RS371",
    "players that an example cannot have",
    "An example is a piece of a game: as many play as the game allows. They are named once, before anything "
    "else; without that step as few play as are allowed.",
    wrong="""
players 2..4
example "Alone at the table"
  players Ada
  expect players == 1
""",
    right="""
players 2..4
example "Two at the table"
  players Ada, Ben
  expect players == 2
""",
)

TOO_FEW_PIECES = Code(
    "RS372",
    "more pieces than there are",
    "`given` takes pieces out of the box, and each piece lies in one place. A zone that is given anew first "
    "puts back what it held.",
    wrong="""
pieces  | copies
  Stone | 5
zones    | order | seen by
  supply | pool  | everyone
example "Rich"
  given supply = [6 * Stone]
  expect #supply == 6
""",
    right="""
pieces  | copies
  Stone | 5
zones    | order | seen by
  supply | pool  | everyone
example "Rich"
  given supply = [5 * Stone]
  expect #supply == 5
""",
)

NOT_OFFERED = Code(
    "RS373",
    "a pick that is not among its options",
    "Behind `of` stand all options that there must be, `none` among them if the player may decline. What is "
    "picked is one of them.",
    wrong="""
rule play
  first chooses bid from 1..3 "How many tricks?"
  repeat bid: nothing
example "The lowest bid"
  players Ada
  when play()
    Ada picks 0 of [1, 2, 3]
""",
    right="""
rule play
  first chooses bid from 1..3 "How many tricks?"
  repeat bid: nothing
example "The lowest bid"
  players Ada
  when play()
    Ada picks 1 of [1, 2, 3]
""",
)

# ---- RS400: information ---------------------------------------------------------------------------

HIDDEN_OPTIONS = Code(
    "RS401",
    "a choice tells what the chooser cannot see",
    "Whoever chooses sees the options and the prompt. If these depend on cards that lie face down for the "
    "chooser, or are such cards, the choice gives away what the rules keep secret.",
    wrong="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  first chooses foe from others(first) "From whom?"
  random stolen from hand[foe]
  first chooses number from 1..stolen.value "Which number?"
  if number > 5: move stolen to pile
""",
    right="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  first chooses foe from others(first) "From whom?"
  random stolen from hand[foe]
  reveal stolen
  first chooses number from 1..stolen.value "Which number?"
  if number > 5: move stolen to pile
""",
)

HIDDEN_REASON = Code(
    "RS402",
    "being asked tells what the chooser cannot see",
    "Whoever is asked knows that every condition on the way to the question held, and that nothing before it "
    "has ended the rule. If this depends on cards that lie face down for the chooser, the question "
    "gives them away.",
    wrong="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  foe = next(first)
  if any(c.value == 9 for c in hand[foe])
    first chooses card from hand[first] "Which card beats it?"
    move card to pile
""",
    right="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  pile         | pool  | everyone
rule play
  foe = next(first)
  reveal hand[foe]
  if any(c.value == 9 for c in hand[foe])
    first chooses card from hand[first] "Which card beats it?"
    move card to pile
""",
)

PUBLIC_SECRET = Code(
    "RS403",
    "a public variable tells a secret",
    "Everyone sees the state variables. One that is computed from cards that not everyone sees tells "
    "something about them, unless they are shown before somebody chooses again.",
    wrong="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
state     | type | start
  highest | 0..9 | 0
rule finish
  highest = max(c.value for c in hand)
always small: highest < 10
""",
    right="""
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
state     | type | start
  highest | 0..9 | 0
rule finish
  reveal hand
  highest = max(c.value for c in hand)
always small: highest < 10
""",
)

# ---- RS500: flow ----------------------------------------------------------------------------------

RECURSION = Code(
    "RS501",
    "calls in a circle",
    "Rules, and the values of `let` and tables, do not call each other in a circle: so every call comes to an "
    "end. `super` is the version below, and no circle.",
    wrong="""
rule setup
  deal_all()
rule deal_all
  setup()
""",
    right="""
rule setup
  deal_all()
rule deal_all
  nothing
""",
)

ENDLESS_LOOP = Code(
    "RS502",
    "a loop that never ends",
    "A `repeat` without a number needs a way out: `stop`, `return`, or `end` in it, in what it calls or in a "
    "trigger. And something in it must make the way out come true: a choice, chance, or a step that changes "
    "what the way out depends on. A way out behind a condition that never holds, as `n > 9` if `n` is 0..9, is "
    "none.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
  heap | pile  | everyone
rule play
  repeat
    shuffle heap
    if #deck == 0: stop
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
  heap | pile  | everyone
rule play
  repeat
    move top(deck) to heap
    if #deck == 0: stop
""",
)

STOP_OUTSIDE_LOOP = Code(
    "RS503",
    "`stop` outside a loop",
    "`stop` leaves the innermost `repeat` or `for`. A rule is left with `return`, the game with `end`.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  if #deck == 0: stop
  shuffle deck
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  if #deck == 0: return
  shuffle deck
""",
)

NEVER_DONE = Code(
    "RS504",
    "a statement that is never reached",
    "After `stop`, `return` and `end`, and after a `repeat` that is never left by `stop`, nothing in the same "
    "block is ever done. Nor is what stands below a condition that never holds, as `n > 9` if `n` is 0..9; of "
    "this you are only warned.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
rule play
  end
  shuffle deck
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
rule play
  shuffle deck
  end
""",
)

END_OUTSIDE_PLAY = Code(
    "RS505",
    "`end` outside the play",
    "`end` goes on with `finish`. In `setup` the game has not begun, in `finish` it is over already; so it "
    "stands in neither, nor in a rule that only they call.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  if #deck == 0: end
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
rule play
  if #deck == 0: end
""",
)

BAD_RETURN = Code(
    "RS506",
    "a result that is missing or not wanted",
    "A rule with `->` and a type returns a value however it ends, and one without returns none. Parts that "
    "`before`, `after` and `when` add return no value.",
    wrong="""
rule setup
  starter = pick()
  show box to starter
rule pick -> Player
  if players > 2: return first
""",
    right="""
rule setup
  starter = pick()
  show box to starter
rule pick -> Player
  if players > 2: return first
  return next(first)
""",
)

DEEP_CALLS = Code(
    "RS507",
    "calls that reach too deep",
    "An expression is at most 100 levels deep, together with all that it calls, and so many rules may call "
    "each other; in a browser it is 40. A calculation as long as that is easier to follow in a rule, step by step.",
    wrong="let n0 = 1\n"
    + "".join(f"let n{number} = n{number - 1} + 1\n" for number in range(1, 60))
    + "always fine: n59 == 60\n",
    right="""
let n0 = 1
let n1 = n0 + 1
always fine: n1 == 2
""",
)

# ---- RS900: while playing -------------------------------------------------------------------------

NOTHING_TO_CHOOSE = Code(
    "RS901",
    "nothing to choose from",
    "A player who must choose, or chance, was given an empty set. Test beforehand whether there is "
    "something, or let the player decline with `may choose`.",
    wrong="""
zones    | order | seen by
  market | pool  | everyone
rule play
  first chooses card from market
  move card to box
""",
    right="""
zones    | order | seen by
  market | pool  | everyone
rule play
  if #market == 0: end
  first chooses card from market
  move card to box
""",
)

TOO_MANY_STEPS = Code(
    "RS902",
    "the game goes on and on",
    "100,000 steps were taken or 10,000,000 operations carried out without asking anybody, or 100,000 members "
    "of a family were to be listed: the game may never come to an end. A loop needs a way out that is reached, "
    "and a calculation few turns.",
    wrong="""
state | type | start
  n   | 0..9 | 0
rule play
  repeat
    n = 1 - n
    if n > 1: stop
""",
    right="""
state | type | start
  n   | 0..9 | 0
rule play
  repeat
    n += 1
    if n > 1: stop
""",
)

LEAVES_RANGE = Code(
    "RS903",
    "a value leaves its range",
    "A number, a member or a piece came to a place that does not take it. Give the place a wider range, or "
    "keep the value within it, as with `min` and `max`.",
    wrong="""
state  | type | start
  lives | 0..3 | 3
rule play
  repeat 4: lives -= 1
""",
    right="""
state  | type | start
  lives | 0..3 | 3
rule play
  repeat 4: lives = max(0, lives - 1)
""",
)

NONE_WHILE_PLAYING = Code(
    "RS904",
    "`none` where a value is needed",
    "What may be `none` was used where there must be a value, and this time it was `none`. Test it "
    "before with `!= none`.",
    wrong="""
state    | type    | start
  leader | Player? | none
  next_up | Player | first
rule play
  next_up = next(leader)
""",
    right="""
state    | type    | start
  leader | Player? | none
  next_up | Player | first
rule play
  if leader != none: next_up = next(leader)
""",
)

INVARIANT_FAILS = Code(
    "RS905",
    "an invariant does not hold",
    "What `always` says must hold whenever a player is asked and at the end. Either a rule is wrong, or "
    "the invariant says too much.",
    wrong="""
state | type | start
  n   | 0..9 | 0
rule play
  n = 5
always small: n < 5
""",
    right="""
state | type | start
  n   | 0..9 | 0
rule play
  n = 5
always small: n <= 5
""",
)

END_TOO_EARLY = Code(
    "RS906",
    "`end` while nobody plays",
    "A rule that says `end` was called from `setup` or `finish`. The game ends only while it is played.",
    wrong="""
zones  | order | seen by
  deck | pile  | nobody
rule setup: deal_out()
rule play: deal_out()
rule deal_out
  if #deck == 0: end
""",
    right="""
zones  | order | seen by
  deck | pile  | nobody
rule setup
  move box to deck
rule play: deal_out()
rule deal_out
  if #deck == 0: end
""",
)

EXAMPLE_FAILS = Code(
    "RS907",
    "an example fails",
    "What the example expects is not what the rules do. Either the rules are wrong, or the example is.",
    wrong="""
let double(n: 0..9) = 2 * n
example "Twice"
  expect double(2) == 5
""",
    right="""
let double(n: 0..9) = 2 * n
example "Twice"
  expect double(2) == 4
""",
)

SHOWN_LINES, SHOWN_COLUMNS = 12, 100


def shown(sample: str) -> list[str]:
    """The lines of a wrong or right text for a reader, who need not see all of a very long one."""
    lines = sample.strip("\n").split("\n")
    cut = [
        line if len(line) <= SHOWN_COLUMNS else line[: SHOWN_COLUMNS - 1] + "…" for line in lines
    ]
    return cut if len(cut) <= SHOWN_LINES else [*cut[: SHOWN_LINES - 1], "…"]


ALL = tuple(value for value in list(globals().values()) if isinstance(value, Code))
BY_NUMBER = {code.number: code for code in ALL}
