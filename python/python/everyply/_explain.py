"""Reasons for the values of positions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from everyply._boards import ConnectFour
from everyply._everyply import BuiltinGame, Position, Solver, _explain
from everyply._everyply import game as _named
from everyply._game import Game, tabulate

if TYPE_CHECKING:
    from everyply._types import Move, PositionLike
    from everyply._value import Value


@dataclass(frozen=True)
class Plan:
    """A plan that needs no search: an answer to every cell that the other side may take."""

    side: str
    """The side that follows the plan: "X" or "O"."""
    moves: str
    """Best play of both sides until the plan holds; empty if it holds at once."""
    proves: str | None
    """"score" or "outcome"; None if the game ends with those moves."""
    sentences: tuple[str, ...]
    """The plan in words. Every sentence holds in every game."""
    picture: str
    """The board, with the owner of each empty cell by the plan."""
    facts: Mapping[str, Any] = field(repr=False)
    """All data of the plan, in the form of `plan` in `analyze explain --json`."""


@dataclass(frozen=True)
class Explanation:
    """The reasons for the value of a position."""

    position: Position
    value: Value
    best: tuple[Move, ...]
    """The moves that attain the value; empty if the game is over."""
    plans: tuple[Plan, ...]
    """The plan of the side that wins, or in a draw of each side that holds it; empty for other
    games than Connect Four."""
    text: str = field(repr=False)
    """The whole explanation in words."""

    def __str__(self) -> str:
        return self.text


def _plan(document: Mapping[str, Any]) -> Plan:
    facts = document["plan"] or {}
    return Plan(
        document["side"],
        document["moves"],
        document["proves"],
        tuple(facts.get("sentences", ())),
        "\n".join(facts.get("picture", ())),
        facts,
    )


def explain(
    game: PositionLike | BuiltinGame | Game[Any, Any],
    position: PositionLike | Solver | None = None,
    solver: Solver | None = None,
) -> Explanation:
    """Explains the value of a position.

    For Connect Four: best play until a plan holds, and the plan, which was played through against
    every line of the other side. For every other game: moves that win at once, forks, forced replies
    and the shortest win, by the solution of all positions below.

    game: a Position of any game, or the moves that lead to it, on the solver's board; or a game for
        its start, or the name of one: without a solver, or with a position.
    position: one of that game, as moves or a Position.
    solver: the source of values; None makes one for the position's board, 7x6 for moves.

    Raises MemoryError if the positions below do not fit, and ValueError for a board of more than 64
    bits.
    """
    if isinstance(position, Solver):
        position, solver = None, position
    if isinstance(game, str) and (position is not None or (solver is None and game[:1].isalpha())):
        game = _named(game)
    if isinstance(game, Game):
        game = tabulate(game)
    if isinstance(game, BuiltinGame):
        game = game.initial if position is None else game.position(position)
    elif position is not None:
        raise TypeError("position: the first argument is a position already")
    if solver is None:
        solver = Solver(game.game if isinstance(game, Position) else ConnectFour())
    document = json.loads(_explain(solver, game))
    root = game if isinstance(game, Position) else solver.game.position(game)
    plans = tuple(_plan(plan) for plan in document.get("plans", ()))
    best = tuple(solver.best_moves(root))
    return Explanation(root, solver.value(root), best, plans, document["text"])
