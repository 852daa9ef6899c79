#!/usr/bin/env python3
"""Times the Python package, installed by `pip install ./python`.

    python3 benches/python/package.py [--pons FOLDER] [--analyze target/release/analyze]

Prints the figures of a table in benches/README.md. With a folder of Pons' test sets (begin-easy.txt and
so on) it also solves begin-easy's positions beside the program's own batch.
"""

import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable

import everyply as ep


def best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the quickest of several runs."""
    return min(timeit.repeat(work, number=1, repeat=times))


def import_time() -> float:
    """Seconds that the import adds to a bare process."""

    def process(code: str) -> float:
        command = [sys.executable, "-c", code]
        return best(lambda: subprocess.run(command, check=True), 15)

    return process("import everyply") - process("pass")


def call(work: Callable[[], object], number: int = 100_000) -> float:
    """Microseconds a call, of the quickest of several runs."""
    return 1e6 / number * min(timeit.repeat(work, number=number, repeat=5))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pons", type=pathlib.Path)
    arguments.add_argument("--analyze", default="target/release/analyze")
    given = arguments.parse_args()

    game = ep.ConnectFour()
    position = game.position("4453")
    over = game.position("1212121")
    solver = ep.Solver(game, threads=2)
    print(f"import everyply                          {1e3 * import_time():8.1f} ms")
    print(f"p.play(4)                                {call(lambda: position.play(4)):8.2f} us")
    print(f"solver.value of a finished game          {call(lambda: solver.value(over)):8.2f} us")
    print(f"solver.value of a position of the book   {call(lambda: solver.value(position)):8.2f} us")
    print(f"dataset of ply 8 of 7x6                  {best(lambda: ep.dataset(game, 8)):8.2f} s")
    own_game()
    with tempfile.TemporaryDirectory() as folder:
        million_probes(folder)
    if given.pons:
        batch(given.pons / "begin-easy.txt", given.analyze)


class Walk(ep.Game[int, int]):
    """Three moves a position, and about a million positions that come back."""

    initial = 0

    def moves(self, position: int) -> tuple[int, ...]:
        return (1, 2, 3)

    def play(self, position: int, move: int) -> int:
        return (position * 3 + move) % 1_000_003

    def result(self, position: int) -> ep.Outcome | None:
        return "loss" if position % 97 == 5 else None

    def key(self, position: int) -> int:
        return position


def own_game() -> None:
    """A game written in Python, by processor time, since its rules run in one thread."""
    begun, work = time.perf_counter(), time.process_time()
    positions = len(ep.solve(Walk()))
    seconds, work = time.perf_counter() - begun, time.process_time() - work
    print(f"{positions:,} positions of a game in Python  {positions / seconds:8,.0f} a second")
    print(f"  for each second of one processor       {positions / work:8,.0f}")


def million_probes(folder: str) -> None:
    """A million keys of 5x5, from random games, each drawn anew."""
    import numpy as np

    board = ep.ConnectFour(5, 5)
    begun = time.perf_counter()
    file = ep.solve(board, path=pathlib.Path(folder) / "5x5.solution", threads=2)
    print(f"solve of 5x5                             {time.perf_counter() - begun:8.2f} s")
    rng = np.random.default_rng(5)
    keys: list[int] = []
    while len(keys) < 200_000:
        position = board.initial
        while position.result is None:
            position = position.play(int(rng.choice(position.legal_moves)))
            keys.append(position.key)
    asked = rng.choice(np.array(keys, dtype=np.uint64), 1_000_000)
    print(f"a million probes of 5x5, two threads     {best(lambda: file.values(asked), 3):8.2f} s")
    used = time.process_time()
    file.values(asked)
    print(f"their processor time                     {time.process_time() - used:8.2f} s")


def batch(path: pathlib.Path, analyze: str) -> None:
    """The positions of a test set by the package and by the program, in turn."""
    known = [line.split() for line in path.read_text().splitlines()]
    moves = [line[0] for line in known]
    times: dict[str, list[tuple[float, float]]] = {"package": [], "program": []}
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder) / "positions.txt"
        lines.write_text("\n".join(moves))
        command = [analyze, "connect4", "--input", str(lines), "--value-only", "--threads", "2"]
        for _ in range(5):
            begun, used = time.perf_counter(), time.process_time()
            values = ep.Solver(ep.ConnectFour(), threads=2).values(moves)
            times["package"].append((time.perf_counter() - begun, time.process_time() - used))
            assert values.score.tolist() == [int(line[1]) for line in known]
            begun, used = time.perf_counter(), children()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times["program"].append((time.perf_counter() - begun, children() - used))
    for who, runs in times.items():
        wall, used = min(wall for wall, _ in runs), min(used for _, used in runs)
        print(f"{path.stem} by the {who}: {wall:.2f} s, {used:.2f} s of processor time")


def children() -> float:
    """Seconds of processor time of the processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
