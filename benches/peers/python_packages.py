#!/usr/bin/env python3
"""Times the Python package bitbully beside everyply on the same positions, and prints the ratio.

    python3 benches/peers/python_packages.py [--positions 1000]

Both packages have to be installed: `pip install ./python bitbully`. Positions of 7x6 are random
games cut off after 12 to 30 stones, whose play goes on. Both solve every position exactly, one
after the other, in one thread, in one process and without an opening book, with the table sizes
they come with; only the calls are timed. Scores have to agree, or the script fails.
"""

import argparse
import random
import sys
import time

import everyply as ep
from bitbully import bitbully_core as core


def positions(count: int) -> list[ep.Position]:
    """Random positions of 12 to 30 stones, the same in every run."""
    rng = random.Random(16)
    found: list[ep.Position] = []
    while len(found) < count:
        position = ep.ConnectFour().initial
        for _ in range(rng.randint(12, 30)):
            position = position.play(rng.choice(position.legal_moves))
            if position.result is not None:
                break
        else:
            found.append(position)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--positions", type=int, default=1000)
    asked = positions(arguments.parse_args().positions)
    boards = []
    for position in asked:
        board = core.BoardCore()
        for column in position.moves:
            assert board.play(column - 1)
        boards.append(board)

    solver = ep.Solver(ep.ConnectFour(), threads=1, book=False)
    begun = time.perf_counter()
    own = [solver.value(position).score for position in asked]
    own_time = time.perf_counter() - begun

    peer = core.BitBullyCore()
    begun = time.perf_counter()
    scores = [peer.mtdf(board, 0) for board in boards]
    peer_time = time.perf_counter() - begun

    differ = [str(p) for p, a, b in zip(asked, own, scores, strict=True) if a != b]
    if differ:
        sys.exit(f"the scores of {len(differ)} positions differ, first {differ[0]}")
    each = 1e3 / len(asked)
    print(f"{len(asked)} positions of 12 to 30 stones, one thread, no book; all scores agree")
    print(f"everyply {own_time:8.2f} s {own_time * each:8.3f} ms a position")
    print(f"bitbully {peer_time:8.2f} s {peer_time * each:8.3f} ms a position")
    print(f"ratio    {peer_time / own_time:8.1f}")


if __name__ == "__main__":
    main()
