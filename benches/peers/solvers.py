"""`analyze`, and peers from registries: how each is installed, asked and timed."""

import json
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import running
from positions import FIRST, TRIVIAL
from running import Failed, Unavailable, Unusable

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Solved:
    """Scores of a solver, and its time for all positions together."""

    scores: list[int]
    seconds: float
    # Bytes.
    peak: int
    # Of every position, if the solver gives them.
    each: Optional[list[float]] = None


class Solver(ABC):
    """A solver of many positions in one process."""

    name: str
    version = "unknown"
    threads = 1
    # The most positions of a set for this solver; others solve all of them.
    most: Optional[int] = None
    # It gives win, draw or loss alone.
    outcome_only = False
    # The size of its table as stated, how it is timed, and further notes.
    table = "does not say"
    timed = ""
    note = ""
    # Seconds after which a run of a peer is ended; runs of `analyze` have no limit.
    limit: Optional[float] = None
    # The resolution of its clock, in seconds.
    resolution = 0.0

    @property
    def label(self) -> str:
        return self.name if self.threads == 1 else f"{self.name}, {self.threads} threads"

    @abstractmethod
    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        """Solves positions; the scores found before are for solvers that compare by themselves."""

    def wrong(self, said: str) -> Failed:
        return Failed(f"{self.name} should not answer like this: {running.last_line(said)!r}")


def start_up(command: list, cwd: Optional[Path] = None) -> float:
    """The time of a process that solves the position that is not counted: the median of five."""
    return sorted(running.run(command, FIRST + "\n", cwd).seconds for _ in range(5))[2]


def input_lines(positions: list[str], empty: str = "") -> str:
    """The position that is not counted, then the positions to time."""
    return "".join(f"{moves or empty}\n" for moves in [FIRST, *positions])


class Analyze(Solver):
    """The program of this project."""

    name = "analyze"

    def __init__(self, program: Path, threads: int, table_mib: int) -> None:
        self.threads = threads
        self.table = f"{1 << (table_mib.bit_length() - 1)} MiB"
        settings = ["--threads", str(threads), "--table-size", str(table_mib)]
        self.command = [program, "connect4", "--no-db", "--no-book", "--value-only", "--quiet", *settings]
        said = running.output_of([program, "--version"])
        if said is None or not said.startswith("analyze "):
            raise Unusable(f"--analyze {program} is not the program: build it with cargo build --release, "
                           "or name where it is")
        self.version = said.split()[1]
        self.start = 0.0
        self.timed = "inside, each position"
        if threads > 1:
            self.start = start_up([*self.command, "--input", "-"])
            self.timed = f"the process, less {self.start * 1e3:.0f} ms of start-up"
            self.note = "positions of a set side by side"
            self.resolution = 0.005
        self.solve([TRIVIAL], [])

    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        if positions == [""] and self.threads > 1:
            return self.solve_empty()
        done = running.run([*self.command, "--input", "-"], input_lines(positions))
        rows = [line.split(",") for line in done.out.splitlines()[2:]]
        try:
            found = [int(row[3]) for row in rows]
            # It prints whole microseconds, rounded down: by half of one in the mean.
            each = [(int(row[6]) + 0.5) / 1e6 for row in rows]
        except (ValueError, IndexError):
            raise self.wrong(done.out) from None
        if len(found) != len(positions):
            raise self.wrong(done.out)
        seconds = sum(each) if self.threads == 1 else done.seconds - self.start
        return Solved(found, seconds, done.peak, each)

    def solve_empty(self) -> Solved:
        """In a batch the threads share the positions; here they share one position."""
        done = running.run([*self.command, "--json"], "")
        try:
            document = json.loads(done.out)
            score, seconds = document["score"], document["elapsed_s"]
        except (ValueError, KeyError):
            raise self.wrong(done.out) from None
        return Solved([score], seconds, done.peak, [seconds])


class Inside(Solver):
    """A peer behind a program of this project, which prints the score and the seconds of every position."""

    timed = "inside, each position"
    command: list

    def solve(self, positions: list[str], scores: list[int]) -> Solved:
        done = running.run(self.command, input_lines(positions, empty="-"), limit=self.limit)
        try:
            rows = [line.split() for line in done.out.splitlines()[1:]]
            found, each = [int(score) for score, _ in rows], [float(seconds) for _, seconds in rows]
        except ValueError:
            raise self.wrong(done.out) from None
        if len(found) != len(positions):
            raise self.wrong(done.out)
        return Solved(found, sum(each), done.peak, each)


class BitBully(Inside):
    """BitBully (C++), by its Python package."""

    name = "bitbully"
    note = "Python package"
    program = """
import sys, time
from bitbully import bitbully_core as core
solver = core.BitBullyCore()
for moves in sys.stdin.read().split():
    board = core.BoardCore()
    for column in moves.strip("-"):
        assert board.play(int(column) - 1)
    begun = time.perf_counter()
    score = solver.mtdf(board, 0)
    print(score, f"{time.perf_counter() - begun:.9f}")
"""

    def __init__(self, work: Path) -> None:
        python = work / "venv" / "bin" / "python"
        asked = [python, "-c", "import bitbully.bitbully_core, importlib.metadata as m; print(m.version('bitbully'))"]
        version = running.output_of(asked)
        if version is None:
            # This replaces the incomplete folder of an interrupted run.
            attempt([sys.executable, "-m", "venv", "--clear", work / "venv"])
            attempt([python, "-m", "pip", "install", "--quiet", "bitbully"])
            version = running.output_of(asked)
        if version is None:
            raise Unavailable("its package is installed and cannot be imported")
        self.version = version
        self.command = [python, "-c", self.program]


class ConnectFourAi(Inside):
    """The crate connect-four-ai, in a program of a few lines."""

    name = "connect-four-ai"
    note = "crate, built as `analyze` is"
    program = """
use std::{io::Read, time::Instant};
use connect_four_ai::{Position, Solver};
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut solver = Solver::empty();
    for moves in text.lines() {
        let position = if moves == "-" { Position::new() } else { Position::from_moves(moves).unwrap() };
        let begun = Instant::now();
        let score = solver.solve(&position);
        println!("{score} {:.9}", begun.elapsed().as_secs_f64());
    }
}
"""
    manifest = (
        '[package]\nname = "peer"\nversion = "0.0.0"\nedition = "2021"\n'
        '[dependencies]\nconnect-four-ai = "1"\n[profile.release]\nlto = "fat"\n[workspace]\n'
    )

    def __init__(self, work: Path) -> None:
        crate = work / "crate"
        (crate / "src").mkdir(parents=True, exist_ok=True)
        (crate / "src/main.rs").write_text(self.program)
        (crate / "Cargo.toml").write_text(self.manifest)
        # Our own flags, wherever the folder is.
        attempt(["cargo", "--config", ROOT / ".cargo/config.toml", "build", "--quiet", "--release",
                 "--manifest-path", crate / "Cargo.toml", "--target-dir", crate / "target"])
        lock = (crate / "Cargo.lock").read_text().split('name = "connect-four-ai"\nversion = "', 1)
        if len(lock) == 2:
            self.version = lock[1].split('"', 1)[0]
        self.command = [crate / "target/release/peer"]


def attempt(command: list) -> None:
    """A step of installing a peer."""
    try:
        running.run(command, "")
    except (Failed, Unusable) as error:
        raise Unavailable(str(error)) from error
