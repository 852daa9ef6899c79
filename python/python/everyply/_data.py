"""Positions with their exact values: data sets and samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everyply._everyply import Solver, _keys, _root, _sample
from everyply._run import behind
from everyply._values import Dataset

if TYPE_CHECKING:
    from everyply._everyply import BuiltinGame, Position
    from everyply._game import Game
    from everyply._table import Table
    from everyply._types import PositionLike, Progress


def dataset(
    game: BuiltinGame | Position | Game[Any, Any] | str,
    position: PositionLike | int | None = None,
    plies: int | None = None,
    *,
    solver: Solver | None = None,
    progress: Progress = None,
) -> Dataset:
    """Returns every position a number of plies below the start of a game, or a position, with its
    exact value, as arrays for training. Finished games are left out.

    game: a game, its name, or a position. position: one of that game, as moves or a Position.
    plies: the number of plies below the root.
    solver: the source of values that no book has; a new Solver for None.
    progress: True for a bar (needs tqdm), or a function of (positions valued, all positions).

    Returns Dataset: arrays of n rows by ascending key: key, planes, outcome, remoteness, score and
    moves.

    Raises ValueError for a game that has no board of stones, MemoryError if it does not fit.
    """
    position, below = behind("plies", int, position, plies)
    root = _root(game, position)
    if not isinstance(solver, Solver | None):
        raise TypeError(f"solver is a Solver, not {type(solver).__name__}")
    if solver is not None and solver.game != root.game:
        raise ValueError(f"the solver is for {solver.game.title}, not {root.game.title}")
    keys = _keys(root, below)
    values = (solver or Solver(root)).values(keys, progress=progress)
    planes = root.game.planes(keys)
    free = planes.sum(axis=1) == 0
    # Stones fall if there is a move for each column: it is free if its top cell is.
    falls = len(root.game.initial.legal_moves) == free.shape[2]
    moves = free[:, 0] if falls else free.reshape(len(keys), -1)
    return Dataset(keys, planes, *values, moves)


def sample(
    game: BuiltinGame | Position | Game[Any, Any] | str,
    position: PositionLike | int | None = None,
    number: int | None = None,
    *,
    plies: int | tuple[int, int] | None = None,
    per_ply: bool = False,
    uniform: bool = False,
    balance: bool = False,
    seed: int = 0,
    all_moves: bool = False,
    mirror: bool = False,
    threads: int | None = None,
    progress: Progress = None,
) -> Table:
    """Returns random positions with their exact values, as `analyze sample` writes them: no
    finished game, and each position once up to symmetry.

    game: a game, its name, or a position that all of them follow. position: one of that game, as
        moves or a Position. number: the number of positions.
    plies: the ply of the positions, or the first and the last as (8, 30); any for None.
    per_ply: `number` positions of each ply.
    uniform: every position is as likely as any other, instead of random games; for games of which
        all positions fit memory.
    balance: positions are left out, at random, until as many are won as drawn and as lost; all are
        valued, and the table has fewer than `number`.
    seed: equal seeds give the same table.
    all_moves: the value of every move as well.
    mirror: every image of a position, in Connect Four the mirror image.
    threads: the number of threads; all of the machine for None.
    progress: True for a bar (needs tqdm), or a function of (positions valued, all positions).

    Returns Table: key, ply, moves, board, to_move, outcome, remoteness, pons_score, best and the
    values of moves, by ply and key; games without a board of stones have `position` and no score.

    Raises ValueError if there are fewer positions, MemoryError if the game does not fit.
    """
    position, drawn = behind("number", int, position, number)
    root = _root(game, position)
    options = (plies, per_ply, uniform, balance, seed, all_moves, mirror)
    return _sample(root, drawn, *options, threads, progress)
