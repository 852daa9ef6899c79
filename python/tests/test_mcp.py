"""`analyze mcp`, asked by the official client of the Model Context Protocol."""

import asyncio
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

import everyply as ep

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
    value = tools["value"].input_schema["properties"]
    assert {"game", "moves", "size", "misere", "positions"} <= set(value)
    assert "connect4" in value["game"]["enum"]


def test_answers_are_those_of_the_package() -> None:
    moves = ["4453", "44444326", "44455554221"]
    single = [("value", {"game": "connect4", "moves": text}) for text in moves]
    many, *values = ask(("value", {"game": "connect4", "positions": moves}), *single)
    solver = ep.Solver(ep.ConnectFour())
    for text, row, answer in zip(moves, many.structured_content["positions"], values, strict=True):
        known = solver.value(text)
        found = answer.structured_content["value"]
        assert (found["outcome"], found["remoteness"]) == (known.outcome, known.remoteness), text
        assert row["value"]["outcome"] == known.outcome, text


def test_every_tool_answers_for_every_game() -> None:
    games = ask(("games", {}))[0].structured_content["games"]
    for game in games:
        given = {"game": game["game"]}
        if "tiered" in game["can"]:
            reply = ask(("play", {**given, "level": "casual"}))[0]
        else:
            reply = ask(("play", {**given, "level": "beginner"}))[0]
        assert reply.structured_content["move"] in game["first_moves"], game


def test_errors_are_results_that_an_assistant_can_read() -> None:
    wrong, slow = ask(
        ("value", {"game": "ttt", "moves": "55"}),
        ("value", {"game": "connect4", "size": "8x8"}),
        options=("--limit", "0.2"),
    )
    for answer, said in [(wrong, "move 2"), (slow, "not solved within the time limit")]:
        assert answer.is_error
        assert said in answer.content[0].text  # type: ignore[union-attr]
