"""The agent, the opponent and the explorer."""

import random
import time
import urllib.request
from types import SimpleNamespace
from typing import Any

import pytest
from own_games import Heaps, NoughtsAndCrosses

import everyply as ep


def observation(board: list[int], mark: int) -> SimpleNamespace:
    return SimpleNamespace(board=board, mark=mark)


def configuration(columns: int = 7, rows: int = 6, inarow: int = 4, time: float = 2) -> Any:
    return SimpleNamespace(columns=columns, rows=rows, inarow=inarow, actTimeout=time)


def drop(board: list[int], columns: int, column: int, mark: int) -> list[int]:
    at = max(cell for cell in range(column, len(board), columns) if board[cell] == 0)
    return board[:at] + [mark] + board[at + 1 :]


def board_of(moves: str, columns: int = 7, rows: int = 6) -> list[int]:
    board = [0] * (columns * rows)
    for ply, move in enumerate(moves):
        board = drop(board, columns, int(move) - 1, ply % 2 + 1)
    return board


@pytest.mark.parametrize("moves", ["", "4", "44", "4453", "444444", "12345671", "112233"])
def test_the_agent_plays_a_best_move(moves: str) -> None:
    game = ep.ConnectFour()
    move = ep.kaggle.agent(observation(board_of(moves), len(moves) % 2 + 1), configuration())
    assert move + 1 in ep.Solver(game).best_moves(moves)


def test_the_agent_takes_mappings_and_any_mark_to_begin() -> None:
    board = {"board": board_of("121212"), "mark": 1}
    settings = {"columns": 7, "rows": 6, "inarow": 4}
    assert ep.kaggle.agent(board, settings) == 0
    swapped = [(0, 2, 1)[cell] for cell in board_of("121212")]
    assert ep.kaggle.agent({"board": swapped, "mark": 2}, settings) == 0


@pytest.mark.parametrize("columns, rows, inarow", [(7, 6, 4), (5, 4, 4), (4, 4, 3), (9, 8, 4)])
def test_the_agent_beats_chance(columns: int, rows: int, inarow: int) -> None:
    chance = random.Random(columns)
    for ours in (1, 2):
        board, mark = [0] * (columns * rows), 1
        settings = configuration(columns, rows, inarow, 0.6)
        won = 0
        while 0 in board and not won:
            playable = [column for column in range(columns) if board[column] == 0]
            if mark == ours:
                begun = time.monotonic()
                column = ep.kaggle.agent(observation(board, mark), settings)
                assert time.monotonic() - begun < 3
                assert column in playable
            else:
                column = chance.choice(playable)
            after = drop(board, columns, column, mark)
            won = mark if completed(after, columns, inarow) else 0
            board, mark = after, 3 - mark
        assert won in (0, ours)


def completed(board: list[int], columns: int, inarow: int) -> bool:
    rows = len(board) // columns
    for row in range(rows):
        for column in range(columns):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                cells = [(row + i * down, column + i * right) for i in range(inarow)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                    marks = {board[r * columns + c] for r, c in cells}
                    if len(marks) == 1 and 0 not in marks:
                        return True
    return False


def test_the_agent_moves_where_no_solver_does() -> None:
    wide = configuration(30, 20, 5)
    board = [0] * 600
    assert ep.kaggle.agent(observation(board, 1), wide) in (14, 15)
    for column in (3, 4, 5, 6):
        board = drop(board, 30, column, 2)
        board = drop(board, 30, 20, 1)
    # Four on top of each other: the fifth wins, before the other side's is stopped.
    assert ep.kaggle.agent(observation(board, 1), wide) == 20
    assert ep.kaggle.agent(observation(board, 2), wide) in (2, 7)
    # No game reaches this one, and a move is possible all the same.
    assert ep.kaggle.agent(observation([0] * 35 + [1] * 7, 2), configuration()) in range(7)


def test_the_agent_keeps_its_time() -> None:
    begun = time.monotonic()
    move = ep.kaggle.agent(observation([0] * 56, 1), configuration(8, 7, 4, 0.5))
    assert move in range(8)
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    "board, mark, settings",
    [
        ([0] * 41, 1, configuration()),
        ([0] * 42, 3, configuration()),
        ([7] * 42, 1, configuration()),
        ([1, 2] * 21, 1, configuration()),
        ([0] * 42, 1, SimpleNamespace(columns=7)),
    ],
)
def test_what_is_no_board_is_refused(board: list[int], mark: int, settings: Any) -> None:
    with pytest.raises(ValueError):
        ep.kaggle.agent(observation(board, mark), settings)


@pytest.mark.parametrize("level", ["perfect", "varied", "casual", "beginner"])
def test_every_level_completes_and_stops_lines(level: str) -> None:
    opponent = ep.opponent(level)
    assert opponent.level == level
    assert repr(opponent) == f"Opponent('{level}')"
    game = ep.ConnectFour()
    assert opponent.move(game.position("121212")) == 1
    assert opponent(game.position("12121")) == 1
    assert opponent(ep.game("nim", position="3").initial) == "1-3"
    own = ep.tabulate(Heaps(0, 3))
    assert opponent(own.initial) == "2-3"


def test_the_perfect_opponent_is_never_beaten() -> None:
    chance = random.Random(1)
    opponent = ep.opponent("varied", seconds=5, threads=1)
    for game in [ep.TicTacToe(), ep.tabulate(NoughtsAndCrosses())]:
        for number in range(20):
            position = game.initial
            ours = number % 2 == 0
            while position.result is None:
                m = opponent(position) if ours else chance.choice(position.legal_moves)
                position, ours = position.play(m), not ours
            # The side to move has lost: not the opponent.
            assert position.result == "draw" or not ours


def test_wrong_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="'casual'"):
        ep.opponent("strong")
    with pytest.raises(ValueError):
        ep.opponent(seconds=-1)
    with pytest.raises(ValueError, match="threads 0"):
        ep.opponent(threads=0)
    opponent = ep.opponent()
    with pytest.raises(ValueError, match="over"):
        opponent.move(ep.ConnectFour().position("1212121"))
    with pytest.raises(TypeError):
        opponent.move("4453")  # type: ignore[arg-type]


def page(address: str) -> tuple[str, Any]:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read().decode(), answer.headers


def test_the_explorer_is_served_until_it_is_stopped() -> None:
    with ep.serve(ep.ConnectFour(8, 7)) as server:
        assert server.running and str(server.port) in server.url
        text, headers = page(server.url)
        assert "8x7" in text
        # A notebook may show it in a frame.
        assert "frame-ancestors http://localhost:*" in headers["Content-Security-Policy"]
    assert not server.running and "stopped" in repr(server)
    server.stop()
    with pytest.raises(OSError):
        page(server.url)


def test_an_own_game_is_served() -> None:
    with ep.serve(NoughtsAndCrosses()) as server:
        text, _ = page(server.url)
        assert "Noughts and crosses" in text
        answer, _ = page(
            f"http://127.0.0.1:{server.port}/api/v1/position?game=noughtsandcrosses&moves=4,0"
        )
        assert '"draw"' in answer and "O../.X./..." in answer


def test_wrong_servers_are_refused() -> None:
    with ep.serve() as server, pytest.raises(OSError, match="another port"):
        ep.serve(port=server.port)
    with pytest.raises(OSError, match="nowhere"):
        ep.serve(files=["/nowhere.db"])
    for arguments in [{"port": -1}, {"seconds": 0}, {"threads": 0}, {"table_mib": 0}]:
        with pytest.raises(ValueError):
            ep.serve(**arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="built-in"):
        ep.serve("connect4")  # type: ignore[arg-type]


def test_a_position_is_shown_in_a_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    address = ep.show(ep.ConnectFour().position("4453"))
    assert opened == [address]
    text, _ = page(opened[0])
    assert "everyply" in text
    own = ep.game("nim", position="3,4,5").position("2,4,5")
    ep.show(own)
    assert page(opened[1])[0]
    with pytest.raises(ValueError, match="by serve"):
        ep.show(ep.tabulate(Heaps(1, 2)))
    with pytest.raises(TypeError, match="Position"):
        ep.show("4453")  # type: ignore[arg-type]
