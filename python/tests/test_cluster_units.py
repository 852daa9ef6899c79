"""Units of a plan on a cluster: made once, given up in time, and made again if they are lost."""

import random
from collections.abc import Callable
from typing import Any, cast

import pytest

from everyply.cluster._client import Lost, Tasks
from everyply.cluster._problem import Problem
from everyply.cluster._units import TRIES, Units

WIDTH, TIERS = 6, 8
LATE = (TIERS - 1) * WIDTH


class Plan:
    """Units that depend on each other as those of a board do, forward and then backward: unit n of tier
    t is made from its neighbours in tier t - 1, in the second half also from its own of the first half.
    The last tier is the result.
    """

    def __init__(self) -> None:
        # The units whose data exist.
        self.there: set[int] = set()

    def __len__(self) -> int:
        return TIERS * WIDTH

    def inputs(self, unit: int) -> list[int]:
        tier, place = divmod(unit, WIDTH)
        if tier == 0:
            return []
        near = {(tier - 1) * WIDTH + (place + step) % WIDTH for step in (-1, 0, 1)}
        if tier >= TIERS // 2:
            near.add((TIERS - 1 - tier) * WIDTH + place)
        return sorted(near)

    def units(self) -> list[tuple[str, int, list[int], bool]]:
        return [(f"unit-{at}", 1, self.inputs(at), at >= LATE) for at in range(len(self))]

    def exists(self, unit: int) -> bool:
        return unit in self.there


@pytest.mark.parametrize("seed", range(30))
def test_every_unit_is_made_from_what_exists(seed: int) -> None:
    plan, rng = Plan(), random.Random(seed)
    # An earlier run was cut off; its units may be lost or not.
    made = set(range(rng.randrange(len(plan))))
    plan.there = exists = {unit for unit in made if rng.random() < 0.8}
    units = Units(cast(Any, plan), made)
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
            assert gone < LATE
            exists.discard(gone)
    # The results, and units made for a reader that did not need them in the end.
    assert all(unit >= LATE for unit in exists)
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
    plan, most = Plan(), 0
    units, exists = Units(cast(Any, plan), []), plan.there
    while (unit := units.next()) is not None:
        exists.add(unit)
        exists -= set(units.finished(unit))
        most = max(most, len(exists))
    # The first half, and two tiers of the second.
    assert exists == set(range(LATE, len(plan))) and most <= 4 * 6 + 2 * 6


def test_what_is_always_damaged_ends_the_run() -> None:
    plan = Plan()
    plan.there = set(range(6))
    units = Units(cast(Any, plan), range(6))
    with pytest.raises(Problem, match=f"unit-0 was missing or damaged {TRIES} times"):
        while True:
            unit = units.next()
            assert unit is not None
            if unit == 0:
                units.finished(0)
            elif 0 in plan.inputs(unit):
                units.damaged(unit, 0)
