"""Units of a plan that can be made, and units that are not needed any more."""

import heapq
from collections import Counter
from collections.abc import Iterable

from everyply._everyply import _Plan
from everyply.cluster._problem import Problem

# Times that a unit may be damaged or missing before that counts as a permanent fault.
TRIES = 10


class Units:
    """Progress of a plan.

    A unit can be made as soon as its inputs are made, and is not needed any more once all its
    readers are made. If it is damaged or missing when it is read, it is made again, and before that
    its missing inputs.
    """

    def __init__(self, plan: _Plan, made: Iterable[int]) -> None:
        """made: units that a run before made, whether or not their data still exists."""
        planned = plan.units()
        self.names = [name for name, _, _, _ in planned]
        self.bytes = [size for _, size, _, _ in planned]
        self._inputs = [inputs for _, _, inputs, _ in planned]
        self._is_result = [is_result for _, _, _, is_result in planned]
        self._exists = plan.exists
        self._made = set(made)
        self._at_work: set[int] = set()
        self._tries: Counter[int] = Counter()
        self._readers: list[list[int]] = [[] for _ in planned]
        # Inputs of each unit that are not made, and readers of each that are not.
        self._waiting = [0] * len(planned)
        self._unread = [0] * len(planned)
        self._ready: list[int] = []
        for unit, inputs in enumerate(self._inputs):
            for needed in inputs:
                self._readers[needed].append(unit)
            if unit not in self._made:
                self._want(unit)

    def __len__(self) -> int:
        """Units that are not made."""
        return len(self.names) - len(self._made)

    def is_made(self, unit: int) -> bool:
        """True if a unit is made, whether or not its data still exist."""
        return unit in self._made

    def unneeded(self) -> list[int]:
        """Units whose data no other unit reads any more."""
        return [unit for unit in sorted(self._made) if self._is_unneeded(unit)]

    def next(self) -> int | None:
        """The first unit that can be made now; None if there is none."""
        while self._ready:
            unit = heapq.heappop(self._ready)
            # An input may have been lost since.
            if unit not in self._made and unit not in self._at_work and not self._waiting[unit]:
                self._at_work.add(unit)
                return unit
        return None

    def finished(self, unit: int) -> list[int]:
        """Records that a unit is made; gives the units that are not needed any more."""
        self._at_work.discard(unit)
        if unit in self._made:
            return []
        self._made.add(unit)
        for reader in self._readers[unit]:
            if reader not in self._made:
                self._waiting[reader] -= 1
                self._offer(reader)
        inputs = self._inputs[unit]
        for needed in inputs:
            self._unread[needed] -= 1
        return [other for other in (*inputs, unit) if self._is_unneeded(other)]

    def put_back(self, unit: int) -> None:
        """Records that a unit could not be made for reasons outside of it."""
        self._at_work.discard(unit)
        self._offer(unit)

    def damaged(self, unit: int | None, needed: int) -> list[int]:
        """Records that a unit could not be made (for None: the results not be read) because
        an input is missing or damaged; gives the units that have to be made again.
        """
        again = []
        if needed in self._made:
            self._tries[needed] += 1
            if self._tries[needed] > TRIES:
                raise Problem(
                    f"{self.names[needed]} was missing or damaged {TRIES} times: is the "
                    "store at fault, or at work for something else?"
                )
        lost = [needed, *([] if unit is None else self._given_up(unit))]
        while lost:
            other = lost.pop()
            if other in self._made:
                self._made.remove(other)
                for reader in self._readers[other]:
                    if reader not in self._made:
                        self._waiting[reader] += 1
                # All at once, so that no input is removed before all of them have read it.
                lost += self._given_up(other)
                self._want(other)
                again.append(other)
        if unit is not None:
            self.put_back(unit)
        return again

    def _given_up(self, unit: int) -> list[int]:
        """The inputs of a unit that were made, and removed or lost since."""
        inputs = self._inputs[unit]
        return [needed for needed in inputs if needed in self._made and not self._exists(needed)]

    def _want(self, unit: int) -> None:
        inputs = self._inputs[unit]
        self._waiting[unit] = sum(needed not in self._made for needed in inputs)
        for needed in inputs:
            self._unread[needed] += 1
        self._offer(unit)

    def _offer(self, unit: int) -> None:
        if not self._waiting[unit]:
            heapq.heappush(self._ready, unit)

    def _is_unneeded(self, unit: int) -> bool:
        return unit in self._made and not self._unread[unit] and not self._is_result[unit]
