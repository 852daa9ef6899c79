"""`python -m everyply.cluster solve`: every position of a game, into a solution file.

The driver sends units to workers as soon as they can be made. Their data stay between the workers
and the store.
"""

import os
import time
from argparse import Namespace
from collections import Counter
from pathlib import Path

from distributed import Client

import everyply as ep
from everyply._everyply import _Plan
from everyply.cluster import _tasks
from everyply.cluster._client import DEATHS, Lost, Tasks
from everyply.cluster._clusters import connected
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration
from everyply.cluster._units import Units


def run(args: Namespace, progress: Progress) -> None:
    """Solves the rest of the game."""
    begun = time.monotonic()
    if not os.access(folder := Path(args.out).resolve().parent, os.W_OK):
        raise Problem(f"--out {args.out}: {folder} is no folder that can be written to")
    unit_bytes = args.unit_size and args.unit_size << 20
    setting = _tasks.PlanSetting(
        ep.__version__, args.game, args.options, args.work, unit_bytes
    )
    try:
        plan = setting.open()
    except TypeError as error:
        raise Problem(str(error), 2) from None
    except (OSError, ValueError) as error:
        raise Problem(str(error)) from None
    try:
        units = Units(plan, plan.made())
        with connected(args, progress) as client:
            value, positions, size = _make(client, setting, plan, units, args.out, progress)
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {duration(time.monotonic() - begun)}; the units that were made are "
            f"in {args.work}, and the same command continues from there"
        ) from None
    except (OSError, ValueError) as error:
        raise Problem(f"{error}; the same command continues from {args.work}") from None
    progress.clear()
    print(
        f"{plan.title}\n\n"
        f"value      {value}\n"
        f"positions  {positions:,}\n"
        f"units      {len(units.names):,} in {args.work}\n"
        f"time       {duration(time.monotonic() - begun)}\n"
        f"file       {args.out}: {counted(size, 'byte')}"
    )


def _make(
    client: Client,
    setting: _tasks.PlanSetting,
    plan: _Plan,
    units: Units,
    out: str,
    progress: Progress,
) -> tuple[str, int, int]:
    """Makes all missing units, and the file: the value of the start, positions and bytes."""
    for unit in units.unneeded():
        plan.discard(unit)
    while True:
        _make_units(client, setting, plan, units, progress)
        progress.show("finishing")
        written, lost = plan.finish(out)
        if written is not None:
            return written
        assert lost is not None
        for again in units.damaged(None, lost):
            plan.forget(again)


def _make_units(
    client: Client, setting: _tasks.PlanSetting, plan: _Plan, units: Units, progress: Progress
) -> None:
    tasks = Tasks[int](client)
    deaths: Counter[int] = Counter()
    whole = sum(size for unit, size in enumerate(units.bytes) if not units.is_made(unit))
    done, begun = 0, time.monotonic()
    while len(units):
        for worker in tasks.idle():
            unit = units.next()
            if unit is None:
                break
            tasks.submit(unit, worker, _tasks.make, setting, unit)
        progress.show(_state(tasks, units, done, whole, time.monotonic() - begun))
        match tasks.next():
            case unit, Lost():
                deaths[unit] += 1
                if deaths[unit] >= DEATHS:
                    raise Problem(
                        f"workers die repeatedly with {units.names[unit]}: have they memory for "
                        f"its {units.bytes[unit]:,} bytes, and for its inputs?"
                    )
                units.put_back(unit)
            case unit, int(needed):
                for again in units.damaged(unit, needed):
                    plan.forget(again)
            case unit, _:
                for gone in units.finished(unit):
                    plan.discard(gone)
                done += units.bytes[unit]


def _state(tasks: Tasks[int], units: Units, done: int, whole: int, seconds: float) -> str:
    if not tasks.workers():
        return "waiting for workers"
    number = len(units.names)
    text = (
        f"making {number - len(units):,}/{number:,} units, "
        f"{done / 1e9:,.1f}/{whole / 1e9:,.1f} GB, {counted(len(tasks), 'task')} out"
    )
    return f"{text}, {duration(max(whole - done, 0) / done * seconds)} left" if done else text
