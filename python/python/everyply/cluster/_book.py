"""`python -m everyply.cluster book`: every position up to a ply, solved into a database."""

import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import everyply as ep
from everyply._everyply import _Book
from everyply.cluster import _tasks
from everyply.cluster._clusters import connected
from everyply.cluster._drive import drive
from everyply.cluster._pieces import Piece, Pieces
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration


class _Work:
    """The positions of a book that have to be solved."""

    def __init__(self, book: _Book, args: Namespace, game: ep.BuiltinGame) -> None:
        self._book = book
        self._keys = book.unsolved()
        self._outcome_only = args.outcome_only
        width, height, _ = game.parameters
        self.pieces = Pieces([width * height - args.plies] * len(self._keys))
        self._setting = _tasks.Setting(
            ep.__version__, game, args.table_size or book.table_mib, not args.no_book
        )

    def task(self, piece: Piece) -> tuple[Callable[..., _tasks.Done], tuple[Any, ...]]:
        keys = self._keys[list(piece.items)]
        return _tasks.prove, (self._setting, keys, self._outcome_only, piece.limit)

    def take(self, piece: Piece, done: _tasks.Done) -> None:
        with _keeping():
            self._book.add(self._keys[list(piece.items)], done.results)


@contextmanager
def _keeping() -> Iterator[None]:
    """Reports reasons why the database cannot be written."""
    try:
        yield
    except OSError as error:
        raise Problem(f"{error} (--db FILE)") from None
    except RuntimeError as error:
        raise Problem(str(error), 3) from None


def run(args: Namespace, game: ep.BuiltinGame, command: str, progress: Progress) -> None:
    """Makes the rest of the book."""
    begun = time.monotonic()
    try:
        with _keeping():
            book = _Book(game, args.plies, args.db, outcome_only=args.outcome_only)
    except (ValueError, MemoryError) as error:
        raise Problem(f"--plies {args.plies}: {error}", 2) from None
    title = f"{game.title}, book of all positions up to ply {args.plies}"
    if book.found == len(book):
        print(f"{title}\n\nfinished   {args.db} holds all {counted(len(book), 'position')}: "
              "nothing to do")  # fmt: skip
        return
    with connected(args, progress) as client:
        workers = sum(client.nthreads().values())
        try:
            with _keeping():
                book.begin(command, max(workers, 1))
            nodes = drive(client, _Work(book, args, game), progress)
            progress.clear()
            with _keeping():
                added, refined, unchanged = book.finish()
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted after {duration(time.monotonic() - begun)}; what was proved is in "
                f"{args.db}, and the same command continues from there"
            ) from None
        finally:
            book.close()
    taken = time.monotonic() - begun
    print(
        f"{title}\n\n"
        f"positions  {len(book):,}, {book.found:,} of them found in the database\n"
        f"time       {duration(taken)} with {counted(workers, 'worker thread')}, "
        f"{counted(nodes, 'node')}\n"
        f"database   {args.db}: {added:,} added, {refined:,} refined, {unchanged:,} already there"
    )
