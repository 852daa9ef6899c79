"""`python -m everyply.cluster solve`: every position of a game, into a solution file."""

import os
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import everyply as ep
from everyply._everyply import _Plan
from everyply.cluster import _tasks
from everyply.cluster._clusters import connected
from everyply.cluster._make import make
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration
from everyply.cluster._units import Damaged


class _Solution:
    """The plan of a solution file, and the store of its units."""

    def __init__(self, args: Namespace) -> None:
        unit_bytes = args.unit_size and args.unit_size << 20
        self._setting = _tasks.PlanSetting(
            ep.__version__, args.game, args.options, args.work, unit_bytes, args.outcome_only
        )
        self._plan = _Plan(
            args.game, args.options, args.work, unit_bytes=unit_bytes, outcome_only=args.outcome_only
        )
        self.title = self._plan.title
        self._out = args.out
        self.written: tuple[str, int, int] | None = None
        self.inputs, self.is_result = self._plan.inputs, self._plan.is_result
        self.name, self.bytes, self.exists = self._plan.name, self._plan.bytes, self._plan.exists
        self.made = self._plan.made
        self.discard, self.forget = self._plan.discard, self._plan.forget

    def __len__(self) -> int:
        return len(self._plan)

    def task(self, unit: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _tasks.make, (self._setting, unit)

    def finish(self) -> Damaged | None:
        self.written, lost = self._plan.finish(self._out)
        return None if lost is None else Damaged(lost)


def run(args: Namespace, progress: Progress) -> None:
    """Solves the rest of the game."""
    begun = time.monotonic()
    if not os.access(folder := Path(args.out).resolve().parent, os.W_OK):
        raise Problem(f"--out {args.out}: {folder} is no folder that can be written to")
    try:
        plan = _Solution(args)
    except TypeError as error:
        raise Problem(str(error), 2) from None
    except (OSError, ValueError) as error:
        raise Problem(str(error)) from None
    try:
        with connected(args, progress) as client:
            make(client, plan, progress)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {duration(time.monotonic() - begun)}; the units that were made are "
            f"in {args.work}, and the same command continues from there"
        ) from None
    except (OSError, ValueError) as error:
        raise Problem(f"{error}; the same command continues from {args.work}") from None
    assert plan.written is not None
    progress.clear()
    value, positions, size = plan.written
    print(
        f"{plan.title}\n\n"
        f"value      {value}\n"
        f"positions  {positions:,}\n"
        f"units      {len(plan):,} in {args.work}\n"
        f"time       {duration(time.monotonic() - begun)}\n"
        f"file       {args.out}: {counted(size, 'byte')}"
    )
