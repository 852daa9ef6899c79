"""Values of many positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    # At run time NumPy is imported with the first array, which makes the package quick to import.
    import numpy as np
    import numpy.typing as npt

UNKNOWN = -128
"""The outcome in an array where the value of a position is not known."""


class Values(NamedTuple):
    """Values of n positions, each for the side to move, as arrays of shape (n,)."""

    outcome: npt.NDArray[np.int8]
    """1 win, 0 draw, -1 loss; `UNKNOWN` (-128) where nothing is known."""
    remoteness: npt.NDArray[np.int16]
    """Plies to the end; -1 for endless play, or where it is not known."""
    score: npt.NDArray[np.int16]
    """Pons' scale; -32768 where the game has none, or it is not known."""
