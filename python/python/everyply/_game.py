"""Games written in Python: the rules in Python, everything else in the library."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from everyply import _everyply, _progress
from everyply._everyply import _Builder

if TYPE_CHECKING:
    from everyply._everyply import BuiltinGame, Position
    from everyply._table import Table
    from everyply._types import Outcome, PositionLike, Progress

P = TypeVar("P")
M = TypeVar("M", bound=Hashable)

BATCH = 512
"""Positions handed to the library at a time."""

BYTES_PER_POSITION = 1000
"""Bytes that a position with some moves takes at most, from its rules to its value."""


class Game(ABC, Generic[P, M]):
    """A game of two sides with full information and without chance.

    Positions are any objects; moves are hashable. `play` never changes its argument.
    The position alone decides the rest of the game; it includes the side to move if anything
    depends on it. At most 64 moves in a position, and at most 254 plies to the end of best play;
    play may be endless.

    name: the word for the game in addresses and databases, lower case letters and digits; by
        default the letters and digits of the class's name, in lower case. The name of a built-in
        game gets "own" before it.
    title: the display name of the game; by default the name of the class.
    """

    name: str = ""
    title: str = ""

    initial: P
    """The position that play starts from."""

    @abstractmethod
    def moves(self, position: P) -> Iterable[M]:
        """Returns the moves of a position, at least one; called only if `result` is None."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Returns the position after a move."""

    @abstractmethod
    def result(self, position: P) -> Outcome | None:
        """Returns None while play continues, else the outcome for the side that would move next."""

    @abstractmethod
    def key(self, position: P) -> int | bytes:
        """Returns the key of a position: positions with equal keys have the same future.

        All keys of a game are ints, or all are bytes.
        """

    def mover(self, position: P) -> object:
        """Returns the side to move, as anything that can be compared.

        Needed only if a side can move twice in a row; without it sides take turns.
        """
        raise NotImplementedError

    def symmetries(self, position: P) -> Iterable[P]:
        """Returns the images of a position: mirrored, rotated, renamed.

        Only one of them is solved, which makes a game smaller. Positions are then counted up to
        symmetry.
        """
        return ()

    def move_text(self, move: M) -> str:
        """Writes a move as one word, for pages and reports."""
        return re.sub(r"[^\w+.:<>=-]+", "-", str(move)).strip("-") or "-"

    def picture(self, position: P) -> str:
        """Draws a position for pages and reports: rows separated by "/" or new lines."""
        return str(position)


def has(game: Game[Any, Any], method: Literal["mover", "symmetries"]) -> bool:
    """Returns True if a game has this optional method."""
    return getattr(type(game), method) is not getattr(Game, method)


def initial_of(game: Game[P, M]) -> P:
    """Returns the start; a method does as well as a property."""
    start: Any = getattr(game, "initial", None)
    if start is None:
        raise TypeError(
            f"{type(game).__name__} has no `initial`: the position that play starts from, not None"
        )
    if getattr(start, "__self__", None) is game:
        start = start()
    return start  # type: ignore[no-any-return]


def key_of(game: Game[P, M]) -> Callable[[P], int | bytes]:
    """Returns the key that stands for a position: the least key of its images, if it has any."""
    key = game.key
    if not has(game, "symmetries"):
        return key
    symmetries = game.symmetries

    def least(position: P) -> int | bytes:
        keys: list[Any] = [key(position)]
        keys += [key(image) for image in symmetries(position)]
        return min(keys)  # type: ignore[no-any-return]

    return least


def shown(position: object) -> str:
    """Writes a position for a message."""
    try:
        text = repr(position)
    except Exception as error:
        return f"<a {type(position).__name__} whose repr raises {error!r}>"
    return text if len(text) <= 300 else text[:297] + "..."


def note(error: BaseException, text: str) -> None:
    """Notes the position at which an exception was raised; the exception stays the same."""
    # add_note exists from Python 3.11 on; older versions keep notes without printing them.
    error.__dict__.setdefault("__notes__", []).append(text)


class _Numbers(dict[Hashable, int]):
    """Numbers of moves, in the order in which they are seen."""

    def __missing__(self, move: Hashable) -> int:
        self[move] = number = len(self)
        return number


class _Finder(Generic[P, M]):
    """Finds positions with the rules in Python."""

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game
        self.numbers = _Numbers()
        self.key = key_of(game)
        self.turns = has(game, "mover")

    def expand(
        self, positions: list[P]
    ) -> tuple[list[P], tuple[list[Outcome | None], list[int], list[Any], list[int], list[bool]]]:
        """Returns the children of positions, with all data that the library needs."""
        game, numbers, key, turns = self.game, self.numbers, self.key, self.turns
        moves_of, play, result_of, mover = game.moves, game.play, game.result, game.mover
        children: list[P] = []
        results: list[Outcome | None] = []
        counts: list[int] = []
        keys: list[Any] = []
        texts: list[int] = []
        keeps: list[bool] = []
        called = ""
        try:
            for position in positions:
                called = "result"
                result = result_of(position)
                results.append(result)
                if result is not None:
                    counts.append(0)
                    continue
                called = "moves"
                moves = moves_of(position)
                before = len(texts)
                if turns:
                    called = "mover"
                    side = mover(position)
                # One loop without inner functions: most of the time is spent here.
                for move in moves:
                    called = ""
                    texts.append(numbers[move])
                    called = "play"
                    child = play(position, move)
                    called = "key"
                    keys.append(key(child))
                    if turns:
                        called = "mover"
                        keeps.append(bool(mover(child) == side))
                    children.append(child)
                    # The loop takes the next move from `moves`, which may be a generator.
                    called = "moves"
                called = ""
                counts.append(len(texts) - before)
                if not counts[-1]:
                    raise ValueError("moves() gives none, and result() gives None")
        except Exception as error:
            where = f"at position {shown(position)}"
            if called:
                note(error, f"in {type(game).__name__}.{called}, {where}")
                raise
            if isinstance(error, TypeError):
                raise TypeError(f"{where}: moves are hashable; {error}") from error
            raise type(error)(f"{where}: {error}") from error
        return children, (results, counts, keys, texts, keeps)


def _paint(game: Game[P, M], way: list[int]) -> str:
    """Draws the position after moves given by their ordinals."""
    position = initial_of(game)
    for ordinal in way:
        position = game.play(position, list(game.moves(position))[ordinal])
    return game.picture(position).strip("\n").replace("\n", "/") or "-"


@contextmanager
def _same_answers(position: object) -> Iterator[None]:
    """Reports a game whose answers are not the same each time as a broken law."""
    try:
        yield
    except RuntimeError as error:
        from everyply._laws import LawError

        raise LawError("a game answers the same each time", position, str(error)) from None


def _key_of_own(kind: type[P], key: Callable[[P], int | bytes]) -> Callable[[P], int | bytes]:
    """Returns the key function of objects of one type: other objects are moves, not positions."""

    def key_of_own(position: P) -> int | bytes:
        if not isinstance(position, kind):
            raise TypeError(f"{shown(position)} is no {kind.__name__}")
        return key(position)

    return key_of_own


def _name(game: Game[Any, Any]) -> str:
    return game.name or re.sub(r"[^a-z0-9]", "", type(game).__name__.lower())


def _find(
    game: Game[P, M], memory_mib: int | None, progress: Progress, plies: int | None = None
) -> BuiltinGame:
    """Finds all positions that the start leads to, or the positions of its first plies."""
    if not isinstance(game, Game):
        raise TypeError(f"a game written in Python is an everyply.Game, not {type(game).__name__}")
    if memory_mib is None:
        memory = _everyply._available_memory()
    elif memory_mib >= 1:
        memory = memory_mib << 20
    else:
        raise ValueError(f"memory_mib {memory_mib}: at least 1 is needed")
    report = _progress.bar("positions") if progress is True else progress or None
    if report is not None and not callable(report):
        raise TypeError("progress is True, False, None or a function of (done, total)")
    finder = _Finder(game)
    builder = _Builder(memory // BYTES_PER_POSITION)
    start = initial_of(game)
    try:
        builder.start(finder.key(start))
    except Exception as error:
        note(error, f"in {type(game).__name__}.key, at position {shown(start)}")
        raise
    newest = [start]
    ply = done = 0
    while newest:
        next_ply: list[P] = []
        for at in range(0, len(newest), BATCH):
            positions = newest[at : at + BATCH]
            if ply == plies:
                # Their results are counted, but no positions after them.
                results = [game.result(position) for position in positions]
                none: list[Any] = []
                builder.add(positions, (results, [0] * len(positions), none, none, none))
                continue
            children, moves = finder.expand(positions)
            with _same_answers(positions[0]):
                next_ply += [children[new] for new in builder.add(positions, moves)]
            done += len(positions)
            if report is not None:
                report(done, 0)
        newest = next_ply
        ply += 1
    texts = [game.move_text(move) for move in finder.numbers]  # type: ignore[arg-type]
    title = game.title or type(game).__name__
    with _same_answers(start):
        key = _key_of_own(type(start), finder.key)
        return builder.finish(_name(game), title, texts, lambda way: _paint(game, way), key)


def tabulate(
    game: Game[P, M], *, memory_mib: int | None = None, progress: Progress = None
) -> BuiltinGame:
    """Turns a game into one that the whole package accepts, with moves by their texts.

    The rules in Python find every position; after that Python is called only for pictures.

    memory_mib: the limit in MiB, all available memory for None; MemoryError if it is not enough.
    progress: True for a bar (needs tqdm), or a function of (positions done, 0).
    """
    return _find(game, memory_mib, progress)


def tabulated(game: object) -> object:
    """Turns a game written in Python into one that the whole package accepts; returns others."""
    return tabulate(game) if isinstance(game, Game) else game


def count(
    game: Game[Any, Any] | BuiltinGame | Position | str,
    position: PositionLike | int | None = None,
    plies: int | None = None,
    *,
    threads: int | None = None,
    memory_mib: int | None = None,
    progress: Progress = None,
) -> Table:
    """Counts exactly, per ply below the start of a game, or a position, as a Table: ply, histories
    (nodes, known as perft), games that end at the ply, distinct positions, positions up to
    symmetry, and finished ones. wins, draws and losses are null: `solve` finds them.

    game: a game, its name, or a position. position: one of that game, as moves or a Position.
    plies: the plies to count below the root; to the end of every game for None.

    memory_mib: the limit in MiB of the positions of two plies, all available memory for None;
    MemoryError if they need more, which says how many plies fit.
    """
    if plies is None and isinstance(position, int):
        position, plies = None, position
    if isinstance(game, Game):
        # An endless game is found up to the plies to count; no game further than that.
        game = _find(game, memory_mib, None, plies if position is None else None)
    root = _everyply._root(game, cast("PositionLike | None", position))
    return _everyply._count(root, plies, threads, memory_mib, progress)
