"""Making strategies of Connect Four."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from everyply._everyply import Strategy, strategies
from everyply._run import behind, run_on

if TYPE_CHECKING:
    from everyply._everyply import BuiltinGame, Position
    from everyply._types import PositionLike


def strategy(
    game: BuiltinGame | Position | str,
    position: PositionLike | None = None,
    side: Literal["first", "second"] | None = None,
    *,
    claim: Literal["win", "draw"] | None = None,
    improve: float = 0.0,
    seconds: float | None = None,
) -> Strategy:
    """Makes a strategy of Connect Four, as `analyze strategy` does: a small set of positions and
    plans by which a side gets what it claims against every play of the other side, without a
    search. It is played through before it is returned.

    game: a board, its name, or the position to start from. position: one of that board, as moves or a
        Position.
    side: "first" or "second", the side that follows it.
    claim: "win", or "draw" for a draw or better; for None the value of the position for that side.
    improve: seconds to make it smaller once there is one. seconds: the limit for finding one.

    Raises ValueError if the claim does not hold, the game is over, or the board does not fit 64 bits;
    TimeoutError if there is none after `seconds`.
    """
    position, follower = behind("side", str, position, side)
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.strategy")
        options = {"for": follower, "claim": claim, "improve": improve, "timeout": seconds, "out": path}
        run_on("strategy", game, position, options)
        (strategy,) = strategies(path)
        return strategy
