"""Ground truth about small two-player games of perfect information.

>>> import everyply as ep
>>> solver = ep.Solver(ep.ConnectFour())
>>> solver.value("44455554221")
Value(outcome='loss', remoteness=2, score=-15)

Results, values and scores are always for the side to move. Columns and cells count from 1.
"""

from everyply._everyply import (
    MNK,
    BuiltinGame,
    ConnectFour,
    Position,
    Solver,
    TicTacToe,
    Value,
    __version__,
    game,
    games,
)
from everyply._types import Move, Outcome, PositionLike, Progress
from everyply._values import UNKNOWN, Values

__all__ = [
    "MNK",
    "UNKNOWN",
    "BuiltinGame",
    "ConnectFour",
    "Move",
    "Outcome",
    "Position",
    "PositionLike",
    "Progress",
    "Solver",
    "TicTacToe",
    "Value",
    "Values",
    "__version__",
    "game",
    "games",
]
