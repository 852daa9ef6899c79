"""Searches to a depth, and the savings of their ideas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from everyply._everyply import _Columns, _root, _search
from everyply._run import behind, run_on
from everyply._table import Table

if TYPE_CHECKING:
    from everyply._everyply import BuiltinGame, Position
    from everyply._game import Game
    from everyply._types import Move, PositionLike
    from everyply._value import Value


class Report(NamedTuple):
    """Results of a search to a depth, for the side to move at the root."""

    root: Position
    """The position searched."""
    depth: int
    """The depth of the last iteration: a proven win or loss ends the search early."""
    score: float
    """The score at that depth for the side to move, in points of the game's evaluation; a proven
    win in r plies is 1,000,000 - r, a proven loss the negative of that, a draw 0."""
    value: Value | None
    """The value, if the search proved it."""
    best_moves: list[Move]
    """The moves that attain the score, ascending."""
    variation: list[Move]
    """Best play of both sides, to the depth of the search."""
    nodes: int
    """Positions visited in all iterations."""
    moves: Table
    """The moves of the root, as a Table: move as text, score for the side that makes it (null if
    the search proved only that another move is better), nodes."""
    iterations: Table
    """The iterations, as a Table: depth, score, nodes, leaf_evaluations, table_probes, table_hits,
    table_stores, table_replacements, cutoffs, first_move_cutoffs, elapsed_s in seconds; each of
    that iteration alone. threads is the number of threads that searched it."""


def search(
    game: BuiltinGame | Position | Game[Any, Any] | str,
    position: PositionLike | int | None = None,
    depth: int | None = None,
    *,
    threads: int | None = None,
    table_mib: int = 64,
) -> Report:
    """Searches the start of a game, or a position, to a depth by principal variation search with
    iterative deepening and a transposition table. The score is the minimax value at that depth for
    any number of threads and any table.

    game: a game, its name, or a position. position: one of that game, as moves or a Position.
    depth: plies below the root, at least 1; plies after the end of the game are left out.
    table_mib: MiB of the transposition table.

    Raises ValueError for a game whose play may be endless, which has no such search.
    """
    position, plies = behind("depth", int, position, depth)
    return _search(_root(game, position), plies, threads, table_mib)


def compare(
    game: BuiltinGame | Position | Game[Any, Any] | str,
    position: PositionLike | int | None = None,
    depth: int | None = None,
    *,
    limit_s: float = 30.0,
    order: Literal["best", "natural", "worst"] = "best",
    evaluation: Literal["own", "none"] = "own",
    threads: int | None = None,
    table_mib: int = 64,
) -> Table:
    """Searches the start of a game, or a position, by plain minimax and then with one more idea at
    a time, to every depth up to a limit (`analyze compare`). All searches give the same score.

    game: a game, its name, or a position. position: one of that game, as moves or a Position.
    depth: the deepest. limit_s: seconds a search may take; one that would take longer is left out,
        with the deeper ones of its algorithm, so that they have no row. A search that is too short
        to be shared by threads has no row of all threads.
    order: "best" tries promising moves first from the idea of move ordering on, "worst" last;
        "natural" leaves the idea out.
    evaluation: of positions at the depth: "own", the game's, or "none".

    Returns a Table: algorithm, depth, threads, score (for the side to move), nodes,
    leaf_evaluations, effective_branching_factor, saved_factor (nodes of minimax divided by nodes of
    the row; null if unknown), elapsed_s in seconds and first_player_score.
    """
    position, plies = behind("depth", int, position, depth)
    options: dict[str, object] = {"depth": plies, "limit": limit_s, "order": order}
    options |= {"evaluation": evaluation, "threads": threads, "table-size": table_mib}
    searched = run_on("compare", game, position, options)["rows"]
    rows = [row for row in searched if row["score"] is not None]
    wholes = ("depth", "threads", "nodes", "leaf_evaluations")
    names = (
        "algorithm", "depth", "threads", "score", "nodes", "leaf_evaluations",
        "effective_branching_factor", "saved_factor", "elapsed_s", "first_player_score",
    )  # fmt: skip
    columns = {name: [row[name] for row in rows] for name in names}
    columns |= {name: [number or 0 for number in columns[name]] for name in wholes}
    return Table(_Columns(list(columns.items())))
