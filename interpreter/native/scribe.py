"""An operation of flat code -> an expression of C, for one table.

There is one writer for each operation, listed by name. What an expression needs before it, such as a loop, goes
to the lines of its scope. What is known for a table is computed while writing, as for generated Python.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from attrs import define, evolve, field

from interpreter.compiled.scribe import Scribe as Knower
from interpreter.compiled.writing import Lines as NoLines
from interpreter.compiled.writing import Names, Pool, Unsupported
from interpreter.flat import Code
from interpreter.layout import Family, Layout, domain
from interpreter.machine import Machine
from interpreter.native.writing import TYPES, Lines, Scope, Text, number
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST, Maybe, Number, Place, Seat, Several, Type
from rulespec.core.types import Indexed as IndexedType
from rulespec.core.types import Outputs as OutputsType

Writer: TypeAlias = Callable[["Scribe", Op, Scope], Text]
WRITERS: dict[str, Writer] = {}
MOST_PIECES = 128
WORD = 64
EMPTY = "EMPTY"

_TAKEN = """
    auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
    while main s f n v i mask num list pile state variables jmp_buf bool true false asm typeof linux unix
    add add_in_order add_new add_zone at below bit_of bits checked choose count_down count_subsets draw
    empty draw_piece draw_subset draw_value first_bits first_of fit gather_dice has head_of holds least
    leave lowest mask_of mask_of_pile most need nth nth_subset of_mask of_one of_pile pick_piece pick_subset
    pick_value positive put put_on put_under quotient rest_of same_list same_set scoop shuffle take take_from
    throw_die top_of ways within zone_of first_alike distinct holding fire move_watched begin run rank play
    play_many family cup winners grouped walk walk_run walk_group member is_first note_twins at_places
    subsets_family count_members has_member pick_member draw_member setup finish test
    frames try_luck tell tell_set start_game go_on ask_again run_on play_on tell_options rank_now places
    clear_state lay_out
    BIT NONE LEAST MOST SHARE MOST_CHOICES LIST PIECES ZONES IS_POOL HOLDS SETUP PLAY FINISH
    OVER ENDED BEFORE WAITING TOLD FAULT_NONE FAULT_RANGE FAULT_ROW FAULT_EMPTY FAULT_STEPS FAULT_END
    FAULT_LARGE MASK EMPTY
    SUBSETS ALIKE RUNS GROUPS MOST_WALKED LANES NOTHING COPIES EARLIER FACE WATCHED NULL INT64_MIN UINT64_MAX
"""


def writer(name: str) -> Callable[[Writer], Writer]:
    def register(write: Writer) -> Writer:
        WRITERS[name] = write
        return write

    return register


@define
class Scribe:
    """What is written for: a table, the names and tables so far, and the functions that are called."""

    machine: Machine
    names: Names = field(factory=lambda: Names(set(_TAKEN.split())))
    data: Lines = field(factory=Lines)  # tables that never change
    done: Lines = field(factory=Lines)  # functions of the program
    heads: Lines = field(factory=Lines)  # and their heads
    functions: dict[Any, Text] = field(factory=dict)
    kept: dict[Any, str] = field(factory=dict)  # of a table its name
    zone_names: dict[str, str] = field(factory=dict)
    variable_names: dict[str, str] = field(factory=dict)
    longest: int = WORD  # list that is needed
    knower: Knower = field(init=False)

    def __attrs_post_init__(self) -> None:
        names = Names()
        self.knower = Knower(self.machine, names, Pool(names), NoLines())
        if len(self.layout.pieces) > MOST_PIECES:
            raise Unsupported(f"{len(self.layout.pieces)} pieces, and {MOST_PIECES} are the most")
        self.longest = max(WORD, len(self.layout.pieces))

    @property
    def layout(self) -> Layout:
        return self.machine.layout

    @property
    def code(self) -> Code:
        return self.layout.code

    # ---- Expressions -----------------------------------------------------------------------------

    def text(self, op: Op, scope: Scope) -> Text:
        """An expression in whatever form is best."""
        if op.name != "zone":
            is_known, value = self.known(op)
            if is_known:
                return self.literal(value)
        if op.name not in WRITERS:
            raise Unsupported(f"`{op.name}`")
        return WRITERS[op.name](self, op, scope)

    def number(self, op: Op, scope: Scope) -> Text:
        """An expression that is one number, seat, member, piece or truth value."""
        found = self.text(op, scope.strictly())
        if found.form != "number":
            raise Unsupported(f"a set where one value is wanted, in `{op.name}`")
        return found

    def code_of(self, op: Op, scope: Scope) -> str:
        return self.number(op, scope).code

    def simple(self, op: Op, scope: Scope) -> Text:
        """As `number`, with a name if it is used several times."""
        return named(self.number(op, scope), scope)

    def list(self, op: Op, scope: Scope) -> Text:
        """A set as a list."""
        return as_list(self.text(op, scope), scope)

    def mask(self, op: Op, scope: Scope) -> str:
        """A set of pieces as a mask."""
        return self.as_mask(self.text(op, scope.loosely()))

    def literal(self, value: Any) -> Text:
        if value is None:
            return Text("NONE")
        if isinstance(value, int):
            return number(int(value))
        if isinstance(value, tuple) and all(isinstance(each, int) for each in value):
            return Text(self.set(value), "list", constant=True, value=value)
        raise Unsupported("a set of sets")

    def known(self, op: Op) -> tuple[bool, Any]:
        """Whether an expression has one value at this table, and that value."""
        return self.knower.known(op)

    def may_fail(self, *ops: Op) -> bool:
        return self.knower.may_fail(*ops)

    # ---- Tables ----------------------------------------------------------------------------------

    def constant(self, m: int) -> str:
        """A mask as source."""
        if len(self.layout.pieces) <= WORD or m >> WORD == 0:
            return f"(mask){m:#x}ULL"
        return f"MASK({m >> WORD:#x}ULL, {m & (1 << WORD) - 1:#x}ULL)"

    def keep(self, wanted: str, kind: str, content: str) -> str:
        """The name of a table, which is written once."""
        key = wanted, kind, content
        if key not in self.kept:
            name = self.kept[key] = self.names.make(wanted)
            size = kind.partition("[")[2]
            self.data.add(
                f"static const {kind.partition('[')[0]} {name}{'[' + size if size else ''} = {content};"
            )
        return self.kept[key]

    def set(self, values: tuple[int, ...], wanted: str = "SET") -> str:
        """A list as a table."""
        if not values:
            return EMPTY
        return self.keep(wanted, "list", self.listing(values))

    def listing(self, values: tuple[int, ...]) -> str:
        self.longest = max(self.longest, len(values))
        return f"{{{len(values)}, {{{', '.join(str(int(each)) for each in values)}}}}}"

    def numbers(self, wanted: str, values: Iterable[int | None]) -> str:
        """Numbers as a table."""
        cells = ["NONE" if each is None else str(int(each)) for each in values]
        return self.keep(wanted, f"num[{len(cells)}]", f"{{{', '.join(cells)}}}")

    def masks(self, wanted: str, values: Iterable[int]) -> str:
        cells = [self.constant(each) for each in values]
        return self.keep(wanted, f"mask[{len(cells)}]", f"{{{', '.join(cells)}}}")

    def lists(self, wanted: str, values: Iterable[tuple[int, ...]]) -> str:
        cells = [self.listing(each) for each in values]
        return self.keep(wanted, f"list[{len(cells)}]", f"{{{', '.join(cells)}}}")

    def ranks(self, order: str) -> str | None:
        """Of every member its place in an order that is not that of the numbers."""
        rank = self.layout.ranks.get(order)
        if rank is None:
            return None
        return self.numbers("RANK", (rank.get(m, -1) for m in range(len(self.code.members))))

    def index(self, code: str, size: int) -> str:
        """A place in a table of this size."""
        return f"at(s, {code}, {size})" if not code.isdigit() else code

    # ---- Places ----------------------------------------------------------------------------------

    def place(self, family: Family, indices: Iterable[Op], scope: Scope) -> str:
        """Where in a family a member is, given its first indices."""
        parts: list[str] = []
        offset = 0
        for values, stride, index in zip(family.domains, family.strides, indices, strict=False):
            is_known, value = self.known(index)
            if is_known:
                offset += values.index(value) * stride
                continue
            code = place_in(self, values, self.code_of(index, scope))
            parts.append(code if stride == 1 else f"{stride} * {code}")
        if offset or not parts:
            parts.append(str(offset))
        return " + ".join(parts)

    # ---- Forms -----------------------------------------------------------------------------------

    def as_mask(self, text: Text) -> str:
        match text.form:
            case "mask":
                return text.code
            case "list" if text.value is not None:
                return self.constant(sum(1 << c for c in text.value))
            case "list":
                return f"mask_of(&{text.code})"
            case "pile":
                return f"mask_of_pile(&{text.code})"
            case "single":
                return f"BIT({text.code})"
            case "perhaps":
                return f"bit_of({text.code})"
        raise Unsupported(f"pieces from {text.form}")


def place_in(w: Scribe, values: tuple[Any, ...], code: str) -> str:
    """The place of a value among all that an index can have."""
    first = int(values[0])
    if tuple(map(int, values)) == tuple(range(first, first + len(values))):
        return w.index(f"{code} - {first}" if first else code, len(values))
    most = max(values) + 1
    places = [values.index(v) if v in values else -1 for v in range(most)]
    return f"{w.numbers('PLACE', places)}[{w.index(code, most)}]"


def named(text: Text, scope: Scope, wanted: str = "v") -> Text:
    """The same under a name, unless it is a name."""
    if text.is_simple or text.form not in TYPES:
        return text
    if text.form in ("list", "family"):
        return text
    return evolve(text, code=scope.out.declare(TYPES[text.form], wanted, text.code))


def as_list(text: Text, scope: Scope) -> Text:
    """A set as a list that can be pointed at."""
    match text.form:
        case "list":
            return text
        case "mask":
            code = f"of_mask({text.code})"
        case "pile":
            code = f"of_pile(&{text.code})"
        case "perhaps" | "single":
            code = f"of_one({text.code})"
        case _:
            raise Unsupported(f"a list from {text.form}")
    return Text(scope.out.declare("list", "l", code), "list", home=text.home)


def as_common(texts: list[Text]) -> str:
    """The form that values of several forms can have."""
    forms = {each.form for each in texts}
    if len(forms) == 1 and "pile" not in forms:
        return forms.pop()
    if forms <= {"perhaps", "single"}:
        return "perhaps"
    if forms <= {"subsets", "family"}:
        return "family"
    sets = [each for each in texts if each.value != ()]
    if {each.form for each in sets} == {"mask"}:
        return "mask"
    return "list"


def into_form(w: Scribe, text: Text, form: str, scope: Scope) -> Text:
    """A value in one of the forms that a variable can have."""
    if text.form == form or (form, text.form) == ("perhaps", "single"):
        return text
    if form == "mask":
        return evolve(text, code=w.as_mask(text), form="mask")
    if form == "family" and text.form == "subsets":
        low, high = text.sizes
        code = f"subsets_family(s, &{text.code}, {low}, {high})"
        return Text(scope.out.declare("family", "f", code), "family")
    if form == "list" and text.code == "NONE":
        return Text("NOTHING", "list", constant=True)
    if form == "list":
        return as_list(text, scope)
    raise Unsupported(f"{text.form} where {form} is wanted")


@contextmanager
def running(text: Text, scope: Scope, wanted: str = "b") -> Iterator[Text]:
    """A loop over a set; the name of its element."""
    out = scope.out
    if text.form not in ("mask", "pile"):
        text = as_list(text, scope)
    code = text.code
    i, name = out.fresh("i"), out.fresh(wanted)
    if text.form == "mask":
        head = f"for (mask {i} = {code}; {i}; {i} &= {i} - 1)"
        first = f"num {name} = lowest({i});"
    elif text.form == "pile":
        head = f"for (int {i} = {code}.n; {i}-- > 0;)"
        first = f"num {name} = {code}.v[{i}];"
    else:
        head = f"for (int {i} = 0; {i} < {code}.n; {i}++)"
        first = f"num {name} = {code}.v[{i}];"
    with out.block(head):
        out.add(first)
        yield Text(name)


# ---- Types ---------------------------------------------------------------------------------------


def form_of(type_: Type | None) -> str:
    """In which form a variable of a type is kept."""
    match type_:
        case Several() | Maybe(Several()):
            return "list"
        case IndexedType():
            return "indexed"
        case OutputsType():
            return "row"
        case Place(_, indices) if indices:
            return "zones"
        case None:
            return "nothing"
        case _:
            return "number"


def of_type(text: Text, type_: Type | None, layout: Layout) -> Text:
    """What a type says about the value of a variable."""
    match type_:
        case Number(low, high) if low > LEAST and high < MOST:
            return evolve(text, low=low, high=high)
        case Seat():
            return evolve(text, low=0, high=layout.players - 1)
        case Place():
            return evolve(text, order=type_.order)
        case _:
            return text


def indexed(layout: Layout, code: str, type_: IndexedType) -> Text:
    """A local family: an array, with a place for each value of its index."""
    element = form_of(type_.of)
    if len(type_.indices) != 1 or element not in TYPES:
        raise Unsupported("a local family with several indices")
    return Text(code, "indexed", value=domain(layout, type_.indices[0]), element=element)
