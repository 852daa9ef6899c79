"""Exact values, counts and solutions of small two-player games of perfect information.

>>> import everyply as ep
>>> solver = ep.Solver(ep.ConnectFour())
>>> solver.value("44455554221")
Value(outcome='loss', remoteness=2, score=-15)

Results, values and scores are always for the side to move. Columns and cells count from 1.
"""

from everyply import plot
from everyply._boards import MNK, ConnectFour, TicTacToe
from everyply._everyply import (
    BuiltinGame,
    Database,
    Position,
    Server,
    Solver,
    Strategy,
    __version__,
    game,
    games,
    strategies,
)
from everyply._data import dataset, sample
from everyply._explain import Explanation, Plan, explain
from everyply._game import Game, count, tabulate
from everyply._laws import LawError, check_laws
from everyply._run import run
from everyply._search import Report, compare, search
from everyply._serve import serve
from everyply._solution import Solution, Totals, report, solve
from everyply._strategy import strategy
from everyply._table import Table
from everyply._types import Move, Outcome, PositionLike, Progress
from everyply._value import Value
from everyply._values import UNKNOWN, Dataset, Values

__all__ = [
    "MNK",
    "UNKNOWN",
    "BuiltinGame",
    "ConnectFour",
    "Database",
    "Dataset",
    "Explanation",
    "Game",
    "LawError",
    "Move",
    "Outcome",
    "Plan",
    "Position",
    "PositionLike",
    "Progress",
    "Report",
    "Server",
    "Solution",
    "Solver",
    "Strategy",
    "Table",
    "TicTacToe",
    "Totals",
    "Value",
    "Values",
    "__version__",
    "check_laws",
    "compare",
    "count",
    "dataset",
    "explain",
    "game",
    "games",
    "plot",
    "report",
    "run",
    "sample",
    "search",
    "serve",
    "solve",
    "strategies",
    "strategy",
    "tabulate",
]
