"""The explorer."""

import urllib.request

import pytest
from own_games import NoughtsAndCrosses

import everyply as ep


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        text: str = answer.read().decode()
        return text


def test_the_explorer_is_served_until_it_is_stopped() -> None:
    with ep.serve(ep.ConnectFour(8, 7)) as server:
        assert str(server.port) in server.url
        assert "8x7" in page(server.url)
    server.stop()
    with pytest.raises(OSError):
        page(server.url)


def test_an_own_game_is_served() -> None:
    with ep.serve(NoughtsAndCrosses()) as server:
        text = page(server.url)
        assert "Noughts and crosses" in text
        answer = page(
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
