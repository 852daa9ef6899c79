#!/usr/bin/env python3
"""Makes docs/values.md from data/values.csv, and proves the rows of that table.

    python3 tools/values.py                  rewrites the table of docs/values.md
    python3 tools/values.py --check          only compares it with the data: exit code 3 if they differ
    python3 tools/values.py --prove          proves every value again, by one thread and by two
    python3 tools/values.py --prove kalah    only the rows whose command begins so

A value that differs from the one in the table, or between the two runs, ends the script with exit code 3. A row that is
not proved within --timeout seconds stays as it is. The program is `analyze` in the path, or the one that --analyze names.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import tables
from games import grouped, value_in_words

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "values.csv"
DOCS = ROOT / "docs" / "values.md"
MARK = "<!-- values -->"


def proved(program, command, threads, timeout):
    """The document of a proof; None if the time was too short."""
    limits = ["--threads", str(threads), "--timeout", str(timeout)]
    words = [program, *command.split(), "--no-db", "--json", "--quiet", *limits]
    run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 124):
        sys.exit(f"analyze {command}: {run.stderr}")
    document = json.loads(run.stdout) if run.returncode == 0 else {}
    return document if "stats" in document else None


def prove(row, program, timeout):
    """Fills in a row; false if its value differs from before."""
    runs = [proved(program, row["command"], threads, timeout) for threads in (1, 2)]
    if None in runs:
        print(f"{row['command']}: not proved within {timeout} s")
        return True
    found = []
    for document in runs:
        value = document["value"]
        has_plies = value["remoteness"] is not None and value["outcome"] != "draw"
        plies = str(value["remoteness"]) if has_plies else ""
        found.append((value["outcome"], plies, str(document.get("points", ""))))
    before = tuple(row[name] for name in ("outcome", "plies", "points"))
    if found[0] != found[1] or (row["nodes"] and before != found[0]):
        print(f"{row['command']}: was {before}, is {found[0]} and {found[1]}")
        return False
    one = runs[0]
    row["outcome"], row["plies"], row["points"] = found[0]
    row.update(game=one["title"], nodes=str(one["stats"]["nodes"]), seconds=f"{one['elapsed_s']:.2f}")
    print(f"{row['command']}: {found[0]}, {one['stats']['nodes']} nodes, {one['elapsed_s']:.2f} s", flush=True)
    return True


def table(rows):
    lines = ["| game | `analyze ...` | value | nodes | s | published |", "|---|---|---|---:|---:|---|"]
    for row in rows:
        if row["nodes"]:
            published = row["published"] or "**new**"
            words = [row["game"], f"`{row['command']}`", value_in_words(row)]
            lines.append("| " + " | ".join([*words, grouped(row["nodes"]), row["seconds"], published]) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--prove", nargs="?", const="", metavar="COMMAND")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--analyze", default="analyze")
    arguments = parser.parse_args()
    comment, columns, rows = tables.read(DATA)
    if arguments.prove is not None:
        chosen = [row for row in rows if row["command"].startswith(arguments.prove)]
        right = [prove(row, arguments.analyze, arguments.timeout) for row in chosen]
        tables.write(DATA, comment, columns, rows)
        if not all(right):
            sys.exit(3)
    before = DOCS.read_text().partition(MARK + "\n\n")[0]
    tables.make(DOCS, before + MARK + "\n\n" + table(rows), arguments.check)


if __name__ == "__main__":
    main()
