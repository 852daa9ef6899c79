"""The laws that every game obeys, checked by random play."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NoReturn, TypeVar

from everyply._game import Game, has, initial_of, key_of, note, shown

P = TypeVar("P")
M = TypeVar("M", bound=Hashable)

MOST_MOVES = 64
MOST_PLIES = 200
"""Plies after which a game that does not end is abandoned."""


class LawError(ValueError):
    """A game breaks one of the laws."""

    law: str
    """The law."""
    position: object
    """The position in which it is broken."""

    def __init__(self, law: str, position: object, seen: str) -> None:
        super().__init__(f"{law}: {seen}, at position {shown(position)}")
        self.law = law
        self.position = position


class _Laws:
    """Observations of a game so far."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.key = key_of(game)
        self.kind: type | None = None
        self.futures: dict[int | bytes, tuple[Any, Any]] = {}

    def broken(self, law: str, position: object, seen: str) -> NoReturn:
        raise LawError(law, position, seen)

    def check(self, position: Any) -> list[Any]:
        """Checks a position and returns its moves, or no moves if the game is over."""
        game = self.game
        before = self.name(position)
        result = game.result(position)
        if result not in (None, "win", "draw", "loss"):
            law = "a result is None, 'win', 'draw' or 'loss'"
            self.broken(law, position, f"result() gives {result!r}")
        if game.result(position) != result:
            law = "a position has one result"
            self.broken(law, position, f"result() gives {result!r}, and another one when asked again")
        moves = [] if result is not None else self.moves(position)
        children = [game.play(position, move) for move in moves]
        after = [self.name(child) for child in children]
        if self.name(position) != before:
            law = "play() does not change the position it is given"
            self.broken(law, position, f"its key was {before!r} before its moves were played")
        again = [self.name(game.play(position, move)) for move in moves]
        for move, first, second in zip(moves, after, again, strict=True):
            if first != second:
                law = "a move leads to one position"
                self.broken(law, position, f"{move!r} leads to keys {first!r} and {second!r}")
        future = self.future(position, result, children)
        seen, other = self.futures.setdefault(before, (future, position))
        if seen != future:
            law = "equal keys mean equal futures"
            clash = f"key {before!r} is also the key of {shown(other)}, whose future differs"
            self.broken(law, position, clash)
        self.images(position, before, future)
        return moves

    def future(self, position: Any, result: Any, children: list[Any]) -> Any:
        """Returns what play can lead to: moves of images have other names, their children equal keys."""
        game, turns = self.game, has(self.game, "mover")
        keeps = [turns and game.mover(position) == game.mover(child) for child in children]
        return result, sorted(zip(map(self.name, children), keeps, strict=True))

    def name(self, position: Any) -> int | bytes:
        key = self.game.key(position)
        kind = bytes if isinstance(key, bytes) else int if isinstance(key, int) else None
        if kind is None or self.kind not in (None, kind):
            law = "keys are ints, or all of them are bytes"
            self.broken(law, position, f"key() gives {key!r}")
        self.kind = kind
        if self.game.key(position) != key:
            law = "a position has one key"
            self.broken(law, position, f"key() gives {key!r}, and another one when asked again")
        return self.key(position)

    def moves(self, position: Any) -> list[Any]:
        moves = list(self.game.moves(position))
        if not moves:
            law = "a position without a result has a move"
            self.broken(law, position, "moves() gives none")
        if len(moves) > MOST_MOVES:
            law = f"a position has at most {MOST_MOVES} moves"
            self.broken(law, position, f"moves() gives {len(moves)}")
        for move in moves:
            try:
                hash(move)
            except TypeError:
                self.broken("moves are hashable", position, f"moves() gives {move!r}")
        if len(set(moves)) < len(moves):
            self.broken("moves are given once", position, f"moves() gives {moves!r}")
        if list(self.game.moves(position)) != moves:
            law = "a position has the same moves in the same order"
            self.broken(law, position, f"moves() gives {moves!r}, and others when asked again")
        texts = [self.game.move_text(move) for move in moves]
        for text in texts:
            if not text or set(text) & set(", \n"):
                self.broken("the text of a move is one word", position, f"it is {text!r}")
        if len(set(texts)) < len(texts):
            law = "moves have texts of their own"
            self.broken(law, position, f"move_text() gives {' '.join(texts)}")
        return moves

    def images(self, position: Any, key: int | bytes, future: Any) -> None:
        if not has(self.game, "symmetries"):
            return
        game = self.game
        for image in game.symmetries(position):
            if self.name(image) != key:
                law = "images have the same images"
                self.broken(law, position, f"the image {shown(image)} has others")
            result = game.result(image)
            moves = [] if result is not None else self.moves(image)
            children = [game.play(image, move) for move in moves]
            if self.future(image, result, children) != future:
                law = "images have equal futures"
                self.broken(law, position, f"the future of {shown(image)} differs")


def check_laws(game: Game[P, M], *, games: int = 60, seed: int = 1) -> None:
    """Plays games at random and checks in every position that the game obeys the laws.

    games: the number of games. seed: equal seeds play the same games.

    Raises LawError, which names the law and the position. Exceptions of the game are passed on,
    with the position in their notes.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a game written in Python is an everyply.Game, not {type(game).__name__}")
    # Imported here, so that the package imports faster.
    import random

    chance = random.Random(seed)
    laws = _Laws(game)
    start: Any = initial_of(game)
    for _ in range(games):
        position: Any = initial_of(game)
        if laws.name(position) != laws.name(start):
            laws.broken("play has one start", position, f"it was {shown(start)} before")
        for _ in range(MOST_PLIES):
            try:
                moves = laws.check(position)
                if not moves:
                    break
                following = game.play(position, chance.choice(moves))
            except LawError:
                raise
            except Exception as error:
                note(error, f"while the laws were checked at position {shown(position)}")
                raise
            position = following
