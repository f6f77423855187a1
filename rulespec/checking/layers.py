"""A file and all files that it builds on -> layers of declarations, in the order in which they are merged.

Implements docs/language/10-overlays.md: a file means the file it `extends` with its mechanisms, the
variants and options after `with`, its own mechanisms, its own declarations, and then the variants that
were asked for. Names are merged by `overlays`.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache, reduce
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

from attrs import evolve, field, frozen

from rulespec import codes, loading
from rulespec.checking.damage import Damage, join_damage, prune
from rulespec.checking.slots import bind_slots
from rulespec.diagnostics import Diagnostic, Related, did_you_mean
from rulespec.gc_pause import pause_garbage_collection
from rulespec.limits import DEEPEST_CHAIN, MOST_VARIANTS
from rulespec.source import Source, Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.parser import Parsed, parse

Docs: TypeAlias = tuple[nodes.Doc, ...]  # right behind each other


@frozen
class LayerItem:
    """A declaration with the doc lines above it."""

    declaration: nodes.Plain | nodes.Override
    docs: Docs


@frozen
class Layer:
    """Declarations that are merged as a whole; `title` is their name for the author."""

    title: str
    origin: Literal["file", "mechanism", "variant"]
    items: tuple[LayerItem, ...]
    place: Span | None = None  # where it is chosen or used, if not on the command line


@frozen
class Chosen:
    """An option and the value to which it is set, with the places of both."""

    name: nodes.Name
    value: nodes.Expr


@frozen
class LayerStack:
    """All layers of a program, the lowest first, and the options that are set."""

    entry: Source
    layers: tuple[Layer, ...]
    chosen: tuple[Chosen, ...]
    variants: tuple[nodes.Variant, ...]  # all that could be chosen
    slots: frozenset[str]  # if the file is a mechanism
    files: tuple[nodes.File, ...]  # the lowest first, without mechanisms
    places: dict[str, Span]  # for every other file, the place in the entry that leads to it
    bindings: dict[
        tuple[str, str], Span
    ]  # by file and slot: what the entry binds to a slot of a mechanism
    diagnostics: tuple[Diagnostic, ...]
    damage: Damage | None = None  # if lines of the files do not parse


@frozen
class _Unit:
    """A file that has been read."""

    path: Path
    file: nodes.File


@frozen
class _Mechanism:
    """A mechanism that is used: its file, its `use` and the doc lines above that."""

    unit: _Unit
    used: nodes.Used
    docs: Docs
    variant: str = ""  # the one that bound its slots last


@frozen
class _Reading:
    """What has been read so far; `root` is the folder of the file that is checked."""

    root: Path
    layers: list[Layer] = field(factory=list)
    chosen: list[Chosen] = field(factory=list)
    variants: dict[str, nodes.Variant] = field(factory=dict)
    homes: dict[str, _Unit] = field(factory=dict)  # by variant: its file
    mechanisms: dict[str, _Mechanism] = field(factory=dict)
    places: dict[str, Span] = field(factory=dict)
    bindings: dict[tuple[str, str], Span] = field(factory=dict)
    files: list[nodes.File] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    damage: list[Damage] = field(factory=list)


@pause_garbage_collection()
def stack_layers(
    path: Path,
    source: Source,
    variants: tuple[str, ...] = (),
    settings: tuple[tuple[str, str], ...] = (),
) -> LayerStack:
    """The layers of a file, with the chosen variants and options."""
    reading = _Reading(path.resolve().parent)
    file = _tree(reading, source)
    if file is not None:
        _read_file(reading, _Unit(path, file), ())
        _check_variants(reading, source)
        wanted = [*((name, None) for name in variants), *settings]
        _choose(reading, tuple(_asked(reading, source, name, value) for name, value in wanted))
    return LayerStack(
        entry=source,
        layers=tuple(reading.layers),
        chosen=tuple(reading.chosen),
        variants=tuple(reading.variants.values()),
        slots=_slots(file),
        files=tuple(reading.files),
        places={name: _in_entry(reading, place, source) for name, place in reading.places.items()},
        bindings={
            slot: place
            for slot, place in reading.bindings.items()
            if place.source.name == source.name
        },
        diagnostics=tuple(reading.diagnostics),
        damage=reduce(join_damage, reading.damage) if reading.damage else None,
    )


def _tree(reading: "_Reading", source: Source) -> nodes.File | None:
    """The tree of a file, without the lines that do not parse."""
    parsed = _parse(source)
    reading.diagnostics.extend(parsed.diagnostics)
    if parsed.file is not None or parsed.mended is None:
        return parsed.file
    file, damage = prune(parsed.mended, parsed.damaged, len(parsed.diagnostics))
    reading.damage.append(damage)
    return file


def _check_variants(reading: "_Reading", source: Source) -> None:
    own = [each for each in reading.variants.values() if each.span.source == source]
    if len(own) > MOST_VARIANTS:
        message = f"this file has {len(own):,} variants, but may have only {MOST_VARIANTS}"
        place = own[MOST_VARIANTS].name.span
        hint = "move some of them to another file that `extends` this one"
        reading.diagnostics.append(Diagnostic(codes.TOO_MANY_VARIANTS, message, place, hint=hint))


@lru_cache(maxsize=32)
def _parse(source: Source) -> Parsed:
    """A tree is a value: a file that is checked with several variants is parsed once."""
    return parse(source)


def forget_trees() -> None:
    """Read and parse every file anew from here on."""
    _parse.cache_clear()


def _in_entry(reading: _Reading, place: Span, entry: Source) -> Span:
    while place.source.name != entry.name and place.source.name in reading.places:
        place = reading.places[place.source.name]
    return place


def _slots(file: nodes.File | None) -> frozenset[str]:
    heads = [item for item in file.items if isinstance(item, nodes.Mechanism)] if file else []
    return frozenset(slot.name.text for head in heads for slot in head.slots)


def _asked(reading: _Reading, entry: Source, name: str, value: str | None) -> nodes.Setting:
    """A choice on the command line, as if it had been written after `with`."""
    wish = name if value is None else f"{name} = {value}"
    start = f'extends "{Path(entry.name).name}" with '
    source = Source("the command line", start + wish)
    parsed = parse(source)
    match parsed.file.items if parsed.file is not None and not parsed.comments else ():
        case (nodes.Extends(_, (setting,)),) if setting.name.text == name:
            return setting
    span = Span(source, len(start), len(source.text))
    message = f"`{wish}` is neither a variant nor an option with its value"
    hint = "write a variant, or an option as in `stone_optional=yes`"
    reading.diagnostics.append(Diagnostic(codes.UNKNOWN_VARIANT, message, span, hint=hint))
    return nodes.Setting(nodes.Name(name, span=span), None, span=span)


# ---- Files ---------------------------------------------------------------------------------------


def _read_file(reading: _Reading, unit: _Unit, below: tuple[Path, ...]) -> None:
    """Add the layers of a file, those of its base first."""
    extends = [item for item in unit.file.items if isinstance(item, nodes.Extends)]
    for another in extends[1:]:
        first = Related("the first one", extends[0].span)
        message = "a file extends one other file"
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, another.span, (first,)))
    if extends:
        base = _open(
            reading, unit, extends[0].path.value, extends[0].path.span, (*below, unit.path)
        )
        if base is not None:
            _read_file(reading, base, (*below, unit.path))
            _choose(reading, extends[0].settings)
    for item in unit.file.items:
        if isinstance(item, nodes.Variant):
            reading.variants[item.name.text] = item
            reading.homes[item.name.text] = unit
    _read_mechanisms(reading, unit, unit.file.items)
    reading.files.append(unit.file)
    reading.layers.append(Layer(unit.path.name, "file", _items(unit.file.items)))


def _items(items: tuple[nodes.FileItem, ...]) -> tuple[LayerItem, ...]:
    """The declarations of a layer, each with the doc lines before it.

    The clauses of a doc line apply to all declarations up to the next doc line; its sentence only to the first.
    """
    return tuple(
        LayerItem(item, docs)
        for item, docs in documented(items)
        if not isinstance(item, nodes.Extends | nodes.Mechanism | nodes.Variant | nodes.Use)
        and not (isinstance(item, nodes.Override) and isinstance(item.declaration, nodes.Use))
    )


def documented(items: tuple[Any, ...], docs: Docs = ()) -> Iterator[tuple[Any, Docs]]:
    """Items or rows, each with the doc lines above it, or else with `docs`; a sentence goes only to the first item."""
    told: Docs | None = None
    for item, found in _below_docs(items, docs):
        yield item, _clauses(found) if found is told else found
        told = found


def _clauses(docs: Docs) -> Docs:
    """Doc lines without their sentences."""
    return tuple(nodes.Doc(doc.cites, None, span=doc.span) for doc in docs if doc.cites)


def explained(lines: tuple[Any, ...]) -> Iterator[tuple[Any, Docs]]:
    """Statements, each with the doc lines above it, whose sentence applies up to the next doc line."""
    return _below_docs(lines, ())


def _below_docs(items: tuple[Any, ...], docs: Docs) -> Iterator[tuple[Any, Docs]]:
    """Items, each with the nearest doc lines above it."""
    after_doc = False
    for item in items:
        if isinstance(item, nodes.Doc):
            docs = (*docs, item) if after_doc else (item,)
        else:
            yield item, docs
        after_doc = isinstance(item, nodes.Doc)


def _open(
    reading: _Reading, unit: _Unit, name: str, span: Span, below: tuple[Path, ...]
) -> _Unit | None:
    """A file named in another one: beside or below it, or a shipped one."""
    found = _locate(reading, unit, name, span)
    if found is None:
        return None
    if len(below) > DEEPEST_CHAIN:
        message = f"at most {DEEPEST_CHAIN} files may extend each other, but here there are more"
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, span))
        return None
    if found.resolve() in [each.resolve() for each in below]:
        chain = " extends ".join(each.name for each in (*below, found))
        message = f"a file cannot extend itself, but here {chain}"
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, span))
        return None
    try:
        source = loading.read(str(found))
    except loading.NotFound as error:
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, str(error), span))
        return None
    reading.places.setdefault(source.name, span)
    file = _tree(reading, source)
    return _Unit(found, file) if file is not None else None


def _locate(reading: _Reading, unit: _Unit, name: str, span: Span) -> Path | None:
    wanted = PurePosixPath(name)
    if wanted.is_absolute() or ".." in wanted.parts or "\\" in name or ":" in name:
        message = f"`{loading.shortened(name)}` is not next to this file or in a folder below it"
        hint = "write its path relative to this file, without `..`, or the name of a shipped file"
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, span, hint=hint))
        return None
    beside = unit.path.parent / wanted
    if loading.is_there(beside) and _is_below(
        beside, (reading.root, loading.PACKAGE, loading.GAMES)
    ):
        return beside
    games = (loading.GAMES, loading.CLASSICS, loading.GAMES / "examples")
    for folder in (*games, loading.MECHANISMS):
        if len(wanted.parts) == 1 and loading.is_there(folder / wanted):
            return folder / wanted
    # A mechanism is used by its name, without quotes and without the ending of its file.
    in_quotes = text_of(span).startswith('"')
    games_known = (*loading.shipped_game_files(), *loading.shipped_classics()) if in_quotes else ()
    known = [path.name for path in (*games_known, *loading.MECHANISMS.glob("*.rules"))]
    near = get_close_matches(name[: loading.LONGEST_SHOWN], known, 1)
    near = [
        each
        for each in known
        if each.lower().removesuffix(".rules") == name.lower().removesuffix(".rules")
    ] or near
    with_ending = wanted.with_name(f"{wanted.name}.rules")
    if not wanted.suffix and (
        with_ending.name in known or loading.is_there(unit.path.parent / with_ending)
    ):
        near = [str(with_ending)]
    message = f"there is no file `{loading.shortened(name)}` next to this one, and no shipped one"
    meant = [f'"{each}"' if in_quotes else Path(each).stem for each in near]
    advice = f"did you mean `{meant[0]}`?" if meant else None
    if near and near[0] == str(with_ending):
        advice = f'write `"{near[0]}"`, with the ending of the file'
    if loading.is_there(beside):
        message, advice = f"`{name}` is a link to another folder", "copy the file that it points to"
    reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, span, hint=advice))
    return None


def _is_below(path: Path, folders: tuple[Path, ...]) -> bool:
    resolved = path.resolve()
    return any(resolved.is_relative_to(folder.resolve()) for folder in folders)


# ---- Mechanisms and variants ---------------------------------------------------------------------


def _read_mechanisms(
    reading: _Reading, unit: _Unit, items: tuple[nodes.FileItem, ...], variant: str = ""
) -> None:
    """Add the mechanisms that a file or a variant uses, and bind anew those that are used below."""
    for item, docs in documented(items):
        if isinstance(item, nodes.Use):
            for used in item.mechanisms:
                _read_mechanism(reading, unit, used, docs)
        elif isinstance(item, nodes.Override) and isinstance(item.declaration, nodes.Use):
            for used in item.declaration.mechanisms:
                _bind_anew(reading, used, variant)


def _bind_anew(reading: _Reading, used: nodes.Used, variant: str) -> None:
    """Other bindings for a mechanism that a lower layer uses; slots that are not named stay as they are."""
    name = used.mechanism.text
    known = reading.mechanisms.get(name)
    if known is None:
        hint = did_you_mean(name, reading.mechanisms, "leave `override` out to use it")
        message = f"no layer below uses the mechanism `{name}`"
        place = used.mechanism.span
        reading.diagnostics.append(Diagnostic(codes.OVERRIDE_OF_NOTHING, message, place, hint=hint))
        return
    if variant and known.variant:
        message = f"the variants `{known.variant}` and `{variant}` both change `use {name}`"
        places = ((known.variant, known.used.span), (variant, used.span))
        related = tuple(Related(f"by `{title}`", span) for title, span in places)
        reading.diagnostics.append(Diagnostic(codes.VARIANTS_CLASH, message, used.span, related))
        return
    anew = {binding.slot.text for binding in used.bindings}
    kept = tuple(each for each in known.used.bindings if each.slot.text not in anew)
    both = evolve(used, bindings=(*kept, *used.bindings))
    layer = _bound_layer(reading, evolve(known, used=both, variant=variant))
    place_of = [each.title if each.origin == "mechanism" else "" for each in reading.layers]
    if layer is not None:
        reading.layers[place_of.index(name)] = layer


def _bound_layer(reading: _Reading, mechanism: _Mechanism) -> Layer | None:
    """The layer of a mechanism with its slots bound; `None` if its file is a game."""
    unit, used = mechanism.unit, mechanism.used
    name = used.mechanism
    heads = [item for item in unit.file.items if isinstance(item, nodes.Mechanism)]
    if not heads:
        message = f"`{name.text}` is a game, not a mechanism"
        hint = f'write `extends "{name.text}.rules"` to build on it'
        reading.diagnostics.append(Diagnostic(codes.BAD_FILE, message, name.span, hint=hint))
        return None
    for binding in used.bindings:
        file = unit.file.span.source.name
        reading.bindings[file, binding.slot.text] = binding.value.span
    items, problems = bind_slots(heads[0], unit.file.items, used)
    reading.diagnostics.extend(problems)
    own = tuple(evolve(item, docs=item.docs or mechanism.docs) for item in _items(items))
    reading.mechanisms[name.text] = mechanism
    return Layer(name.text, "mechanism", own, used.span)


def _read_mechanism(reading: _Reading, unit: _Unit, used: nodes.Used, docs: Docs) -> None:
    """Add a mechanism; the clauses above its `use` apply to all that it declares."""
    name = used.mechanism
    for layer in reading.layers:
        if layer.origin == "mechanism" and layer.title == name.text and layer.place is not None:
            first = Related("used here already", layer.place)
            message = f"the mechanism `{name.text}` is used twice"
            hint = "bind all its slots in one place"
            if layer.place.source != name.span.source or used.bindings:
                hint = f"write `override use {text_of(used.span)}` to bind slots of it anew"
            reading.diagnostics.append(
                Diagnostic(codes.REDECLARED, message, name.span, (first,), hint)
            )
            return
    found = _open(reading, unit, f"{name.text}.rules", name.span, ())
    if found is None:
        return
    bound = _bound_layer(reading, _Mechanism(found, used, docs))
    if bound is not None:
        reading.layers.append(bound)


def _choose(reading: _Reading, settings: tuple[nodes.Setting, ...]) -> None:
    """Add variants and options that are chosen; a variant that is chosen twice is added once."""
    for setting in settings:
        name = setting.name.text
        if setting.value is not None:
            reading.chosen.append(Chosen(setting.name, setting.value))
            continue
        variant = reading.variants.get(name)
        if variant is None and any(each.span == setting.span for each in reading.diagnostics):
            continue  # reported already
        if variant is None:
            reading.diagnostics.append(_unknown_variant(reading, setting.name))
        elif not any(layer.origin == "variant" and layer.title == name for layer in reading.layers):
            items = _items(variant.items)
            _read_mechanisms(reading, reading.homes[name], variant.items, name)
            reading.layers.append(Layer(name, "variant", items, setting.span))


def _unknown_variant(reading: _Reading, name: nodes.Name) -> Diagnostic:
    known = sorted(reading.variants)
    there_are = f"there are {', '.join(f'`{each}`' for each in known)}" if known else None
    hint = did_you_mean(name.text, known, there_are)
    message = f"no variant is named `{name.text}`"
    items = (each.declaration for layer in reading.layers for each in layer.items)
    if any(isinstance(each, nodes.Option) and each.name.text == name.text for each in items):
        message, hint = f"`{name.text}` is an option, and needs a value", f"write `{name.text} = …`"
    return Diagnostic(codes.UNKNOWN_VARIANT, message, name.span, hint=hint)
