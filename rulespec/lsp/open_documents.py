"""Edits of open documents -> diagnostics: at once those of the syntax, soon all others.

A text is parsed declaration by declaration, which takes a few milliseconds. It is checked as a whole in the background
when its author pauses; until then, diagnostics of the last check stay where their declaration has not changed.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import define, field

from rulespec import loading
from rulespec.diagnostics import Diagnostic
from rulespec.editing.blocks import blocks_of, shift_diagnostic, slips_in
from rulespec.editing.symbols import File
from rulespec.editing.text_analysis import TextAnalysis, analyse_text
from rulespec.editing.vocabulary import words_of
from rulespec.source import Source

PAUSE = 0.25  # seconds without a key until a text is checked


@define(eq=False)
class OpenDocument:
    """A text in an editor, as it was typed, and what was found out about it last."""

    uri: str
    path: Path
    typed: str
    file: File
    known: TextAnalysis | None = None
    waiting: "asyncio.Task[None] | None" = None


@define(eq=False)
class OpenDocuments:
    """All open texts. `tell` hears of findings; checks are done one after the other, beside the conversation."""

    tell: Callable[[OpenDocument, list[Diagnostic]], None]
    texts: dict[str, OpenDocument] = field(factory=dict)
    worker: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(max_workers=1))

    def put(self, uri: str, path: Path, typed: str) -> OpenDocument:
        """Take a text as it is now: tell what is known at once, and look into the rest soon."""
        name = loading.shown_name(path)
        source = Source(name, loading.tidy(typed))
        file = File(path, source, blocks_of(name, source.text))
        text = self.texts.get(uri)
        if text is None:
            text = self.texts[uri] = OpenDocument(uri, path, typed, file)
        else:
            text.typed, text.file = typed, file
        self.tell(text, [*_known_now(text)])
        if text.waiting is not None:
            text.waiting.cancel()
        text.waiting = asyncio.get_running_loop().create_task(self._check_soon(text))
        return text

    def drop(self, uri: str) -> None:
        """An editor has closed a text."""
        text = self.texts.pop(uri, None)
        if text is not None and text.waiting is not None:
            text.waiting.cancel()

    def unsaved(self) -> dict[Path, str]:
        """The texts by their files, as the language reads them."""
        return {each.path: each.file.source.text for each in self.texts.values()}

    async def learn(self, text: OpenDocument) -> TextAnalysis:
        """All that can be known of a text as it is now."""
        source = text.file.source
        if text.known is None or text.known.source != source:
            loop = asyncio.get_running_loop()
            known = await loop.run_in_executor(self.worker, self._learn, text.path, source)
            if text.file.source == source:
                text.known = known
            return known
        return text.known

    def _learn(self, path: Path, source: Source) -> TextAnalysis:
        with loading.unsaved_texts(self.unsaved()):
            # So that the first word is completed as fast as all others.
            words_of(path, source.text, 0)
            return analyse_text(path, source)

    async def _check_soon(self, text: OpenDocument) -> None:
        await asyncio.sleep(PAUSE)
        known = await self.learn(text)
        if known.source == text.file.source:
            self.tell(text, [*known.diagnostics])


def _known_now(text: OpenDocument) -> Iterator[Diagnostic]:
    """What does not parse, and what was found before in declarations that are the same."""
    source = text.file.source
    yield from slips_in(source)
    known = text.known
    if known is None:
        return
    now = {block.source.text: block.begin for block in text.file.blocks}
    for block in blocks_of(known.source.name, known.source.text):
        begin = now.get(block.source.text)
        for each in known.diagnostics if begin is not None else ():
            inside = block.begin <= each.span.start < block.end
            if inside and begin is not None and not each.code.number.startswith("RS1"):
                yield shift_diagnostic(each, source, begin - block.begin)
