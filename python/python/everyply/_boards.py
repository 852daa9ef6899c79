"""Boards of stones and lines by the names of their games."""

from __future__ import annotations

from everyply._everyply import BuiltinGame, game


def ConnectFour(width: int = 7, height: int = 6, line: int = 4) -> BuiltinGame:  # noqa: N802
    """Returns Connect Four on any board of width x (height + 1) <= 128 cells. Keys of boards of
    more than 64 bits fit no array and no file; all else works on them.

    width, height: columns and rows. line: the length of a winning line.
    """
    return game("connect4", size=(width, height), line=line)


def MNK(m: int, n: int, k: int) -> BuiltinGame:  # noqa: N802
    """Returns an m,n,k game: stones on any empty cell of a board of m columns and n rows, at most
    40 cells; k in a row win.
    """
    return game("ttt", size=(m, n), line=k)


def TicTacToe() -> BuiltinGame:  # noqa: N802
    """Returns tic-tac-toe: 3x3, three in a row. Equal to MNK(3, 3, 3)."""
    return game("ttt")
