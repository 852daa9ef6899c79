"""Whole boards: in memory, in files, and as tables."""

import contextlib
import itertools
import random
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow
import pytest
from support import Refusal, checkout, reachable, refusals, tool

import everyply as ep

Whole: TypeAlias = ep.Solution[ep.Position, ep.Move]


@pytest.fixture(scope="module")
def tic_tac_toe() -> Whole:
    return ep.solve(ep.TicTacToe(), threads=2)


@pytest.fixture(scope="module")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    path = tmp_path_factory.mktemp("solution") / "5x4.solution"
    ep.solve(ep.ConnectFour(5, 4), path=path)
    return ep.Solution(path)


def known_plies() -> list[dict[str, int]]:
    lines = checkout("data/ttt-plies.csv").read_text().splitlines()
    header, *rows = [line.split(",") for line in lines if not line.startswith("#")]
    return [dict(zip(header, map(int, row), strict=True)) for row in rows]


def test_the_counts_of_tic_tac_toe(tic_tac_toe: Whole) -> None:
    assert len(tic_tac_toe) == 5478
    assert tic_tac_toe.value == ep.Value("draw", 9)
    known = known_plies()
    assert len(tic_tac_toe.plies) == len(known) == 10
    for row, expected in zip(tic_tac_toe.plies, known, strict=True):
        assert {name: row[name] for name in expected if name in row} == {
            name: count for name, count in expected.items() if name in row
        }
    assert sum(row["nodes"] for row in tic_tac_toe.plies) == 549_946
    assert sum(row["games"] for row in tic_tac_toe.plies) == 255_168
    assert int(tic_tac_toe.plies["canonical"].sum()) == 765


def test_every_position_of_a_solution(tic_tac_toe: Whole) -> None:
    game = ep.TicTacToe()
    table = tic_tac_toe.to_numpy()
    assert len(table["key"]) == 765
    assert (np.diff(table["key"].astype(np.int64)) > 0).all()
    solver = ep.Solver(game)
    for key, ply, outcome, remoteness, best in zip(
        *(table[name].tolist() for name in ["key", "ply", "outcome", "remoteness", "best"]),
        strict=True,
    ):
        position = game.from_key(key)
        value = tic_tac_toe[position]
        assert position in tic_tac_toe
        assert solver.value(position) == value
        assert ({"win": 1, "draw": 0, "loss": -1}[value.outcome], value.remoteness) == (
            outcome,
            remoteness,
        )
        assert position.ply == ply
        moves = [m + 1 for m in range(9) if best >> m & 1]
        assert tic_tac_toe.best_moves(position) == moves == solver.best_moves(position)
        assert tic_tac_toe.moves(position) == solver.moves(position)


def test_a_solution_leaves_as_arrow(tic_tac_toe: Whole) -> None:
    table = pyarrow.table(tic_tac_toe)
    assert table.equals(pyarrow.table(tic_tac_toe.to_arrow()))
    assert table.schema.names == ["key", "ply", "outcome", "remoteness", "best"]
    numpy = tic_tac_toe.to_numpy()
    for name in table.schema.names:
        assert table[name].to_pylist() == numpy[name].tolist()


def test_arrays_are_the_memory_of_the_table(tic_tac_toe: Whole) -> None:
    table = tic_tac_toe.to_arrow()
    keys = table["key"]
    assert np.shares_memory(keys, table["key"])
    assert keys.base is not None and not keys.flags.writeable
    arrow = pyarrow.table(table)["key"].chunk(0)
    assert arrow.buffers()[1].address == keys.ctypes.data
    first = int(keys[0])
    del table, arrow
    assert int(keys[0]) == first


def test_tables(tic_tac_toe: Whole) -> None:
    plies = tic_tac_toe.plies
    assert plies.columns[:3] == ["ply", "nodes", "games"]
    assert plies[-1] == plies[9] == list(plies)[9]
    assert set(plies.to_numpy()) == set(plies.columns)
    assert "<table>" in plies._repr_html_()
    counted = ep.count(ep.TicTacToe())
    assert isinstance(counted["wins"], np.ma.MaskedArray)
    assert counted["wins"].mask.all()
    assert pyarrow.table(counted)["wins"].null_count == 10
    with pytest.raises(KeyError, match="the columns are ply, nodes"):
        plies["node"]
    with pytest.raises(IndexError):
        plies[10]
    with pytest.raises(TypeError):
        plies[1.5]  # type: ignore[call-overload]


def test_a_solution_of_a_position_knows_what_follows_only() -> None:
    game = ep.TicTacToe()
    solution = ep.solve(game.position("15"))
    assert solution.root == game.position("15")
    assert solution.plies["ply"].tolist() == list(range(2, 10))
    assert game.position("1") not in solution
    with pytest.raises(KeyError, match="does not lead to"):
        solution["1"]
    with pytest.raises(KeyError):
        solution.moves("1")
    with pytest.raises(ValueError, match="Connect Four"):
        solution[ep.ConnectFour().initial]


def test_a_file_has_the_values_of_the_solver(small_file: Whole) -> None:
    game, rng = small_file.table, random.Random(1)
    assert game == small_file.game == ep.ConnectFour(5, 4)
    solver = ep.Solver(game)
    positions = []
    for _ in range(300):
        position = game.initial
        while position.result is None:
            positions.append(position)
            position = position.play(rng.choice(position.legal_moves))
    positions = rng.sample(positions, 1000)
    keys = np.array([position.key for position in positions], dtype=np.uint64)
    by_key, by_position = small_file.values(keys), small_file.values(positions)
    expected = solver.values(positions)
    for name in ["outcome", "remoteness", "score"]:
        arrays = [getattr(values, name).tolist() for values in (by_key, by_position, expected)]
        assert arrays[0] == arrays[1] == arrays[2]
    for position in positions[:50]:
        assert small_file[position] == small_file[position.key] == solver.value(position)
        assert small_file.moves(position) == solver.moves(position)
        assert small_file.best_moves(position) == solver.best_moves(position)


WRONG: list[Refusal] = [
    (ValueError, "choose one of", lambda: ep.solve("tttt")),
    (TypeError, "a game, its name or a position", lambda: ep.solve(3)),  # type: ignore[call-overload]
    (ValueError, "memory_mib 0", lambda: ep.solve(ep.TicTacToe(), memory_mib=0)),
    (MemoryError, "are allowed", lambda: ep.solve(ep.ConnectFour(5, 5), memory_mib=1)),
    (MemoryError, "later position", lambda: ep.solve(ep.MNK(6, 6, 5))),
    (MemoryError, "later position", lambda: ep.solve(ep.ConnectFour().position("4"))),
    (MemoryError, "more than", lambda: ep.solve(ep.game("dots", size="3x2"), memory_mib=1)),
    (ValueError, "threads -1", lambda: ep.solve(ep.TicTacToe(), threads=-1)),
    (TypeError, "progress", lambda: ep.solve(ep.TicTacToe(), progress="yes")),  # type: ignore
    (ValueError, "may be endless", lambda: ep.count(ep.game("pong"))),
    (ValueError, "plies -1", lambda: ep.count(ep.TicTacToe(), -1)),
    (MemoryError, "count 6 plies at most", lambda: ep.count(ep.ConnectFour(), 40, memory_mib=1)),
    (MemoryError, "plies at most", lambda: ep.count(ep.game("teeko"), 40, memory_mib=1)),
    (ValueError, "memory_mib 0", lambda: ep.count(ep.TicTacToe(), memory_mib=0)),
    (MemoryError, "GiB", lambda: ep.solve(ep.ConnectFour())),
    (FileNotFoundError, "no-such", lambda: Whole("no-such")),
    (OSError, "not a solution", lambda: Whole(__file__)),
    (TypeError, "", lambda: Whole(3)),  # type: ignore[arg-type]
    (OSError, "", lambda: ep.solve(ep.ConnectFour(4, 4), path="/no/such/folder/x")),
]

test_wrong_arguments_are_refused = refusals(WRONG)


def test_wrong_keys_are_refused(small_file: Whole) -> None:
    with pytest.raises(ValueError, match="at index 1: key 0 is no position"):
        small_file.values(np.array([small_file.table.initial.key, 0], dtype=np.uint64))
    with pytest.raises(ValueError, match="of Connect Four 7x6"):
        small_file.values([ep.ConnectFour().initial])
    with pytest.raises(TypeError, match=r"uint64, not of shape \[2\] and type int64"):
        small_file.values(np.array([1, 2]))
    with pytest.raises(TypeError):
        small_file.values(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("root", [ep.TicTacToe().position("15"), ep.ConnectFour(4, 3, 3), ep.game("pong")])
def test_iteration_gives_every_position_once(root: ep.BuiltinGame | ep.Position) -> None:
    solution = ep.solve(root)
    positions = list(solution)
    assert len(positions) == len(set(positions)) == len(solution)
    assert positions[0] == solution.root or root == ep.game("pong")
    assert all(position in solution for position in positions)
    solver = ep.Solver(solution.table)
    for position, value in random.Random(2).sample(list(solution.items()), 50):
        assert value == solver.value(position)
    # Moves lead from positions of the solution to others of it.
    assert set(reachable(solution.root)) == set(positions)


def test_a_board_has_the_same_rows_by_both_engines(small_file: Whole) -> None:
    game = ep.ConnectFour(4, 3, 3)
    board = ep.solve(game)
    # A position of another board with the same rules is solved as a graph.
    graph = [ep.solve(game.initial.play(move)) for move in game.initial.legal_moves]
    for position, value in board.items():
        assert position == game.initial or value in [s[position] for s in graph if position in s]
    table, best = board.to_numpy(), board.best_moves
    assert len(table["key"]) == board.plies["canonical"].sum()
    for key, bits, ply in zip(*(table[name].tolist() for name in ["key", "best", "ply"]), strict=True):
        assert best(key) == [m + 1 for m in range(4) if bits >> m & 1]
        assert game.from_key(key).ply == ply
    assert (np.diff(table["key"].astype(np.int64)) > 0).all()


def test_every_way_to_a_solution_has_the_same_values(small_file: Whole, tmp_path: Path) -> None:
    kept = ep.solve(ep.ConnectFour(5, 4), path=tmp_path / "a", work=tmp_path / "work")
    assert small_file.path is not None and kept.path == tmp_path / "a"
    assert (tmp_path / "a").read_bytes() == small_file.path.read_bytes()
    memory = ep.solve(ep.ConnectFour(5, 4))
    assert memory.path is None
    assert memory.value == kept.value == small_file.value == ep.Solver(memory.table).value("")
    assert memory.totals == small_file.totals and len(memory) == len(small_file)
    assert memory.variation() == small_file.variation("")
    for name in ["ply", "positions", "canonical", "terminal", "wins", "draws", "losses"]:
        assert memory.plies[name].tolist() == small_file.plies[name].tolist()
    counted = ep.count(ep.ConnectFour(5, 4))
    for name in ["positions", "canonical", "terminal"]:
        assert memory.plies[name].tolist() == counted[name].tolist()


@pytest.mark.parametrize("name", ["nim", "morris"])
def test_any_game_is_solved_into_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.solution"
    written, memory = ep.solve(name, path=path), ep.solve(name)
    opened = ep.Solution[ep.Position, ep.Move](path)
    assert written.path == opened.path == path
    assert opened.value == memory.value
    some = random.Random(4).sample(list(memory), 90)
    for position in some:
        assert opened[position] == memory[position]
        assert opened.moves(position) == memory.moves(position)
    assert len(opened) == len(memory)


@pytest.mark.parametrize("name", ["morris", "awari"])
def test_tiers_are_kept_in_a_folder(name: str, tmp_path: Path) -> None:
    path, work = tmp_path / "solution", tmp_path / "work"
    ep.solve(name, path=path)
    alone = path.read_bytes()
    calls: list[int] = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        raise RuntimeError("enough")

    with contextlib.suppress(RuntimeError):
        ep.solve(name, path=tmp_path / "other", work=work, progress=stop)
    for _ in range(2):
        kept = ep.solve(name, path=path, work=work)
        assert path.read_bytes() == alone
        assert kept.value == ep.solve(name).value
    assert any(work.glob("*.summary"))
    with pytest.raises(OSError, match="made for another game"):
        ep.solve("dao", path=path, work=work)
    with pytest.raises(ValueError, match="work: a folder holds"):
        ep.solve(name, work=work)
    with pytest.raises(ValueError, match="work: a folder holds"):
        ep.solve("nim", work=work, path=path)


def read_solution() -> Any:
    """The reader that shares no code with the package."""
    pytest.importorskip("zstandard")
    return tool("read_solution")


@pytest.mark.parametrize("name", ["nim", "ttt", "pong"])
def test_a_page_of_python_reads_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "solution"
    solved = ep.solve(name, path=path)
    reader = read_solution().Solution(path)
    (tier,) = reader.description["tiers"]
    table = pyarrow.table(solved)
    columns = (table[column].to_pylist() for column in ("key", "outcome", "remoteness"))
    rows = list(zip(*columns, strict=True))
    words = {-1: "loss", 0: "draw", 1: "win"}
    left_out = 0
    for key, outcome, remoteness in rows:
        found = reader.value(key)
        if found is None:
            # Files of endless games leave out positions that the rules decide.
            left_out += 1
            continue
        word, plies = found
        assert word.startswith(words[outcome])
        assert (plies is None) == word.endswith("endless play")
        assert plies == remoteness
    assert (left_out > 0) == (reader.description["numbering"] == "open")
    assert tier["entries"] + left_out == len(rows)
    assert reader.value(2**63) is None


def test_a_page_of_python_reads_ranks(tmp_path: Path) -> None:
    path = tmp_path / "dao.solution"
    ep.solve("dao", path=path)
    reader = read_solution().Solution(path)
    for tier in reader.description["tiers"]:
        found: dict[int, int] = {}
        for rank in range(0, tier["entries"], 65536):
            _, outcomes, _ = reader.chunk(rank // 65536)
            for outcome in outcomes:
                found[outcome] = found.get(outcome, 0) + 1
            assert reader.value_at(tier["name"], rank)[0] in read_solution().OUTCOMES
        # Holes repeat a value.
        assert sum(found.values()) == tier["entries"]
        assert found[3] >= tier["wins"] and found[1] >= tier["losses"]
    assert reader.value_at("none", 0) is None


def test_a_page_of_python_reads_points(tmp_path: Path) -> None:
    path = tmp_path / "awari.solution"
    ep.solve("awari", path=path)
    reader = read_solution().Solution(path)
    assert reader.description["numbering"] == "scored"
    # One seed is kept by the side to move, or lost to the other side.
    found = [reader.value_at("seeds-1", rank) for rank in range(6)]
    assert set(found) == {("win", 1), ("loss", 1)}
    assert reader.value_at("seeds-0", 0) == ("draw", 0)


def test_best_moves_of_games_for_points_have_the_most() -> None:
    solution = ep.solve(ep.game("kalah", pits=2, seeds=3))
    assert solution.points() == -2
    # Move 2 loses a ply later, and four points.
    assert solution.best_moves() == ["1"] and ep.Solver(solution.root.game).best_moves("") == ["1"]
    assert [str(m) for m in solution.variation()] == ["1", "1", "2", "2", "2"]


def test_solutions_have_the_points_of_positions(tmp_path: Path) -> None:
    # Those of `analyze dots` and `analyze kalah` for the root, and of a brute force for awari.
    for game, points in [("dots", 2), ("kalah", 2), ("awari", 3), ("othello", -8), ("nim", None)]:
        path = tmp_path / f"{game}.solution"
        for solution in [ep.solve(game), ep.solve(game, path=path)]:
            assert solution.points() == points
            followed = 0
            for position in itertools.islice(solution, 300):
                best = solution.points(position)
                # Boards of dots do not tell the side to move.
                if best is None or position.mover is None:
                    assert (best is None) == (points is None)
                    continue
                if game == "awari":
                    assert solution[position].outcome == ["loss", "draw", "win"][np.sign(best) + 1]
                below = []
                for move in position.legal_moves:
                    child = position.play(move)
                    there = solution.points(child)
                    assert there is not None
                    below.append(there if child.mover == position.mover else -there)
                assert not below or max(below) == best
                followed += bool(below)
            assert followed > 50 or game in ("dots", "nim")
    with pytest.raises(KeyError, match="does not lead to"):
        ep.solve(ep.game("nim").position("1,5,7")).points("3,5,7")


def test_a_position_of_another_kind_is_no_key(tic_tac_toe: Whole) -> None:
    key = ep.TicTacToe().position("5").key
    assert tic_tac_toe[key] == tic_tac_toe[[5]] == tic_tac_toe["5"]
    values = tic_tac_toe.values(np.array([key], dtype=np.uint64))
    assert values.remoteness.tolist() == [8]
    with pytest.raises(ValueError, match="is no position"):
        tic_tac_toe[0b11 << 60]
