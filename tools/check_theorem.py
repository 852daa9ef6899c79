"""Checks that a side never loses Connect Four on few columns, whatever the height: docs/theorem.md.

    python tools/check_theorem.py            half a minute
    python tools/check_theorem.py --all      five, six and seven columns too: minutes

The *defender* is the side that is not to lose; the *attacker* is the other one. The defender answers a
stone in row `follow` or higher (rows count from 1) with the stone above it, as long as there is room, and any
other stone as he likes; and he wins if he can. The page proves that this program may then leave out what lies
above row `follow` + 3, but for the parity of the empty cells there. It shares no code with the crate, nor with
`check_theorem.rs`, which also checks the claims that take this program too long.
"""

import argparse
import sys
from functools import cache

FIRST, SECOND = "first", "second"
EVEN, ODD = 0, 1
PARITIES = ["even", "odd"]

# Columns, the defender, parity of the height, the row from which he follows, and whether --all is needed.
CLAIMS = [
    (4, FIRST, ODD, 1, False),
    (4, FIRST, EVEN, 3, False),
    (4, SECOND, ODD, 2, False),
    (4, SECOND, EVEN, 2, False),
    (5, SECOND, EVEN, 2, False),
    (6, FIRST, ODD, 1, False),
    (5, FIRST, ODD, 3, True),
    (6, SECOND, EVEN, 2, True),
    (7, FIRST, ODD, 3, True),
]

# The other side wins 6x7 and 6x6: a search that called these true would prove nothing.
FALSE = [(6, SECOND, ODD, 1), (6, FIRST, EVEN, 1)]

# The state of a column whose rows in sight are filled: an even or an odd number of empty cells above
# them when the attacker is to move, or none.
OPEN, FULL = "", "full"
TALL = ["even", "odd"]


def lines_of(columns, rows):
    """All lines of four cells, each a column and a row, counted from 0."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= x < columns and 0 <= y < rows for x, y in cells):
                    found.append(cells)
    return found


class Search:
    """Positions as the attacker finds them: for each column the stones in sight, `a` and `d` from below,
    and OPEN, one of TALL, or FULL."""

    def __init__(self, columns, follow, parity, height=None):
        """All heights of a parity from follow + 5 on or, with a height, that board alone, all in sight."""
        self.columns, self.follow, self.parity, self.height = columns, follow, parity, height
        self.sight = height or follow + 3
        self.through = {}
        for line in lines_of(columns, self.sight):
            for cell in line:
                self.through.setdefault(cell, []).append([other for other in line if other != cell])
        self.attacker_wins = cache(self.attacker_wins)

    def completes(self, position, column, stone):
        """Does this stone on this column complete a line in sight?"""
        stones, state = position[column]
        if state != OPEN or len(stones) == self.sight:
            return False
        owns = lambda x, y: position[x][0][y : y + 1] == stone
        others = self.through.get((column, len(stones)), ())
        return any(all(owns(x, y) for x, y in line) for line in others)

    def after(self, position, column, stone):
        stones, state = position[column]
        if len(stones) < self.sight:
            stones += stone
            if len(stones) == self.height:
                state = FULL
        elif state == OPEN:
            empty = self.parity + self.sight  # its parity, before this stone
            state = TALL[(empty + 1) % 2]
        else:
            state = TALL[1 - TALL.index(state)]
        return self.with_column(position, column, (stones, state))

    @staticmethod
    def with_column(position, column, content):
        return position[:column] + (content,) + position[column + 1 :]

    def attacker_wins(self, position):
        """Does the attacker, to move, complete a line that reaches below row follow + 1?"""
        if any(self.completes(position, column, "a") for column in range(self.columns)):
            return True
        return any(self.attack_wins(position, column) for column in range(self.columns))

    def attack_wins(self, position, column):
        stones, state = position[column]
        if state == FULL:
            return False
        if state in TALL:
            # He fills the column: the defender follows, to the last stone or to the last but one.
            filled = self.with_column(position, column, (stones, FULL))
            return self.wins(filled) if state == "even" else self.answer_loses(filled)
        row = len(stones) + 1
        attacked = self.after(position, column, "a")
        if attacked[column][1] == FULL or row < self.follow:
            return self.answer_loses(attacked, column)
        if self.defender_wins(attacked):
            return False
        return self.wins(self.after(attacked, column, "d"))

    def answer_loses(self, position, last=None):
        """Does the attacker win whichever column the defender takes? The one of the last stone is tried first."""
        if self.defender_wins(position):
            return False
        answers = [column for column in range(self.columns) if position[column][1] != FULL]
        answers.sort(key=lambda column: (column != last, abs(2 * column - self.columns + 1)))
        return bool(answers) and all(self.wins(self.after(position, c, "d")) for c in answers)

    def defender_wins(self, position):
        return any(self.completes(position, column, "d") for column in range(self.columns))

    def wins(self, position):
        """attacker_wins of the position or its mirror image."""
        return self.attacker_wins(min(position, position[::-1]))

    def holds(self, defender):
        start = (("", OPEN),) * self.columns
        return not (self.answer_loses(start) if defender == FIRST else self.wins(start))

    def positions(self):
        return self.attacker_wins.cache_info().currsize


def check(columns, defender, parity, follow):
    """Prints a claim with its proof, and returns whether it holds."""
    # The least height of this parity that the search of all heights covers.
    many = follow + 5 + (follow + 5 + parity) % 2
    alone = [height for height in range(1, many) if height % 2 == parity]
    failed = [h for h in alone if not Search(columns, follow, parity, h).holds(defender)]
    search = Search(columns, follow, parity)
    holds = search.holds(defender) and not failed
    verdict = "never loses" if holds else f"IS NOT SHOWN TO HOLD (heights that fail: {failed})"
    print(
        f"{columns} columns, {PARITIES[parity]} heights: the {defender} player {verdict}; follows from row "
        f"{follow}; height{'s' * (len(alone) > 1)} {', '.join(map(str, alone))} alone, {many} and more together: "
        f"{search.positions():,} positions",
        flush=True,
    )
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="check the claims that take minutes too")
    options = parser.parse_args()
    sys.setrecursionlimit(100_000)
    wrong = [claim for claim in FALSE if Search(claim[0], claim[3], claim[2]).holds(claim[1])]
    for claim in wrong:
        print(f"a false claim was called true: {claim}")
    fine = not wrong
    for columns, defender, parity, follow, is_long in CLAIMS:
        if is_long and not options.all:
            continue
        fine = check(columns, defender, parity, follow) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
