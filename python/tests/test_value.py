"""Values."""

import copy
import pickle
from collections.abc import Callable

import pytest

import everyply as ep

BEST_FIRST = [
    ep.Value("win", 1),
    ep.Value("win", 9),
    ep.Value("draw"),
    ep.Value("draw", 8),
    ep.Value("draw", 2),
    ep.Value("loss", 8),
    ep.Value("loss", 2),
]


def test_values_are_ordered_by_preference() -> None:
    assert sorted(reversed(BEST_FIRST), reverse=True) == BEST_FIRST
    assert max(BEST_FIRST) == ep.Value("win", 1)
    for i, a in enumerate(BEST_FIRST):
        for j, b in enumerate(BEST_FIRST):
            assert (a > b, a >= b, a == b, a < b) == (i < j, i <= j, i == j, i > j)


def test_what_is_not_known_has_no_order() -> None:
    assert ep.Value("win") == ep.Value("win") != ep.Value("win", 3)
    assert ep.Value("win") > ep.Value("draw", 3)
    with pytest.raises(TypeError):
        assert ep.Value("win") < ep.Value("win", 3)
    with pytest.raises(TypeError):
        assert ep.Value("win") < 3  # type: ignore[operator]


def test_the_score_is_not_compared() -> None:
    assert ep.Value("win", 3, 18) == ep.Value("win", 3)
    assert len({ep.Value("win", 3, 18), ep.Value("win", 3)}) == 1


def test_values_show_themselves() -> None:
    value = ep.Value("loss", 36, -2)
    assert repr(value) == "Value(outcome='loss', remoteness=36, score=-2)"
    assert str(value) == "loss in 36 plies"
    assert repr(ep.Value("draw")) == "Value(outcome='draw', remoteness=None)"
    assert eval(repr(value), {"Value": ep.Value}) == value
    match value:
        case ep.Value("loss", plies):
            assert plies == 36
        case _:
            raise AssertionError


def test_values_survive_pickling() -> None:
    for value in [*BEST_FIRST, ep.Value("win", 3, 18)]:
        again = pickle.loads(pickle.dumps(value))
        assert again == value and again.score == value.score
        assert copy.deepcopy(value) == value


@pytest.mark.parametrize(
    "kind, call",
    [
        (ValueError, lambda: ep.Value("won", 3)),  # type: ignore[arg-type]
        (ValueError, lambda: ep.Value("win", -1)),
        (ValueError, lambda: ep.Value("win", 256)),
        (TypeError, lambda: ep.Value(1)),  # type: ignore[arg-type]
        (TypeError, lambda: ep.Value()),  # type: ignore[call-arg]
    ],
)
def test_wrong_arguments_are_refused(kind: type[Exception], call: Callable[[], object]) -> None:
    with pytest.raises(kind):
        call()


def test_a_value_for_the_other_side() -> None:
    value = ep.Value("win", 3, 5)
    assert -value == ep.Value("loss", 3) and (-value).score == -5
    assert -ep.Value("draw") == ep.Value("draw") and (-ep.Value("loss")).score is None
