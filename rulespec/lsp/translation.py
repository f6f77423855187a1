"""Results of the editing services -> types of the protocol: positions, severities, kinds."""

from collections.abc import Iterable

from lsprotocol import types

from rulespec.diagnostics import Diagnostic
from rulespec.editing.colours import KINDS, Piece
from rulespec.editing.outline import Entry
from rulespec.editing.positions import line_and_column
from rulespec.editing.vocabulary import KnownWord
from rulespec.lsp.open_documents import OpenDocument
from rulespec.source import Span

WORD_KINDS = {
    "keyword": types.CompletionItemKind.Keyword,
    "local": types.CompletionItemKind.Variable,
    "player": types.CompletionItemKind.Variable,
    "variable": types.CompletionItemKind.Variable,
    "zone": types.CompletionItemKind.Field,
    "attribute": types.CompletionItemKind.Property,
    "function": types.CompletionItemKind.Function,
    "table": types.CompletionItemKind.Function,
    "rule": types.CompletionItemKind.Method,
    "enum": types.CompletionItemKind.Enum,
    "member": types.CompletionItemKind.EnumMember,
    "type": types.CompletionItemKind.Class,
    "piece": types.CompletionItemKind.Class,
    "option": types.CompletionItemKind.Constant,
    "variant": types.CompletionItemKind.Module,
    "mechanism": types.CompletionItemKind.Module,
    "file": types.CompletionItemKind.File,
}
SYMBOL_KINDS = {
    "game": types.SymbolKind.File,
    "enum": types.SymbolKind.Enum,
    "pieces": types.SymbolKind.Class,
    "piece": types.SymbolKind.Class,
    "zones": types.SymbolKind.Namespace,
    "zone": types.SymbolKind.Field,
    "state": types.SymbolKind.Namespace,
    "variable": types.SymbolKind.Variable,
    "option": types.SymbolKind.Constant,
    "table": types.SymbolKind.Array,
    "let": types.SymbolKind.Function,
    "rule": types.SymbolKind.Method,
    "hook": types.SymbolKind.Event,
    "trigger": types.SymbolKind.Event,
    "variant": types.SymbolKind.Module,
    "mechanism": types.SymbolKind.Module,
    "example": types.SymbolKind.Struct,
}


def position(typed: str, offset: int) -> types.Position:
    """A place in a text as an editor counts it."""
    return types.Position(*line_and_column(typed, offset))


def place(typed: str, start: int, end: int) -> types.Range:
    """A piece of a text."""
    return types.Range(position(typed, start), position(typed, end))


def diagnostic(text: OpenDocument, found: Diagnostic) -> types.Diagnostic:
    """A finding; what lies in other files is told in words."""
    source = text.file.source
    own = found.span.source.name == source.name
    start, end = (found.span.start, max(found.span.end, found.span.start + 1)) if own else (0, 1)
    hint = f"\n{found.hint}" if found.hint else ""
    return types.Diagnostic(
        range=place(text.typed, start, end),
        message=f"{found.message}{hint}",
        severity=types.DiagnosticSeverity.Error
        if found.severity == "error"
        else types.DiagnosticSeverity.Warning,
        code=found.code.number,
        source="rulespec",
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(text.uri, place(text.typed, each.span.start, each.span.end)),
                each.message,
            )
            for each in found.related
            if each.span.source.name == source.name
        ],
    )


def completion_item(word: KnownWord, where: types.Range) -> types.CompletionItem:
    """A word that fits."""
    return types.CompletionItem(
        label=word.text,
        kind=WORD_KINDS[word.kind],
        detail=word.detail or None,
        documentation=word.about or None,
        text_edit=types.TextEdit(where, word.text),
    )


def symbol(text: OpenDocument, entry: Entry) -> types.DocumentSymbol:
    """A declaration in the outline."""
    return types.DocumentSymbol(
        name=entry.name,
        kind=SYMBOL_KINDS.get(entry.kind, types.SymbolKind.Property),
        detail=entry.kind,
        range=place(text.typed, entry.begin, entry.end),
        selection_range=place(text.typed, entry.name_begin, entry.name_end),
        children=[symbol(text, each) for each in entry.inside],
    )


def colours(text: OpenDocument, pieces: Iterable[Piece]) -> list[int]:
    """Pieces as five numbers each: lines and columns from the piece before, length, kind, and no modifiers."""
    numbers: list[int] = []
    line = column = 0
    for start, end, kind in pieces:
        begin, stop = position(text.typed, start), position(text.typed, end)
        lines = begin.line - line
        columns = begin.character - (0 if lines else column)
        numbers += (lines, columns, stop.character - begin.character, KINDS.index(kind), 0)
        line, column = begin.line, begin.character
    return numbers


def location(uri: str, typed: str, span: Span) -> types.Location:
    """A place in a file."""
    return types.Location(uri, place(typed, span.start, span.end))
