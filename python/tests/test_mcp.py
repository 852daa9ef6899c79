"""`analyze mcp` with the official client of the Model Context Protocol."""

import asyncio
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

SERVER = ["-c", "from everyply._command import main; main()", "mcp"]


def server(*options: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[*SERVER, *options])


def ask(
    *questions: tuple[str, dict[str, Any]], options: tuple[str, ...] = ()
) -> list[CallToolResult]:
    """The answers of one server to several questions."""

    async def asked() -> list[CallToolResult]:
        async with Client(server(*options)) as client:
            return [await client.call_tool(name, given) for name, given in questions]

    return asyncio.run(asked())


def test_the_tools_are_listed_with_what_they_take() -> None:
    async def listed() -> dict[str, Any]:
        async with Client(server()) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    tools = asyncio.run(listed())
    assert list(tools) == ["games", "value", "moves", "best_play", "explain", "play"]
    games = ask(("games", {}))[0].structured_content["games"]
    options = {option["name"] for game in games for option in game["options"]}
    assert {"size", "misere"} <= options
    for name, tool in tools.items():
        if name != "games":
            properties = tool.input_schema["properties"]
            assert {"game", "moves"} | options <= set(properties), name
            assert tool.input_schema["required"] == ["game"], name
    assert "connect4" in tools["value"].input_schema["properties"]["game"]["enum"]


def test_tools_answer_with_exact_facts() -> None:
    value, moves, play, reasons, reply = ask(
        ("value", {"game": "connect4", "moves": "44444326"}),
        ("moves", {"game": "ttt", "board": "XX./OO./..."}),
        ("best_play", {"game": "hexapawn"}),
        ("explain", {"game": "nim", "position": "1,2,3"}),
        ("play", {"game": "ttt", "moves": 1524}),
    )
    facts = value.structured_content
    assert (facts["value"]["outcome"], facts["best"]) == ("draw", [3, 6])
    assert "draw in 34 plies" in facts["text"]
    first = moves.structured_content["values"][0]
    assert (first["move"], first["outcome"], first["remoteness"]) == (3, "win", 1)
    facts = play.structured_content
    assert (len(facts["pv"].split(",")), facts["pv_complete"]) == (6, True)
    assert "loses with every move" in reasons.structured_content["text"]
    assert reply.structured_content["move"] == 3


def test_errors_are_results_that_an_assistant_can_read() -> None:
    no_time = "not solved within the time limit"
    questions: list[tuple[str, dict[str, Any], str]] = [
        ("value", {"game": "chess"}, "nim"),
        ("value", {}, "the parameter 'game' is missing"),
        ("value", {"game": "ttt", "moves": "55"}, "move 2"),
        ("value", {"game": "ttt", "moves": ["1", "2"]}, "a list or an object"),
        ("moves", {"game": "ttt", "positions": "1"}, "unexpected parameter 'positions'"),
        ("play", {"game": "ttt", "level": "good"}, "perfect"),
        ("games", {"game": "ttt"}, "unexpected parameter 'game'"),
        ("value", {"game": "connect4", "size": "8x8"}, no_time),
        ("best_play", {"game": "connect4", "size": "8x8"}, no_time),
    ]
    asked = [(name, given) for name, given, _ in questions]
    answers = ask(*asked, options=("--limit", "0.2"))
    for (name, given, said), answer in zip(questions, answers, strict=True):
        assert answer.is_error, (name, given)
        assert said in answer.content[0].text, (name, given)  # type: ignore[union-attr]
