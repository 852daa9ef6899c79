"""Pieces of a long list of positions: each takes about the same time."""

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass

# Target seconds of a piece: long compared with the milliseconds that a task costs the scheduler,
# short compared with the loss of a worker.
TARGET = 2.0
# The shortest piece: towards the end pieces shrink, so that all workers end together.
SHORTEST = 0.1
# A piece that takes this many times the target is given up; its positions come back.
PATIENCE = 4
# Seconds of a position on a board with no empty cell, and the factor of each empty cell. An error
# of a thousandfold does no harm: measured pieces soon correct it.
PRIOR, GROWTH = 2e-6, 1.35
# How fast older measurements fade.
MEMORY = 0.95


@dataclass(frozen=True)
class Piece:
    """Positions to solve, by their numbers in the list."""

    items: tuple[int, ...]
    # After this many seconds it is given up; never if it is a single position.
    limit: float | None


class Pieces:
    """The unsolved positions of a list.

    Neighbours share much of their trees, so each worker takes a stretch of the list, and its
    table still holds results of the last piece; handing pieces to workers in turn searches 1.4
    times the nodes. A worker at the end of its stretch takes half of the longest one.
    """

    def __init__(self, number: int, empties: int) -> None:
        """number: the positions of the list, in the order to solve them. empties: the empty cells of each."""
        self._stretches = [deque(range(number))]
        self._owners: dict[str, deque[int]] = {}
        # Positions for which a limit was too short.
        self._hard: deque[int] = deque()
        self._guess = PRIOR * GROWTH**empties
        # Seconds that positions took, and their number.
        self._taken = self._measured = 0.0

    def __len__(self) -> int:
        return sum(map(len, self._stretches)) + len(self._hard)

    def cost(self) -> float:
        """The expected seconds of a position."""
        return self._taken / self._measured if self._measured else self._guess

    def seconds(self) -> float:
        """The expected seconds of all open positions, for one worker."""
        known = sum(map(len, self._stretches)) * self.cost()
        return known + PATIENCE * TARGET * len(self._hard)

    def keep(self, workers: Container[str]) -> None:
        """Takes back the stretches of all other workers, which are lost."""
        self._owners = {name: own for name, own in self._owners.items() if name in workers}

    def next(self, worker: str, threads: int) -> Piece | None:
        """The next piece for a worker, given the number of threads; None if nothing is open."""
        if self._hard:
            return Piece((self._hard.popleft(),), None)
        stretch = self._stretch(worker)
        if not stretch:
            return None
        budget = max(SHORTEST, min(TARGET, self.seconds() / (2 * threads)))
        number = min(max(int(budget / self.cost()), 1), len(stretch))
        items = tuple(stretch.popleft() for _ in range(number))
        return Piece(items, PATIENCE * TARGET if number > 1 else None)

    def _stretch(self, worker: str) -> deque[int]:
        """The stretch of a worker, which is empty only if all are."""
        own = self._owners.get(worker)
        if own:
            return own
        self._stretches = [stretch for stretch in self._stretches if stretch]
        owned = {id(stretch) for stretch in self._owners.values()}
        free = [stretch for stretch in self._stretches if id(stretch) not in owned]
        own = max(free or self._stretches, key=len, default=deque())
        if own and not free:
            half = [own.pop() for _ in range((len(own) + 1) // 2)]
            own = deque(reversed(half))
            self._stretches.append(own)
        self._owners[worker] = own
        return own

    def learn(self, piece: Piece, solved: int, seconds: float) -> None:
        """Records that the first positions of a piece were solved, and their time; the others
        return to the list, the one that was given up as a piece of its own.
        """
        left = piece.items[solved:]
        self._taken = self._taken * MEMORY + seconds
        # The position that was given up took time as well.
        self._measured = self._measured * MEMORY + len(piece.items[: solved + 1])
        self._hard.extend(left[:1])
        self.put_back(left[1:])

    def put_back(self, items: Sequence[int]) -> None:
        """Returns unsolved positions to the list."""
        if items:
            self._stretches.append(deque(items))
