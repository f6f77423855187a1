"""`rulespec lsp`: a language server for editors, which speak to it through its input and output."""

import argparse
import sys

import rulespec
from rulespec.cli import FINE, WRONG_USAGE, files

SWITCH = 0.001  # seconds after which a key is answered although a check is running


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("--stdio", action="store_true", help="the default, which editors ask for")


def run(_arguments: argparse.Namespace) -> int:
    """Serve one editor until it goes."""
    try:
        from rulespec.lsp.server import make_server  # noqa: PLC0415 - an extra, which may not be there
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        files.complain("the language server needs a package: `pip install 'rulespec[lsp]'`")
        return WRONG_USAGE
    # This process serves one editor and ends with it.
    sys.setswitchinterval(SWITCH)
    make_server(rulespec.__version__).start_io()
    return FINE
