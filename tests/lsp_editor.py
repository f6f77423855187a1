"""An editor for tests: a client of pygls that starts `rulespec lsp` and speaks to it over its input and output."""

import asyncio
import sys
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ANSWER = 60  # seconds that an answer may take on a machine that does something else


class Editor:
    """Texts that are open in one server; what it publishes is kept by uri."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.client = LanguageClient("tests", "1")
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda params: self._hear(params)  # noqa: PLW0108 - pygls writes its name on it
        )
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(
            lambda params: self.messages.append(params.message)
        )
        self.wait(self.client.start_io(sys.executable, "-m", "rulespec", "lsp"))
        asked = types.InitializeParams(capabilities=types.ClientCapabilities(), process_id=None)
        self.started = self.wait(self.client.initialize_async(asked))
        self.client.initialized(types.InitializedParams())

    def _hear(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.setdefault(params.uri, []).append(params)

    def wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(ANSWER)

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a request."""
        kind = types.METHOD_TO_TYPES[method][2]

        async def send() -> Any:
            return await self.client.protocol.send_request_async(method, kind(**params))

        return self.wait(send())

    def tell(self, method: str, params: Any) -> None:
        self.loop.call_soon_threadsafe(self.client.protocol.notify, method, params)

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, with another text than it has if one is given."""
        uri = path.as_uri()
        self.texts[uri] = path.read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "rules", 1, self.texts[uri])
        self.tell(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
        return uri

    def close(self, uri: str) -> None:
        which = types.TextDocumentIdentifier(uri)
        self.tell(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(which))

    def type(self, uri: str, old: str, new: str) -> None:
        """Replace the first place of a text by another, as one change."""
        at = self.texts[uri].index(old)
        where = types.Range(self.place(uri, at), self.place(uri, at + len(old)))
        self.texts[uri] = self.texts[uri].replace(old, new, 1)
        self.versions[uri] += 1
        which = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangePartial(range=where, text=new)
        self.tell(
            types.TEXT_DOCUMENT_DID_CHANGE, types.DidChangeTextDocumentParams(which, [change])
        )

    def place(self, uri: str, offset: int) -> types.Position:
        before = self.texts[uri][:offset]
        column = before[before.rfind("\n") + 1 :]
        return types.Position(before.count("\n"), len(column.encode("utf-16-le")) // 2)

    def at(self, uri: str, word: str, inside: int = 1) -> dict[str, Any]:
        """The place of a word, as requests name it."""
        return {
            "text_document": types.TextDocumentIdentifier(uri),
            "position": self.place(uri, self.texts[uri].index(word) + inside),
        }

    def text(self, uri: str) -> dict[str, Any]:
        return {"text_document": types.TextDocumentIdentifier(uri)}

    def said(self, uri: str, where: types.Range) -> str:
        """What stands in a range."""
        lines = self.texts[uri].split("\n")
        first = lines[where.start.line].encode("utf-16-le")
        assert where.start.line == where.end.line
        return first[2 * where.start.character : 2 * where.end.character].decode("utf-16-le")

    def findings(self, uri: str, until: Any) -> list[types.Diagnostic]:
        """The findings that were published last, once they are as they should be."""
        end = time.monotonic() + ANSWER
        last: list[types.Diagnostic] = []
        while time.monotonic() < end:
            told = self.published.get(uri, [])
            last = list(told[-1].diagnostics) if told else []
            if told and until(last):
                return last
            time.sleep(0.02)
        raise AssertionError([(each.code, each.message) for each in last])

    def leave(self) -> None:
        self.wait(self.client.shutdown_async(None))
        self.loop.call_soon_threadsafe(self.client.exit, None)
        self.wait(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
