#!/usr/bin/env python3
"""The complete tic-tac-toe tree by plain recursive minimax, as one writes it in a first course.

Visits every history once (549,946 of them), keeps no table, and prints their number and the value
of the empty board for X.
"""

EMPTY = " "
LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
]

nodes = 0


def winner(board):
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def minimax(board, player):
    global nodes
    nodes += 1
    won = winner(board)
    if won is not None:
        return 1 if won == "X" else -1
    if EMPTY not in board:
        return 0
    values = []
    for cell in range(9):
        if board[cell] == EMPTY:
            board[cell] = player
            values.append(minimax(board, "O" if player == "X" else "X"))
            board[cell] = EMPTY
    return max(values) if player == "X" else min(values)


value = minimax([EMPTY] * 9, "X")
print(f"nodes {nodes}")
print(f"value {value}")
