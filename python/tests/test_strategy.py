"""Strategies that need no search."""

import random
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import everyply as ep

DATA = Path(__file__).parent / "data"


def written(name: str, folder: Path) -> Path:
    """A file as the program writes it: the text of a test file, packed."""
    text = (DATA / f"{name}.strategy").read_bytes()
    path = folder / name
    path.write_bytes(pyarrow.compress(text, codec="zstd", asbytes=True))
    return path


@pytest.mark.parametrize(
    "name", ["5x5-first-draw", "5x5-second-draw", "5x6-second-draw"]
)
def test_a_strategy_keeps_its_claim_against_random_play(name: str, tmp_path: Path) -> None:
    (strategy,) = ep.strategies(written(name, tmp_path))
    assert strategy.check() > 0 and len(strategy) > 0
    rng = random.Random(1)
    for _ in range(200):
        position = strategy.start
        while not position.is_over:
            if position.mover == strategy.side:
                found = strategy.move(position)
                assert found is not None and found[1]
                position = position.play(found[0])
            else:
                assert strategy.move(position) is None
                position = position.play(rng.choice(position.legal_moves))
        # The side to move at the end has lost, or the board is full.
        won = position.result == "loss" and position.mover != strategy.side
        assert won or (position.result == "draw" and strategy.at_least <= 0)


def test_a_strategy_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_text("nothing")
    with pytest.raises((OSError, ValueError), match="bad"):
        ep.strategies(path)
    with pytest.raises(FileNotFoundError):
        ep.strategies(tmp_path / "missing")
    (strategy,) = ep.strategies(written("5x5-first-draw", tmp_path))
    with pytest.raises(ValueError, match="of Connect Four 5x5"):
        strategy.move(ep.ConnectFour().initial)


def test_a_strategy_is_made_walked_checked_and_written(tmp_path: Path) -> None:
    strategy = ep.strategy(ep.ConnectFour(5, 4), "second", claim="draw")
    assert (strategy.side, strategy.at_least) == ("second", 0)
    assert strategy.check() > 0
    path = tmp_path / "5x4.strategy"
    strategy.write(path)
    (again,) = ep.strategies(path)
    assert len(again) == len(strategy) > 0
    rng = random.Random(2)
    for _ in range(50):
        position = strategy.start
        while not position.is_over:
            found = strategy.move(position)
            move = found[0] if found else rng.choice(position.legal_moves)
            position = position.play(move)
        assert position.result == "draw" or position.mover != strategy.side
    # Without a claim the value of the position is claimed.
    won = ep.strategy(ep.ConnectFour().position("44455554221"), "first")
    assert won.at_least == 1 and str(won.start.moves) == str([4, 4, 4, 5, 5, 5, 5, 4, 2, 2, 1])


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        ((ep.ConnectFour(5, 4), "second", "win"), ValueError, "the claim does not hold"),
        ((ep.ConnectFour().position("44455554221"), "second", None), ValueError, "loses"),
        ((ep.ConnectFour(), "third", None), ValueError, "'third' for '--for"),
        ((ep.ConnectFour(), "first", "loss"), ValueError, "'loss' for '--claim"),
        ((ep.TicTacToe(), "first", None), ValueError, "'ttt' for '<GAME>'"),
        ((ep.ConnectFour(9, 8), "first", None), ValueError, "too large"),
        ((ep.ConnectFour().position("1212121"), "first", "draw"), ValueError, "game is over"),
    ],
)
def test_strategies_that_cannot_be_made(
    arguments: tuple[Any, Any, Any], error: type[Exception], why: str
) -> None:
    position, side, claim = arguments
    with pytest.raises(error, match=why):
        ep.strategy(position, side, claim=claim)


def test_the_time_for_a_strategy_is_limited() -> None:
    with pytest.raises(TimeoutError):
        ep.strategy(ep.ConnectFour(), "first", seconds=0.05)
