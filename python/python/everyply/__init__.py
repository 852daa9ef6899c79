"""Ground truth about small two-player games of perfect information.

>>> import everyply as ep
>>> solver = ep.Solver(ep.ConnectFour())
>>> solver.value("44455554221")
Value(outcome='loss', remoteness=2, score=-15)

Results, values and scores are always for the side to move. Columns and cells count from 1.
"""

from everyply import kaggle
from everyply._everyply import (
    MNK,
    BuiltinGame,
    ConnectFour,
    Opponent,
    Position,
    Server,
    Solver,
    TicTacToe,
    Value,
    __version__,
    game,
    games,
)
from everyply._everyply import Opponent as opponent  # noqa: N813
from everyply._game import Game, GameSolution, PlyCounts, Totals, count, report, solve, tabulate
from everyply._laws import LawError, check_laws
from everyply._show import serve, show
from everyply._types import Move, Outcome, PositionLike, Progress
from everyply._values import UNKNOWN, Values

__all__ = [
    "MNK",
    "UNKNOWN",
    "BuiltinGame",
    "ConnectFour",
    "Game",
    "GameSolution",
    "LawError",
    "Move",
    "Opponent",
    "Outcome",
    "PlyCounts",
    "Position",
    "PositionLike",
    "Progress",
    "Server",
    "Solver",
    "TicTacToe",
    "Totals",
    "Value",
    "Values",
    "__version__",
    "check_laws",
    "count",
    "game",
    "games",
    "kaggle",
    "opponent",
    "report",
    "serve",
    "show",
    "solve",
    "tabulate",
]
