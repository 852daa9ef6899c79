"""An agent for Kaggle's ConnectX.

>>> from kaggle_environments import make  # doctest: +SKIP
>>> make("connectx").run([everyply.kaggle.agent, "random"])  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from everyply._everyply import _connect

RESERVE = 0.75
"""Seconds of a move reserved for unproved positions (a short search) and for Python itself."""


def _field(given: Any, name: str, default: Any = None) -> Any:
    """A field of an argument from Kaggle, which is an object or a mapping."""
    if isinstance(given, Mapping):
        found = given.get(name, default)
    else:
        found = getattr(given, name, default)
    if found is None:
        raise ValueError(f"there is no '{name}' in {given!r}")
    return found


def agent(observation: Any, configuration: Any) -> int:
    """The column to play, counted from 0: perfect if the time allows it.

    observation: `board`, a list of columns x rows numbers from the top left (0 empty, 1 and 2 for
        the players), and `mark`, the player to move.
    configuration: `columns`, `rows`, `inarow`, and `actTimeout`, the seconds for a move.

    If time runs out, the move is one that is proved to win, else the best of a short search among
    moves not proved to lose. On boards that the solver does not support, the agent looks one move
    ahead.

    Raises ValueError if the board does not fit its size or no move is possible.
    """
    columns = int(_field(configuration, "columns"))
    rows = int(_field(configuration, "rows"))
    line = int(_field(configuration, "inarow"))
    seconds = float(_field(configuration, "actTimeout", 2.0))
    board = [int(cell) for cell in _field(observation, "board")]
    mark = int(_field(observation, "mark"))
    if len(board) != columns * rows or not set(board) <= {0, 1, 2} or mark not in (1, 2):
        raise ValueError(
            f"board: {columns} x {rows} numbers 0, 1 or 2 and a mark 1 or 2 are needed, not "
            f"{len(board)} numbers and mark {mark}"
        )
    playable = [column for column in range(columns) if board[column] == 0]
    if not playable:
        raise ValueError("board: every column is full")
    # X has as many stones as O when X is to move.
    first = mark if board.count(1) == board.count(2) else 3 - mark
    signs = {0: ".", first: "X", 3 - first: "O"}
    picture = "".join(signs[cell] for cell in board)
    picture = "/".join(picture[row * columns : (row + 1) * columns] for row in range(rows))
    if max(columns, rows, line) <= 255:
        found = _connect(columns, rows, line, picture, max(seconds - RESERVE, 0.4 * seconds))
        if found is not None:
            return found[0]
    return _one_ahead(board, columns, rows, line, mark, playable)


def _one_ahead(
    board: list[int], columns: int, rows: int, line: int, mark: int, playable: list[int]
) -> int:
    """A column that wins at once, else one that blocks the other side's win, else a central one."""

    def completes(column: int, mark: int) -> bool:
        row = max(row for row in range(rows) if board[row * columns + column] == 0)

        def run(down: int, right: int) -> int:
            length, r, c = 0, row + down, column + right
            while 0 <= r < rows and 0 <= c < columns and board[r * columns + c] == mark:
                length, r, c = length + 1, r + down, c + right
            return length

        return any(
            run(down, right) + 1 + run(-down, -right) >= line
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]
        )

    for side in (mark, 3 - mark):
        for column in playable:
            if completes(column, side):
                return column
    return min(playable, key=lambda column: (abs(2 * column - columns + 1), column))
