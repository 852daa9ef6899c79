"""The driver of plans: units out to workers as soon as they can be made, summaries in."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from distributed import Client

from everyply.cluster._client import DEATHS, Lost, Tasks
from everyply.cluster._problem import Problem
from everyply.cluster._progress import Progress, counted, duration
from everyply.cluster._units import Damaged, Graph, Units


class Plan(Graph, Protocol):
    """A plan and the store of its units. Their data never passes through the driver."""

    def made(self) -> list[int]:
        """The units with a summary in the store."""

    def bytes(self, unit: int) -> int:
        """The bytes of a unit, before it is compressed."""

    def task(self, unit: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The function that makes a unit in a worker, and its arguments; it gives Damaged, or
        anything else if the unit is made.
        """

    def discard(self, unit: int) -> None:
        """Removes the data of a unit; its summary stays."""

    def forget(self, unit: int) -> None:
        """Removes a unit and its summary, so that it can be made again."""

    def finish(self) -> Damaged | None:
        """Makes the final result."""


def make(client: Client, plan: Plan, progress: Progress) -> None:
    """Makes all missing units, and the final result."""
    units = Units(plan, plan.made())
    for unit in units.unneeded():
        plan.discard(unit)
    while True:
        _make_units(client, plan, units, progress)
        progress.show("finishing")
        damaged = plan.finish()
        if damaged is None:
            return
        for again in units.damaged(None, damaged.unit):
            plan.forget(again)


def _make_units(client: Client, plan: Plan, units: Units, progress: Progress) -> None:
    tasks = Tasks[int](client)
    deaths: Counter[int] = Counter()
    state = _State(plan, units)
    while len(units):
        for worker in tasks.idle():
            unit = units.next()
            if unit is None:
                break
            task, args = plan.task(unit)
            tasks.submit(unit, worker, task, *args)
        progress.show(state.text(tasks))
        match tasks.next():
            case unit, Lost():
                deaths[unit] += 1
                if deaths[unit] >= DEATHS:
                    raise Problem(
                        f"workers die repeatedly with {plan.name(unit)}: have they memory for "
                        f"its {plan.bytes(unit):,} bytes, and for its inputs?"
                    )
                units.put_back(unit)
            case unit, Damaged(needed):
                for again in units.damaged(unit, needed):
                    plan.forget(again)
            case unit, _:
                for gone in units.finished(unit):
                    plan.discard(gone)
                state.add(unit)


class _State:
    """Progress of the plan."""

    def __init__(self, plan: Plan, units: Units) -> None:
        self._plan = plan
        self._units = units
        self._whole = sum(plan.bytes(unit) for unit in range(len(plan)) if not units.is_made(unit))
        self._done = 0
        self._begun = time.monotonic()

    def add(self, unit: int) -> None:
        self._done += self._plan.bytes(unit)

    def text(self, tasks: Tasks[int]) -> str:
        if not tasks.workers():
            return "waiting for workers"
        whole = len(self._plan)
        text = (
            f"making {whole - len(self._units):,}/{whole:,} units, "
            f"{self._done / 1e9:,.1f}/{self._whole / 1e9:,.1f} GB, {counted(len(tasks), 'task')} out"
        )
        if not self._done:
            return text
        left = max(self._whole - self._done, 0) / self._done
        return f"{text}, {duration(left * (time.monotonic() - self._begun))} left"
