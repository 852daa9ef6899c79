"""`python -m everyply.cluster book`: every position up to a ply, solved into a database.

The driver sends pieces to workers and stores their results, until nothing is open.
"""

import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client

import everyply as ep
from everyply._everyply import _Book
from everyply.cluster import _tasks
from everyply.cluster._client import DEATHS, Lost, Tasks
from everyply.cluster._clusters import connected
from everyply.cluster._pieces import Piece, Pieces
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration


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
            nodes = _solve(client, book, args, game, progress)
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


def _solve(
    client: Client, book: _Book, args: Namespace, game: ep.BuiltinGame, progress: Progress
) -> int:
    """Solves all open positions; gives the nodes searched."""
    keys = book.unsolved()
    width, height, _ = game.parameters
    pieces = Pieces(len(keys), width * height - args.plies)
    table_mib = args.table_size or book.table_mib
    setting = _tasks.Setting(ep.__version__, game, table_mib, not args.no_book)
    tasks = Tasks[Piece](client)
    deaths: Counter[int] = Counter()
    nodes = 0
    while True:
        pieces.keep(tasks.workers())
        for worker in tasks.idle():
            piece = pieces.next(worker, tasks.threads())
            if piece is not None:
                part = keys[list(piece.items)]
                tasks.submit(
                    piece, worker, _tasks.prove, setting, part, args.outcome_only, piece.limit
                )
        if not len(tasks) and not len(pieces):
            return nodes
        progress.show(_state(pieces, tasks, len(keys)))
        match tasks.next():
            case piece, Lost():
                _bury(piece, deaths)
                pieces.put_back(piece.items)
            case piece, done:
                nodes += done.nodes
                with _keeping():
                    book.add(keys[list(piece.items)], done.results)
                pieces.learn(piece, len(done.results), done.seconds)


def _bury(piece: Piece, deaths: Counter[int]) -> None:
    """Notes the positions that workers died with, since they may be the cause."""
    deaths.update(piece.items)
    if any(deaths[item] >= DEATHS for item in piece.items):
        raise Problem(
            "workers die repeatedly with the same positions: is there memory for the table of "
            "each? --table-size gives them less"
        )


def _state(pieces: Pieces, tasks: Tasks[Piece], whole: int) -> str:
    if not tasks.workers():
        return f"solving {whole:,} positions: waiting for workers"
    out = sum(len(piece.items) for piece in tasks.tags())
    left = pieces.seconds() / tasks.threads()
    return (
        f"solving {whole - len(pieces) - out:,}/{whole:,} positions, "
        f"{counted(len(tasks), 'task')} out, {duration(left)} left"
    )
