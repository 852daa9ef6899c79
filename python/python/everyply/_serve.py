"""The explorer in the background."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from everyply._everyply import BuiltinGame, Server, _serve
from everyply._everyply import game as named
from everyply._game import Game, tabulate


def serve(
    game: Game[Any, Any] | BuiltinGame | str | None = None,
    *,
    files: Iterable[str | PathLike[str]] = (),
    port: int = 0,
) -> Server:
    """Serves the explorer in the background, on this machine alone; the handle can stop it.

    game: `url` leads to its page; a game written in Python is served beside all others.
    files: databases and solution files that are searched for values first.
    port: 0 takes any free port.

    Raises OSError if the port is not available or a file cannot be read.
    """
    if isinstance(game, Game):
        game = tabulate(game)
    if isinstance(game, str):
        game = named(game)
    elif game is not None and not isinstance(game, BuiltinGame):
        raise TypeError(f"a game is an everyply.Game or a built-in one, not {type(game).__name__}")
    if not 0 <= port <= 65535:
        raise ValueError(f"port {port}: from 0 to 65535 are possible")
    return _serve(game, _page(game), list(files), port)


def _page(game: BuiltinGame | None) -> str:
    """Returns the address of a game in the explorer."""
    if game is None:
        return "/"
    if game.name in ("ttt", "mnk", "connect4"):
        width, height, line = game.parameters
        return f"/{game.name}?size={width}x{height}&line={line}"
    return f"/game/{game.name}?parameters={'-'.join(map(str, game.parameters))}"
