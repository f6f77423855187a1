"""C -> a library that is loaded: by the compiler of this system, or from what was compiled before.

What is kept goes by a digest of all that it was made of: the source, the compiler, how it is called. `shelf` sees to
it that nobody else puts anything there; what it gives back was compiled by us. A library is loaded from a
file of its own, in a folder that is ours alone and gone a moment later, and never from where it is kept.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from interpreter.compiled import shelf
from interpreter.compiled.writing import Unsupported

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=gnu11", "-O2", "-ftree-vectorize", "-shared", "-fPIC", "-w")
CPU = Path("/proc/cpuinfo")  # where a processor tells what it can do
SECONDS = 120  # that a compiler may take


def find_compiler() -> str:
    """The compiler of this system: `RULESPEC_CC`, or the first that is there."""
    wanted = os.environ.get("RULESPEC_CC")
    if wanted == "off":
        raise Unsupported("no compiler: RULESPEC_CC is off")
    if sys.platform == "win32" or sys.maxsize < 1 << 62:
        raise Unsupported("no C on this system: it needs 64 bits, and signals as POSIX has them")
    for name in (wanted,) if wanted else COMPILERS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise Unsupported(
        f"no compiler: none of {', '.join((wanted,) if wanted else COMPILERS)} is there"
    )


def find_abilities() -> str:
    """What this processor can do beyond others of its kind, if it tells; then a library is for it alone."""
    if os.uname().machine != "x86_64":
        return ""
    try:
        lines = CPU.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("flags")), "")


def list_flags() -> tuple[str, ...]:
    """How the compiler is called."""
    return (*FLAGS, "-march=native") if find_abilities() else FLAGS


def name_library(source: str, compiler: str) -> str:
    """Under which name a library is kept."""
    found = Path(compiler).resolve()
    told = found.stat()
    made_by = (
        str(found),
        told.st_size,
        told.st_mtime_ns,
        list_flags(),
        find_abilities(),
        os.uname().sysname,
        os.uname().machine,
    )
    return hashlib.sha256(repr(("library", source, made_by)).encode()).hexdigest()


def fetch_library(source: str) -> ctypes.CDLL | None:
    """A library that was compiled before, if it was."""
    kept = shelf.fetch(name_library(source, find_compiler()))
    return None if kept is None else load_library(kept)


def find_kept(source: str) -> Path | None:
    """The file in which a library is kept, if it is."""
    name, place = name_library(source, find_compiler()), shelf.folder()
    return None if place is None or shelf.fetch(name) is None else place / name


def build_library(source: str) -> ctypes.CDLL:
    """A library, compiled now if it is not kept."""
    found = fetch_library(source)
    if found is not None:
        return found
    compiler = find_compiler()
    content = compile_source(source, compiler)
    shelf.keep(name_library(source, compiler), content)
    return load_library(content)


def compile_source(source: str, compiler: str) -> bytes:
    """A library as bytes."""
    with tempfile.TemporaryDirectory(prefix="rulespec-") as folder:
        written, made = Path(folder, "game.c"), Path(folder, "game.so")
        written.write_text(source, "utf-8")
        call = [compiler, *list_flags(), "-o", str(made), str(written)]
        try:
            done = subprocess.run(call, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603 - found on the path
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unsupported(f"the compiler does not run: {error}") from error
        if done.returncode or not made.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise Unsupported(f"the compiler refuses: {said[0] if said else done.returncode}")
        return made.read_bytes()


def load_library(content: bytes) -> ctypes.CDLL:
    """A library that we have compiled, by now or before."""
    with tempfile.TemporaryDirectory(prefix="rulespec-") as folder:
        path = Path(folder, "game.so")
        path.write_bytes(content)
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            raise Unsupported(f"the library cannot be loaded: {error}") from error
