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
    Database,
    Position,
    Report,
    Solution,
    SolutionFile,
    Solver,
    Table,
    TicTacToe,
    Value,
    __version__,
    compare,
    count,
    dataset,
    game,
    games,
    search,
    solve,
    solve_to_file,
)
from everyply._types import Move, Outcome, PositionLike, Progress
from everyply._values import UNKNOWN, Dataset, Values

__all__ = [
    "MNK",
    "UNKNOWN",
    "BuiltinGame",
    "ConnectFour",
    "Database",
    "Dataset",
    "Move",
    "Outcome",
    "Position",
    "PositionLike",
    "Progress",
    "Report",
    "Solution",
    "SolutionFile",
    "Solver",
    "Table",
    "TicTacToe",
    "Value",
    "Values",
    "__version__",
    "compare",
    "count",
    "dataset",
    "game",
    "games",
    "search",
    "solve",
    "solve_to_file",
]
