"""Rules as they would be played if nobody had looked for leaks: what the judge of secrets is tried on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interpreter.flat import Code
from interpreter.flattening import flatten
from rulespec import checks
from rulespec.checking.layers import stack_layers
from rulespec.elaboration.programs import elaborate_program
from rulespec.source import Source


def unchecked(path: Path, source: Source, variants: tuple[str, ...] = ()) -> Code:
    """The code of a file, with all checks but that of secrets."""
    passes = tuple(
        each for each in checks.VARIANT_PASSES if each is not checks.check_declared_secrets
    )
    declared, found, _ = checks.check_stack(stack_layers(path, source, variants, ()), passes)
    assert declared is not None, found
    return flatten(elaborate_program(declared))


@contextmanager
def nobody_looks() -> Iterator[None]:
    """Commands accept rules that would give secrets away."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PASSES", "VARIANT_PASSES"):
            kept = tuple(
                each for each in getattr(checks, name) if each is not checks.check_declared_secrets
            )
            patch.setattr(checks, name, kept)
        yield
