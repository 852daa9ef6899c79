"""Files made of solutions and databases, and checks of them."""

import csv
import sqlite3
from pathlib import Path

import pytest

import everyply as ep
from own_games import Heaps


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("game", ["ttt", "hexapawn", "pong"])
def test_every_game_is_exported(game: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    manifest = ep.export(game, path)
    solution = ep.solve(game)
    assert manifest["rows"] == len(rows(path)) == len(solution.to_arrow())
    first = rows(path)[0]
    assert first["outcome"] == solution.value.outcome
    # The same from a database, and with a selection.
    with ep.Database(tmp_path / "a.db", create=True) as database:
        database.add(solution)
        again = ep.export(database, tmp_path / "b.csv")
        assert again["sha256"] == manifest["sha256"]
        won = ep.export(tmp_path / "a.db", tmp_path / "c.csv", outcome="win", all_moves=True)
    found = rows(tmp_path / "c.csv")
    assert 0 < won["rows"] == len(found) < manifest["rows"]
    assert {row["outcome"] for row in found} == {"win"}


def test_a_game_in_python_is_exported_and_verified(tmp_path: Path) -> None:
    game = Heaps(1, 2, 3)
    manifest = ep.export(game, tmp_path / "nim.jsonl", format="jsonl", plies="0-2")
    # The ending says the format as well.
    assert ep.export(game, tmp_path / "again.jsonl", plies="0-2")["sha256"] == manifest["sha256"]
    assert ep.export(game, tmp_path / "nim.parquet")["format"] == "parquet"
    assert manifest["rows"] == len((tmp_path / "nim.jsonl").read_text().splitlines()) > 1
    verified = ep.verify(game)
    assert verified.agrees and verified.positions == len(ep.solve(game))
    assert verified.solved == verified.agreements > 0


def test_whole_boards_are_exported_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "4x4.solution"
    board = ep.ConnectFour(4, 4)
    solution = ep.solve(board, path=path)
    manifest = ep.export(solution, tmp_path / "4x4.txt", format="pons")
    assert ep.export(path, tmp_path / "again.txt", format="pons")["sha256"] == manifest["sha256"]
    assert ep.verify(path) == ep.Verified(161_029, 0, 0, 0, [])
    with ep.Database(tmp_path / "4x4.db", create=True) as database:
        database.add(solution)
    compared = ep.verify(tmp_path / "4x4.db", against=tmp_path / "4x4.txt", values_only=True)
    assert compared.agrees and compared.positions == 80_541
    with pytest.raises(ValueError, match="a database is compared"):
        ep.verify(path, against=tmp_path / "4x4.dat")


def test_what_disagrees_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ttt.db"
    with ep.Database(path, create=True) as database:
        database.add(ep.solve("ttt"))
    assert ep.verify(path, sample=20) == ep.Verified(765, 20, 20, 0, [])
    pons = tmp_path / "pons.txt"
    pons.write_text("4 0\n41 1\n")
    with pytest.raises(ValueError, match="against: no other file is about"):
        ep.verify(path, against=pons)
    board = tmp_path / "4x4.db"
    with ep.Database(board, create=True) as database:
        database.add(ep.solve(ep.ConnectFour(4, 4)))
    found = ep.verify(board, against=pons, values_only=True)
    assert not found.agrees and "pons.txt, line 2 says win in" in found.disagreements[0]
    # Damage is an error, not a disagreement.
    with sqlite3.connect(path) as damaged:
        damaged.execute("UPDATE position SET outcome = -outcome WHERE ply = 3")
    with pytest.raises(OSError, match="checksum|damaged"):
        ep.verify(path)


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for arguments, why in [
        ({"format": "xml"}, "choose one of csv, jsonl"),
        ({"plies": "8-0"}, "plies '8-0'"),
        ({"plies": "40"}, "no position to write"),
        ({"format": "uci"}, "format 'uci' is for Connect Four, not for ttt"),
        ({"format": "pons", "all_moves": True}, "all_moves: format 'pons' has no place"),
        ({"outcome": "won"}, "choose one of win, draw, loss"),
    ]:
        with pytest.raises(ValueError, match=why):
            ep.export("ttt", path, **arguments)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        ep.export(tmp_path / "missing.db", path)
    with pytest.raises(OSError):
        ep.export("ttt", tmp_path / "nowhere" / "deep" / "a.csv" / "b")
    with pytest.raises(ValueError, match="only with `against`"):
        ep.verify("ttt", values_only=True)
    assert not path.exists()
