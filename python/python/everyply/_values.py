"""Many positions as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    # At run time NumPy is imported with the first array, which makes the package quick to import.
    import numpy as np
    import numpy.typing as npt

UNKNOWN = -128
"""The outcome in an array of a position with an unknown value."""


class Values(NamedTuple):
    """Values of n positions, each for the side to move, as arrays of shape (n,)."""

    outcome: npt.NDArray[np.int8]
    """1 win, 0 draw, -1 loss; `UNKNOWN` (-128) if the value is unknown."""
    remoteness: npt.NDArray[np.int16]
    """Plies to the end; -1 for endless play, or if it is unknown."""
    score: npt.NDArray[np.int16]
    """Score by Pons; -32768 if the game has none, or it is unknown."""


class Dataset(NamedTuple):
    """n positions with their exact values, each for the side to move, by ascending key."""

    key: npt.NDArray[np.uint64]
    """Shape (n,): `game.from_key` returns the position."""
    planes: npt.NDArray[np.uint8]
    """Shape (n, 2, rows, columns), the top row first: 1 for a stone of the side to move (plane 0),
    or of the other side (plane 1)."""
    outcome: npt.NDArray[np.int8]
    """Shape (n,): 1 win, 0 draw, -1 loss."""
    remoteness: npt.NDArray[np.int16]
    """Shape (n,): plies to the end."""
    score: npt.NDArray[np.int16]
    """Shape (n,): score by Pons."""
    moves: npt.NDArray[np.bool_]
    """Shape (n, columns), or (n, cells) if any empty cell may be played: True for legal moves;
    move m has index m - 1."""
