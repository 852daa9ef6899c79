"""Depth-limited searches and data sets."""

import numpy as np
import pytest
from support import Refusal, refusals

import everyply as ep


def test_a_search_to_the_end_proves_the_value() -> None:
    report = ep.search(ep.TicTacToe(), 9)
    assert report.value == ep.Value("draw", 9) and report.score == 0
    assert report.best_moves == list(range(1, 10))
    assert len(report.variation) == 9
    assert report.root == ep.TicTacToe().initial
    game = ep.ConnectFour()
    report = ep.search(game.position("44455554221"), 6)
    assert report.value == ep.Value("loss", 2)
    assert report.score == -999_998


def test_a_search_tells_what_it_did() -> None:
    report = ep.search(ep.ConnectFour().position("4453"), 8, threads=1)
    assert report.depth == 8
    depths = report.iterations["depth"].tolist()
    assert depths == list(range(1, 9))
    assert int(report.iterations["nodes"].sum()) == report.nodes
    assert [row["move"] for row in report.moves] == list("1234567")
    scores = {row["move"]: row["score"] for row in report.moves}
    assert all(scores[str(m)] == report.score for m in report.best_moves)


def test_every_function_takes_a_position_behind_a_game_or_its_name() -> None:
    for given in ("4453", [4, 4, 5, 3], ep.ConnectFour().position("4453")):
        assert ep.search("connect4", given, depth=4).root == ep.ConnectFour().position("4453")
    there = ep.ConnectFour().position("4453")
    assert ep.search("connect4", "4453", 8).score == ep.search(there, 8).score
    assert list(ep.compare("connect4", "4453", 3)["nodes"]) == list(ep.compare(there, 3)["nodes"])
    assert list(ep.count("connect4", "4453", 3)["nodes"]) == [1, 7, 49, 343]
    assert list(ep.count("connect4", "4453", plies=1)["nodes"]) == [1, 7]
    assert ep.solve("ttt", "12").value == ep.Value("win", 5)
    assert ep.dataset("connect4", "4453", plies=1).key.shape == (7,)
    boards = [row["board"] for row in ep.sample("ttt", "5", 9)]
    assert len(boards) == 9 and all(board[5] == "X" for board in boards)
    end = "44455554221"
    assert ep.explain("connect4", end) == ep.explain(end) == ep.explain(ep.ConnectFour(), end)
    assert len(ep.strategy("connect4", end, side="first")) > 0


PLACES: list[Refusal] = [
    (TypeError, "missing argument: depth", lambda: ep.search("connect4")),
    (TypeError, "a position already", lambda: ep.search(ep.TicTacToe().initial, "5", 3)),
    (TypeError, "a position already", lambda: ep.explain(ep.TicTacToe().initial, "5")),
    (ValueError, "5", lambda: ep.search("ttt", "55", depth=3)),
]

test_a_position_behind_a_game_is_checked = refusals(PLACES)


@pytest.mark.parametrize("name", ["hexapawn", "dots"])
def test_named_games_are_searched(name: str) -> None:
    game = ep.game(name)
    solver = ep.Solver(game)
    value = solver.value(game.initial)
    assert value.remoteness is not None
    report = ep.search(game, 30)
    sign = {"win": 1, "draw": 0, "loss": -1}[value.outcome]
    assert report.score == sign * (1_000_000 - value.remoteness)
    assert set(report.best_moves) == set(solver.best_moves(game.initial))


def test_each_idea_saves_nodes_and_none_changes_the_score() -> None:
    rows = list(ep.compare(ep.ConnectFour().position("4453"), 6))
    algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
    # The searches are too short to be shared: all threads do what one does.
    assert algorithms[:2] == ["minimax", "alpha-beta"] and len(algorithms) == 8
    for depth in range(1, 7):
        of_depth = [row for row in rows if row["depth"] == depth]
        assert len({row["score"] for row in of_depth}) == 1 and len(of_depth) == 8
    deepest = {row["algorithm"]: row for row in rows if row["depth"] == 6}
    histories = ep.count(ep.ConnectFour().position("4453"), 6)["nodes"]
    assert deepest["minimax"]["nodes"] == int(histories.sum())
    assert deepest["minimax"]["saved_factor"] == 1
    nodes = [deepest[name]["nodes"] for name in algorithms[:3]]
    assert nodes[0] > nodes[1] > nodes[2]


def test_what_takes_too_long_is_left_out() -> None:
    rows = list(ep.compare(ep.ConnectFour(), 12, limit_s=0.05))
    deepest = {row["algorithm"]: row["depth"] for row in rows}
    assert deepest["minimax"] < deepest["+ transposition table"]


def test_order_and_evaluation_can_be_taken_away() -> None:
    position = ep.ConnectFour().position("4")
    usual = list(ep.compare(position, 4))
    assert all(row["first_player_score"] == -row["score"] for row in usual)
    natural = list(ep.compare(position, 4, order="natural"))
    # The rungs above null windows have an order of their own.
    assert len(natural) == len(usual) - 3 * 4
    worst = list(ep.compare(position, 4, order="worst"))
    assert "+ worst moves first" in {row["algorithm"] for row in worst}
    assert sum(row["nodes"] for row in worst) > sum(row["nodes"] for row in usual)
    assert {row["score"] for row in ep.compare(position, 4, evaluation="none")} == {0}


WRONG: list[Refusal] = [
    (ValueError, "depth 0", lambda: ep.search(ep.TicTacToe(), 0)),
    (ValueError, "depth 256", lambda: ep.search(ep.TicTacToe(), 256)),
    (ValueError, "endless", lambda: ep.search(ep.game("pong"), 3)),
    (ValueError, "0 MiB", lambda: ep.search(ep.TicTacToe(), 3, table_mib=0)),
    (ValueError, "9 plies", lambda: ep.compare(ep.TicTacToe(), 10)),
    (ValueError, "--limit", lambda: ep.compare(ep.TicTacToe(), 3, limit_s=0)),
    (ValueError, "invalid value 'up' for '--order", lambda: ep.compare("ttt", 3, order="up")),  # type: ignore[arg-type]
    (ValueError, "endless", lambda: ep.compare(ep.game("pong"), 3)),
    (ValueError, "--table-size", lambda: ep.compare(ep.TicTacToe(), 3, table_mib=0)),
    (ValueError, "no game is called '4453'", lambda: ep.search("4453", 3)),
    (ValueError, "plies -1", lambda: ep.dataset(ep.TicTacToe(), -1)),
    (ValueError, "no board of stones", lambda: ep.dataset(ep.game("pong"), 2)),
    (MemoryError, "fewer plies", lambda: ep.dataset(ep.ConnectFour(), 40)),
    (ValueError, "the solver is for ", lambda: ep.dataset(
        ep.ConnectFour(), 2, solver=ep.Solver(ep.TicTacToe()))),
    (TypeError, "", lambda: ep.dataset(ep.ConnectFour(), 2, solver=3)),  # type: ignore[arg-type]
]  # fmt: skip

test_wrong_arguments_are_refused = refusals(WRONG)


@pytest.mark.parametrize(
    "game, plies", [(ep.TicTacToe(), 4), (ep.ConnectFour(4, 4), 6), (ep.MNK(3, 2, 3), 0)]
)
def test_a_dataset_is_what_its_positions_say(game: ep.BuiltinGame, plies: int) -> None:
    data = ep.dataset(game, plies)
    counted = ep.count(game, plies)[plies]
    assert len(data.key) == counted["positions"] - counted["terminal"]
    width, height, _ = game.parameters
    assert data.planes.shape == (len(data.key), 2, height, width)
    assert data.planes.dtype == np.uint8 and data.moves.dtype == np.bool_
    solver = ep.Solver(game)
    values = solver.values([game.from_key(int(key)) for key in data.key])
    assert values.outcome.tolist() == data.outcome.tolist()
    assert values.remoteness.tolist() == data.remoteness.tolist()
    assert values.score.tolist() == data.score.tolist()
    for i, key in enumerate(data.key.tolist()):
        position = game.from_key(key)
        own = "X" if position.mover == "first" else "O"
        drawn = [list(row) for row in str(position).splitlines()]
        for row in range(height):
            for column in range(width):
                there = drawn[row][column]
                assert data.planes[i, 0, row, column] == (there == own)
                assert data.planes[i, 1, row, column] == (there not in (own, "."))
        assert (np.flatnonzero(data.moves[i]) + 1).tolist() == position.legal_moves


def test_a_dataset_of_ply_8() -> None:
    data = ep.dataset(ep.ConnectFour(), 8)
    # 184,275 positions, 1,892 of them over: crates/connect-four/data/connect4-7x6-plies.csv.
    assert data.planes.shape == (182_383, 2, 6, 7)
    assert data.planes.sum(axis=(1, 2, 3)).tolist() == [8] * len(data.key)
    counts = [int((data.outcome == sign).sum()) for sign in (1, 0, -1)]
    assert sum(counts) == 182_383 and all(counts)


def test_a_table_is_printed_as_rows() -> None:
    lines = str(ep.count("ttt", 2)).splitlines()
    assert lines[0].split()[:3] == ["ply", "nodes", "games"] and len(lines) == 4
    assert lines[3].split()[:2] == ["2", "72"] and len({len(line) for line in lines[1:]}) == 1
    pandas = pytest.importorskip("pandas")
    assert isinstance(ep.count("ttt", 2).to_pandas(), pandas.DataFrame)
