"""Games and positions."""

import copy
import pickle

import numpy as np
import pytest
from support import Refusal, reachable, refusals

import everyply as ep

GAMES: list[ep.BuiltinGame] = [
    ep.ConnectFour(),
    ep.ConnectFour(5, 4, 3),
    ep.TicTacToe(),
    ep.MNK(4, 4, 4),
    ep.game("nim", position="3,5,7", misere=True),
    ep.game("hexapawn", size="4x4"),
    ep.game("dots", size=(2, 1)),
    ep.game("pong"),
    ep.game("morris", men=4, flying=True),
    ep.game("kalah", pits=2, seeds=1),
    ep.ConnectFour(9, 8),
]


def ids(game: ep.BuiltinGame) -> str:
    return repr(game)


@pytest.mark.parametrize("game", GAMES, ids=ids)
def test_a_game_and_its_positions_survive_pickling(game: ep.BuiltinGame) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again == game and hash(again) == hash(game) and type(again) is type(game)
    assert repr(again) == repr(game)
    for position in reachable(game.initial, 50):
        copied = pickle.loads(pickle.dumps(position))
        assert copied == position and hash(copied) == hash(position)
        assert copied.game == game
        assert copied.moves == position.moves
        assert copy.copy(position) == position
        if game != ep.ConnectFour(9, 8):
            assert game.from_key(position.key) == position


@pytest.mark.parametrize("game", GAMES, ids=ids)
def test_legal_moves_are_those_that_can_be_played(game: ep.BuiltinGame) -> None:
    for position in reachable(game.initial, 50):
        assert (position.legal_moves == []) == (position.result is not None)
        for move in position.legal_moves:
            assert position.play(move) != position
        html = position._repr_html_()
        assert html.startswith("<svg") or html.startswith("<pre")


def test_the_repr_of_a_game_makes_it_again() -> None:
    for game in GAMES:
        assert eval(repr(game), {"game": ep.game}) == game


def test_games_are_found_by_name() -> None:
    names = [name for name, _ in ep.games()]
    assert {"ttt", "connect4", "nim", "hexapawn", "dots", "pong"} <= set(names)
    for name in names:
        game = ep.game(name, position="1,2") if name == "nim" else ep.game(name)
        assert game.name == name
    assert ep.game("connect4", size="8x7") == ep.ConnectFour(8, 7)
    assert ep.game("ttt", size=(4, 4), line=4) == ep.MNK(4, 4, 4)
    assert ep.game("ttt") == ep.TicTacToe() == ep.MNK(3, 3, 3)
    assert ep.ConnectFour() != ep.ConnectFour(7, 6, 5)
    assert ep.game("nim", position="1,2") != ep.game("nim", position="1,2", misere=True)
    assert ep.game("gobblet", sizes=2) != ep.game("gobblet", sizes=3) == ep.game("gobblet")


def test_a_position_of_connect_four() -> None:
    game = ep.ConnectFour()
    position = game.position("4453")
    assert position == game.position(np.array([4, 4, 5, 3]))
    assert position == game.position([4, 4, 5, 3]) == game.initial.play(4).play(4).play(5).play(3)
    assert str(position) == ".......\n.......\n.......\n.......\n...O...\n..OXX.."
    assert game.from_board(str(position)) == game.from_board(str(position).replace("\n", "/")) == position
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . O X X . .
    """
    assert game.from_board(drawing) == position
    numbers = np.zeros((6, 7), int)
    numbers[5, 2:5], numbers[4, 3] = (-1, 1, 1), -1
    assert game.from_board(numbers) == game.from_board(numbers.tolist()) == game.from_board(numbers % 3) == position
    assert repr(position) == "<Position ......./......./......./......./...O.../..OXX.. of Connect Four 7x6, 4 in a row>"
    assert (position.ply, position.mover, position.result) == (4, "first", None)
    assert position.play(4).mover == "second"
    assert game.position("1212121").result == "loss"
    assert game.position("1212121").legal_moves == []
    assert position != ep.ConnectFour(7, 7).position("4453")
    assert position != "4453"


WRONG: list[Refusal] = [
    (ValueError, "at least 1", lambda: ep.ConnectFour(0, 6)),
    (ValueError, "size=-1x6", lambda: ep.ConnectFour(-1, 6)),
    (ValueError, "too large", lambda: ep.ConnectFour(9, 8).from_key(3)),
    (ValueError, "no line of 9 fits on a board of 7x6", lambda: ep.ConnectFour(7, 6, 9)),
    (ValueError, "the longest that fits is 4", lambda: ep.MNK(4, 3, 5)),
    (ValueError, "too large", lambda: ep.solve(ep.ConnectFour(9, 8))),
    (ValueError, "", lambda: ep.ConnectFour(12, 12)),
    (ValueError, "no move has been played", lambda: ep.TicTacToe().initial.undo()),
    (ValueError, "no board of stones", lambda: ep.game("pong").initial.planes),
    (ValueError, "neither a move", lambda: ep.ConnectFour().initial.svg(marks=[8])),
    (ValueError, "no cell", lambda: ep.ConnectFour().initial.svg(marks=[(6, 0)])),
    (ValueError, "no board to draw", lambda: ep.game("pong").initial.svg()),
    (ValueError, "at most 40 cells", lambda: ep.MNK(7, 6, 4)),
    (TypeError, "", lambda: ep.ConnectFour("7")),  # type: ignore[arg-type]
    (TypeError, "", lambda: ep.MNK(3, 3)),  # type: ignore[call-arg]
    (ValueError, "choose one of ttt, connect4", lambda: ep.game("chess")),
    (ValueError, "not a board size", lambda: ep.game("connect4", size="7*6")),
    (TypeError, "no option 'size'", lambda: ep.game("nim", size="3x3")),
    (TypeError, "no option 'misere'; its options: size", lambda: ep.game("hexapawn", misere=True)),
    (ValueError, "men=2: a whole number from 3 to 9", lambda: ep.game("morris", men=2)),
    (ValueError, "men=true: a whole number from 3 to 9", lambda: ep.game("morris", men=True)),
    (ValueError, "flying=no: true or false", lambda: ep.game("morris", flying="no")),  # type: ignore[arg-type]
    (TypeError, "no option 'line'", lambda: ep.game("nim", line=3)),
    (TypeError, "starts from", lambda: ep.game("connect4", position="4")),
    (ValueError, "heap 2", lambda: ep.game("nim", position="3,x")),
    (TypeError, "", lambda: ep.game(3)),  # type: ignore[arg-type]
    (ValueError, "move 7", lambda: ep.ConnectFour().position("4444444")),
    (ValueError, "at index 6: move 4: column 4 is full", lambda: ep.ConnectFour().position([4] * 7)),
    (TypeError, "at index 1: a move of", lambda: ep.ConnectFour().position([4, "4"])),
    (TypeError, "not float", lambda: ep.ConnectFour().position(4.5)),  # type: ignore[arg-type]
    (ValueError, "from 1 to 7", lambda: ep.ConnectFour().initial.play(0)),
    (ValueError, "from 1 to 7", lambda: ep.ConnectFour().initial.play(2**40)),
    (TypeError, "is an int", lambda: ep.ConnectFour().initial.play("4")),
    (TypeError, "is a str", lambda: ep.game("hexapawn").initial.play(1)),
    (ValueError, "choose one of a1a2", lambda: ep.game("hexapawn").initial.play("a1a3")),
    (ValueError, "game is over", lambda: ep.ConnectFour().position("1212121").play(1)),
    (ValueError, "no game reaches", lambda: ep.ConnectFour().from_board("/".join(["......."] * 4 + ["X......", "O......"]))),
    (ValueError, "no position of", lambda: ep.game("nim", position="1,2").from_board("")),
    (ValueError, "is no position", lambda: ep.ConnectFour().from_key(0)),
    (OverflowError, "", lambda: ep.ConnectFour().from_key(-1)),
    (ValueError, "of Connect Four 7x7", lambda: ep.ConnectFour().position(
        ep.ConnectFour(7, 7).initial)),
]  # fmt: skip

test_wrong_arguments_are_refused = refusals(WRONG)


def test_objects_cannot_be_changed() -> None:
    position = ep.ConnectFour().initial
    for thing in [position, position.game, ep.Value("win", 3)]:
        with pytest.raises(AttributeError):
            thing.ply = 3  # type: ignore


@pytest.mark.parametrize("game", GAMES, ids=ids)
def test_the_moves_as_played_are_kept_and_taken_back(game: ep.BuiltinGame) -> None:
    for position in reachable(game.initial, 50):
        for move in position.legal_moves:
            after = position.play(move)
            assert after.moves == [*position.moves, move]
            assert after.undo() == position and after.undo().moves == position.moves


def test_one_position_reached_by_other_moves_keeps_them() -> None:
    game = ep.ConnectFour()
    one, other = game.position("4453"), game.position([5, 4, 4, 3])
    assert (one.moves, other.moves) == ([4, 4, 5, 3], [5, 4, 4, 3])
    assert game.position("3123").moves == [3, 1, 2, 3]
    same = game.position("2133")
    assert game.position("3123").play(1) != same
    given = game.from_key(game.position("3123").key)
    assert given.play(7).moves[-1] == 7 and len(given.moves) == 4
    assert given.undo().ply == 3
    assert game.from_board(str(one)).play(1).undo() == one


def test_a_position_as_planes() -> None:
    game = ep.ConnectFour(5, 4)
    position = game.position("1123")
    planes = position.planes
    assert planes.shape == (2, 4, 5) and planes.dtype == np.uint8
    assert planes[0].sum() == planes[1].sum() == 2
    # The first player is to move: its stones are in plane 0.
    assert planes[0, 3, 0] == planes[0, 3, 1] == planes[1, 2, 0] == planes[1, 3, 2] == 1
    some = reachable(game.initial, 200)
    every = np.stack([p.planes for p in some])
    keys = np.array([p.key for p in some], dtype=np.uint64)
    assert (game.planes(some) == every).all() and (game.planes(keys) == every).all()
    assert game.planes([]).shape == (0, 2, 4, 5)
    data = ep.dataset(game, 4)
    assert (game.planes(data.key) == data.planes).all()
    wide = ep.ConnectFour(9, 8).position("55")
    assert wide.planes.sum() == 2


def test_a_picture_with_marks_and_values() -> None:
    position = ep.ConnectFour().position("1212121")
    plain, marked = position.svg(), position.svg(marks=[(2, 0), (3, 0), (4, 0), (5, 0)])
    assert plain == position._repr_html_()
    assert marked.count("<rect") == plain.count("<rect") + 4
    start = ep.TicTacToe().position("5")
    values = ep.Solver(ep.TicTacToe()).moves(start)
    drawn = start.svg(values=values, marks=[1])
    assert drawn.count(">-2</text>") == 4 and drawn.count(">0</text>") == 4, drawn
    assert "here" in start.svg(values={(0, 0): "here"})


def test_bits_become_moves() -> None:
    table = ep.solve(ep.TicTacToe()).to_numpy()
    solution = ep.solve(ep.TicTacToe())
    for key, bits in zip(table["key"].tolist(), table["best"].tolist(), strict=True):
        assert ep.TicTacToe().from_key(key).moves_of(bits) == solution.best_moves(key)
    hexapawn = ep.game("hexapawn").initial
    assert hexapawn.moves_of(0b101) == [hexapawn.legal_moves[0], hexapawn.legal_moves[2]]
