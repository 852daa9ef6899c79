"""The example agent for Kaggle's ConnectX."""

import random
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import everyply as ep

agent = runpy.run_path(str(Path(__file__).parents[2] / "examples/kaggle/agent.py"))["agent"]


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
    move = agent(observation(board_of(moves), len(moves) % 2 + 1), configuration())
    assert move + 1 in ep.Solver(game).best_moves(moves)


def test_the_agent_takes_mappings_and_any_mark_to_begin() -> None:
    board = {"board": board_of("121212"), "mark": 1}
    settings = {"columns": 7, "rows": 6, "inarow": 4}
    assert agent(board, settings) == 0
    swapped = [(0, 2, 1)[cell] for cell in board_of("121212")]
    assert agent({"board": swapped, "mark": 2}, settings) == 0


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
                column = agent(observation(board, mark), settings)
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
    assert agent(observation(board, 1), wide) in (14, 15)
    for column in (3, 4, 5, 6):
        board = drop(board, 30, column, 2)
        board = drop(board, 30, 20, 1)
    # Four on top of each other: the fifth wins, before the other side's is stopped.
    assert agent(observation(board, 1), wide) == 20
    assert agent(observation(board, 2), wide) in (2, 7)
    # No game reaches this position, and a move is still possible.
    assert agent(observation([0] * 35 + [1] * 7, 2), configuration()) in range(7)


def test_a_short_time_still_gives_a_move() -> None:
    assert agent(observation([0] * 56, 1), configuration(8, 7, 4, 0.5)) in range(8)


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
        agent(observation(board, mark), settings)
