#!/usr/bin/env python3
"""Counts the instructions that fixed commands take, and compares them with benches/instructions.csv.

    python3 tools/instructions.py              exit code 1 if a count is off by more than 3 %
    python3 tools/instructions.py --write      takes the counts of today, on purpose

Each command must give its answer as well. Counts repeat to within a thousandth on any machine with AVX2,
unlike times, but belong to one compiler: with another one nothing is compared. Needs valgrind.
"""

import argparse
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
COUNTS = ROOT / "benches" / "instructions.csv"
# Instructions beside the work differ a little: hash seeds, addresses.
TOLERANCE = 0.03

# The name of the work, the command, and a part of its answer.
EXACT = "--value-only --no-book --no-db --threads 1"
WORK = [
    ("start", "--version", "analyze 0."),
    ("small board", "ttt --no-db -q", "765"),
    ("small game", "nim --no-db -q", "192"),
    ("small search", "connect4 --depth 8 --no-db -q", "at depth 8"),
    ("exact value, early", f"connect4 12345676 {EXACT}", "value      loss in 32 plies"),
    ("exact value, middle", f"connect4 5244447677225 {EXACT}", "value      win in 27 plies"),
    ("exact value, 6x5", f"connect4 --size 6x5 {EXACT}", "value      draw in 30 plies"),
    ("alpha-beta", "connect4 4453 --depth 9 --no-db --threads 1", "391.50 for X at depth 9"),
    ("walk", "count connect4 --plies 9 --method walk --no-db --threads 1", "1,144,344: X wins 1,099,914, O wins 44,430"),
    ("positions", "count connect4 --size 4x4 --method positions --no-db --threads 1", "161,029"),
    ("tree and table", "ttt --threads 1 --db everyply.db", "765 positions added"),
    ("whole board, counted", "count connect4 --size 5x4 --method profiles --no-db --threads 1", "3,945,711"),
    ("whole board, solved", "solve connect4 --size 4x4 --threads 1 --out file", "draw in 16 plies"),
    ("ranked game", "solve morris --men 4 --threads 1 --out file", "draw by endless play"),
]


def compiler():
    return subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()


def count(analyze, command, answer):
    """The instructions of a command in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", analyze]
        done = subprocess.run(counter + command.split(), cwd=folder, capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        sys.exit(f"analyze {command}: {done.stderr[-2000:]}")
    if answer not in done.stdout:
        sys.exit(f"analyze {command}: '{answer}' is not in its output:\n{done.stdout}")
    return int(collected[1])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--analyze", default=str(TARGET / "release" / "analyze"))
    options.add_argument("--write", action="store_true", help="take the counts of today")
    chosen = options.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed")
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        print("not compared: this processor has no AVX2")
        return
    by = compiler()
    rows = list(csv.DictReader(COUNTS.open())) if COUNTS.exists() else []
    known = {row["work"]: int(row["instructions"]) for row in rows if row["compiler"] == by}
    if not known and not chosen.write:
        print(f"not compared: this is {by}, and the counts are those of another compiler")
        return
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(lambda row: count(chosen.analyze, *row[1:]), WORK))
    found, off = [], 0
    for (work, command, _), instructions in zip(WORK, counts, strict=True):
        found.append({"work": work, "command": command, "instructions": instructions, "compiler": by})
        ratio = instructions / known[work] if work in known else float("nan")
        print(f"{work:22} {instructions:>14,} {ratio:7.3f}")
        off += not abs(ratio - 1) <= TOLERANCE
    if chosen.write:
        with COUNTS.open("w", newline="") as file:
            writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
    elif off:
        sys.exit(f"{off} counts are off by more than {TOLERANCE:.0%}: mend the code, or --write if it is meant")


if __name__ == "__main__":
    main()
