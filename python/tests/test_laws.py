"""Laws that games written in Python break, each reported by its name."""

from collections.abc import Iterable
from typing import Any

import pytest
from own_games import Boxes, Heaps, NoughtsAndCrosses

import everyply as ep


def test_sound_games_pass() -> None:
    sound: list[ep.Game[Any, Any]] = [NoughtsAndCrosses(), Heaps(3, 2), Boxes()]
    for game in [*sound, Heaps(2, 2, misere=True)]:
        ep.check_laws(game)


class Collides(NoughtsAndCrosses):
    """A game whose keys are the same for both sides."""

    def key(self, position: str) -> bytes:
        return position.replace("O", "X").encode()


class WrongWord(NoughtsAndCrosses):
    def result(self, position: str) -> Any:
        return super().result(position) and "lost"


class NoMoves(Heaps):
    """A game without a result for a side that cannot move."""

    def result(self, position: tuple[int, ...]) -> ep.Outcome | None:
        return None


class Twice(Heaps):
    def moves(self, position: tuple[int, ...]) -> Iterable[tuple[int, int]]:
        return [*super().moves(position)] * 2


class Unhashable(Heaps):
    def moves(self, position: tuple[int, ...]) -> Any:
        return [list(move) for move in super().moves(position)]


class Shuffles(Heaps):
    calls = 0

    def moves(self, position: tuple[int, ...]) -> Iterable[tuple[int, int]]:
        self.calls += 1
        moves = list(super().moves(position))
        return moves if self.calls % 2 else moves[::-1]


class OneText(Heaps):
    def move_text(self, move: tuple[int, int]) -> str:
        return "take"


class Words(Heaps):
    def move_text(self, move: tuple[int, int]) -> str:
        return f"take {move}"


class Mixed(Heaps):
    def key(self, position: tuple[int, ...]) -> Any:
        key = super().key(position)
        return key if key % 2 else str(key).encode()


class Changes(ep.Game[list[int], int]):
    """A game whose moves change the position itself."""

    @property
    def initial(self) -> list[int]:  # type: ignore[override]
        return [3, 3]

    def moves(self, position: list[int]) -> list[int]:
        return [heap for heap, stones in enumerate(position) if stones]

    def play(self, position: list[int], move: int) -> list[int]:
        position[move] -= 1
        return position

    def result(self, position: list[int]) -> ep.Outcome | None:
        return None if any(position) else "loss"

    def key(self, position: list[int]) -> int:
        return position[0] << 4 | position[1]


class Random(Heaps):
    """A game in which a move leads to varying positions."""

    calls = 0

    def play(self, position: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...]:
        self.calls += 1
        heap, taken = move
        return super().play(position, (heap, taken if self.calls % 2 else 1))


class Unlike(NoughtsAndCrosses):
    """A game with a wrong image of a position."""

    def symmetries(self, position: str) -> Iterable[str]:
        return [position[::-1], position[1:] + position[:1]]


BROKEN: list[tuple[ep.Game[Any, Any], str]] = [
    (Collides(), "equal keys mean equal futures"),
    (WrongWord(), "a result is None, 'win', 'draw' or 'loss'"),
    (NoMoves(2, 2), "a position without a result has a move"),
    (Twice(2, 2), "moves are given once"),
    (Unhashable(2, 2), "moves are hashable"),
    (Shuffles(2, 2), "a position has the same moves in the same order"),
    (OneText(2, 2), "moves have texts of their own"),
    (Words(2, 2), "the text of a move is one word"),
    (Mixed(2, 1), "keys are ints, or all of them are bytes"),
    (Changes(), "play() does not change the position it is given"),
    (Random(3, 3), "a move leads to one position"),
    (Unlike(), "images have equal futures"),
]


@pytest.mark.parametrize("game, law", BROKEN, ids=lambda case: type(case).__name__)
def test_a_broken_law_is_named(game: ep.Game[Any, Any], law: str) -> None:
    with pytest.raises(ep.LawError) as raised:
        ep.check_laws(game)
    assert raised.value.law == law
    assert str(raised.value).startswith(law)
    assert repr(raised.value.position) in str(raised.value)
