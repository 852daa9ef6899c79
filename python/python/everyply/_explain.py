"""Why positions have their values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from everyply._everyply import ConnectFour, Position, Solver, Value, _explain

if TYPE_CHECKING:
    from everyply._types import PositionLike


@dataclass(frozen=True)
class Plan:
    """A plan that needs no search: for every cell the other side may take an answer."""

    side: str
    """Who follows it: "X" or "O"."""
    moves: str
    """Best play of both sides until it holds; empty if it holds at once."""
    proves: str | None
    """"score" or "outcome"; None if the game ends with those moves."""
    sentences: tuple[str, ...]
    """What it comes to, in words. Every sentence holds in every game."""
    picture: str
    """The board, with what the plan makes of its empty cells."""
    facts: Mapping[str, Any] = field(repr=False)
    """All that is known of it, as `analyze explain --json` has it under `plan`."""


@dataclass(frozen=True)
class Explanation:
    """Why a position has its value."""

    position: Position
    value: Value
    best: tuple[int, ...]
    """The moves that attain it; empty if the game is over."""
    plans: tuple[Plan, ...]
    """That of the side that wins, or of a draw those of the sides that hold it."""
    text: str = field(repr=False)
    """All of it in words."""

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


def explain(position: PositionLike, solver: Solver | None = None) -> Explanation:
    """Why a position of Connect Four has its value: best play until a plan takes over, and the plan.

    What is said of a plan was played through against every line of the other side.

    position: a Position, or the moves that lead to it, on the solver's board.
    solver: what finds the values; for None one is made for the position's board, 7x6 for moves.

    Raises ValueError for another game, or a board of more than 64 bits.
    """
    if solver is None:
        solver = Solver(position.game if isinstance(position, Position) else ConnectFour())
    document = json.loads(_explain(solver, position))
    if not isinstance(position, Position):
        position = solver.game.position(position)
    plans = tuple(_plan(plan) for plan in document["plans"])
    best = tuple(document["best"])
    return Explanation(position, solver.value(position), best, plans, document["text"])
