"""Exact values, against known answers, brute force and the command line."""

import random
from functools import cache

import numpy as np
import pytest
from support import Refusal, reachable, refusals

import everyply as ep


@pytest.fixture(scope="module")
def solver() -> ep.Solver:
    return ep.Solver(ep.ConnectFour(), threads=2)


@cache
def brute_force(position: ep.Position) -> ep.Value:
    """The value by visiting every position, by the rules alone."""
    if position.result is not None:
        return ep.Value(position.result, 0)
    other = {"win": "loss", "draw": "draw", "loss": "win"}
    values = []
    for move in position.legal_moves:
        below = brute_force(position.play(move))
        assert below.remoteness is not None
        values.append(ep.Value(other[below.outcome], below.remoteness + 1))  # type: ignore[arg-type]
    return max(values)


SMALL = [
    (ep.TicTacToe(), 5478),
    (ep.MNK(4, 2, 3), None),
    (ep.ConnectFour(3, 3, 3), None),
    (ep.ConnectFour(4, 3, 3), None),
    (ep.ConnectFour(3, 3, 2), None),
    (ep.game("nim", position="2,3,2"), None),
    (ep.game("nim", position="2,3,2", misere=True), None),
    (ep.game("hexapawn"), None),
]


@pytest.mark.parametrize("game, count", SMALL, ids=lambda case: repr(case))
def test_every_position_of_a_small_game_has_the_value_of_brute_force(
    game: ep.BuiltinGame, count: int | None
) -> None:
    brute_force.cache_clear()
    brute_force(game.initial)
    solver = ep.Solver(game, table_mib=4)
    queue = reachable(game.initial)
    assert count is None or len(queue) == count
    values = solver.values(queue)
    for position, outcome, remoteness in zip(queue, values.outcome, values.remoteness, strict=True):
        expected = brute_force(position)
        assert {"win": 1, "draw": 0, "loss": -1}[expected.outcome] == outcome, position
        assert expected.remoteness == remoteness, position
    for position in random.Random(1).sample(queue, min(60, len(queue))):
        expected = brute_force(position)
        assert solver.value(position) == expected
        moves = solver.moves(position)
        assert list(moves) == position.legal_moves
        best = [m for m, value in moves.items() if value == expected]
        assert solver.best_moves(position) == best
        variation = solver.variation(position)
        assert len(variation) == expected.remoteness
        end = position
        for m in variation:
            end = end.play(m)
        assert end.result is not None


def test_the_arrays(solver: ep.Solver) -> None:
    values = solver.values(["44455554221", "1212121", ""])
    assert values.outcome.dtype == np.int8 and values.outcome.tolist() == [-1, -1, 1]
    assert values.remoteness.dtype == np.int16 and values.remoteness.tolist() == [2, 0, 41]
    assert values.score.dtype == np.int16 and values.score.tolist() == [-15, -18, 1]
    empty = solver.values([])
    assert [array.shape for array in empty] == [(0,)] * 3


def test_a_batch_takes_any_iterable_and_tells_its_progress(solver: ep.Solver) -> None:
    told: list[tuple[int, int]] = []
    texts = ["4453"] * 20
    values = solver.values(iter(texts), progress=lambda done, all: told.append((done, all)))
    assert len(values.outcome) == 20
    assert told[-1] == (20, 20)


def test_endless_play() -> None:
    game = ep.game("pong")
    solver = ep.Solver(game)
    assert solver.value(game.initial) == ep.Value("draw")
    assert solver.values([game.initial]).remoteness.tolist() == [-1]
    assert solver.variation(game.initial)


UNMADE: list[Refusal] = [
    (ValueError, "threads 0", lambda: ep.Solver(ep.ConnectFour(), threads=0)),
    (ValueError, "table_mib 0", lambda: ep.Solver(ep.ConnectFour(), table_mib=0)),
    (MemoryError, "cannot be made", lambda: ep.Solver(ep.ConnectFour(), table_mib=2**50)),
    (TypeError, "", lambda: ep.Solver(7)),  # type: ignore[arg-type]
    (TypeError, "", lambda: ep.Solver(ep.ConnectFour(), 2)),  # type: ignore[call-arg]
]

test_solvers_that_cannot_be_made = refusals(UNMADE)


@pytest.mark.parametrize("name", ["value", "moves", "best_moves", "variation"])
def test_wrong_positions_are_refused(solver: ep.Solver, name: str) -> None:
    call = getattr(solver, name)
    with pytest.raises(ValueError, match="column 4 is full"):
        call("4444444")
    with pytest.raises(ValueError, match="of Connect Four 7x7"):
        call(ep.ConnectFour(7, 7).initial)
    with pytest.raises(TypeError):
        call(None)
    with pytest.raises(TypeError):
        call()


def test_wrong_batches_are_refused(solver: ep.Solver) -> None:
    with pytest.raises(ValueError, match="at index 1: .*column 4 is full"):
        solver.values(["4", "4444444"])
    with pytest.raises(TypeError, match="into a list"):
        solver.values("4453")
    with pytest.raises(TypeError):
        solver.values(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress"):
        solver.values(["4"], progress=3)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        solver.values(["4"], progress=lambda done, all: done // 0)


def test_a_batch_of_keys_has_the_values_of_its_positions() -> None:
    for game in (ep.ConnectFour(5, 4), ep.MNK(4, 3, 3), ep.game("hexapawn")):
        solver = ep.Solver(game)
        keys = ep.sample(game, 20)["key"]
        expected = [solver.value(game.from_key(key)) for key in keys.tolist()]
        values = solver.values(keys)
        assert values.remoteness.tolist() == [value.remoteness for value in expected]


def test_a_solver_takes_every_game() -> None:
    assert ep.Solver("connect4").game == ep.ConnectFour()
    assert ep.Solver(ep.ConnectFour().position("44")).game == ep.ConnectFour()
    wide = ep.ConnectFour(9, 8)
    moves = [1, 2, 1, 2, 1, 2]
    solver = ep.Solver(wide)
    assert solver.value(moves) == ep.Value("win", 1)
    assert solver.best_moves(moves) == [1] and solver.value([*moves, 1]) == ep.Value("loss", 0)
    assert solver.values([moves]).remoteness.tolist() == [1]
