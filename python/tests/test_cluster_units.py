"""Units of a plan on a cluster: made once, given up in time, and made again if they are lost."""

import json
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cluster_processes import begun, run, wait, workers_of
from toy_plan import LATE, ToyPlan, data, truth

from everyply.cluster._client import Lost, Tasks
from everyply.cluster._problem import Problem
from everyply.cluster._units import TRIES, Units

TOY = [sys.executable, str(Path(__file__).with_name("toy_plan.py"))]


class Graph(ToyPlan):
    """The units of the toy plan, with what exists of them in memory."""

    def __init__(self) -> None:
        super().__init__(Path())
        self.there: set[int] = set()

    def exists(self, unit: int) -> bool:
        return unit in self.there


@pytest.mark.parametrize("seed", range(30))
def test_every_unit_is_made_from_what_exists(seed: int) -> None:
    plan, rng = Graph(), random.Random(seed)
    # An earlier run was cut off; its units may be lost or not.
    made = set(range(rng.randrange(len(plan))))
    plan.there = exists = {unit for unit in made if rng.random() < 0.8}
    units = Units(plan, made)
    exists -= set(units.unneeded())
    at_work: list[int] = []
    makings = 0
    while len(units):
        while len(at_work) < 3 and (unit := units.next()) is not None:
            assert unit not in at_work
            at_work.append(unit)
        assert at_work, "there is always something to do"
        unit = at_work.pop(rng.randrange(len(at_work)))
        if rng.random() < 0.05:
            units.put_back(unit)
            continue
        if rng.random() < 0.03 and exists:
            exists.remove(rng.choice(sorted(exists)))
        missing = [needed for needed in plan.inputs(unit) if needed not in exists]
        if missing:
            units.damaged(unit, missing[0])
            continue
        makings += 1
        exists.add(unit)
        for gone in units.finished(unit):
            assert not plan.is_result(gone)
            exists.discard(gone)
    # The results, and units made for a reader that did not need them in the end.
    assert {unit for unit in exists if not plan.is_result(unit)} == set()
    # A lost unit is made again once, with all its inputs.
    assert len(plan) - len(made) <= makings <= 4 * len(plan)


class LostResult:
    """A task that ended, and its result was lost with its worker before the driver asked for it."""

    status = "lost"

    def __init__(self, answer: int | None) -> None:
        self._answer = answer

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> int:
        if self._answer is None:
            raise TimeoutError
        return self._answer

    def release(self) -> None:
        pass


class OneWorker:
    """A client whose tasks all end alike."""

    status = "running"

    def __init__(self, future: LostResult) -> None:
        self._future = future
        self.cancelled: list[LostResult] = []

    def submit(self, *_: Any, **__: Any) -> LostResult:
        return self._future

    def cancel(self, futures: list[LostResult], force: bool) -> None:
        self.cancelled += futures


@pytest.mark.parametrize("answer", [7, None])
def test_a_result_lost_with_its_worker_is_not_the_loss_of_the_scheduler(answer: int | None) -> None:
    future = LostResult(answer)
    client: Any = OneWorker(future)
    tasks = Tasks[int](client)
    tasks.submit(3, "worker", int)
    match tasks.next():
        case unit, Lost():
            # It is to be made again, by a new task.
            assert (unit, answer) == (3, None)
            assert client.cancelled == [future]
        case made:
            assert made == (3, 7)
            assert client.cancelled == []
    assert len(tasks) == 0
    # What remains when the scheduler is lost.
    future.status = "cancelled"
    tasks.submit(4, "worker", int)
    with pytest.raises(Problem, match="the scheduler is gone"):
        tasks.next()


def test_nothing_is_kept_longer_than_it_is_needed() -> None:
    plan, most = Graph(), 0
    units, exists = Units(plan, []), plan.there
    while (unit := units.next()) is not None:
        exists.add(unit)
        exists -= set(units.finished(unit))
        most = max(most, len(exists))
    # The first half, and two tiers of the second.
    assert exists == set(range(LATE, len(plan))) and most <= 4 * 6 + 2 * 6


def test_what_is_always_damaged_ends_the_run() -> None:
    plan = Graph()
    plan.there = set(range(6))
    units = Units(plan, range(6))
    with pytest.raises(Problem, match=f"unit-000 was missing or damaged {TRIES} times"):
        while True:
            unit = units.next()
            assert unit is not None
            if unit == 0:
                units.finished(0)
            elif 0 in plan.inputs(unit):
                units.damaged(unit, 0)


def made(folder: Path) -> int:
    return len(ToyPlan(folder).made())


def check(folder: Path) -> None:
    plan = ToyPlan(folder)
    result = json.loads((folder / "result").read_text())
    assert result == [truth(unit) for unit in range(LATE, len(plan))]
    kept = [unit for unit in range(len(plan)) if data(folder, unit).exists()]
    assert kept == list(range(LATE, len(plan)))


def test_killed_workers_and_damaged_units_leave_the_result(tmp_path: Path) -> None:
    rng, killed, damaged = random.Random(2), 0, 0
    with begun(TOY, tmp_path, 2) as driver:
        while driver.poll() is None and killed < 5:
            before = made(tmp_path)
            wait(lambda: made(tmp_path) >= before + 5 or driver.poll() is not None, "progress")  # noqa: B023
            for worker in workers_of(driver.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
            there = sorted(tmp_path.glob("unit-???"))
            if there:
                path = rng.choice(there)
                path.write_text(path.read_text()[:3]) if rng.random() < 0.5 else path.unlink()
                damaged += 1
        _, err = driver.communicate(timeout=60)
    assert driver.returncode == 0, err
    assert killed == 5 and damaged > 2
    check(tmp_path)


def test_a_killed_driver_and_a_full_store_are_continued(tmp_path: Path) -> None:
    with begun(TOY, tmp_path, 2) as driver:
        wait(lambda: made(tmp_path) > 15, "15 units are made")
        driver.kill()
        driver.communicate()
    before = made(tmp_path)
    assert 15 < before < 40
    (tmp_path / "full").touch()
    refused = run(TOY, tmp_path, 2, code=1)
    assert "no space left in the store" in refused.stderr
    (tmp_path / "full").unlink()
    # As if the last run had been killed while it gave a unit up.
    data(tmp_path, 0).write_text("left behind")
    run(TOY, tmp_path, 2)
    check(tmp_path)
