"""Explanations of positions, against the solver and by hand."""

import random

import pytest

import everyply as ep


def test_a_plan_that_holds_at_once() -> None:
    explanation = ep.explain("44455554221")
    assert explanation.value == ep.Value("loss", 2, -15)
    [plan] = explanation.plans
    assert (plan.side, plan.moves, plan.proves) == ("X", "", "score")
    assert plan.sentences[0] == "Whatever O plays, X wins, at ply 13 at the latest."
    assert len(plan.picture.splitlines()) == 7
    assert plan.sentences[0] in str(explanation)


def test_random_positions_of_6x5() -> None:
    game = ep.ConnectFour(6, 5)
    solver = ep.Solver(game)
    draw = random.Random(7)
    for _ in range(20):
        position = game.position()
        while position.result is None and position.ply < 14:
            position = position.play(draw.choice(position.legal_moves))
        explanation = ep.explain(position, solver)
        assert explanation.position == position
        assert explanation.value == solver.value(position)
        assert list(explanation.best) == solver.best_moves(position)
        assert bool(explanation.plans) is (position.result is None)
        winner = {"win": "XO", "loss": "OX"}.get(explanation.value.outcome)
        for plan in explanation.plans:
            assert winner is None or plan.side == winner[position.ply % 2]


def test_positions_of_other_games_are_explained_by_their_solution() -> None:
    position = ep.TicTacToe().position("1529")
    explanation = ep.explain(position)
    assert explanation.value == ep.Solver("ttt").value(position) and explanation.plans == ()
    assert list(explanation.best) == ep.Solver("ttt").best_moves(position)
    assert str(explanation.value.remoteness) in str(explanation)
    for name in ("hexapawn", "pong"):
        assert str(ep.explain(ep.game(name).initial))


def test_what_is_not_explained() -> None:
    with pytest.raises(MemoryError, match="begin at a later position"):
        ep.explain(ep.MNK(6, 6, 5).initial)
    with pytest.raises(ValueError, match="too large"):
        ep.explain(ep.ConnectFour(9, 8).initial)
    with pytest.raises(ValueError, match="column"):
        ep.explain("4444444")


def test_a_game_or_its_name_stands_for_its_start() -> None:
    start = ep.explain(ep.TicTacToe().position())
    for given in (ep.TicTacToe(), "ttt"):
        assert ep.explain(given).text == start.text
    assert ep.explain("nim").best == ("1-1", "2-1", "3-1")
    # With a solver of another game a text is moves, of letters too.
    solver = ep.Solver(ep.game("hexapawn"))
    after = ep.game("hexapawn").position("b1b2")
    assert ep.explain("b1b2", solver) == ep.explain(after, solver)
    with pytest.raises(ValueError, match="no game is called 'chess'"):
        ep.explain("chess")
