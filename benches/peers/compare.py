#!/usr/bin/env python3
"""Times other open Connect Four solvers beside `analyze` on the same positions, and prints ratios.

    python3 benches/peers/compare.py [--analyze target/release/analyze] [--empty]

Peers: bitbully (Python package, C++ inside) and connect-four-ai (Rust crate), both without an
opening book, one thread each, with the table sizes they come with. They are installed into a folder
of their own (--work, kept for the next time). Positions are random games cut off after so many
stones, the same for everybody; only the search for the exact score is timed, inside each process.
Scores have to agree, or the script fails.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

CLASSES = [("28 to 34 stones", 28, 34, 400), ("18 to 22 stones", 18, 22, 200), ("12 to 14 stones", 12, 14, 20)]
WIDTH, HEIGHT = 7, 6

BITBULLY = """
import json, sys, time
from bitbully import bitbully_core as core
solver, answers = core.BitBullyCore(), []
for moves in json.load(sys.stdin):
    board = core.BoardCore()
    for column in moves:
        assert board.play(int(column) - 1)
    begun = time.perf_counter()
    score = solver.mtdf(board, 0)
    answers.append([score, time.perf_counter() - begun])
print(json.dumps(answers))
"""

CRATE = """
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
        println!("{score} {}", begun.elapsed().as_secs_f64());
    }
}
"""


def wins(columns, column):
    """True if the stone on top of a column is part of four in a row."""
    row, colour = len(columns[column]) - 1, columns[column][-1]

    def at(c, r):
        return 0 <= c < WIDTH and 0 <= r < len(columns[c]) and columns[c][r] == colour

    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            i = 1
            while at(column + sign * i * dc, row + sign * i * dr):
                run, i = run + 1, i + 1
        if run >= 4:
            return True
    return False


def random_game(rng, stones):
    """The moves of a random game of so many stones in which nobody has won."""
    while True:
        columns, moves = [[] for _ in range(WIDTH)], ""
        while len(moves) < stones:
            column = rng.choice([c for c in range(WIDTH) if len(columns[c]) < HEIGHT])
            columns[column].append(len(moves) % 2)
            moves += str(column + 1)
            if wins(columns, column):
                break
        else:
            return moves


def install(work):
    """The commands that run the peers, installed if they are not there yet."""
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "bitbully"], check=True)
    crate = work / "crate"
    if not (crate / "target/release/peer").exists():
        (crate / "src").mkdir(parents=True, exist_ok=True)
        (crate / "src/main.rs").write_text(CRATE)
        (crate / "Cargo.toml").write_text(
            '[package]\nname = "peer"\nversion = "0.0.0"\nedition = "2021"\n'
            '[dependencies]\nconnect-four-ai = "1"\n[profile.release]\nlto = "fat"\n[workspace]\n'
        )
        subprocess.run(["cargo", "build", "-q", "--release"], cwd=crate, check=True)
    return python, crate / "target/release/peer"


def run_bitbully(python, positions):
    out = subprocess.run([python, "-c", BITBULLY], input=json.dumps(positions), text=True, check=True,
                         capture_output=True)
    return json.loads(out.stdout)


def run_crate(peer, positions):
    out = subprocess.run([peer], input="\n".join(p or "-" for p in positions), text=True, check=True,
                         capture_output=True)
    return [[int(score), float(time)] for score, time in map(str.split, out.stdout.splitlines())]


def run_analyze(analyze, positions):
    if positions == [""]:
        out = subprocess.run([analyze, "connect4", "--threads", "1", "--no-db", "--json"], text=True,
                             check=True, capture_output=True)
        document = json.loads(out.stdout)
        return [[document["score"], document["elapsed_s"]]]
    out = subprocess.run([analyze, "connect4", "--input", "-", "--threads", "1", "--no-db"], text=True,
                         input="\n".join(positions) + "\n", check=True, capture_output=True)
    rows = [line.split(",") for line in out.stdout.splitlines()[1:]]
    return [[int(row[3]), int(row[6]) / 1e6] for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--analyze", default="target/release/analyze", help="the program to compare")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("target/peers"))
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--empty", action="store_true", help="the empty board too (minutes)")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    python, peer = install(work)
    rng = random.Random(args.seed)
    classes = [(name, [random_game(rng, rng.randint(low, high)) for _ in range(count)])
               for name, low, high, count in CLASSES]
    if args.empty:
        classes.append(("empty board", [""]))
    print(f"{'positions':<18}{'number':>7}{'analyze':>12}{'bitbully':>20}{'connect-four-ai':>20}")
    for name, positions in classes:
        answers = {
            "analyze": run_analyze(args.analyze, positions),
            "bitbully": run_bitbully(python, positions),
            "connect-four-ai": run_crate(peer, positions),
        }
        for i, moves in enumerate(positions):
            scores = {who: answer[i][0] for who, answer in answers.items()}
            if len(set(scores.values())) != 1:
                sys.exit(f"different scores for {moves!r}: {scores}")
        mean = {who: sum(t for _, t in answer) / len(positions) for who, answer in answers.items()}
        cells = "".join(f"{mean[who] * 1e6:>11.0f} us {mean[who] / mean['analyze']:>4.1f}x"
                        for who in ("bitbully", "connect-four-ai"))
        print(f"{name:<18}{len(positions):>7}{mean['analyze'] * 1e6:>9.0f} us{cells}")


if __name__ == "__main__":
    main()
