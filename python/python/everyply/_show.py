"""The explorer in a browser tab or a cell of a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

from everyply._everyply import BuiltinGame, Position, Server, _serve, games
from everyply._everyply import game as named
from everyply._game import Game, _find

if TYPE_CHECKING:
    from everyply._everyply import _Table

_shared: Server | None = None
"""The server of all positions that are shown."""
_own: list[Server] = []
"""The servers of games written in Python that are shown."""


def _page(game: BuiltinGame | None, moves: Iterable[object] = ()) -> str:
    """The address of a position in the explorer."""
    from urllib.parse import urlencode

    if game is None:
        return "/"
    query: dict[str, str] = {}
    played = [str(move) for move in moves]
    if game.name in ("ttt", "mnk", "connect4"):
        width, height, line = game.parameters
        query = {"size": f"{width}x{height}", "line": str(line)}
        path = f"/{game.name}"
    else:
        query = {"parameters": "-".join(str(number) for number in game.parameters)}
        path = f"/game/{game.name}"
    if played:
        query["moves"] = ",".join(played)
    return f"{path}?{urlencode(query)}"


def serve(
    game: Game[Any, Any] | BuiltinGame | str | None = None,
    *,
    files: Iterable[str | PathLike[str]] = (),
    port: int = 0,
) -> Server:
    """Serves the explorer in the background, for this machine alone, and gives a handle to stop it.

    game: `url` leads to its page; a game written in Python is served beside all others.
    files: databases and solution files that are searched for values first.
    port: 0 takes any free port.

    Raises OSError if the port is not available or a file cannot be read.
    """
    table: _Table | None = None
    if isinstance(game, Game):
        table = _find(game, None, None)
        game = table.game()
    elif isinstance(game, str):
        game = named(game)
    elif game is not None and not isinstance(game, BuiltinGame):
        raise TypeError(f"a game is an everyply.Game or a built-in one, not {type(game).__name__}")
    if not 0 <= port <= 65535:
        raise ValueError(f"port {port}: from 0 to 65535 are possible")
    return _serve(table, _page(game), list(files), port)


def _in_notebook() -> bool:
    """True in a notebook, whose cells show pages."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def show(
    position: Position | BuiltinGame | Game[Any, Any] | str, *, width: int = 900, height: int = 640
) -> object:
    """Shows a position in the explorer: in the cell of a notebook, else in a tab of the browser.

    position: a Position, or a game or its name for its start.

    A server starts in the background with the first position shown, and ends with the process.
    width, height: of the frame in a notebook, in pixels.

    Gives the frame, or the address.
    """
    global _shared
    if isinstance(position, Game):
        served = serve(position)
        _own.append(served)
        return _open(served.url, width, height)
    if isinstance(position, str):
        position = named(position)
    if isinstance(position, BuiltinGame):
        position = position.initial
    if not isinstance(position, Position):
        raise TypeError(f"a Position is shown, not {type(position).__name__}")
    if position.game.name not in [name for name, _ in games()]:
        raise ValueError(f"{position.game!r}: a game written in Python is shown by serve(game)")
    if _shared is None or not _shared.running:
        _shared = serve()
    address = f"http://127.0.0.1:{_shared.port}{_page(position.game, position.moves)}"
    return _open(address, width, height)


def _open(address: str, width: int, height: int) -> object:
    """Opens an address in the cell of a notebook, or a tab of the browser."""
    if _in_notebook():
        from IPython.display import IFrame

        frame: object = IFrame(address, width=width, height=height)
        return frame
    import webbrowser

    webbrowser.open(address)
    return address
