"""Solutions: the value of every position that a game, or one of its positions, leads to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, cast, overload

from everyply._everyply import BuiltinGame, Position, _open, _report, _restore_position, _root, _solve
from everyply._game import Game, M, P, _find, has, initial_of, key_of, shown
from everyply._value import Value

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import CapsuleType, Self

    from everyply._everyply import _Store
    from everyply._table import Table
    from everyply._types import Move, PositionLike, Progress
    from everyply._values import Values


class Totals(NamedTuple):
    """Numbers of positions that a root leads to, each once; for a game written in Python up to its
    symmetries."""

    positions: int
    terminal: int
    wins: int
    """Won for the side to move."""
    draws: int
    """Drawn, endless play included."""
    endless: int
    """Drawn by endless play."""
    losses: int


class Solution(Generic[P, M]):
    """The value of every position that a root leads to, for the side to move.

    `solve` makes solutions, and Solution(path) opens a solution file of `solve` or of
    `analyze solve`. Many threads may use one at a time.

    solution[p] is the Value of a position; KeyError if the root does not lead to it. A position is
    a Position, the moves that lead to it ("4453" or [4, 4, 5, 3]), or its key; of a game written in
    Python it is an object of that game. `p in solution`, len(solution) and iteration over all
    positions work as for a dict. pyarrow.table(solution), polars.DataFrame(solution) and DuckDB
    take the table of all positions.

    path: a solution file. threads: the number of threads of a call; all of the machine for None.

    Raises FileNotFoundError, PermissionError or OSError if the file cannot be read, is not a
    solution file, or is damaged.
    """

    game: Game[P, M] | BuiltinGame
    """The game, with its board."""

    def __init__(
        self: Solution[Position, Move], path: str | PathLike[str], *, threads: int | None = None
    ) -> None:
        self._set(_open(path, threads))

    def _set(self, store: _Store, own: Game[P, M] | None = None) -> Self:
        self.game = own if own is not None else store.root.game
        self._store, self._own = store, own
        if own is not None:
            self._key = key_of(own)
        return self

    @classmethod
    def _of(cls, store: _Store, own: Game[P, M] | None = None) -> Self:
        return cls.__new__(cls)._set(store, own)

    def _at(self, position: object) -> PositionLike | None:
        """Returns the position for the library; None if the root does not lead to it."""
        if self._own is not None:
            return self.table._own(self._key(position))  # type: ignore[arg-type]
        if hasattr(position, "__index__"):
            return self._store.root.game.from_key(cast("int", position))
        return cast("PositionLike", position)

    def _missing(self, position: object) -> KeyError:
        return KeyError(f"{shown(self.root)} does not lead to {shown(position)}")

    @property
    def root(self) -> P:
        """The position all others follow from."""
        return initial_of(self._own) if self._own is not None else cast(P, self._store.root)

    @property
    def path(self) -> Path | None:
        """The solution file; None if the solution is in memory."""
        return self._store.path

    @property
    def table(self) -> BuiltinGame:
        """The game in a form that the whole package accepts: a game written in Python has positions
        and moves by their texts."""
        return self._store.root.game

    @property
    def value(self) -> Value:
        """The value of the root."""
        return self[self.root]

    def __getitem__(self, position: P | PositionLike | int) -> Value:
        at = self._at(position)
        value = None if at is None else self._store.value(at)
        if value is None:
            raise self._missing(position)
        return value

    def __contains__(self, position: P | PositionLike | int) -> bool:
        at = self._at(position)
        return at is not None and self._store.value(at) is not None

    def __len__(self) -> int:
        """Returns the number of positions; of a game written in Python up to symmetry.

        The positions of a file are counted at the first call: MemoryError if that does not fit.
        """
        return len(self._store)

    def __iter__(self) -> Iterator[P]:
        if self._own is None:
            game = self.table
            keys = (int(key) for key in self._store.keys())
            return (cast(P, _restore_position(game, key, [])) for key in keys)
        return self._walk(self._own)

    def _walk(self, game: Game[P, M]) -> Iterator[P]:
        """Iterates over the positions that the rules lead to, ply by ply."""
        start = initial_of(game)
        seen, newest = {self._key(start)}, [start]
        while newest:
            next_ply: list[P] = []
            for position in newest:
                yield position
                for child in self._children(game, position)[1]:
                    key = self._key(child)
                    if key not in seen:
                        seen.add(key)
                        next_ply.append(child)
            newest = next_ply

    @staticmethod
    def _children(game: Game[P, M], position: P) -> tuple[list[M], list[P]]:
        moves = [] if game.result(position) is not None else list(game.moves(position))
        return moves, [game.play(position, move) for move in moves]

    def items(self) -> Iterator[tuple[P, Value]]:
        """Iterates over every position with its value."""
        return ((position, self[position]) for position in self)

    def values(self, positions: npt.NDArray[np.uint64] | Iterable[P | PositionLike]) -> Values:
        """Returns the values of many positions, for the side to move, in their order.

        positions: keys, as a NumPy array of shape (n,) and type uint64, or an iterable of
            positions. If the root does not lead to a key, its value is UNKNOWN in memory and
            meaningless in a file.

        Returns Values: arrays of shape (n,).

        Raises ValueError with the index of the first key that is not a position of the board.
        """
        if self._own is None:
            return self._store.values(cast("Iterable[PositionLike]", positions))
        places = []
        for position in positions:
            at = self._at(position)
            if at is None:
                raise self._missing(position)
            places.append(at)
        return self._store.values(places)

    def points(self, position: P | PositionLike | int | None = None) -> int | None:
        """Returns the final points of a position for the side to move if both sides play for the
        most points, negative if it loses; None if the game counts none.

        position: the root for None.
        """
        if position is None:
            position = self.root
        at = self._at(position)
        if at is None or self._store.value(at) is None:
            raise self._missing(position)
        return self._store.points(at)

    def _moves(self, position: P | PositionLike | int | None) -> list[tuple[M, Value, bool]]:
        if position is None:
            position = self.root
        at = self._at(position)
        game = self._own
        if game is None:
            stored = None if at is None else self._store.moves(at)
            if stored is None:
                raise self._missing(position)
            return cast("list[tuple[M, Value, bool]]", stored)
        # An unknown position is refused, even if its moves lead to known ones.
        if not isinstance(at, Position):
            raise self._missing(position)
        place = cast(P, position)
        moves, children = self._children(game, place)
        turns = has(game, "mover")
        best = self[place]
        valued = []
        for move, child in zip(moves, children, strict=True):
            keeps = turns and game.mover(place) == game.mover(child)
            after = self[child] if keeps else -self[child]
            plies = None if after.remoteness is None else after.remoteness + 1
            is_best = after.outcome == best.outcome and best.remoteness in (None, plies)
            valued.append((move, Value(after.outcome, plies), is_best))
        return valued

    def moves(self, position: P | PositionLike | int | None = None) -> dict[M, Value]:
        """Returns every move, ascending, with its value for its side; empty if the game is over.

        position: the root for None.
        """
        return {move: value for move, value, _ in self._moves(position)}

    def best_moves(self, position: P | PositionLike | int | None = None) -> list[M]:
        """Returns the best moves of a position, ascending; empty if the game is over.

        They attain the most points in games that count points, the value in others.

        position: the root for None.
        """
        return [move for move, _, best in self._moves(position) if best]

    def variation(self, position: P | PositionLike | int | None = None) -> list[M]:
        """Returns best play of both sides to the end, or until a position repeats.

        position: the root for None.
        """
        at: Any = self.root if position is None else position
        if self._own is None:
            at = self._store.root.game.position(self._at(at))
        play: list[M] = []
        seen = set()
        while True:
            key = at.key if self._own is None else self._key(at)
            best = [] if key in seen else self.best_moves(at)
            if not best:
                return play
            seen.add(key)
            play.append(best[0])
            at = at.play(best[0]) if self._own is None else self._own.play(at, best[0])

    @property
    def totals(self) -> Totals:
        """The numbers of positions, by value."""
        return Totals(*self._store.totals())

    @property
    def plies(self) -> Table:
        """Counts per ply, as a Table: histories (nodes), games that end at the ply, distinct
        positions, positions up to symmetry, and finished, won, drawn and lost positions for the
        side to move. Whole Connect Four boards are solved without histories: nodes and games are
        null, and `count` has them.
        """
        return self._store.plies()

    def to_arrow(self) -> Table:
        """Returns every canonical position, one of each set of mirrored and rotated images, as a
        Table by ascending key: key uint64, ply uint8, outcome int8 for the side to move, remoteness
        int16 (null if play is endless, or it is unknown), and the best moves as bits, uint64, which
        `Position.moves_of` turns into moves.
        """
        return self._store.table()

    def to_numpy(self) -> dict[str, npt.NDArray[Any]]:
        """Returns the columns of `to_arrow` as NumPy arrays by name."""
        return self.to_arrow().to_numpy()

    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        title = type(self._own).__name__ if self._own is not None else self._store.title
        place = f" in {self.path}" if self.path is not None else f": {len(self)} positions"
        return f"<Solution of {title}{place}>"


@overload
def solve(
    game: Game[P, M],
    *,
    threads: int | None = None,
    memory_mib: int | None = None,
    progress: Progress = None,
) -> Solution[P, M]: ...
@overload
def solve(
    game: BuiltinGame | Position | str,
    position: PositionLike | None = None,
    *,
    path: str | PathLike[str] | None = None,
    work: str | PathLike[str] | None = None,
    threads: int | None = None,
    memory_mib: int | None = None,
    progress: Progress = None,
) -> Solution[Position, Move]: ...
def solve(
    game: Game[Any, Any] | BuiltinGame | Position | str,
    position: PositionLike | None = None,
    *,
    path: str | PathLike[str] | None = None,
    work: str | PathLike[str] | None = None,
    threads: int | None = None,
    memory_mib: int | None = None,
    progress: Progress = None,
) -> Solution[Any, Any]:
    """Solves every position that a game, or one of its positions, leads to, by the fastest engine
    for it.

    game: a game, its name, or a position. position: one of a game of the package, as moves or a
        Position.
    path: a solution file to write; it appears whole or not at all.
    work: a folder for finished parts, of a whole Connect Four board, or with path of a game that
        numbers its positions: less memory, and an interrupted run continues.
    threads: the number of threads; None uses all of the machine. Rules in Python run in the thread
        of the caller.
    memory_mib: the limit in MiB, all available memory for None.
    progress: True for a bar (needs tqdm), or a function of (positions done, 0 or all positions).

    Raises MemoryError, before any work on boards of stones and lines, if the limit is not enough.
    Exceptions of a game written in Python are passed on, with the position in their notes.
    """
    if not isinstance(game, Game):
        work = None if work is None else str(work)
        root = _root(game, position)
        return Solution._of(_solve(root, path, work, threads, memory_mib, progress))
    if position is not None:
        raise ValueError("position: a game written in Python is solved from its start")
    if path is not None or work is not None:
        raise ValueError(
            "path, work: solution files are of games that the package has, and "
            f"{type(game).__name__} is none"
        )
    table = _find(game, memory_mib, progress)
    return Solution._of(_solve(table.initial, None, None, threads, memory_mib, None), game)


def report(
    game: Game[Any, Any] | BuiltinGame | Position | Solution[Any, Any] | str,
    path: str | PathLike[str],
    *,
    memory_mib: int | None = None,
) -> None:
    """Writes a page of figures of a solution: one HTML file that needs no other file.

    game: a Solution, or an argument of `solve`, which is solved first.
    path: the file; an existing one is replaced, once the page is complete.

    Raises OSError, before any work, if the folder is missing or cannot be written to.
    """
    if not os.access(Path(path).parent, os.W_OK):
        raise OSError(f"{os.fspath(path)}: the folder is missing or cannot be written to")
    solution = game if isinstance(game, Solution) else solve(game, memory_mib=memory_mib)
    command = f"everyply.report({solution!r}, {os.fspath(path)!r})"
    _report(solution._store, path, command)
