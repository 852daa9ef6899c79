"""Commands of `analyze` inside a program."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from everyply._everyply import _run

if TYPE_CHECKING:
    from everyply._types import Progress


def run(words: Iterable[str | PathLike[str]], *, progress: Progress = None) -> dict[str, Any]:
    """Runs a command of `analyze` and gives its document: what it prints with `--json`.

    >>> import everyply as ep
    >>> ep.run(["count", "ttt", "--plies", "2", "--no-db"])["plies"][2]["nodes"]
    72

    words: the command line after `analyze`, word by word.
    progress: True for a bar (needs tqdm), or a function of (done, 0).

    Ctrl-C stops it. Raises ValueError for a wrong command line, a position or a size that does not fit,
    OSError for files and other failures, RuntimeError if a verification finds a mismatch, and
    TimeoutError after `--timeout`.
    """
    document: dict[str, Any] = json.loads(_run(["analyze", *map(fspath, words), "--json"], None, progress))
    return document
