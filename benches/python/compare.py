#!/usr/bin/env python3
"""Whole processes against each other and against the limits of benches/README.md.

    python3 benches/python/compare.py [PATH OF analyze]      (default: target/release/analyze)

Every command is started several times in turn with the others of its comparison, its output
thrown away; the least time of each counts, from starting the process to its end. The least
processor time stands beside it: on a busy machine it is the figure to compare.
Databases and tables go into a temporary directory and are removed before every run.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

PERFT_11 = 1_844_590_828

HERE = Path(__file__).resolve().parent


class Run:
    """The least times, in seconds, and the most memory of the runs of a command."""

    def __init__(self, name, *command):
        self.name = name
        self.command = [str(word) for word in command]
        self.seconds = float("inf")
        self.processor = float("inf")
        self.peak_mib = 0.0

    def once(self):
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
        begun = time.perf_counter()
        pid = os.posix_spawn(self.command[0], self.command, os.environ, file_actions=quiet)
        _, status, usage = os.wait4(pid, 0)
        self.seconds = min(self.seconds, time.perf_counter() - begun)
        if status != 0:
            sys.exit(f"failed: {' '.join(self.command)}")
        self.processor = min(self.processor, usage.ru_utime + usage.ru_stime)
        # Linux counts kibibytes.
        self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)


def measure(times, *runs):
    for _ in range(times):
        for run in runs:
            clear()
            run.once()
    for run in runs:
        wall, processor = run.seconds * 1000, run.processor * 1000
        print(f"  {run.name:38} {wall:10.2f} ms {processor:10.2f} ms {run.peak_mib:9.1f} MiB")


def clear():
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()


def ratio(slow, fast):
    wall, processor = slow.seconds / fast.seconds, slow.processor / fast.processor
    return f"{wall:.1f}x ({processor:.1f}x of processor time)"


def verdict(what, measured, limit):
    print(f"  => {what}: {measured} (target: {limit})\n")


analyze = Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "../../target/release/analyze")
if not analyze.is_file():
    sys.exit(f"{analyze} is not there: cargo build --release")

print(f"{'':40} {'wall clock':>13} {'processor':>13} {'peak memory':>13}\n")
with tempfile.TemporaryDirectory() as directory:
    scratch = Path(directory) / "scratch"
    keep = ["--db", scratch / "everyply.db", "-q"]

    print("the complete 3x3 tree, 549,946 nodes, one thread")
    walk = Run("analyze ttt --no-db --threads 1", analyze, "ttt", "--no-db", "--threads", "1")
    python = Run("minimax.py", sys.executable, HERE / "minimax.py")
    measure(20, walk, python)
    verdict("Python / analyze", ratio(python, walk), "at least 100x")

    print("the same with its outputs, all threads")
    bare = Run("analyze ttt --no-db", analyze, "ttt", "--no-db")
    kept = Run("analyze ttt --db --csv", analyze, "ttt", *keep, "--csv", scratch)
    measure(50, bare, kept)
    verdict("database and CSV / neither", ratio(kept, bare), "under 15x")

    print("perft 11 of 7x6 by walking, 1,844,590,828 leaves")
    perft = [analyze, "count", "connect4", "--plies", "11", "--method", "walk", "-q"]
    one = Run("analyze count --threads 1", *perft, "--threads", "1")
    two = Run("analyze count --threads 2", *perft, "--threads", "2")
    measure(10, one, two)
    rates = f"{PERFT_11 / one.seconds:.2e} ({PERFT_11 / one.processor:.2e} of processor time)"
    verdict("leaves/s, one thread", rates, "at least 1.04e9")
    verdict("one thread / two", f"{one.seconds / two.seconds:.2f}x", "at least 1.8x")

    print("depth-limited Connect Four with its database")
    search = Run("analyze connect4 --depth 8", analyze, "connect4", "--depth", "8", *keep)
    measure(20, search)
    verdict("whole process", f"{search.seconds * 1000:.0f} ms", "under 50 ms")

    print("4x4, 4 in a row, solved completely, all threads")
    solve = [analyze, "ttt", "--size", "4x4", "--line", "4", "--no-db", "-q"]
    solve = Run("analyze ttt --size 4x4 --line 4 --no-db", *solve)
    measure(3, solve)
    verdict(
        "time and peak memory",
        f"{solve.seconds:.1f} s, {solve.peak_mib / 1024:.2f} GiB",
        "under 10 s and 1.5 GB",
    )
