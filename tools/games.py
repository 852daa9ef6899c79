#!/usr/bin/env python3
"""Makes docs/games.md from data/games.csv, and measures the rows of that table.

    python3 tools/games.py                        rewrites the table of docs/games.md
    python3 tools/games.py --check                only compares it with the data: exit code 3 if they differ
    python3 tools/games.py --measure              solves every game of the table again: counts, time and memory
    python3 tools/games.py --measure kalah        only the rows whose command begins so
    python3 tools/games.py --measure --new        only the rows without counts

A value that differs from the one in the table ends the script with exit code 3. The program is `analyze` in the
path, or the one that --analyze names.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "games.csv"
DOCS = ROOT / "docs" / "games.md"
MARK = "<!-- games -->"
# Games with more positions are not searched for their longest win.
MOST_LISTED = 400_000


def run(program, command, *more):
    """The document of a command, its processor time in seconds, and its memory in MiB."""
    words = [program, *command.split(), "--json", *more]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"analyze {command}: exit code {os.waitstatus_to_exitcode(status)}")
    return json.loads(text), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def longest_win(program, command):
    with tempfile.TemporaryDirectory() as folder:
        run(program, command, "--no-db", "--csv", folder)
        (path,) = Path(folder).glob("*-solution.csv")
        with path.open(newline="") as file:
            rows = csv.DictReader(file)
            # Games for points have no distances.
            wins = (row["remoteness"] for row in rows if row["outcome"] == "win")
            return max((int(plies) for plies in wins if plies), default="")


def measure(row, program):
    """Fills in a row; false if its value differs from before."""
    if row["command"].startswith("solve "):
        return measure_file(row, program)
    document, seconds, mib = run(program, row["command"], "--no-db")
    value, counts = document["value"], document["counts"]
    plies = value["remoteness"] if value["outcome"] != "draw" else None
    found = {
        "outcome": "endless" if "endless" in value else value["outcome"],
        "plies": "" if plies is None else str(plies),
        "points": str(document["points"]) if "points" in document else "",
        "positions": str(counts["positions"]),
    }
    canonical = counts["canonical_positions"]
    if canonical <= MOST_LISTED:
        found["longest"] = str(longest_win(program, row["command"]))
    return filled(row, found, canonical, seconds, mib)


def measure_file(row, program):
    """Fills in a row of a solution file, which has canonical positions alone."""
    document, seconds, mib = run(program, row["command"])
    answer, _, _ = run(program, "query " + row["command"].partition("--out ")[2])
    value, is_scored = document["value"], "points" in answer
    is_endless = value["remoteness"] is None and not is_scored
    has_plies = value["outcome"] != "draw" and not is_scored
    found = {
        "outcome": "endless" if is_endless else value["outcome"],
        "plies": str(value["remoteness"]) if has_plies else "",
        "points": str(answer["points"]) if is_scored else "",
        # Points have no distances.
        "longest": "" if is_scored else str(max(tier["longest"] for tier in document["tiers"])),
    }
    return filled(row, found, document["positions"], seconds, mib)


def filled(row, found, canonical, seconds, mib):
    differs = [name for name, new in found.items() if row[name] not in ("", new)]
    if differs:
        print(f"{row['command']}: {differs} were {[row[n] for n in differs]}, are {[found[n] for n in differs]}")
        return False
    row.update(found, canonical=str(canonical), seconds=f"{seconds:.2f}", mib=f"{mib:.0f}")
    return True


def value_in_words(row):
    side = {"win": "first player", "loss": "second player"}.get(row["outcome"])
    if side is None:
        text = "draw by endless play" if row["outcome"] == "endless" else "draw"
    else:
        text = f"{side} in {row['plies']}" if row["plies"] else side
    points = int(row["points"] or 0)
    return f"{text}, {points:+}" if points else text


def grouped(text):
    return f"{int(text):,}" if text else ""


def table(rows):
    lines = [
        "| game | `analyze ...` | value | positions | up to symmetry | longest win | s | MiB | published |",
        "|---|---|---|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        if not row["canonical"]:
            continue
        cells = [
            row["game"],
            f"`{row['command']}`",
            value_in_words(row),
            grouped(row["positions"]),
            grouped(row["canonical"]),
            row["longest"],
            row["seconds"],
            grouped(row["mib"]),
            row["published"] or "**new**",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_table(page, rows):
    before, _, after = page.partition(MARK + "\n\n")
    rest = after.partition("\n\n")[2]
    return before + MARK + "\n\n" + table(rows) + ("\n" + rest if rest else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", nargs="?", const="", metavar="COMMAND")
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--analyze", default="analyze", metavar="PROGRAM")
    args = parser.parse_args()
    comment, columns, rows = tables.read(DATA)
    if args.measure is not None:
        for row in rows:
            if not row["command"].startswith(args.measure) or (args.new and row["canonical"]):
                continue
            started = time.monotonic()
            if not measure(row, args.analyze):
                sys.exit(3)
            tables.write(DATA, comment, columns, rows)
            print(f"{row['command']}: {value_in_words(row)}, {time.monotonic() - started:.1f} s", flush=True)
    tables.make(DOCS, with_table(DOCS.read_text(), rows), args.check)


if __name__ == "__main__":
    main()
