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
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration
from everyply.cluster._stretches import Stretches


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
    """Solves all open positions; returns the nodes searched."""
    begun = time.monotonic()
    keys = book.unsolved()
    stretches = Stretches(len(keys))
    table_mib = args.table_size or book.table_mib
    setting = _tasks.Setting(ep.__version__, game, table_mib, not args.no_book)
    tasks = Tasks[range](client)
    deaths: Counter[int] = Counter()
    nodes = solved = 0
    while len(tasks) or len(stretches):
        stretches.keep(tasks.workers())
        for worker in tasks.idle():
            piece = stretches.next(worker)
            if piece is not None:
                part = keys[piece.start : piece.stop]
                tasks.submit(piece, worker, _tasks.prove, setting, part, args.outcome_only)
        progress.show(_state(tasks, solved, len(keys), time.monotonic() - begun))
        match tasks.next():
            case piece, Lost():
                deaths[piece.start] += 1
                if deaths[piece.start] >= DEATHS:
                    raise Problem(
                        "workers die repeatedly with the same position: is there memory for the "
                        "table of each? --table-size gives them less"
                    )
                stretches.put_back(piece)
            case piece, done:
                nodes += done.nodes
                solved += len(done.results)
                with _keeping():
                    book.add(keys[piece.start : piece.stop], done.results)
                stretches.put_back(piece[len(done.results) :])
    return nodes


def _state(tasks: Tasks[range], solved: int, whole: int, seconds: float) -> str:
    if not tasks.workers():
        return f"solving {whole:,} positions: waiting for workers"
    text = f"solving {solved:,}/{whole:,} positions, {counted(len(tasks), 'task')} out"
    return f"{text}, {duration((whole - solved) / solved * seconds)} left" if solved else text
