"""Names for the types of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, Union

if TYPE_CHECKING:
    from everyply._everyply import Position

Outcome: TypeAlias = Literal["win", "draw", "loss"]
"""The result under best play, for the side to move."""

Move: TypeAlias = Union[int, str]
"""A column or cell counted from 1 on boards of stones and lines, the text of any other game."""

Cell: TypeAlias = Union[Move, tuple[int, int]]
"""A cell of a board: (row, column) from the top left, counted from 0, or the move that fills it."""

PositionLike: TypeAlias = "Position | str | Iterable[Move]"
"""A position, or the moves to it from the start: a move string or a list of moves."""

Progress: TypeAlias = Union[bool, Callable[[int, int], object], None]
"""True for a bar (needs tqdm), or a function of (done, total); total is 0 if it is unknown."""
