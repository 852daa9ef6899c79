"""Random positions with their exact values."""

import csv
from pathlib import Path

import numpy as np
import pytest
from support import analyze

import everyply as ep


def test_a_sample_is_that_of_the_command_line(tmp_path: Path) -> None:
    game = ep.ConnectFour(5, 4)
    table = ep.sample(game, 60, plies=(3, 9), all_moves=True, mirror=True, seed=4)
    choices = ["--plies", "3-9", "--number", "60", "--all-moves", "--mirror", "--seed", "4"]
    out = ["--no-db", "--out", str(tmp_path)]
    analyze("sample", "connect4", "--size", "5x4", *choices, *out)
    with (tmp_path / "positions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(table) > 60
    for row, mine in zip(rows, table, strict=True):
        # Lists are in brackets in CSV.
        row["moves"] = row["moves"].strip("[]").replace(" ", "")
        row["best"] = row["best"].strip("[]")
        assert {name: "" if v is None else str(v) for name, v in mine.items()} == row
    again = ep.sample(game, 60, plies=(3, 9), all_moves=True, mirror=True, seed=4, threads=1)
    assert (again["key"] == table["key"]).all()
    assert (ep.sample(game, 60, plies=(3, 9), seed=5)["key"] != table["key"][:60]).any()


def test_values_are_those_of_the_solver() -> None:
    for game in (ep.ConnectFour(), ep.MNK(4, 3, 3), ep.game("hexapawn")):
        solver = ep.Solver(game)
        table = ep.sample(game, 20, seed=1)
        for row in table:
            position = game.from_key(row["key"])
            value = solver.value(position)
            assert (row["outcome"], row["remoteness"]) == (value.outcome, value.remoteness)
            best = [str(m) for m in solver.best_moves(position)]
            assert row["best"].split(" ") == best and not position.is_over
    frames = pytest.importorskip("polars")
    assert frames.DataFrame(table).height == 20


def test_the_draw_can_be_uniform_and_the_number_of_each_ply() -> None:
    table = ep.sample("ttt", 3, plies=(1, 4), per_ply=True)
    assert np.bincount(table["ply"]).tolist() == [0, 3, 3, 3, 3]
    assert len(ep.sample("ttt", 627, uniform=True)) == 627
    after = ep.sample(ep.TicTacToe().position("15"), 10)
    assert all("X" in row["board"] and row["ply"] >= 2 for row in after)
    assert len(ep.sample("pong", 10, uniform=True)) == 10
    outcomes = list(ep.sample("ttt", 400, balance=True)["outcome"])
    of_each = [outcomes.count(outcome) for outcome in ("win", "draw", "loss")]
    assert min(of_each) == max(of_each) > 20


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="only 627 positions"):
        ep.sample("ttt", 628, uniform=True)
    with pytest.raises(ValueError, match="random games lead to only 3 positions"):
        ep.sample("ttt", 4, plies=1)
    with pytest.raises(ValueError, match="plies: "):
        ep.sample("ttt", 4, plies=(3, 2))
    with pytest.raises(ValueError, match="number 0"):
        ep.sample("ttt", 0)
    with pytest.raises(ValueError, match="endless"):
        ep.sample("pong", 1, plies=3)
    with pytest.raises(ZeroDivisionError):
        ep.sample("connect4", 20_000, plies=12, progress=lambda done, all: done // 0)
