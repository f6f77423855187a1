"""Requests of an editor -> replies, from `rulespec.editing` and the open documents."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulespec import loading
from rulespec.diagnostics import Diagnostic
from rulespec.editing.colours import KINDS, colour_pieces
from rulespec.editing.completion import complete
from rulespec.editing.hovers import hover
from rulespec.editing.outline import folds, lenses, outline
from rulespec.editing.positions import offset_of
from rulespec.editing.quick_fixes import find_quick_fixes
from rulespec.editing.renaming import CannotRename, rename, renameable
from rulespec.editing.symbols import (
    Occurrence,
    definitions_of,
    files_around,
    files_below,
    mention_at,
    occurrences_of,
    roles_in,
    symbol_of,
)
from rulespec.lsp import translation as told
from rulespec.lsp.lens_commands import play_command, run_saved_example, run_test
from rulespec.lsp.open_documents import OpenDocument, OpenDocuments
from rulespec.syntax.formatter import format_source

Answer = TypeVar("Answer")


def make_server(version: str) -> LanguageServer:
    """A server that waits for an editor; `start_io` starts the conversation."""
    server = LanguageServer(
        "rulespec", version, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
    )

    def tell(text: OpenDocument, found: list[Diagnostic]) -> None:
        shown = [told.diagnostic(text, each) for each in found]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(text.uri, shown))

    documents = OpenDocuments(tell)
    _add_texts(server, documents)
    _add_reading(server, documents)
    _add_names(server, documents)
    _add_changes(server, documents)
    _add_commands(server)
    return server


def _path(uri: str) -> Path:
    """The file of a text; one that has no file yet lies in the current folder."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found).resolve() if found else Path("untitled.rules").resolve()


def _add_texts(server: LanguageServer, documents: OpenDocuments) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        documents.put(uri, _path(uri), params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        documents.put(uri, _path(uri), server.workspace.get_text_document(uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        documents.drop(params.text_document.uri)


def _at(text: OpenDocument, place: types.Position) -> int:
    return offset_of(text.typed, place.line, place.character)


# ---- Reading ---------------------------------------------------------------------------------------


def _add_reading(server: LanguageServer, documents: OpenDocuments) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", '"', "["])
    )
    async def completion(params: types.CompletionParams) -> types.CompletionList:
        text = documents.texts[params.text_document.uri]
        at = _at(text, params.position)
        start, found = complete(text.path, text.file.source.text, at)
        where = told.place(text.typed, start, at)
        return types.CompletionList(
            is_incomplete=False, items=[told.completion_item(each, where) for each in found]
        )

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        text = documents.texts[params.text_document.uri]
        family = files_below(text.file, documents.unsaved())
        found = hover(text.file, _at(text, params.position), family, text.known)
        if found is None:
            return None
        code = f"```rules\n{found.code}\n```\n\n" if found.code else ""
        words = types.MarkupContent(types.MarkupKind.Markdown, code + "\n\n".join(found.sentences))
        start, end = (each + found.begin for each in (found.span.start, found.span.end))
        return types.Hover(words, told.place(text.typed, start, end))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        text = documents.texts[params.text_document.uri]
        return [told.symbol(text, each) for each in outline(text.file)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        text = documents.texts[params.text_document.uri]
        return [types.FoldingRange(first, last) for first, last in folds(text.file)]

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(KINDS, ()))
    async def colours(params: types.SemanticTokensParams) -> types.SemanticTokens:
        text = documents.texts[params.text_document.uri]
        return types.SemanticTokens(data=told.colours(text, colour_pieces(text.file)))

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        text = documents.texts[params.text_document.uri]
        titles = {"play": "Play", "test": "Test", "example": "Run"}
        return [
            types.CodeLens(
                told.place(text.typed, each.begin, each.begin),
                types.Command(titles[each.what], f"rulespec.{each.what}", arguments=[text.uri, each.title]),
            )
            for each in lenses(text.file)
        ]  # fmt: skip


# ---- Names -----------------------------------------------------------------------------------------


def _add_names(server: LanguageServer, documents: OpenDocuments) -> None:
    def location(found: Occurrence) -> types.Location:
        for text in documents.texts.values():
            if text.path == found.path:
                return told.location(text.uri, text.typed, found.span)
        uri = from_fs_path(str(found.path)) or ""
        return told.location(uri, found.span.source.text, found.span)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        text = documents.texts[params.text_document.uri]
        found = mention_at(text.file, _at(text, params.position))
        if found is None:
            return []
        family = files_below(text.file, documents.unsaved())
        symbol = symbol_of(*found, roles_in(family))
        return [location(each) for each in definitions_of(symbol, found[1], family)]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        text = documents.texts[params.text_document.uri]
        found = mention_at(text.file, _at(text, params.position))
        if found is None:
            return []
        family = files_around(text.file, documents.unsaved())
        symbol = symbol_of(*found, roles_in(family))
        wanted = params.context.include_declaration
        places = occurrences_of(symbol, family)
        return [location(each) for each in places if wanted or not each.declares]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        text = documents.texts[params.text_document.uri]
        span = renameable(text.file, _at(text, params.position))
        return told.place(text.typed, span.start, span.end) if span is not None else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def renamed(params: types.RenameParams) -> types.WorkspaceEdit:
        text = documents.texts[params.text_document.uri]
        at, unsaved = _at(text, params.position), documents.unsaved()
        try:
            changes = await _beside(
                documents, lambda: rename(text.file, at, params.new_name, unsaved)
            )
        except CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from error
        edits: dict[str, list[types.TextEdit]] = {}
        for path, spans in changes.items():
            for span in spans:
                place = location(Occurrence(path, span, declares=False))
                edits.setdefault(place.uri, []).append(types.TextEdit(place.range, params.new_name))
        return types.WorkspaceEdit(changes=edits)


async def _beside(documents: OpenDocuments, work: Callable[[], Answer]) -> Answer:
    """Do something that takes its time, while keys are answered."""
    return await asyncio.get_running_loop().run_in_executor(documents.worker, work)


# ---- Changes ---------------------------------------------------------------------------------------


def _add_changes(server: LanguageServer, documents: OpenDocuments) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        text = documents.texts[params.text_document.uri]
        formatted = format_source(text.file.source)
        if not isinstance(formatted, str) or formatted == text.typed:
            return []  # what does not parse stays as it is
        end = types.Position(text.typed.count("\n") + 1, 0)
        return [types.TextEdit(types.Range(types.Position(0, 0), end), formatted)]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        text = documents.texts[params.text_document.uri]
        typed, source = text.typed, text.file.source
        known = await documents.learn(text)
        first, last = _at(text, params.range.start), _at(text, params.range.end)
        near = [
            each
            for each in known.diagnostics
            if each.span.source.name == source.name
            and each.span.start <= last
            and first <= each.span.end
        ]
        found = []
        for each in near:
            fixes = await _beside(documents, partial(find_quick_fixes, text.path, source, each))
            for mend in fixes:
                edit = types.TextEdit(told.place(typed, mend.begin, mend.end), mend.text)
                found.append(
                    types.CodeAction(
                        mend.title,
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[told.diagnostic(text, each)],
                        edit=types.WorkspaceEdit(changes={text.uri: [edit]}),
                    )
                )
        return found


# ---- Commands --------------------------------------------------------------------------------------


def _add_commands(server: LanguageServer) -> None:
    def say(sentence: str, *, well: bool) -> None:
        kind = types.MessageType.Info if well else types.MessageType.Warning
        server.window_show_message(types.ShowMessageParams(kind, sentence))

    @server.command("rulespec.example")
    async def example(uri: str, title: str) -> Any:
        outcome = await run_saved_example(_path(uri), title)
        say(outcome.sentence, well=outcome.well)
        return {"well": outcome.well, "sentence": outcome.sentence}

    @server.command("rulespec.test")
    async def test(uri: str, *_: Any) -> Any:
        outcome = await run_test(_path(uri))
        say(outcome.sentence, well=outcome.well)
        return {"well": outcome.well, "sentence": outcome.sentence}

    @server.command("rulespec.play")
    async def play(uri: str, *_: Any) -> Any:
        """A game needs a terminal: an editor with one runs this, others are told."""
        command = play_command(loading.shown_name(_path(uri)))
        say(f"in a terminal, type: {command}", well=True)
        return {"command": command}
