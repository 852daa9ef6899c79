"""The interpreter's lock is released, solvers work side by side, and memory stays flat."""

import os
import resource
import subprocess
import sys
import threading
import time

import pytest

import everyply as ep

# Takes a second or more by search on every machine.
LONG = "4453"


def test_other_threads_run_while_a_solver_works() -> None:
    solver = ep.Solver(ep.ConnectFour(), threads=1, book=False)
    done = threading.Event()

    def work() -> None:
        solver.value(LONG)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    turns = 0
    while not done.is_set():
        time.sleep(0.001)
        turns += 1
    worker.join()
    assert turns > 20


def test_many_threads_share_a_solver() -> None:
    solver = ep.Solver(ep.ConnectFour(), threads=2)
    wrong: list[object] = []

    def work() -> None:
        for _ in range(50):
            if solver.value("44455554221") != ep.Value("loss", 2):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_makes_threads_of_its_own() -> None:
    script = (
        "import os, everyply as ep\n"
        "solver = ep.Solver(ep.ConnectFour(), threads=2, book=False)\n"
        "texts = ['44455554221'] * 20\n"
        "first = solver.values(texts).score.tolist()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if solver.values(texts).score.tolist() == first else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


@pytest.mark.slow
def test_memory_is_flat_over_many_calls() -> None:
    game = ep.ConnectFour()
    solver = ep.Solver(game)
    solution = ep.solve(ep.TicTacToe())

    def calls(count: int) -> None:
        for i in range(count):
            position = game.position("44455554221").play(1 + i % 3)
            solver.value(position)
            solver.moves("44455554221")
            solver.values([position, "12"])
            solution.moves("1")
            solution.plies.to_numpy()
            solution.to_arrow().__arrow_c_stream__()
            str(position), repr(position), position._repr_html_(), position.legal_moves
            with pytest.raises(ValueError):
                position.play(9)

    calls(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(10_000)
    # KiB; fragments of the heap only.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024
