"""`python -m everyply.cluster solve`: every position of a game, into a solution file.

Every worker runs `analyze solve` in one folder. The folder holds all finished units and needs no
other schedule: a worker makes the units that it finds missing. Once a worker finds none, the driver
writes the file.
"""

import os
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from distributed import Client

import everyply as ep
from everyply._everyply import _run
from everyply.cluster import _tasks
from everyply.cluster._client import DEATHS, Lost, Tasks
from everyply.cluster._clusters import connected
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration

# Seconds between two counts of the folder.
COUNT_EVERY = 5.0


def run(args: Namespace, progress: Progress) -> None:
    """Solves the rest of the game."""
    begun = time.monotonic()
    if not os.access(folder := Path(args.out).resolve().parent, os.W_OK):
        raise Problem(f"--out {args.out}: {folder} is no folder that can be written to")
    words = ["analyze", "solve", args.game, *args.options, "--work", args.work]
    try:
        with connected(args, progress) as client:
            _fill(client, words, Path(args.work), progress)
        progress.show("writing the file")
        solved = _run([*words, "--out", args.out])
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {duration(time.monotonic() - begun)}; what was made is in "
            f"{args.work}, and the same command continues from there"
        ) from None
    except ValueError as error:
        raise Problem(str(error), 2) from None
    except OSError as error:
        raise Problem(f"{error}; the same command continues from {args.work}") from None
    progress.clear()
    print(solved, end="")


def _fill(client: Client, words: Sequence[str], work: Path, progress: Progress) -> None:
    """Runs all workers in the folder until one of them finds no missing unit."""
    tasks = Tasks[None](client)
    lost = made = 0
    counted_at = time.monotonic()
    while True:
        hosts = Counter(map(_host, tasks.workers()))
        for worker in tasks.idle(1):
            share = hosts[_host(worker)]
            tasks.submit(None, worker, _tasks.solve, ep.__version__, words, share)
        ended = tasks.next()
        is_lost = ended is not None and isinstance(ended[1], Lost)
        if ended is not None and not is_lost:
            return
        if is_lost or time.monotonic() - counted_at > COUNT_EVERY:
            before, counted_at = made, time.monotonic()
            made = sum(1 for _ in work.glob("*.summary"))
            lost = is_lost + (lost if made == before else 0)
        if lost >= DEATHS:
            raise Problem(
                f"{lost} workers died and made nothing: have they memory for a unit or tier of "
                "`analyze solve GAME --plan`, and for what it is made from?"
            )
        at_work = f"{made:,} units in {work}, {counted(len(tasks), 'worker')} at work"
        progress.show(at_work if len(tasks) else "waiting for workers")


def _host(worker: str) -> str:
    return worker.rpartition(":")[0]
