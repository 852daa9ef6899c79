"""The Markdown of a comparison, and its place in a document."""

import datetime
import os
import platform
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

import running
from positions import PositionSet
from running import Unusable
from solvers import ROOT, Solved, Solver

BEGIN, END = "<!-- peers -->", "<!-- /peers -->"


@dataclass
class Measured:
    """Runs of one solver on one set."""

    solver: Solver
    positions: int
    # The runs it is compared with, of `analyze` with as many threads; none for `analyze`.
    base: Optional["Measured"] = None
    runs: list[Solved] = field(default_factory=list)
    # One of the runs took too long, so that the solver skips the set from then on.
    too_long: bool = False

    def seconds(self, most: Optional[int] = None) -> list[float]:
        """The time of every run, or of its first positions."""
        if most is None or most >= self.positions:
            return [run.seconds for run in self.runs]
        return [sum(run.each[:most]) for run in self.runs]

    def coarse(self) -> bool:
        """Whether the clock of the solver is too coarse for a reliable figure."""
        return statistics.median(self.seconds()) < 20 * self.solver.resolution

    def spread(self) -> float:
        """The range of the runs over their median."""
        times = self.seconds()
        return (max(times) - min(times)) / statistics.median(times)

    def cell(self, asked: int) -> str:
        """The mean time of a position, and its ratio to the time of `analyze`."""
        if self.too_long:
            return f"over {time_text(self.solver.limit)} for all"
        total = statistics.median(self.seconds())
        if total <= self.solver.resolution:
            return "too short to tell"
        text = time_text(total / self.positions)
        if self.base:
            base = statistics.median(self.base.seconds(self.positions))
            text += f" ({ratio_text(total / base)})"
        if self.positions < asked:
            text = f"first {self.positions}: {text}"
        return f"about {text}" if self.coarse() else text


def time_text(seconds: float) -> str:
    """Three digits and a unit.

    >>> time_text(1.5e-6), time_text(0.00123456), time_text(0.0999), time_text(1.5), time_text(417.2)
    ('1.50 us', '1.23 ms', '99.9 ms', '1.50 s', '417 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            value = seconds / size
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    raise AssertionError


def ratio_text(ratio: float) -> str:
    """Two digits, or all before the point.

    >>> ratio_text(0.00984), ratio_text(4), ratio_text(17.4), ratio_text(123.4)
    ('0.0098x', '4.0x', '17x', '123x')
    """
    return f"{ratio:.0f}x" if ratio >= 10 else f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.2g}x"


def rows_text(rows: list[list[str]], right: int) -> str:
    """A Markdown table; columns from this one on are numbers.

    >>> print(rows_text([["a", "b"], ["x", "1"]], right=1))
    | a | b |
    |---|---:|
    | x | 1 |
    """
    rule = "|" + "".join("---|" if i < right else "---:|" for i in range(len(rows[0])))
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, rule, *body])


def machine() -> str:
    """Processor, cores and memory."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    except OSError:
        processor = running.output_of(["sysctl", "-n", "machdep.cpu.brand_string"]) or processor
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return f"{processor}, {os.cpu_count()} cores, {memory:.0f} GiB of memory, {platform.system()}"


def checkout() -> str:
    """The commit of this project."""
    said = running.output_of(["git", "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty"], ROOT)
    return f" in a checkout of {said.replace('-dirty', ', changed')}" if said else ""


def document(sets: list[PositionSet], measured: dict[str, list[Measured]], solvers: list[Solver],
             left_out: dict[str, str], load: float) -> str:
    """A whole comparison in Markdown."""
    times = [["positions", "number", "runs", *(solver.label for solver in solvers)]]
    for one in sets:
        cells = [m.cell(len(one.moves)) for m in measured[one.name]]
        runs = len(measured[one.name][0].runs)
        times.append([one.name, str(len(one.moves)), str(runs), *cells])
    about = [["solver", "version", "threads", "table", "memory at most", "timed", "besides"]]
    for i, solver in enumerate(solvers):
        peak = max((run.peak for one in sets for run in measured[one.name][i].runs), default=0)
        about.append([solver.name, solver.version, str(solver.threads), solver.table,
                      f"{peak / (1 << 20):.0f} MiB" if peak else "", solver.timed, solver.note])
    state = f"Load before the first run {load:.1f}" + ("." if load <= 0.5 else ": **other work was running**.")
    spreads = [(m.spread(), m.solver.label, one.name) for one in sets for m in measured[one.name]
               if len(m.runs) > 1 and not m.coarse()]
    if spreads:
        spread, solver, where = max(spreads)
        state += f" The runs of one solver lie at most {spread * 100:.0f} % apart ({solver}, {where})."
    words = [
        "Mean time of a position of 7x6, and how many times that of `analyze` on the same positions with as many "
        "threads: medians of the runs, in turn. No books; every solver keeps its table from one position of a set to "
        "the next, unless said. One position before each set is not counted, so that the table is in memory. All "
        "values agree.",
        rows_text(times, right=1),
        rows_text(about, right=len(about[0])),
        f"{datetime.date.today().isoformat()}, {machine()}; `analyze` {solvers[0].version}{checkout()}. {state}",
    ]
    if any("about " in cell for row in times[1:] for cell in row):
        words.append("*About*: less than twenty times the resolution of that solver's clock.")
    if left_out:
        words.append("Left out: " + "; ".join(f"{name} ({why})" for name, why in left_out.items()) + ".")
    return "\n\n".join(words) + "\n"


def place(text: str, path: Path) -> str:
    """The document with this text between its two marks."""
    try:
        old = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"--into {path}: {error}") from error
    lines = old.splitlines()
    if lines.count(BEGIN) != 1 or lines.count(END) != 1 or lines.index(BEGIN) > lines.index(END):
        raise Unusable(f"--into {path} needs the lines {BEGIN} and {END}, in this order and once each")
    before, rest = lines[:lines.index(BEGIN) + 1], lines[lines.index(END):]
    return "\n".join([*before, "", text.rstrip("\n"), "", *rest]) + "\n"
