"""Games written in Python, for the tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import everyply as ep

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class NoughtsAndCrosses(ep.Game[str, int]):
    """Tic-tac-toe on strings of nine characters."""

    title = "Noughts and crosses"
    initial = "........."

    def moves(self, position: str) -> list[int]:
        return [cell for cell in range(9) if position[cell] == "."]

    def play(self, position: str, move: int) -> str:
        side = "X" if position.count("X") == position.count("O") else "O"
        return position[:move] + side + position[move + 1 :]

    def result(self, position: str) -> ep.Outcome | None:
        if any(position[a] == position[b] == position[c] != "." for a, b, c in LINES):
            return "loss"
        return None if "." in position else "draw"

    def key(self, position: str) -> bytes:
        return position.encode()

    def picture(self, position: str) -> str:
        return "\n".join(position[row : row + 3] for row in (0, 3, 6))


TURNS = [
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
]


class Symmetric(NoughtsAndCrosses):
    """The same up to symmetry."""

    def symmetries(self, position: str) -> Iterable[str]:
        return ("".join(position[cell] for cell in turn) for turn in TURNS)


class Heaps(ep.Game[tuple[int, ...], tuple[int, int]]):
    """Nim: the side that takes the last stone wins, or loses if `misere`."""

    def __init__(self, *heaps: int, misere: bool = False) -> None:
        self.initial = heaps
        self.misere = misere

    # mypy requires a settable override of a settable attribute.
    initial: tuple[int, ...] = ()

    def moves(self, position: tuple[int, ...]) -> Iterable[tuple[int, int]]:
        # A generator is as good as a list.
        for heap, stones in enumerate(position):
            for taken in range(1, stones + 1):
                yield heap, taken

    def play(self, position: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...]:
        heap, taken = move
        return (*position[:heap], position[heap] - taken, *position[heap + 1 :])

    def result(self, position: tuple[int, ...]) -> ep.Outcome | None:
        if any(position):
            return None
        return "win" if self.misere else "loss"

    def key(self, position: tuple[int, ...]) -> int:
        key = 0
        for stones in position:
            key = key << 4 | stones
        return key

    def move_text(self, move: tuple[int, int]) -> str:
        return f"{move[0] + 1}-{move[1]}"


class Circle(ep.Game[int, str]):
    """A token on a circle of twelve: from 1, one back wins; else play may be endless."""

    initial = 5

    def moves(self, position: int) -> list[str]:
        return ["back", "on"] if position > 6 else ["on"]

    def play(self, position: int, move: str) -> int:
        return (position + (1 if move == "on" else -1)) % 12

    def result(self, position: int) -> ep.Outcome | None:
        return "loss" if position == 0 else None

    def key(self, position: int) -> int:
        return position


class Boxes(ep.Game[tuple[int, int], int]):
    """Sides take one to three of nine stones; the side that takes exactly two moves again.

    A position is the stones left and the side to move. Who takes the last stone wins.
    """

    initial = (9, 0)

    def moves(self, position: tuple[int, int]) -> list[int]:
        return list(range(1, min(3, position[0]) + 1))

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        stones, side = position
        return stones - move, side if move == 2 and stones > 2 else 1 - side

    def result(self, position: tuple[int, int]) -> ep.Outcome | None:
        return None if position[0] else "loss"

    def key(self, position: tuple[int, int]) -> int:
        return position[0] << 1 | position[1]

    def mover(self, position: tuple[int, int]) -> int:
        return position[1]


def all_positions(game: ep.Game[Any, Any]) -> list[Any]:
    """All positions by the rules alone; each key once."""
    found = {game.key(game.initial): game.initial}
    queue = [game.initial]
    for position in queue:
        if game.result(position) is None:
            for move in game.moves(position):
                after = game.play(position, move)
                if game.key(after) not in found:
                    found[game.key(after)] = after
                    queue.append(after)
    return queue
