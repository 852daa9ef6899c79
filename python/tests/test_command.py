"""The command `analyze`."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support import ANALYZE, analyze

import everyply as ep


def test_the_command_line_is_that_of_the_program() -> None:
    assert analyze("--version").stdout.startswith("analyze ")
    assert "value      draw in 9 plies" in analyze("ttt", "--no-db").stdout
    assert "no move" in analyze("connect4", "44x", code=2).stderr


def test_a_command_gives_its_document_to_a_program(tmp_path: Path) -> None:
    counted = ep.run(["count", "ttt", "--no-db"])
    assert counted["plies"] == json.loads(analyze("count", "ttt", "--no-db", "--json").stdout)["plies"]
    file = tmp_path / "4x4.solution"
    told: list[int] = []
    ep.run(["solve", "connect4", "--size", "4x4", "--out", file], progress=lambda n, _: told.append(n))
    assert ep.Solution(file).value.outcome == "draw" and told
    ep.run(["verify", file])
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    refused: list[tuple[list[str | Path], type[Exception], str]] = [
        (["count", "chess"], ValueError, "invalid value 'chess' for '<GAME>'"),
        (["connect4", "44x"], ValueError, "no move"),
        (["verify", tmp_path / "nothing"], OSError, "nothing"),
        (["connect4", "--size", "8x8", "--no-db", "--timeout", "0.01"], TimeoutError, "--timeout"),
    ]
    for words, kind, text in refused:
        with pytest.raises(kind, match=text):
            ep.run(words)
    with pytest.raises((OSError, RuntimeError)):
        ep.run(["verify", file])


def test_ctrl_c_ends_the_command_as_it_ends_the_program() -> None:
    command = [*ANALYZE, "connect4", "--size", "8x8", "--no-db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=5) == 130
