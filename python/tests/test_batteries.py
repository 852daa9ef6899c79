"""The explorer."""

import urllib.request
from typing import Any

import pytest
from own_games import Heaps, NoughtsAndCrosses

import everyply as ep


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
    with pytest.raises(ValueError, match="port -1"):
        ep.serve(port=-1)
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
