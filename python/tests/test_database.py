"""Databases."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from own_games import Heaps
from support import analyze

import everyply as ep


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "ttt.db"
    analyze("ttt", "--db", str(path))
    return path


@pytest.fixture
def database(path: Path) -> Iterator[ep.Database]:
    with ep.Database(path) as database:
        yield database


def test_a_database_holds_what_the_command_line_proved(
    database: ep.Database, path: Path
) -> None:
    game = ep.TicTacToe()
    assert database.path == path and database.games == [game]
    solution = ep.solve(game)
    found = list(database)
    assert len(found) == len(database.positions()) == 765
    for position, value in found:
        assert value == solution[position] == database.value(position)
    stored = database.positions().to_numpy()
    solved = solution.to_numpy()
    order = stored["key"].argsort()
    for name, array in solved.items():
        assert stored[name][order].tolist() == array.tolist(), name


def test_one_ply(database: ep.Database) -> None:
    assert len(database.positions(ply=1)) == 3
    assert {position.ply for position, _ in database.items(ply=4)} == {4}
    assert len(database.positions(ply=30)) == 0


def test_what_is_not_stored(database: ep.Database) -> None:
    assert database.value(ep.ConnectFour().initial) is None
    # This game is over by the rules.
    assert database.value(ep.ConnectFour().position("1212121")) == ep.Value("loss", 0)
    assert len(database.positions(game=ep.ConnectFour())) == 0


def test_the_runs(database: ep.Database) -> None:
    (run,) = database.runs
    assert run["status"] == "finished" and run["game"] == "ttt 3x3, 3"
    assert run["command"].startswith("analyze ttt")
    assert run["started_at"] < run["finished_at"]


def test_a_closed_database_says_so(path: Path) -> None:
    database = ep.Database(path)
    assert not database.closed
    database.close()
    database.close()
    assert database.closed and "closed" in repr(database)
    calls: list[Callable[[], object]] = [
        lambda: database.value("1"),
        lambda: database.value(ep.TicTacToe().initial),
        lambda: database.games,
        lambda: database.runs,
        lambda: database.positions(),
        lambda: database.items(),
        lambda: list(database),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="is closed"):
            call()


def test_several_games(path: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.db"
    both.write_bytes(path.read_bytes())
    analyze("nim", "1,2,3", "--misere", "--db", str(both))
    with ep.Database(both) as database:
        nim = next(game for game in database.games if game.name == "nim")
        assert len(database.games) == 2
        solver = ep.Solver(nim)
        items = list(database.items(game=nim))
        assert items
        for position, value in items:
            assert solver.value(position) == value
        with pytest.raises(ValueError, match="say which game"):
            database.value("1")
        with pytest.raises(ValueError, match="say which game"):
            list(database)


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="does not exist"):
        ep.Database(tmp_path / "no-such.db")
    with pytest.raises(OSError, match="is a directory"):
        ep.Database(tmp_path)
    other = tmp_path / "other"
    other.write_text("not a database at all" * 100)
    with pytest.raises(OSError, match="not a database"):
        ep.Database(other)
    with pytest.raises(TypeError):
        ep.Database(3)  # type: ignore[arg-type]


def test_wrong_arguments_are_refused(database: ep.Database) -> None:
    with pytest.raises(ValueError, match="ply -1"):
        database.positions(ply=-1)
    with pytest.raises(ValueError, match="cell 1 is taken"):
        database.value("11")
    with pytest.raises(TypeError):
        database.positions(game="ttt")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        database.value(None)  # type: ignore[arg-type]


def test_a_solution_is_added_to_a_database(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    solution = ep.solve("ttt")
    with ep.Database(path, create=True) as database:
        assert database.games == []
        assert database.add(solution) == 765
        assert database.add(solution) == 0
        assert database.value("5") == solution["5"]
        table, expected = database.positions().to_numpy(), solution.to_numpy()
        for name in ["key", "ply", "outcome", "remoteness", "best"]:
            order = np.argsort(table["key"])
            assert table[name][order].tolist() == expected[name].tolist()
        board = ep.solve(ep.ConnectFour(4, 3, 3))
        assert database.add(board) == board.plies["canonical"].sum()
        assert database.value(ep.ConnectFour(4, 3, 3).position("12")) == board["12"]
        assert [run["status"] for run in database.runs] == ["finished"] * 3
    with pytest.raises(ValueError, match="closed"):
        database.add(solution)
    with pytest.raises(FileNotFoundError):
        ep.Database(tmp_path / "other.db")
    again = ep.Database(path)
    with pytest.raises(TypeError, match="a Solution is added, not str"):
        again.add("ttt")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="built-in games"):
        again.add(ep.solve(Heaps(1, 2)))
