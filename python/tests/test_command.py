"""The command `analyze`, and values equal to its."""

import csv
import io
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import everyply as ep

COMMAND = [sys.executable, "-c", "from everyply._command import main; main()"]


def analyze(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


def random_games(game: ep.BuiltinGame, count: int, least: int, most: int) -> list[str]:
    """Move strings of random positions that are not over."""
    rng = random.Random(7)
    found: list[str] = []
    while len(found) < count:
        position, moves = game.initial, ""
        for _ in range(rng.randint(least, most)):
            m = rng.choice(position.legal_moves)
            position = position.play(m)
            moves += str(m)
            if position.result is not None:
                break
        else:
            found.append(moves)
    return found


def test_the_command_line_is_that_of_the_program() -> None:
    assert analyze("--version").stdout.startswith("analyze ")
    assert "value      draw in 9 plies" in analyze("ttt", "--no-db").stdout
    assert "no move" in analyze("connect4", "44x", code=2).stderr


def test_ctrl_c_ends_the_command_as_it_ends_the_program() -> None:
    command = [*COMMAND, "connect4", "--size", "8x8", "--no-db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=5) == 130


@pytest.mark.slow
def test_2000_random_positions_have_the_values_of_the_command_line(tmp_path: Path) -> None:
    game = ep.ConnectFour()
    moves = random_games(game, 2000, 12, 36)
    path = tmp_path / "positions.txt"
    path.write_text("\n".join(moves))
    printed = analyze("connect4", "--input", str(path), "--value-only").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["moves"] for row in rows] == [f"[{' '.join(played)}]" for played in moves]
    values = ep.Solver(game).values(moves)
    words = np.array(["loss", "draw", "win"])[values.outcome + 1]
    assert [row["outcome"] for row in rows] == words.tolist()
    assert [int(row["remoteness"]) for row in rows] == values.remoteness.tolist()
    assert [int(row["score"]) for row in rows] == values.score.tolist()


@pytest.mark.slow
def test_100000_keys_of_5x5_have_the_values_of_the_solver(tmp_path: Path) -> None:
    game = ep.ConnectFour(5, 5)
    file = ep.solve(game, path=tmp_path / "5x5.solution")
    rng = random.Random(5)
    keys: list[int] = []
    while len(keys) < 100_000:
        position = game.initial
        while position.result is None:
            position = position.play(rng.choice(position.legal_moves))
            keys.append(position.key)
    all = np.array(keys[:100_000], dtype=np.uint64)
    values = file.values(all)
    positions = [game.from_key(key) for key in all[::10].tolist()]
    expected = ep.Solver(game, table_mib=64).values(positions)
    assert values.outcome[::10].tolist() == expected.outcome.tolist()
    assert values.remoteness[::10].tolist() == expected.remoteness.tolist()
    # Every key by itself as well, which is another way through the file.
    for key, outcome, remoteness in zip(
        all[::50].tolist(), values.outcome[::50], values.remoteness[::50], strict=True
    ):
        value = file[game.from_key(key)]
        assert (value.outcome, value.remoteness) == (
            ["loss", "draw", "win"][outcome + 1],
            remoteness,
        )
