"""Values of positions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from everyply._types import Outcome

_SIGNS = {"loss": -1, "draw": 0, "win": 1}


@dataclass(frozen=True, repr=False)
class Value:
    """The value of a position for the side to move.

    outcome: "win", "draw" or "loss" under best play of both sides.
    remoteness: plies to the end of the game if the winner hurries and the loser delays; None
        for a draw by endless play, or if only the outcome is known.
    score: Pons' score, on boards of stones and lines: 1 for a win with the winner's last stone, 2
        with the last but one, and so on; negative for a loss, 0 for a draw. None for other games.

    Ordered by preference: quick wins, slow wins, endless draws, draws, slow losses, quick losses.
    The score is the value on another scale and is not compared. Two wins, or two losses, have no
    order if one has no remoteness.
    """

    outcome: Outcome
    """"win", "draw" or "loss" under best play, for the side to move."""
    remoteness: int | None = None
    """Plies to the end of the game under best play; None if there is no end or it is unknown."""
    score: int | None = field(default=None, compare=False)
    """The value on Pons' scale; None for games without a board of stones and lines."""

    def __post_init__(self) -> None:
        if not isinstance(self.outcome, str):
            raise TypeError(f"outcome is a str, not {type(self.outcome).__name__}")
        if self.outcome not in _SIGNS:
            raise ValueError(f"outcome '{self.outcome}': choose 'win', 'draw' or 'loss'")
        if self.remoteness is not None and not 0 <= self.remoteness <= 255:
            raise ValueError(f"remoteness {self.remoteness}: a number of plies from 0 to 255")

    def _is(self, order: Callable[[Any, Any], Any], other: object) -> Any:
        """Returns True if the values are in this order; NotImplemented if they have none."""
        if not isinstance(other, Value):
            return NotImplemented
        plies = (self.remoteness, other.remoteness)
        if self.outcome == other.outcome != "draw" and None in plies and self != other:
            return NotImplemented
        return order(self._preference(), other._preference())

    def _preference(self) -> tuple[int, float]:
        plies = inf if self.remoteness is None else self.remoteness
        return _SIGNS[self.outcome], -plies if self.outcome == "win" else plies

    def __lt__(self, other: Value) -> bool:
        return self._is(operator.lt, other)  # type: ignore[no-any-return]

    def __le__(self, other: Value) -> bool:
        return self._is(operator.le, other)  # type: ignore[no-any-return]

    def __gt__(self, other: Value) -> bool:
        return self._is(operator.gt, other)  # type: ignore[no-any-return]

    def __ge__(self, other: Value) -> bool:
        return self._is(operator.ge, other)  # type: ignore[no-any-return]

    def __neg__(self) -> Value:
        """Returns the value for the other side."""
        other: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
        score = None if self.score is None else -self.score
        return Value(other[self.outcome], self.remoteness, score)

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score={self.score}"
        return f"Value(outcome={self.outcome!r}, remoteness={self.remoteness}{score})"

    def __str__(self) -> str:
        """Writes the value in the words of the command line: "win in 3 plies"."""
        if self.remoteness is None:
            return self.outcome
        if self.remoteness == 0:
            return f"{self.outcome}, the game is over"
        return f"{self.outcome} in {self.remoteness} {'ply' if self.remoteness == 1 else 'plies'}"
