"""An agent for Kaggle's ConnectX, perfect where its time allows.

>>> from kaggle_environments import make
>>> make("connectx").run([agent, "random"])
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import everyply as ep

RESERVE = 0.75
"""Seconds of a move that are left for a short search, if time runs out, and for Python itself."""


def field(given: Any, name: str, default: Any = None) -> Any:
    """A field of an object or a mapping: Kaggle passes either."""
    get = given.get if isinstance(given, Mapping) else lambda *at: getattr(given, *at)
    found = get(name, default)
    if found is None:
        raise ValueError(f"there is no '{name}' in {given!r}")
    return found


@lru_cache(maxsize=1)
def opponent(seconds: float) -> ep.Opponent:
    """The player, which keeps what it learns from move to move."""
    return ep.Opponent("perfect", seconds=seconds)


def agent(observation: Any, configuration: Any) -> int:
    """Returns the column to play, counted from 0.

    observation: `board`, a list of columns x rows numbers from the top left (0 empty, 1 and 2 for
        the players), and `mark`, the player to move.
    configuration: `columns`, `rows`, `inarow`, and `actTimeout`, the seconds for a move.

    If time runs out, the move is the best of a short search. On boards of more than 64 bits, and
    in positions that no game reaches, the agent looks one move ahead.

    Raises ValueError if the board does not fit its size or no move is possible.
    """
    columns = int(field(configuration, "columns"))
    rows = int(field(configuration, "rows"))
    line = int(field(configuration, "inarow"))
    seconds = float(field(configuration, "actTimeout", 2.0))
    board = [int(cell) for cell in field(observation, "board")]
    mark = int(field(observation, "mark"))
    if len(board) != columns * rows or not set(board) <= {0, 1, 2} or mark not in (1, 2):
        raise ValueError(
            f"board: {columns} x {rows} numbers 0, 1 or 2 and a mark 1 or 2 are needed, not "
            f"{len(board)} numbers and mark {mark}"
        )
    playable = [column for column in range(columns) if board[column] == 0]
    if not playable:
        raise ValueError("board: every column is full")
    # The player who began has as many stones as the other side when he is to move; his stones are X.
    first = mark if board.count(1) == board.count(2) else 3 - mark
    signs = {0: ".", first: "X", 3 - first: "O"}
    picture = "".join(signs[cell] for cell in board)
    picture = "/".join(picture[row * columns : (row + 1) * columns] for row in range(rows))
    try:
        position = ep.ConnectFour(columns, rows, line).from_board(picture)
        return int(opponent(max(seconds - RESERVE, 0.4 * seconds)).move(position)) - 1
    except ValueError:
        return one_ahead(board, columns, rows, line, mark, playable)


def one_ahead(
    board: list[int], columns: int, rows: int, line: int, mark: int, playable: list[int]
) -> int:
    """Returns a column that wins at once, else one that stops the other side, else a central one."""

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
