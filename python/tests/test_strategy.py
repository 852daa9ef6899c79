"""Strategies that need no search."""

import random
from pathlib import Path

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
