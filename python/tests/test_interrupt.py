"""Ctrl-C ends every long call, leaves files whole and the interpreter alive."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import everyply as ep

CALLS = {
    "value": "LARGE.value('')",
    "moves": "LARGE.moves('')",
    "best_moves": "LARGE.best_moves('')",
    "variation": "LARGE.variation('')",
    "value of another board": "ep.Solver(ep.MNK(10, 4, 4), threads=2).value('')",
    "value of a named game": "ep.Solver(ep.game('dots', size='3x3')).value('')",
    "values, few": "LARGE.values(['', '1'])",
    "values, many": "LARGE.values(['', '1'] * 50)",
    "solve, in memory": "ep.solve(ep.ConnectFour(6, 5).position('4'), memory_mib=10**7)",
    "solve, a board": "ep.solve(ep.ConnectFour(6, 5), path='board.solution')",
    "count": "ep.count(ep.ConnectFour(), 13)",
    "run": "ep.run(['connect4', '--size', '8x8', '--no-db'])",
    "search": "ep.search(ep.ConnectFour(), 40)",
    "search of a named game": "ep.search(ep.game('dots', size='4x4'), 36)",
    "compare": "ep.compare(ep.ConnectFour(), 14, limit_s=60)",
    "dataset": "ep.dataset(ep.ConnectFour(8, 7), 6, solver=LARGE)",
}

SCRIPT = """
import everyply as ep
# A large table takes long to make if the system has few large pages.
LARGE = ep.Solver(ep.ConnectFour(8, 7), table_mib=8)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
    # The interpreter and the library are alive.
    assert ep.Solver(ep.TicTacToe()).value("").outcome == "draw"
    print("alive", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_long_call_ends_at_once(call: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT.format(call=call)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert child.poll() is None, "the call was over before it could be stopped"
        asked = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "stopped\n"
        # 0.1 s on a quiet machine; tests may share it with others.
        assert time.monotonic() - asked < 1
        assert child.stdout.readline() == "alive\n"
        assert child.wait() == 0
    assert list(tmp_path.iterdir()) == []


def test_a_stopped_solver_still_knows_what_is_right(tmp_path: Path) -> None:
    stops = 0

    def stop(done: int, all: int) -> None:
        nonlocal stops
        stops += 1
        raise InterruptedError

    game = ep.ConnectFour()
    solver = ep.Solver(game, book=False)
    with pytest.raises(InterruptedError):
        solver.values(["", "1", "2"] * 10, progress=stop)
    assert stops == 1
    assert solver.value("44455554221") == ep.Value("loss", 2)
    with pytest.raises(InterruptedError):
        ep.solve(ep.ConnectFour(6, 5), path=tmp_path / "board.solution", progress=stop)
    assert list(tmp_path.iterdir()) == []
