"""Peers outside of registries: programs of checkouts, built as their READMEs say.

They are run as they are: nothing is compiled here, nothing is written into a checkout, and settings
of a build (threads, table) stay as they are and stand beside the times.
"""

import re
from pathlib import Path
from typing import Optional

import running
from positions import TRIVIAL
from running import Disagreement, Failed, Unusable
from solvers import ROOT, Solved, Solver, input_lines, start_up

MIB = 1 << 20


class Program(Solver):
    """A program in a checkout, or named by itself."""

    option: str
    # The place in the checkout where its own build puts it.
    inside: str

    def __init__(self, path: Path, work: Path) -> None:
        if not path.exists():
            raise Unusable(f"{self.option} {path} is not there: it takes a checkout of {self.name} or its program")
        self.program = (path / self.inside if path.is_dir() else path).resolve()
        if not self.program.is_file():
            raise Unusable(f"{self.option} {path} has no {self.inside}: build it as its README says first")
        self.folder = work / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.version = commit_of(self.program.parent) or "unknown"
        try:
            self.solve([TRIVIAL], [18])
        except (Failed, Unusable, Disagreement) as error:
            what = f"is that the {Path(self.inside).name} of {self.name}?"
            raise Unusable(f"{self.option} {path}: {error}; {what}") from error


def commit_of(folder: Path) -> Optional[str]:
    """The commit of the checkout around a folder, and whether its files were changed."""
    top = running.output_of(["git", "rev-parse", "--show-toplevel"], folder)
    if top is None or Path(top).resolve() == ROOT:
        return None
    said = running.output_of(["git", "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty"], folder)
    return said and said.replace("-dirty", ", changed")


class Pons(Program):
    """Pascal Pons' solver: a line with the score for every line with moves."""

    name, option, inside = "Pons", "--pons", "c4solver"
    resolution = 0.005

    def __init__(self, path: Path, work: Path) -> None:
        self.start = 0.0
        super().__init__(path, work)
        self.start = start_up(self.command, self.folder)
        self.timed = f"the process, less {self.start * 1e3:.0f} ms of start-up"

    @property
    def command(self) -> list:
        # It reads a book from its working folder: ours has none, nor a file of this name.
        return [self.program, "-b", "none"]

    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        done = running.run(self.command, input_lines(positions), self.folder, self.limit)
        rows = [line.rsplit(" ", 1) for line in done.out.splitlines()[1:]]
        if [row[0] for row in rows] != positions:
            raise self.wrong(done.out)
        try:
            found = [int(row[1]) for row in rows]
        except (ValueError, IndexError):
            raise self.wrong(done.out) from None
        return Solved(found, done.seconds - self.start, done.peak)


class Fhourstones(Program):
    """John Tromp's Fhourstones: the outcome alone, and whole milliseconds for every position."""

    name, option, inside = "Fhourstones", "--fhourstones", "SearchGame"
    outcome_only = True
    # It empties its table and counts the entries around every position, outside of its time.
    most = 200
    resolution = 0.005
    timed = "inside, each position, processor time"
    note = f"outcome only, a smaller question; an empty table for each position; the first {most} of a set"

    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        done = running.run([self.program], "".join(f"{p}\n" for p in positions), self.folder, self.limit)
        found = [(int(score) > 3) - (int(score) < 3) for score in re.findall(r"^score = ([1-5]) ", done.out, re.M)]
        # It adds a millisecond to each to avoid a division by zero.
        times = [int(msec) - 1 for msec in re.findall(r"^\d+ pos / (\d+) msec", done.out, re.M)]
        table = re.search(r"^Using (\d+) transposition table entries of size (\d+)", done.out, re.M)
        if table is None or not len(found) == len(times) == len(positions):
            raise self.wrong(done.out)
        self.table = f"{int(table[1]) * int(table[2]) / MIB:.0f} MiB"
        return Solved(found, sum(times) / 1e3, done.peak)


class C4(Program):
    """Christophe Steininger's c4, by its test program.

    The test program solves the positions of each file in a folder, compares its scores with those in
    the file, and prints the time. It solves for outcomes first, then for scores, then along whole
    games, with an empty table each time; only the scores are of use here, so it is stopped after them.
    """

    name, option, inside = "c4", "--c4", "out/optimise/test"
    resolution = 0.01
    timed = "inside, the whole set"
    note = "compares the scores itself"

    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        data = self.folder / "tst" / "data" / "7x6"
        data.mkdir(parents=True, exist_ok=True)
        lines = (f"{from_zero(moves)} {score}\n" for moves, score in zip(positions, scores))
        (data / "positions.txt").write_text("".join(lines))

        def enough(line: str) -> bool:
            row = file_row(line)
            return row is not None and row["kind"] == "Strong"

        lines, peak = running.first_lines([self.program], self.folder, enough, self.limit)
        said = "".join(lines)
        differs = re.search(r"has a (?:weak )?score of (-?\d+), but got (-?\d+)", said)
        rows = [row for row in map(file_row, lines) if row]
        if differs and rows:
            moves = positions[int(rows[-1]["games"]) - 1]
            raise Disagreement(f"position {moves!r} has {differs[2]} by {self.name}, {differs[1]} by the others")
        table = re.search(r"a ([\d.]+) ([KMG])B table.* and (\d+) threads", said)
        if table is None or not rows or (rows[-1]["kind"], rows[-1]["games"]) != ("Strong", str(len(positions))):
            raise self.wrong(said)
        row = rows[-1]
        self.threads = int(table[3])
        self.table = f"{float(table[1]) * MIB_OF[table[2]]:.3g} MiB"
        return Solved(scores, float(row["seconds"]), peak)


# By the letter before the B.
MIB_OF = {"K": 1 / 1024, "M": 1, "G": 1024}


def from_zero(moves: str) -> str:
    """Moves with columns from 0.

    >>> from_zero("4453")
    '3342'
    """
    return "".join(str(int(column) - 1) for column in moves)


def file_row(line: str) -> Optional[dict[str, str]]:
    """The final line of c4's test program for a file; the program overwrites the line as it proceeds.

    >>> row = file_row("\\ttst/data/7x6/a.txt   Strong    12474       5126      86.3%     0.07       30\\n")
    >>> row["kind"], row["seconds"], row["games"]
    ('Strong', '0.07', '30')
    """
    last = line.rsplit("\r", 1)[-1]
    found = re.search(r"\s(?P<kind>Weak|Strong)\s.*\s(?P<seconds>[\d.]+)\s+(?P<games>\d+)\s*$", last)
    return found and found.groupdict()
