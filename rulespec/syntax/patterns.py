"""The words around a mistake -> what to say about it: a table, a row for each slip.

Rows stand in the order in which they are tried, so that a special case precedes the general one.
`slips` looks them up, and knows what words alone do not tell.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache

from attrs import frozen

from rulespec import codes
from rulespec.codes import Code
from rulespec.syntax.scanner import lexis
from rulespec.syntax.word_suggestions import DECLARING, STATEMENTS


@frozen
class SlipPattern:
    """A slip, and where it shows: for each part of the place the kinds or spellings that fit.

    `found` does not fit, `after` stands before it (`^` if nothing does) and `before` behind it; one
    of `wanted` and none of `unwanted` would have fitted, `among` stands in the line, which begins
    with `line` and is one of the lines of a `block`.
    """

    place: dict[str, frozenset[str]]
    code: Code
    message: str
    hint: str | None


Place = Mapping[str, AbstractSet[str]]


def find_pattern(patterns: tuple[SlipPattern, ...], place: Place) -> SlipPattern | None:
    """The first pattern that fits."""
    return next((each for each in patterns if _fits(each, place)), None)


def _fits(pattern: SlipPattern, place: Place) -> bool:
    return all(
        not fits & place["wanted"] if part == "unwanted" else fits & place[part]
        for part, fits in pattern.place.items()
    )


def _at(place: str, code: Code, message: str, hint: str | None = None) -> SlipPattern:
    parts = (part.split("=") for part in place.split())
    return SlipPattern(
        {key: frozenset(fits.split(",")) for key, fits in parts}, code, message, hint
    )


A_CONDITION = "write `x if condition else y`"
BEGINS_STATEMENT = "found=" + ",".join(word.upper() for word in STATEMENTS)
DECLARES = "found=" + ",".join(sorted(DECLARING))

# fmt: off
# What is tried first: mostly what the beginning of a line tells.
LINES = (
    _at("found=AND,OR,WHERE,PLUS after=^", codes.NOT_CONTINUED,
        "a line that begins with `{found}` continues the line above", "indent it deeper than the line above"),
    _at("found=NAME after=MINUS block=rows,cells", codes.STRAY_SIGN,
        "`-` does not begin a comment", "a comment begins with `--`"),
    _at("found=ELSE after=^ block=statements", codes.ELSE_ALONE,
        "there is no `if` right before this `else`", "indent it like its `if`, and put nothing between their blocks"),
    _at("found=IF after=^ block=declarations", codes.WRONG_PLACE,
        "`if` is a statement, but is not inside a rule", "put it into a `rule`; for something that may happen at any time, write `when`"),
    _at(BEGINS_STATEMENT + " after=^ block=declarations", codes.WRONG_PLACE,
        "`{found}` is a statement, but is not inside a rule", "put it into a `rule`, indented"),
    _at("after=^ before=IS block=declarations", codes.WRONG_PLACE,
        "`{found} = …` is a statement, but is not inside a rule", "write `let {found} = …`, or put it into a `rule`"),
    _at("after=^ before=ADD,SUBTRACT,chooses,may block=declarations", codes.WRONG_PLACE,
        "`{found} {next} …` is a statement, but is not inside a rule", "put it into a `rule`, indented"),
    _at("after=^ before=LSQB block=declarations", codes.WRONG_PLACE,
        "`{found}[…] …` is a statement, but is not inside a rule", "put it into a `rule`, indented"),
    _at("found=NAME after=^ before=LPAR among=ARROW block=declarations", codes.WRONG_PLACE,
        "`{found}(…) => …` is a row, but is not inside a table", "write `rows {found}`, and below it, indented, the row"),
    _at("after=^ before=LPAR block=declarations", codes.WRONG_PLACE,
        "`{found}(…)` is a statement, but is not inside a rule", "write `rule {found}` to declare a rule"),
    _at("found=given,expect after=^ block=declarations", codes.WRONG_PLACE,
        "`{found}` is a step of an example", "put it below an `example`, indented"),
    _at("found=variant,extends,mechanism after=^ block=declarations", codes.WRONG_PLACE,
        "a variant cannot hold `{found}`", "write `{found}` at the left margin"),
    _at(DECLARES + " after=override before=LPAR block=declarations", codes.INCOMPLETE,
        "after `override` comes the word that declared it", "write `override rule {found}`"),
    _at(DECLARES + ",first,ruling,omit after=override block=declarations", codes.WRONG_PLACE,
        "`{found}` cannot be overridden", "leave `override` out"),
    _at("found=NAME after=^ before=picks block=steps", codes.WRONG_PLACE,
        "a pick belongs below the `when` that it answers", "indent it deeper than its `when`"),
    _at(BEGINS_STATEMENT + " after=^ block=steps", codes.WRONG_PLACE,
        "`{found}` is a statement, not a step of an example", "call a rule, as in `when turn(Ada)`"),
    _at("after=is wanted=ASKED", codes.UNEXPECTED,
        "after the player comes `picks`, or `is asked`", "write `{word} is asked`"),
    _at("line=option found=players after=RANGE", codes.UNEXPECTED,
        "the bounds of a type are numbers; a condition may depend on `players`",
        "write the most that any table allows, and the condition: `{second}: 1..6 where it <= players = …`"),
    _at("line=option found=NAME after=RANGE", codes.UNEXPECTED,
        "the bounds of a type are numbers; a condition may depend on other options",
        "write the most that any table allows, and the condition: `{second}: 1..6 where it <= {found} = …`"),
    _at("found=row after=remove", codes.INCOMPLETE,
        "after `remove` comes `rows` and the name of a table",
        "write `remove rows points`, and below it the keys of each row"),
    _at("line=remove found=CITE,STRING,INT,NAME,..,* after=NAME among=ROWS,rows", codes.UNEXPECTED,
        "the keys of the rows come on the lines below, one row on each line",
        "write `remove rows {after}`, and on the next line, indented, the keys"),
    _at("after=remove wanted=WHEN", codes.INCOMPLETE,
        "after `remove` comes the word that declared it", "write `remove rule {found}`"),
    _at("line=remove found=LPAR after=NAME", codes.UNEXPECTED,
        "`remove` takes only the name", "leave the brackets out: `remove {second} {after}`"),
    _at("found=then,assert,check after=^ block=steps", codes.UNKNOWN_WORD,
        "no step of an example begins with `{found}`", "write `expect`"),
    _at("line=when block=statements", codes.WRONG_PLACE,
        "`when` watches the whole game, and does not belong inside a rule", "write `if`"),
    _at(DECLARES + " after=^ block=steps,picks,sections", codes.WRONG_PLACE,
        "`{found}` declares something, and cannot be in this block", "write it at the left margin"),
    _at("found=VBAR after=^ block=cells,rows,header", codes.WRONG_CELLS,
        "a row does not begin with `|`", "put `|` only between cells"),
    _at("found=VBAR after=VBAR,ARROW block=cells,rows,header", codes.WRONG_CELLS, "a cell of this row is empty"),
    _at("found=_NL after=VBAR block=cells,rows,header", codes.WRONG_CELLS,
        "the last cell of this row is empty", "fill it, or leave the last `|` out"),
    _at("found=ARROW wanted=_NL block=rows", codes.WRONG_CELLS, "this row has a second `=>`", "put `|` between the cells"),
    _at("found=of block=cells", codes.WRONG_BRACKET, "an index is written in `[ ]`", "write `{after}[{next}]`"),
    _at("after=of block=cells", codes.UNEXPECTED, "the type of a set has no `of`", "write `set {found}`"),
    _at("found=TIMES after=^ block=statements", codes.UNEXPECTED,
        "a statement has no sign before it", "leave `{found}` out"),
    _at(BEGINS_STATEMENT + " after=MINUS,DOT block=statements", codes.UNEXPECTED,
        "a statement has no sign or number before it", "begin the line with `{found}`"),
    _at("found=FOR wanted=_COMMA unwanted=RSQB among=IN", codes.UNEXPECTED,
        "a second variable needs no `for`", "write a comma: `for x in …, {next} in …`"),
    _at("found=HASH after=^", codes.STRAY_SIGN,
        "`#` counts, and does not begin a comment", "a comment begins with `--`"),
    _at(BEGINS_STATEMENT + " after=HASH", codes.STRAY_SIGN,
        "`#` counts, and does not begin a comment", "a comment begins with `--`"),
)

# What is tried after the slips in tables.
WORDS = (
    # Ends of lines and of parts
    _at("found=_NL after=AND,OR,WHERE", codes.NOT_CONTINUED,
        "nothing follows this `{after}`", "indent the line that continues this one deeper"),
    _at("found=_NL after=PLUS,MINUS", codes.NOT_CONTINUED,
        "nothing follows this `{after}`", "begin the next line with `{after}`, indented deeper"),
    _at("found=_NL after=TIMES,DIVIDE,MODULO,MEET,EQUAL,UNEQUAL,LESS,AT_MOST,MORE,AT_LEAST,IN,ELSE,TO wanted=HASH",
        codes.NOT_CONTINUED, "nothing follows this `{after}`",
        "write what follows on the same line; in brackets, a line can continue anywhere"),
    _at("found=_NL after=SEMICOLON", codes.UNEXPECTED,
        "a line does not end with `;`", "leave the `;` out"),
    _at("found=_NL after=DOT", codes.UNEXPECTED,
        "a line does not end with a full stop", "leave the `.` out"),
    _at("found=_NL,RPAR,RSQB after=_COMMA", codes.NO_ITEM,
        "nothing follows this comma", "leave it out, or indent the line that continues this one"),
    _at("found=_COMMA after=_COMMA,LPAR,LSQB,IS", codes.NO_ITEM,
        "there is nothing before this comma", "leave it out"),
    _at("found=HASH among=FOR after=NAME", codes.INCOMPLETE,
        "`{after}` takes its values in brackets", "write `{after}(… for x in …)`"),
    _at("found=HASH wanted=_NL", codes.STRAY_SIGN,
        "`#` counts, and does not begin a comment", "a comment begins with `--`"),
    _at("found=COLON before=STRING", codes.UNEXPECTED,
        "a text needs no `:` before it", "leave the `:` out"),
    _at("found=_COMMA before=STRING wanted=STRING", codes.UNEXPECTED,
        "a text needs no comma before it", "leave the comma out"),
    _at("found=STRING after=_COMMA wanted=OR", codes.UNEXPECTED,
        "a text needs no comma before it", "leave the comma out"),
    # Statements
    _at("found=IF,FOR,REPEAT after=COLON,SEMICOLON wanted=MOVE", codes.NOT_ONE_LINE,
        "`{found}` cannot be on the same line as what comes before it", "begin a new line with `{found}`, indented"),
    _at("found=IF,FOR,REPEAT after=ARROW among=COLON", codes.NOT_ONE_LINE,
        "`{found}` cannot be on the same line as what comes before it", "begin a new line with `{found}`, indented"),
    _at("found=ELSE after=SEMICOLON", codes.NOT_ONE_LINE, "`else` begins a new line", "leave `;` out, and break the line"),
    _at("found=ELSE wanted=_NL", codes.NOT_ONE_LINE, "`else` begins a new line", "break the line before `else`"),
    _at(BEGINS_STATEMENT + " wanted=COLON", codes.INCOMPLETE,
        "`:` is missing before `{found}`", "write `: {found}`"),
    _at("line=move among=from", codes.UNEXPECTED,
        "`move` takes the pieces themselves, without `from`", "write `move top(deck, 3) to hand[p]`"),
    _at("line=move found=onto,into,on", codes.UNEXPECTED, "the place where pieces go comes after `to`", "write `to {next}`"),
    _at("line=move found=_COMMA wanted=TO", codes.UNEXPECTED, "`move` takes one set of pieces", "join two sets with `+`"),
    _at("line=each found=COLON,_NL wanted=CHOOSES", codes.UNEXPECTED,
        "`each` is for choices; a loop begins with `for`", "write `for {second} in …`"),
    _at("line=for found=EACH", codes.UNEXPECTED,
        "after `for` come one name and `in`", "write `for {next} in …`"),
    _at("line=for after=all,every,any", codes.UNEXPECTED,
        "after `for` come one name and `in`", "write `for {found} in …`"),
    _at("line=for found=INT after=FOR", codes.UNEXPECTED,
        "`for` goes through values, and does not count", "write `repeat {found}`"),
    _at("line=reveal found=to", codes.UNEXPECTED,
        "`reveal` shows pieces to everybody", "write `show … to {next}`"),
    _at("line=end found=IF,FOR,REPEAT,rule,table", codes.UNEXPECTED,
        "`end` ends the whole game, and nothing may follow it", "leave the line out: a block ends where its indentation ends"),
    _at("line=end,stop,nothing after=END,STOP,NOTHING", codes.UNEXPECTED,
        "nothing may follow `{after}`", "leave out what follows `{after}`"),
    _at("after=may block=statements", codes.INCOMPLETE,
        "after `may` comes `choose`", "write `{word} may choose card from …`, and below it what happens then"),
    _at("found=IS after=TIMES,DIVIDE,MODULO", codes.UNEXPECTED,
        "only `+=` and `-=` change a value", "write `x = x {after} …`"),
    _at("found=COLON wanted=ADD", codes.UNEXPECTED, "`:` does not give a value", "write `=`"),
    _at("line=return found=IS,COLON", codes.UNEXPECTED, "the value comes right after `return`", "leave `{found}` out"),
    _at("found=PLUS after=IS", codes.UNEXPECTED, "`=+` adds nothing", "write `+=`"),
    # Declarations
    _at("line=when block=declarations", codes.UNEXPECTED,
        "`when` takes the name of a condition, not the condition itself", "write `let ready = …`, and then `when ready: …`"),
    _at("line=players found=to,MINUS after=INT before=INT block=declarations", codes.UNEXPECTED,
        "a range of players is written with `..`", "write `players {after}..{next}`"),
    _at("line=players wanted=CLOCKWISE unwanted=RANGE", codes.UNEXPECTED,
        "after the number of players comes the direction of play", "write `clockwise` or `counterclockwise`"),
    _at("line=players block=declarations", codes.UNEXPECTED,
        "the number of players is one number or a range", "write `players 2..5`"),
    _at("line=option found=_COMMA after=INT", codes.UNEXPECTED,
        "the numbers of an option are a range", "write it like `4..6`"),
    _at("line=enum found=INT", codes.UNEXPECTED,
        "a member of an enum is a name", "for numbers use a range such as `1..7` as the type"),
    _at("line=enum found=STRING after=IS,_COMMA", codes.UNEXPECTED,
        "a member of an enum is a name, and a text may follow it", 'for example `enum Suit = clubs "Clubs", hearts "Hearts"`'),
    _at("line=enum found=VBAR,SEMICOLON,AND,OR wanted=_COMMA", codes.NO_COMMA,
        "the members of an enum are separated by commas", "write `,`"),
    _at("line=enum found=NAME wanted=_COMMA", codes.NO_COMMA,
        "a comma is missing before `{found}`", "write `, {found}`"),
    _at("found=RPAR after=LPAR block=declarations unwanted=HASH", codes.UNEXPECTED,
        "a declaration without parameters has no brackets", "leave `()` out"),
    _at("found=RPAR after=LPAR block=cells unwanted=HASH", codes.UNEXPECTED,
        "a kind without attributes has no brackets", "leave `()` out"),
    _at("found=YES,NO wanted=SET_OF block=cells", codes.WRONG_CELLS,
        "the type of a variable comes before its start", "write `Bool | {found}`"),
    _at("found=ARROW wanted=RESULT", codes.UNEXPECTED, "the type of the result comes after `->`", "write `-> {next}`"),
    _at("line=let found=COLON wanted=IS among=IS", codes.UNEXPECTED, "a `let` has no type of its own", "leave out `:` and the type"),
    _at("line=turn found=LPAR", codes.INCOMPLETE,
        "`turn` is a text that says what a player does in a turn", "write `rule turn(…)` to declare a rule"),
    _at("after=override before=LPAR", codes.INCOMPLETE, "after `override` comes the word that declared it",
        "write `override rule {found}`, or `override use {found}(…)` for a mechanism"),
    _at("after=override before=IS", codes.INCOMPLETE,
        "after `override` comes the word that declared it", "write `override let {found}`"),
    _at("after=override", codes.INCOMPLETE, "after `override` comes the word that declared it", "write `override rule {found}`"),
    _at("line=before,after found=LPAR", codes.UNEXPECTED,
        "`{word}` takes only the name of a rule", "leave the brackets out: the parameters are known"),
    _at("line=before,after found=NAME after=rule,table", codes.UNEXPECTED,
        "`{word}` takes only the name of a rule", "write `{word} {found}`"),
    _at("found=MINUS,RANGE after=CITE", codes.BAD_CLAUSE,
        "a range of clauses names both ends in full", "write it like `@S-30..S-32`"),
    _at("found=CITE block=statements,rows,cells", codes.WRONG_PLACE,
        "a clause has a line of its own, before what it documents", "move it to the line above"),
    _at("found=NAME after=NAME wanted=PICKS", codes.UNEXPECTED,
        "after the player comes `picks`, or `is asked`", "write `{after} picks {next}`"),
    _at("after=NAME wanted=PICKS", codes.UNEXPECTED,
        "after the player comes `picks`, or `is asked`", "write `{after} picks …`"),
    _at("line=extends after=STRING found=NAME,_COMMA wanted=WITH", codes.INCOMPLETE,
        "options and variants follow after `with`", "write `with` before them, and commas between them"),
    _at("line=extends found=NAME after=variant,option", codes.UNEXPECTED,
        "a variant is switched on by its name alone", "leave `{after}` out"),
    _at("line=extends found=YES,NO,INT,NAME after=NAME wanted=IS", codes.INCOMPLETE,
        "an option gets its value by `=`", "write `{after} = {found}`"),
    # Types, ranges and brackets
    _at("found=MINUS,to after=INT before=INT", codes.UNEXPECTED,
        "a range is written with `..`", "write `{after}..{next}`"),
    _at("found=DOT after=RANGE", codes.UNEXPECTED, "a range is written with two dots", "write `..`"),
    _at("found=INT after=DOT", codes.BAD_NUMBER,
        "numbers are whole", "count in smaller units; a range is written `1..5`"),
    _at("found=LSQB wanted=SET_OF before=NAME", codes.UNEXPECTED, "the type of a set begins with `set`", "write `set {next}`"),
    _at("found=LPAR wanted=LSQB unwanted=PLUS", codes.WRONG_BRACKET, "an index is written in `[ ]`", "write `{after}[…]`"),
    _at("found=LSQB wanted=LPAR", codes.WRONG_BRACKET,
        "parameters and attributes are written in `( )`", "write `{after}(…)`"),
    _at("found=RSQB after=LSQB", codes.INCOMPLETE, "these brackets are empty", "for example `hand[p]`"),
    _at("line=given found=_COMMA wanted=RSQB", codes.INCOMPLETE,
        "this `given` has no `=`", "for example `given deck = [ira, gula]`"),
    _at("line=given found=_NL wanted=IS", codes.INCOMPLETE,
        "this `given` has no `=`", "for example `given deck = [ira, gula]`"),
    _at("line=when found=_NL after=NAME wanted=LPAR block=steps", codes.INCOMPLETE,
        "a rule is called with brackets", "write `{after}()`"),
    _at("line=expect,given found=_COMMA wanted=_NL", codes.UNEXPECTED,
        "several values are a set, and a set is written in `[ ]`", "write `[{after}, {next}]`"),
    _at("line=always,expect,let found=FOR wanted=_NL", codes.UNEXPECTED,
        "`for` belongs inside the brackets of `all`, `any` or `sum`", "write `all(… for p in Player)`"),
    _at("found=_COMMA after=INT wanted=VBAR block=rows", codes.WRONG_CELLS,
        "the cells of a row are separated by `|`", "write `|` for `,`"),
    _at("found=INT after=INT wanted=VBAR block=rows", codes.WRONG_CELLS,
        "the cells of a row are separated by `|`", "write `| {found}`"),
    _at("found=NAME after=INT wanted=RSQB among=LSQB", codes.UNEXPECTED,
        "a face begins with a name", "write `{found} {after}`, or `{after} * {found}` for {after} of them"),
    _at("found=FOR after=_COMMA", codes.UNEXPECTED, "a second variable needs no `for`", "write `, {next} in …`"),
    _at("found=_COMMA after=NAME among=FOR wanted=IN", codes.UNEXPECTED,
        "each variable has a set of its own", "write `for {after} in …, {next} in …`"),
    _at("found=FOR among=FOR wanted=RSQB", codes.UNEXPECTED,
        "a list is built over one variable", "write `subsets(cards, 2)` for pairs; a fold takes two: `sum(… for a in …, b in …)`"),
    _at("found=_COMMA wanted=RSQB among=FOR", codes.UNEXPECTED,
        "a list is built over one variable", "write `subsets(cards, 2)` for pairs; a fold takes two: `sum(… for a in …, b in …)`"),
    _at("found=_COMMA wanted=RSQB", codes.UNEXPECTED, "each index has its own brackets", "write `][`"),
    # Values
    _at("found=QMARK wanted=PLUS", codes.UNEXPECTED, "`?` does not choose between two values", A_CONDITION),
    _at("found=IF wanted=HASH", codes.UNEXPECTED, "a choice between two values begins with the first one", A_CONDITION),
    _at("found=RPAR,RSQB among=FOR wanted=ELSE", codes.INCOMPLETE,
        "`if` chooses between two values and does not filter", "write `where` instead of `if`"),
    _at("found=_NL wanted=ELSE among=IF block=statements", codes.INCOMPLETE,
        "a condition comes before its statement", "write `if …: {word} …`"),
    _at("wanted=ELSE among=IF", codes.INCOMPLETE, "this `if` has no `else`", A_CONDITION),
    _at("found=EQUAL,UNEQUAL,LESS,AT_MOST,MORE,AT_LEAST,IN wanted=AND", codes.CHAIN,
        "a comparison has two sides, but this would be a third", "join two comparisons with `and`, or ask for a range with `in 1..5`"),
    _at("found=IS wanted=PLUS", codes.EQUALS, "`=` gives a value, it does not compare", "write `==`"),
    _at("found=of wanted=PLUS", codes.UNEXPECTED,
        "`of` does not join two values", "write `card.value` for a value of a card, `#deck` for how many it has"),
    _at("found=_COMMA wanted=SEMICOLON", codes.UNEXPECTED, "statements are separated by `;`", "write `;`, or begin a new line"),
    _at("found=RANDOM after=IS", codes.RESERVED,
        "`random` begins a statement and is not a value", "write `random {word} from …`"),
    _at(BEGINS_STATEMENT + " wanted=HASH", codes.RESERVED,
        "`{found}` begins a statement and is not a value", "write it on a line of its own"),
    _at("found=STRING after=OR among=may", codes.INCOMPLETE,
        "the question comes before `or`", 'write `"Which card?" or "none"`'),
    _at("found=STRING wanted=HASH", codes.UNEXPECTED,
        "a text is only shown, and is not a value", "write the name of a member without quotes"),
)
# fmt: on

# What a line looks like, by its first word, and the parts that it cannot do without.
FORMS = {
    "after": ("after turn", ""),
    "always": ("always five_cards: #market == 5", "COLON"),
    "announce": ("announce can_follow = #hand[p][led] > 0", "IS"),
    "before": ("before turn", ""),
    "each": ("each q in Player chooses gift[q] from hand[q]", "IN CHOOSES"),
    "enum": ("enum Suit = clubs, hearts", "IS"),
    "example": ('example "The deck is empty"', ""),
    "expect": ("expect #deck == 0", ""),
    "extends": ('extends "sins.rules"', ""),
    "first": ('first "whoever is the youngest"', ""),
    "for": ("for q in Player", "IN"),
    "game": ('game "The Well" by "Ada"', ""),
    "given": ("given deck = [clubs 2]", "IS"),
    "let": ("let score(p: Player) = #hand[p]", "IS"),
    "move": ("move top(deck) to hand[p]", "TO"),
    "omit": ('omit @S-50 "Advice only."', ""),
    "option": ("option fast: Bool = no", "COLON IS"),
    "players": ("players Ada, Ben", ""),
    "random": ("random card from hand[p]", "FROM"),
    "ranking": ("ranking of p", "OF"),
    "remove": ("remove rule turn", ""),
    "return": ("return p", ""),
    "rows": ("rows points", ""),
    "rule": ("rule turn(p: Player)", ""),
    "rulebook": ('rulebook "The Well, second edition"', ""),
    "ruling": ('ruling @S-19 "The last card counts."', ""),
    "show": ("show hand[p] to q", "TO"),
    "table": ("table points(cards: 0..9)", ""),
    "teams": ("teams Side", ""),
    "use": ("use turns, sets(kind = Sin)", ""),
    "variant": ('variant short "The short game"', ""),
    "when": ("when turn(Ada)", ""),
}

# The tables with fixed columns: their headings, and what the columns are called.
HEADINGS = {
    "pieces": ("pieces | copies | shown as", "`copies` and, if needed, `shown as`"),
    "zones": (
        "zones | order | seen by | counted by | holds",
        "`order`, `seen by` and, if needed, `counted by` and `holds`",
    ),
    "state": ("state | type | start | seen by", "`type`, `start` and, if needed, `seen by`"),
}

# What opens the same block as these words of other languages.
MEANT = {
    **dict.fromkeys(("def", "fn", "func", "function", "procedure"), "rule"),
    **dict.fromkeys(("elif", "elseif", "elsif"), "else if"),
    **dict.fromkeys(("while", "until", "loop"), "repeat"),
    "foreach": "for",
    "unless": "if",
    "on": "when",
}

# Kinds of token: what they are called in a sentence, where values begin and what may follow them.
TERMS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CITE": "a clause such as `@S-19`",
    "_NL": "the end of the line",
    "_COMMA": "`,`",
}
EXPRESSION_STARTS = frozenset({"HASH", "LPAR", "LSQB", "MINUS", "NOT", "YES", "NO", "NONE", "INT"})
OPERATORS = frozenset(
    {
        *("EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST", "IN", "NOT", "AND", "OR"),
        *("IF", "WHERE", "PLUS", "MINUS", "MEET", "TIMES", "DIVIDE", "MODULO", "RANGE", "DOT"),
        *("LSQB", "LPAR"),
    }
)


@cache
def spelling() -> dict[str, str]:
    """What the kinds of token are called in a sentence."""
    words = [*lexis().keywords.items(), *lexis().signs.items()]
    return {kind: f"`{text}`" for text, kind in words} | TERMS
