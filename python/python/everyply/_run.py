"""Commands of `analyze` inside a program."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

from everyply._everyply import _root, _run, _words

if TYPE_CHECKING:
    from everyply._everyply import BuiltinGame, Position
    from everyply._game import Game
    from everyply._types import PositionLike, Progress

T = TypeVar("T")


def run(words: Iterable[str | PathLike[str]], *, progress: Progress = None) -> dict[str, Any]:
    """Runs a command of `analyze` and returns the document that it prints with `--json`.

    >>> import everyply as ep
    >>> ep.run(["count", "ttt", "--plies", "2", "--no-db"])["plies"][2]["nodes"]
    72

    words: the command line after `analyze`, word by word.
    progress: True for a bar (needs tqdm), or a function of (done, 0).

    Ctrl-C stops it. Raises ValueError for a wrong command line, a position or a size that does not
    fit, OSError for files and other failures, RuntimeError if a verification finds a mismatch, and
    TimeoutError after `--timeout`.
    """
    text = _run(["analyze", *[os.fspath(word) for word in words], "--json"], None, progress)
    document: dict[str, Any] = json.loads(text)
    return document


def run_on(
    command: str,
    game: BuiltinGame | Position | Game[Any, Any] | str,
    position: PositionLike | None,
    options: Mapping[str, object],
) -> dict[str, Any]:
    """Returns the document of a command on a position; options that are None are left out."""
    root = _root(game, position)
    words = [command, *_words(root)]
    for option, value in options.items():
        words += [] if value is None else [f"--{option}", str(value)]
    document: dict[str, Any] = json.loads(_run(["analyze", *words, "--json"], root))
    return document


def behind(
    name: str, kind: type[T], position: PositionLike | T | None, argument: T | None
) -> tuple[PositionLike | None, T]:
    """Returns the arguments behind a game: a position, which may be left out, and an argument that
    may not. The second argument of `compare(game, 9)` is the depth."""
    if argument is None and isinstance(position, kind):
        position, argument = None, position
    if argument is None:
        raise TypeError(f"missing argument: {name}")
    return position, argument  # type: ignore[return-value]
