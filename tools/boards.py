#!/usr/bin/env python3
"""Solves whole Connect Four boards and records values, nodes and times in data/connect4-values.csv.

    python3 tools/boards.py 7x8 4x14 6x6:5        these boards (columns x rows, and : the line, if not 4)
    python3 tools/boards.py --minutes 10          every board of the table without a run, 10 minutes each
    python3 tools/boards.py --again 4x14          a second proof: one thread for several or two for one, a
                                                  quarter of the table
    python3 tools/boards.py --docs                only rewrites the tables of docs/boards.md
    python3 tools/boards.py --check               only compares them with the data: exit code 3 if they differ

A board that is not done when its time is over continues from its checkpoint (--work) the next time. A value
that differs from the one in the table ends the script with exit code 3.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "connect4-values.csv"
DOCS = ROOT / "docs" / "boards.md"


class Table:
    """The rows of the file, by board."""

    def __init__(self):
        self.comment, self.columns, rows = tables.read(DATA)
        self.rows = {(int(row["width"]), int(row["height"]), int(row["line"])): row for row in rows}

    def write(self):
        order = sorted(self.rows, key=lambda board: (board[2] != 4, board[2], board[0] + board[1], board[1]))
        self.rows = {board: self.rows[board] for board in order}
        tables.write(DATA, self.comment, self.columns, self.rows.values())


def board(text):
    size, _, line = text.partition(":")
    try:
        width, height = map(int, size.split("x"))
        return width, height, int(line or 4)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no board: give columns x rows, 7x8 or 7x8:5") from None


def solve(args, size, more):
    """The JSON document of a run; `None` if its time was too short."""
    name = "{}x{}-{}".format(*size) + ("-again" if args.again else "")
    command = [args.analyze, "connect4", "--size", "{}x{}".format(*size), "--line", str(size[2]), "--value-only",
               "--no-book", "--no-db", "--json", "--quiet", "--timeout", str(60 * args.minutes),
               "--checkpoint", args.work / f"{name}.chk", *more]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode == 130:
        return None
    if done.returncode:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def run(args, table, size):
    new = dict.fromkeys(table.columns, "") | dict(zip(("width", "height", "line"), size))
    row = table.rows.get(size, new)
    more = ["--threads", str(args.threads)]
    if args.table_size:
        more += ["--table-size", str(args.table_size)]
    if args.again:
        mib = int(float(row["table_mib"] or sys.exit(f"{size}: it was not proved once yet")))
        threads = 2 if row["threads"] == "1" else 1
        more = ["--threads", str(threads), "--table-size", str(max(1, mib // 4))]
    found = solve(args, size, more)
    if found is None:
        print(*size, "takes longer", flush=True)
        return
    earlier = found.get("earlier", {"nodes": 0, "elapsed_s": 0})
    nodes, seconds = found["stats"]["nodes"] + earlier["nodes"], found["elapsed_s"] + earlier["elapsed_s"]
    value = {"outcome": found["value"]["outcome"], "plies": str(found["value"]["remoteness"])}
    print(*size, value, f"{nodes:,} nodes, {seconds:.1f} s", flush=True)
    known = {key: row[key] for key in value if row[key]}
    if any(value[key] != known[key] for key in known):
        print(f"{size} is {value}, but the table says {known}", file=sys.stderr)
        sys.exit(3)
    row.update(value)
    if args.again:
        row["nodes_again"] = nodes
    else:
        row.update(nodes=nodes, seconds=f"{seconds:.3g}" if seconds < 1000 else round(seconds), threads=found["threads"],
                   table_mib=f"{found['table_mib']:g}", version=args.version)
    table.rows[size] = row
    table.write()


def figures(rows):
    """A line for each board that was run."""
    lines = ["| board | line | value | nodes | time | threads, table | second proof, nodes | published |",
             "|---|---:|---|---:|---:|---|---:|---|"]
    for row in rows:
        if not row["nodes"]:
            continue
        again = f"{int(row['nodes_again']):,}" if row["nodes_again"] else ""
        # Few publications have other lines, and we have not searched for them.
        new = "**new**" if int(row["line"]) == 4 else ""
        lines.append(
            f"| {row['width']}x{row['height']} | {row['line']} | {row['outcome']} in {row['plies']} "
            f"| {int(row['nodes']):,} | {seconds(float(row['seconds']))} "
            f"| {row['threads']}, {row['table_mib']} MiB | {again} | {row['published'] or new} |")
    return lines


def seconds(time):
    if time >= 6000:
        return f"{time / 3600:.1f} h"
    return f"{time / 60:.0f} min" if time >= 600 else f"{time:.3g} s"


def grid(rows):
    """The values of the usual line by columns and rows."""
    values = {(int(row["width"]), int(row["height"])): row for row in rows if int(row["line"]) == 4}
    widths = range(min(w for w, _ in values), max(w for w, _ in values) + 1)
    lines = ["| rows | " + " | ".join(f"{w} columns" for w in widths) + " |", "|---:|" + "---:|" * len(widths)]
    for h in sorted({h for _, h in values}):
        cells = []
        for w in widths:
            row = values.get((w, h))
            sign = {"win": "+", "loss": "-", "draw": "="}[row["outcome"]] if row else ""
            text = sign + (row["plies"] if row and sign != "=" else "")
            cells.append(f"**{text}**" if row and not row["published"] else text)
        lines.append(f"| {h} | " + " | ".join(cells) + " |")
    return lines


def docs(table):
    """The page with the tables of the data."""
    text = DOCS.read_text()
    rows = list(table.rows.values())
    for name, lines in (("grid", grid(rows)), ("figures", figures(rows))):
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        after = rest.partition(end)[2]
        if not rest or end not in rest:
            sys.exit(f"{DOCS}: {begin.strip()} and {end} are missing")
        text = before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", type=board, metavar="BOARD")
    parser.add_argument("--analyze", default=ROOT / "target" / "release" / "analyze", type=Path)
    parser.add_argument("--minutes", type=float, default=60, help="the most for a board [60]")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--table-size", type=int, metavar="MIB", help="other than the default of the board")
    parser.add_argument("--again", action="store_true", help="prove once more, in another order")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs/boards.md and no more")
    parser.add_argument("--check", action="store_true", help="compare these tables with the data and no more")
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "boards", help="folder of checkpoints")
    args = parser.parse_args()
    table = Table()
    if not args.check and not args.docs:
        if not args.analyze.is_file():
            parser.error(f"--analyze {args.analyze} is not there: build it with cargo build --release")
        args.work.mkdir(parents=True, exist_ok=True)
        version = subprocess.run([args.analyze, "--version"], check=True, capture_output=True, text=True)
        args.version = version.stdout.split()[-1]
        for size in args.boards or [size for size, row in table.rows.items() if not row["nodes"]]:
            run(args, table, size)
    tables.make(DOCS, docs(table), args.check)


if __name__ == "__main__":
    main()
