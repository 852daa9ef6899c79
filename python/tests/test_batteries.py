"""The opponent and the explorer."""

import random
import urllib.request
from typing import Any

import pytest
from own_games import Heaps, NoughtsAndCrosses

import everyply as ep


@pytest.mark.parametrize("level", ["perfect", "varied", "casual", "beginner"])
def test_every_level_completes_and_stops_lines(level: str) -> None:
    opponent = ep.Opponent(level)
    assert opponent.level == level
    assert repr(opponent) == f"Opponent('{level}')"
    game = ep.ConnectFour()
    assert opponent.move(game.position("121212")) == 1
    assert opponent(game.position("12121")) == 1
    assert opponent(ep.game("nim", position="3").initial) == "1-3"
    own = ep.tabulate(Heaps(0, 3))
    assert opponent(own.initial) == "2-3"


def test_the_perfect_opponent_is_never_beaten() -> None:
    chance = random.Random(1)
    opponent = ep.Opponent("varied", seconds=5, threads=1)
    for game in [ep.TicTacToe(), ep.tabulate(NoughtsAndCrosses())]:
        for number in range(20):
            position = game.initial
            ours = number % 2 == 0
            while position.result is None:
                m = opponent(position) if ours else chance.choice(position.legal_moves)
                position, ours = position.play(m), not ours
            # The side to move has lost: not the opponent.
            assert position.result == "draw" or not ours


def test_wrong_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="'casual'"):
        ep.Opponent("strong")
    with pytest.raises(ValueError):
        ep.Opponent(seconds=-1)
    with pytest.raises(ValueError, match="threads 0"):
        ep.Opponent(threads=0)
    opponent = ep.Opponent()
    with pytest.raises(ValueError, match="over"):
        opponent.move(ep.ConnectFour().position("1212121"))
    with pytest.raises(ValueError, match="no game is called '4453'"):
        opponent.move("4453")
    with pytest.raises(TypeError):
        opponent.move(4453)  # type: ignore[arg-type]


def page(address: str) -> tuple[str, Any]:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read().decode(), answer.headers


def test_the_explorer_is_served_until_it_is_stopped() -> None:
    with ep.serve(ep.ConnectFour(8, 7)) as server:
        assert server.running and str(server.port) in server.url
        text, headers = page(server.url)
        assert "8x7" in text
        # A notebook may show it in a frame.
        assert "frame-ancestors http://localhost:*" in headers["Content-Security-Policy"]
    assert not server.running and "stopped" in repr(server)
    server.stop()
    with pytest.raises(OSError):
        page(server.url)


def test_an_own_game_is_served() -> None:
    with ep.serve(NoughtsAndCrosses()) as server:
        text, _ = page(server.url)
        assert "Noughts and crosses" in text
        answer, _ = page(
            f"http://127.0.0.1:{server.port}/api/v1/position?game=noughtsandcrosses&moves=4,0"
        )
        assert '"draw"' in answer and "O../.X./..." in answer


def test_wrong_servers_are_refused() -> None:
    with ep.serve() as server, pytest.raises(OSError, match="another address or port"):
        ep.serve(port=server.port)
    with pytest.raises(OSError, match="nowhere"):
        ep.serve(files=["/nowhere.db"])
    for arguments in [{"port": -1}, {"seconds": 0}, {"threads": 0}, {"table_mib": 0}]:
        with pytest.raises(ValueError):
            ep.serve(**arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="built-in"):
        ep.serve(3)  # type: ignore[arg-type]


def test_a_position_is_shown_in_a_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    address = ep.show(ep.ConnectFour().position("4453"))
    assert opened == [address]
    text, _ = page(opened[0])
    assert "everyply" in text
    own = ep.game("nim", position="3,4,5").position("2,4,5")
    ep.show(own)
    assert page(opened[1])[0]
    with pytest.raises(ValueError, match="by serve"):
        ep.show(ep.tabulate(Heaps(1, 2)))
    with pytest.raises(ValueError, match="no game is called"):
        ep.show("4453")
    with pytest.raises(TypeError, match="Position"):
        ep.show(3)  # type: ignore[arg-type]
