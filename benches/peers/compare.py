#!/usr/bin/env python3
"""Times other open Connect Four solvers beside `analyze` on the same positions.

    python3 benches/peers/compare.py                                 what registries give
    python3 benches/peers/compare.py --c4 DIR --pons DIR --fhourstones DIR
    python3 benches/peers/compare.py --threads 2 --c4 DIR --c4 DIR2 --sets DIR --empty --into benches/README.md

bitbully (Python package, C++ inside) and connect-four-ai (Rust crate) are installed into a folder of
their own (--work, kept for the next time). Christophe Steininger's c4, Pascal Pons' solver and John
Tromp's Fhourstones come from no registry: name a checkout in which the program was built as its
README says. A peer that is not named or not available is left out, and the table says so.

Positions are random games cut off after a number of stones, Pons' sets and the empty board, the same
for every solver. One solver runs at a time, in turn, without a book; only the search is timed. Values have to
agree. Markdown goes to stdout. Exit code 1: a run failed; 2: something that was named cannot be used;
3: two solvers disagree.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Optional

import table
from positions import NAMES, PositionSet, empty_board, pons_sets, random_sets
from programs import C4, Fhourstones, Pons, Program
from running import Disagreement, Failed, TooLong, Unavailable, Unusable, write_whole
from solvers import Analyze, BitBully, ConnectFourAi, Solver
from table import Measured


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def of_set(text: str) -> tuple[Optional[str], int]:
    """A number for all sets, or for one: 100, begin-hard=20."""
    name, equals, number = text.rpartition("=")
    if equals and name not in NAMES:
        raise argparse.ArgumentTypeError(f"{name!r} is no set; there are {', '.join(NAMES)}")
    return name or None, positive(number)


def by_set(given: list[tuple[Optional[str], int]], usual: int) -> dict[str, int]:
    """The number of every set: its own, else the one for all, else the usual one."""
    for name, number in given:
        usual = number if name is None else usual
    return {**dict.fromkeys(NAMES, usual), **{name: number for name, number in given if name}}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--analyze", type=Path, default=Path("target/release/analyze"), help="the program to compare")
    parser.add_argument("--c4", type=Path, action="append", default=[], metavar="PATH",
                        help="checkout of c4, or its test program; one for each number of threads it was built for")
    parser.add_argument("--pons", type=Path, metavar="PATH", help="checkout of Pons' solver, or its c4solver")
    parser.add_argument("--fhourstones", type=Path, metavar="PATH", help="checkout of Fhourstones, or its SearchGame")
    parser.add_argument("--without", action="append", default=[], choices=["bitbully", "connect-four-ai"],
                        help="leave this peer out; may be given twice")
    parser.add_argument("--sets", type=Path, metavar="DIR", help="Pons' six sets as well, lines of moves and score")
    parser.add_argument("--empty", action="store_true", help="the empty board as well (minutes for each solver)")
    parser.add_argument("--no-random", action="store_true", help="no random games")
    parser.add_argument("--lines", type=of_set, action="append", default=[], metavar="[SET=]N",
                        help="at most N positions of each set, or of one: --lines begin-hard=20")
    parser.add_argument("--seed", type=int, default=4, help="of the random games [default: 4]")
    parser.add_argument("--threads", type=positive, default=1,
                        help="of analyze, besides one; a peer is compared with as many as it has [default: 1]")
    parser.add_argument("--table-mib", type=positive, default=64, metavar="MIB",
                        help="transposition table of analyze; the peers have theirs built in [default: 64, as most]")
    parser.add_argument("--runs", type=of_set, action="append", default=[], metavar="[SET=]N",
                        help="runs, of which the table has the medians, of each set or of one [default: 5]")
    parser.add_argument("--limit", type=positive, metavar="SECONDS",
                        help="end a peer's run of a set after this time; the table says so [default: never]")
    parser.add_argument("--out", type=Path, metavar="FILE",
                        help="write the Markdown to a file as well, anew after each set")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help=f"put it into a document, between {table.BEGIN} and {table.END}")
    parser.add_argument("--work", type=Path, default=Path("target/peers"), help="folder for what is installed")
    return parser.parse_args()


def chosen_sets(args: argparse.Namespace) -> list[PositionSet]:
    lines = by_set(args.lines, sys.maxsize)
    sets = [] if args.no_random else random_sets(args.seed, lines)
    if args.sets:
        sets += pons_sets(args.sets, lines)
    if args.empty:
        sets.append(empty_board())
    if not sets:
        raise Unusable("--no-random leaves no positions: give --sets DIR or --empty")
    return sets


def chosen_solvers(args: argparse.Namespace, work: Path) -> tuple[list[Solver], dict[str, str]]:
    """The solvers, `analyze` with one thread first, and the reasons why others are left out."""
    analyze = args.analyze.resolve()
    if not analyze.is_file():
        raise Unusable(f"--analyze {args.analyze} is not there: build it with cargo build --release")
    solvers: list[Solver] = [Analyze(analyze, 1, args.table_mib)]
    if args.threads > 1:
        solvers.append(Analyze(analyze, args.threads, args.table_mib))
    left_out: dict[str, str] = {}
    named: list[tuple[type[Program], list[Path]]] = [
        (C4, args.c4),
        (Pons, [args.pons] if args.pons else []),
        (Fhourstones, [args.fhourstones] if args.fhourstones else []),
    ]
    for peer, paths in named:
        for path in paths:
            solver = peer(path, work)
            if any((one.name, one.threads) == (solver.name, solver.threads) for one in solvers):
                raise Unusable(f"{peer.option} {path} was built for as many threads as one before: {solver.threads}")
            if solver.threads not in (1, args.threads):
                raise Unusable(f"{peer.option} {path} was built for {solver.threads} threads: ask for --threads "
                               f"{solver.threads}, or build it for {args.threads}")
            solvers.append(solver)
        if not paths:
            left_out[peer.name] = "not named"
    for name, package in (("bitbully", BitBully), ("connect-four-ai", ConnectFourAi)):
        if name in args.without:
            left_out[name] = "left out on request"
            continue
        say(f"{name}: installing, unless it is there")
        try:
            solvers.append(package(work))
        except (Unavailable, Unusable, Failed) as error:
            left_out[name] = str(error)
    return solvers, left_out


def say(text: str) -> None:
    """Prints progress to a terminal."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)


def check(one: PositionSet, solver: Solver, found: list[int], scores: list[int]) -> None:
    """Compares the scores of a solver with those known before."""
    for moves, score, known in zip(one.moves, found, scores):
        if solver.outcome_only:
            known = (known > 0) - (known < 0)
        if score != known:
            other = "the file" if one.scores else "analyze"
            raise Disagreement(f"position {moves!r} of {one.name} has {score} by {solver.label}, {known} by {other}")


def measure(one: PositionSet, solvers: list[Solver], runs: int) -> list[Measured]:
    """Runs every solver on a set, one after the other, as many times as asked."""
    measured: list[Measured] = []
    for solver in solvers:
        base = next((m for m in measured if m.solver.threads == solver.threads), None)
        measured.append(Measured(solver, min(len(one.moves), solver.most or len(one.moves)), base))
    scores = one.scores
    for run in range(runs):
        for m in measured:
            if m.too_long:
                continue
            say(f"{one.name}, run {run + 1} of {runs}: {m.solver.label}")
            try:
                solved = m.solver.solve(one.moves[:m.positions], (scores or [])[:m.positions])
            except TooLong:
                # Its earlier runs, if any, would only be the shorter ones.
                m.too_long, m.runs = True, []
                continue
            scores = scores or solved.scores
            check(one, m.solver, solved.scores, scores)
            m.runs.append(solved)
    return measured


def compare(args: argparse.Namespace) -> None:
    # All arguments are checked before the first position is solved.
    if args.into:
        table.place("", args.into)
    if args.out and (args.out.is_dir() or not args.out.resolve().parent.is_dir()):
        raise Unusable(f"--out {args.out} is a folder, or in a missing one")
    sets = chosen_sets(args)
    work = args.work.resolve()
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"--work {args.work}: {error.strerror}") from error
    load = os.getloadavg()[0]
    solvers, left_out = chosen_solvers(args, work)
    runs = by_set(args.runs, 5)
    for solver in solvers:
        solver.limit = args.limit
    measured: dict[str, list[Measured]] = {}
    for number, one in enumerate(sets, start=1):
        measured[one.name] = measure(one, solvers, runs[one.name])
        text = table.document(sets[:number], measured, solvers, left_out, load)
        if args.out:
            write_whole(args.out, text)
    print(text, end="", flush=True)
    if args.into:
        write_whole(args.into, table.place(text, args.into))


def main() -> None:
    args = arguments()
    try:
        compare(args)
    except Disagreement as error:
        print(f"the solvers disagree: {error}", file=sys.stderr)
        sys.exit(3)
    except Unusable as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except (Failed, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
