#!/usr/bin/env python3
"""Counts small boards in the most obvious way, independently of everyply: the source of the
numbers in mnk-counts.csv and connect4-plies.csv that are published nowhere else.

    python3 data/count.py ttt 4x3 3             one row of mnk-counts.csv
    python3 data/count.py connect4 7x6 4 11     rows of connect4-plies.csv to ply 11
"""

import sys


def lines_of(width, height, k):
    found = []
    for x in range(width):
        for y in range(height):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + i * dx, y + i * dy) for i in range(k)]
                if all(0 <= cx < width and 0 <= cy < height for cx, cy in cells):
                    found.append(sum(1 << (cy * width + cx) for cx, cy in cells))
    return found


def symmetries_of(game, width, height):
    maps = [lambda x, y: (x, y), lambda x, y: (width - 1 - x, y)]
    if game == "ttt":
        maps += [lambda x, y, m=m: (m(x, y)[0], height - 1 - m(x, y)[1]) for m in maps[:2]]
        if width == height:
            maps += [lambda x, y, m=m: m(x, y)[::-1] for m in maps[:4]]
    tables = []
    for m in maps:
        images = [m(i % width, i // width) for i in range(width * height)]
        tables.append([1 << (y * width + x) for x, y in images])
    return tables


def canonical(stones, tables, cells):
    return min(
        tuple(sum(t[i] for i in range(cells) if side >> i & 1) for side in stones) for t in tables
    )


def plies(game, width, height, k, last):
    """For every ply: histories, positions, canonical positions, finished positions and histories
    that ended there by the winner."""
    cells = width * height
    lines = lines_of(width, height, k)
    through = [[line for line in lines if line >> i & 1] for i in range(cells)]
    tables = symmetries_of(game, width, height)
    tier = {(0, 0): (1, False)}  # (first player's stones, second's): histories, has a line
    for ply in range(min(cells, last) + 1):
        ended = [n for n, line in tier.values() if line]
        full = [n for n, line in tier.values() if not line and ply == cells]
        yield {
            "ply": ply,
            "nodes": sum(n for n, _ in tier.values()),
            "positions": len(tier),
            "canonical": len({canonical(stones, tables, cells) for stones in tier}),
            "terminal": len(ended) + len(full),
            "wins": sum(ended),
            "draws": sum(full),
        }
        below = {}
        for (first, second), (n, line) in tier.items():
            if line:
                continue
            taken = first | second
            for i in range(cells):
                # A stone falls: the cell below it, a row further up in number, is taken.
                if taken >> i & 1 or (
                    game == "connect4" and i >= width and not taken >> (i - width) & 1
                ):
                    continue
                own = (first if ply % 2 == 0 else second) | 1 << i
                after = (own, second) if ply % 2 == 0 else (first, own)
                if after in below:
                    before, won = below[after]
                    below[after] = (before + n, won)
                else:
                    below[after] = (n, any(own & l == l for l in through[i]))
        tier = below
        if not tier:
            return


def main():
    game, size, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
    last = int(sys.argv[4]) if len(sys.argv) > 4 else 64
    width, height = map(int, size.split("x"))
    rows = list(plies(game, width, height, k, last))
    if game == "connect4":
        for row in rows:
            print(row["ply"], row["nodes"], row["positions"], row["canonical"], row["terminal"], sep=",")
        return
    total = lambda name, parity=None: sum(
        row[name] for row in rows if parity is None or row["ply"] % 2 == parity
    )
    first, second, draws = total("wins", 1), total("wins", 0), total("draws")
    print(
        width, height, k, total("nodes"), first + second + draws, first, second, draws,
        total("positions"), total("canonical"), total("terminal"), sep=",",
    )  # fmt: skip


main()
