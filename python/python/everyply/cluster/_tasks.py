"""Tasks of workers. A process has one solver for each game, whose table stays between tasks."""

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt
from distributed import get_worker

import everyply as ep
from everyply._everyply import _available_memory, _prove, _run

# Seconds of a piece: long compared with the milliseconds that a task costs the scheduler, short
# compared with the loss of a worker.
SECONDS = 2.0


class WrongVersion(Exception):
    """A worker has another version of everyply than the driver."""


class Unwanted(Exception):
    """The driver no longer waits for a task."""


@dataclass(frozen=True)
class Setting:
    """The solver of the tasks."""

    version: str
    game: ep.BuiltinGame
    table_mib: int | None
    book: bool


@dataclass(frozen=True)
class Done:
    """Result of a piece: a result for each of its first positions."""

    results: list[tuple[int, int | None, int]]
    nodes: int


_solvers: dict[Setting, ep.Solver] = {}
_making = Lock()
_solving = Lock()


def prove(setting: Setting, keys: npt.NDArray[np.uint64], outcome_only: bool) -> Done:
    """Solves positions of a book until the time of a piece is over."""
    solver = _solver(setting)
    proved = _prove(
        solver, keys, outcome_only=outcome_only, seconds=SECONDS, progress=_watch()
    )
    return Done(*proved)


def solve(version: str, words: Sequence[str], share: int) -> None:
    """Makes missing units in the work folder of a command, with a share of the memory."""
    _check(version)
    memory = min(_available_memory() / share / 2**30, 1e6)
    threads = get_worker().state.nthreads
    watch = _watch()
    # Of two tasks in a process, the second finds all units made.
    with _solving:
        _run([*words, "--memory", f"{memory:.3f}", "--threads", str(threads)], None, watch)


def _check(version: str) -> None:
    if version != ep.__version__:
        raise WrongVersion(f"it has everyply {ep.__version__}, the driver {version}")


def _solver(setting: Setting) -> ep.Solver:
    _check(setting.version)
    with _making:
        solver = _solvers.get(setting)
        if solver is None:
            # A table of another game or size is no longer needed.
            _solvers.clear()
            solver = ep.Solver(
                setting.game,
                threads=get_worker().state.nthreads,
                table_mib=setting.table_mib,
                book=setting.book,
            )
            _solvers[setting] = solver
        return solver


def dask_setup(_worker: object) -> None:
    """Leaves Ctrl-C to the driver: a terminal sends it to its workers as well."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _watch() -> Callable[[int, int], None]:
    """Returns a function that raises once the current task is cancelled, or its worker lost the
    driver: Dask cannot stop a thread.
    """
    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()

    def check(_done: int, _total: int) -> None:
        task = tasks.get(key)
        is_closing = worker.status.name.startswith("clos")
        if task is None or task.state == "cancelled" or is_closing:
            raise Unwanted

    return check
