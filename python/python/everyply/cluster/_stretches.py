"""Stretches of a long list of positions, which workers solve piece after piece."""

from collections.abc import Container

# The most positions of a piece: their keys are sent to the worker.
MOST = 4096


class Stretches:
    """The unsolved positions of a list, except the ones at work.

    Neighbours share much of their trees, so each worker takes a stretch of the list, and its
    table still holds results of the last piece; handing pieces to workers in turn searches 1.4
    times the nodes. A worker at the end of its stretch takes half of the longest one.
    """

    def __init__(self, number: int) -> None:
        """number: the positions of the list, in the order to solve them."""
        # Each with its worker; "" for none.
        self._owners = {range(number): ""} if number else {}

    def __len__(self) -> int:
        return sum(map(len, self._owners))

    def keep(self, workers: Container[str]) -> None:
        """Frees the stretches of all other workers, which are lost."""
        owners = self._owners.items()
        self._owners = {one: owner if owner in workers else "" for one, owner in owners}

    def next(self, worker: str) -> range | None:
        """Returns the next piece for a worker, at most half of a stretch, so that another worker
        can take the rest; None if nothing is open.
        """
        own = [stretch for stretch, owner in self._owners.items() if owner == worker]
        free = [stretch for stretch, owner in self._owners.items() if not owner]
        if own:
            stretch = min(own, key=lambda own: own.start)
        elif self._owners:
            stretch = max(free or self._owners, key=len)
        else:
            return None
        owner = self._owners.pop(stretch)
        if owner not in ("", worker):
            half = len(stretch) // 2
            self._add(stretch[:half], owner)
            stretch = stretch[half:]
        size = min(MOST, (len(stretch) + 1) // 2)
        self._add(stretch[size:], worker)
        return stretch[:size]

    def put_back(self, items: range) -> None:
        """Returns unsolved positions of a piece to the stretch that follows them."""
        following = [stretch for stretch in self._owners if stretch.start == items.stop]
        if items and following:
            (stretch,) = following
            self._add(range(items.start, stretch.stop), self._owners.pop(stretch))
        else:
            self._add(items, "")

    def _add(self, stretch: range, owner: str) -> None:
        if stretch:
            self._owners[stretch] = owner
