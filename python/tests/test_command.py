"""The command `analyze`."""

import signal
import subprocess
import sys
import time

COMMAND = [sys.executable, "-c", "from everyply._command import main; main()"]


def analyze(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


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
