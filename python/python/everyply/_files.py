"""Files made of solutions and databases, and checks of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from everyply._everyply import BuiltinGame, Database, Position, _export, _verify, games
from everyply._game import Game
from everyply._solution import Solution, solve

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from everyply._everyply import _Store
    from everyply._types import Outcome, Progress

    Source: TypeAlias = (
        Solution[Any, Any]
        | Database
        | Game[Any, Any]
        | BuiltinGame
        | Position
        | str
        | PathLike[str]
    )


class Verified(NamedTuple):
    """The findings of `verify`; `agrees` is True if nothing disagrees."""

    positions: int
    """Positions that were checked by the rules and against each other, or compared."""
    solved: int
    """Positions of the sample that were solved anew."""
    agreements: int
    """Positions of these whose value was the same."""
    unsolved: int
    """Positions drawn and left out: the time was up, or they do not fit memory."""
    disagreements: list[str]
    """Everything that disagrees, with both sides."""

    @property
    def agrees(self) -> bool:
        """True if nothing disagrees."""
        return not self.disagreements


def _source(source: Source) -> _Store | str:
    """A solution, or the path of a file."""
    if isinstance(source, Database):
        return str(source.path)
    is_name = isinstance(source, str) and source in [name for name, _ in games()]
    if is_name or isinstance(source, Game | BuiltinGame | Position):
        source = solve(source)  # type: ignore[arg-type]
    if isinstance(source, Solution):
        return source._store
    return fspath(source)


def export(
    source: Source,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    game: BuiltinGame | None = None,
    plies: str | None = None,
    outcome: Outcome | Iterable[Outcome] = (),
    remoteness: str | None = None,
    mirror: bool = False,
    all_moves: bool = False,
    progress: Progress = None,
) -> dict[str, Any]:
    """Writes positions with their values to a file, as `analyze export` does, and a manifest beside
    it. Both appear whole or not at all.

    source: a Solution, a Database, the path of a database or a solution file; or a game, its name
        or a position, which is solved first.
    format: "csv", "jsonl", "parquet", and of Connect Four "uci" and "pons"; for
        None that of the path's ending, "csv" unless it is .jsonl or .parquet.
    game: the game, if a database holds several.
    plies, remoteness: the plies, or the distances to the end, as "8", "0-8" or "4,6-8"; all for None.
    outcome: "win", "draw" or "loss" for the side to move, or several of them; all if it is empty.
    mirror: write every image of a position. all_moves: write the value of every move too.
    progress: True for a bar (needs tqdm), or a function of (positions done, 0).

    Returns the manifest: rows, columns, perspective, SHA-256 and more.

    Raises ValueError if the format does not suit the game or no position is left, and OSError if a
    file cannot be read or written.
    """
    if format is None:
        ending = Path(path).suffix[1:]
        format = ending if ending in ("jsonl", "parquet") else "csv"
    outcomes = [outcome] if isinstance(outcome, str) else list(outcome)
    _export(
        _source(source),
        path,
        format,
        game,
        plies,
        outcomes,
        remoteness,
        mirror,
        all_moves,
        progress,
    )
    manifest: dict[str, Any] = json.loads(
        Path(f"{fspath(path)}.manifest.json").read_text(encoding="utf-8")
    )
    return manifest


def verify(
    source: Source,
    *,
    game: BuiltinGame | None = None,
    sample: int | None = None,
    seed: int = 1,
    seconds: float | None = 60.0,
    against: str | PathLike[str] | None = None,
    against_format: str | None = None,
    values_only: bool = False,
    progress: Progress = None,
) -> Verified:
    """Checks values, as `analyze verify` does. Of a database: every row by the rules and against
    the rows its moves lead to, the rows per ply against exact counts, and a sample solved anew. Of
    a solution file of a whole board: every checksum, and every value by solving the board again.
    `Strategy.check` checks strategies.

    source, game: as for `export`.
    sample: positions to solve anew, drawn at random by `seed`; for None 100, or none with `against`.
    seconds: the time for them; None for no limit.
    against: a file of another program to compare with. against_format: its format; by its content
        for None. values_only: compare with it, and check nothing else.

    Raises OSError if a file cannot be read or is damaged, ValueError if `against` does not suit.
    """
    if values_only and against is None:
        raise ValueError("values_only: only with `against` are there values to compare")
    if sample is None:
        sample = 100 if against is None else 0
    found = _verify(
        _source(source),
        game,
        sample,
        seed,
        seconds,
        against,
        against_format,
        values_only,
        progress,
    )
    return Verified(*found)
