"""The driver of books and batches: pieces out to workers, results in, until nothing is open."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from distributed import Client

from everyply.cluster._client import DEATHS, Lost, Tasks
from everyply.cluster._pieces import Piece, Pieces
from everyply.cluster._problem import Problem
from everyply.cluster._progress import Progress, counted, duration
from everyply.cluster._tasks import Done


class Work(Protocol):
    """A long list of positions."""

    pieces: Pieces

    def task(self, piece: Piece) -> tuple[Callable[..., Done], tuple[Any, ...]]:
        """The function that solves a piece, and its arguments."""

    def take(self, piece: Piece, done: Done) -> None:
        """Keeps the results of the first positions of a piece."""


def drive(client: Client, work: Work, progress: Progress) -> int:
    """Solves all open positions; gives the nodes searched."""
    tasks = Tasks[Piece](client)
    deaths: Counter[int] = Counter()
    whole = len(work.pieces)
    nodes = 0
    while True:
        work.pieces.keep(tasks.workers())
        for worker in tasks.idle():
            piece = work.pieces.next(worker, tasks.threads())
            if piece is not None:
                task, args = work.task(piece)
                tasks.submit(piece, worker, task, *args)
        if not len(tasks) and not len(work.pieces):
            return nodes
        progress.show(_state(work.pieces, tasks, whole))
        match tasks.next():
            case piece, Lost():
                _bury(piece, deaths)
                work.pieces.put_back(piece.items)
            case piece, done:
                nodes += done.nodes
                work.take(piece, done)
                work.pieces.learn(piece, len(done.results), done.seconds)


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
