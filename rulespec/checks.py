"""A file of rules -> diagnostics, and a program if there is no error.

This module lists the passes of the checker in order, and runs them.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from attrs import evolve, frozen

from rulespec import codes, loading
from rulespec.checking.citations import check_citations
from rulespec.checking.control_flow import check_flow
from rulespec.checking.damage import Damage
from rulespec.checking.declarations import Declarations
from rulespec.checking.doubts import Doubt, in_reading_order
from rulespec.checking.examples import check_examples
from rulespec.checking.foundations import check_foundations, check_owners, lacks_index
from rulespec.checking.layers import LayerStack, stack_layers
from rulespec.checking.limit_checks import check_limits
from rulespec.checking.name_checks import check_names
from rulespec.checking.overlays import merge_layers
from rulespec.checking.program import Program
from rulespec.checking.settings import check_settings
from rulespec.checking.soundness import sound_part, tell_sure
from rulespec.checking.tables import check_tables
from rulespec.checking.type_checks import check_types
from rulespec.checking.usage import check_unused
from rulespec.checking.words import check_words
from rulespec.diagnostics import Diagnostic, Related, at_most, in_source_order
from rulespec.elaboration.forgotten import check_forgotten
from rulespec.elaboration.programs import elaborate_program
from rulespec.gc_pause import pause_garbage_collection
from rulespec.limits import MOST_MISTAKES
from rulespec.secrets.programs import check_secrets
from rulespec.source import Source, Span, text_of

Pass = Callable[[Declarations], Iterable[Diagnostic | Doubt]]


def check_declared_secrets(declared: Declarations) -> Iterator[Diagnostic]:
    """The information check, which reads the core."""
    mechanisms = frozenset(
        part.node.span.source
        for routine in declared.routines.values()
        for part in (*routine.versions, *routine.before, *routine.after)
        if part.layer.origin == "mechanism"
    )
    return check_secrets(elaborate_program(declared), mechanisms)


PASSES: tuple[Pass, ...] = (
    check_owners,
    check_names,
    check_unused,
    check_words,
    check_foundations,
    check_limits,
    check_flow,
    check_citations,
    check_types,
    check_settings,
    check_examples,
    check_tables,
    check_declared_secrets,
    check_forgotten,
)


# The passes that also work on part of a program: they need neither all names nor all statements.
PARTIAL_PASSES = frozenset(PASSES) - {
    *(check_unused, check_words, check_declared_secrets, check_forgotten)
}
# Clauses belong to the files, so the chosen variant does not matter.
VARIANT_PASSES = tuple(each for each in PASSES if each is not check_citations)
CLAUSES = frozenset({codes.UNKNOWN_CLAUSE, codes.CLAUSE_TWICE, codes.CITED_AND_OMITTED})
# A mechanism on its own has unbound slots, so only its names can be checked.
MECHANISM_PASSES: tuple[Pass, ...] = (check_names,)


@frozen
class Checked:
    """The result of checking a file: its diagnostics, and a program if none is an error."""

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]


@pause_garbage_collection()
def check(
    path: Path,
    source: Source,
    variants: tuple[str, ...] = (),
    settings: tuple[tuple[str, str], ...] = (),
) -> Checked:
    """Check a file together with the files that it extends and uses.

    Without a chosen variant or option, also check each variant that the file declares.
    """
    stack = stack_layers(path, source, variants, settings)
    declared, found, doubts = check_stack(stack, MECHANISM_PASSES if stack.slots else PASSES)
    if declared is not None and not variants and not settings:
        for variant in stack.variants:
            if variant.span.source == source:
                with_it = stack_layers(path, source, (variant.name.text,), settings)
                found += check_stack(with_it, VARIANT_PASSES)[1]
    if declared is None or _errors(found):
        return Checked(None, at_most(in_source_order(found)))
    program = Program(source, declared, in_reading_order(source, doubts))
    return Checked(program, at_most(in_source_order(found)))


def check_file(
    name: str, variants: tuple[str, ...] = (), settings: tuple[tuple[str, str], ...] = ()
) -> Checked:
    """Check a file, or a shipped one, by its name.

    >>> check_file("sins.rules", variants=("penitenziagite",)).diagnostics
    ()
    """
    return check(loading.find_rules(name), loading.read(name), variants, settings)


@pause_garbage_collection()
def check_stack(
    stack: LayerStack, passes: tuple[Pass, ...]
) -> tuple[Declarations | None, list[Diagnostic], list[Doubt]]:
    """Merge layers and run passes over them; returns the declarations, if there is no error, and all findings."""
    found = list(stack.diagnostics)
    doubts: list[Doubt] = []
    declared = None
    if _may_go_on(stack):
        declared, clashes = merge_layers(stack)
        found += _run_passes(declared, stack.damage, clashes, passes, doubts)
    told = [_in_terms_of(stack, each) for each in found]
    return None if _errors(found) else declared, told, doubts


def _may_go_on(stack: LayerStack) -> bool:
    """Whether the layers have no errors except lines that do not parse."""
    errors = sum(each.severity == "error" for each in stack.diagnostics)
    return not errors or (stack.damage is not None and errors == stack.damage.mistakes)


def _run_passes(
    declared: Declarations,
    damage: Damage | None,
    clashes: list[Diagnostic],
    passes: tuple[Pass, ...],
    doubts: list[Doubt],
) -> Iterator[Diagnostic]:
    """What the passes find; after an error, only the passes that do not depend on it run."""
    sound = sound_part(declared, damage, ())
    if sound is None:
        return
    found = clashes
    wrong: list[Span] = []
    clashing: list[Span] = []
    partial = damage is not None
    for run in (None, *passes):
        if run is not None:
            # A line that does not parse could have cited any clause.
            if partial and (run not in PARTIAL_PASSES or (damage and run is check_citations)):
                continue
            names = run is check_names
            sound = sound_part(declared, damage, clashing if names else wrong, to_names=names)
            if sound is None:
                return
            found = list(islice(_mistakes(run(sound.declared), doubts), MOST_MISTAKES + 1))
        yield from tell_sure(found, sound) if partial else found
        # Clauses have no effect on the program.
        errors = [each for each in found if each.severity == "error" and each.code not in CLAUSES]
        partial = partial or bool(errors)
        if run is check_owners:
            # Only the information check uses the visibility of zones, and it needs a program without errors. But where
            # an index is missing, all that uses the row with one would be wrong.
            errors = [each for each in errors if lacks_index(declared, each.span)]
        wrong += [each.span for each in errors]
        if run is None:
            clashing = [*wrong]


def _mistakes(found: Iterable[Diagnostic | Doubt], doubts: list[Doubt]) -> Iterator[Diagnostic]:
    """The errors; warnings are left out."""
    for each in found:
        if isinstance(each, Doubt):
            doubts.append(each)
        else:
            yield each


def _in_terms_of(stack: LayerStack, found: Diagnostic) -> Diagnostic:
    """A diagnostic about another file, moved to the line of the checked file that leads there."""
    file = found.span.source.name
    # An error in a slot is reported at the expression that is bound to it.
    place = stack.bindings.get((file, text_of(found.span))) or stack.places.get(file)
    if place is None or file == stack.entry.name:
        return found
    here = Related(f"in `{found.span.source.name}`", found.span)
    return evolve(found, span=place, related=(here, *found.related))


def _errors(diagnostics: list[Diagnostic]) -> bool:
    return any(each.severity == "error" for each in diagnostics)
