"""The JSON output of every command against what `analyze schema` prints for it.

The schemas are read strictly: a field that a schema does not name is an error.
"""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("ANALYZE", ROOT / "target/release/analyze"))

# Made once, for the commands below.
FILES = [
    "ttt --size 3x2 --line 3 --db t.db",
    "nim 1,2 --db t.db",
    "connect4 --size 4x4 121 --db c.db",
    "solve connect4 --size 4x4 --out s.solution",
    "solve nim 1,2,3 --out n.solution",
    "strategy connect4 --size 4x4 --for second --claim draw --out s.strategy",
]

COMMANDS = {
    "bench": ["bench"],
    "book": ["book connect4 --size 4x4 --plies 2 --db b.db"],
    "compare": ["compare connect4 --depth 3", "compare ttt --depth 2 --limit 0.001"],
    "convert": ["convert --from moves1 --to kaggle positions.txt"],
    "count": [
        "count ttt --no-db",
        "count connect4 --plies 4 --no-db",
        "count connect4 --size 4x4 --values --no-db",
        "count nim 1,2,3 --no-db",
        "count ttt --plies 3 --divide --no-db",
    ],
    "explain": [
        "explain connect4 4444443265555532333226762",
        "explain connect4 1212121",
        "explain ttt 1259",
        "explain nim 1,2,3",
    ],
    "export": ["export c.db --format csv --out c.csv", "export n.solution --csv tables"],
    "GAME": [
        "connect4 44444326 --no-db",
        "connect4 4455 --outcome-only --no-db",
        "connect4 44455554221 --all-moves --no-db",
        "connect4 1212121 --no-db",
        "connect4 --depth 4 --no-db",
        "connect4 --board ......./......./......./......./......./...X... --depth 3 --no-db",
        "ttt --no-db",
        "ttt 159 --scoring inverse-depth --no-db",
        "ttt --board X.O/.X./..O --no-db",
        "nim 1,2,3 --misere --no-db",
        "hexapawn --no-db",
        "dots --size 2x1 --no-db",
        "pong --no-db",
    ],
    "games": ["games"],
    "prove": ["prove connect4 --size 4x4 --improve 0 --out p.proof"],
    "query": ["query t.db --game ttt", "query t.db --game nim", "query c.db 12"],
    "report": ["report t.db --out r.html"],
    "sample": [
        "sample ttt --number 20 --out sample",
        "sample dots --size 2x1 --number 3 --per-ply --plies 1-2 --split 0.5 --no-db --out split",
    ],
    "solve": [
        "solve connect4 --size 4x3 --out x.solution",
        "solve connect4 --size 5x4 --plan",
    ],
    "strategy": ["strategy connect4 --size 4x4 --for second --claim draw --out t.strategy"],
    "verify": [
        "verify t.db",
        "verify c.db --sample 3",
        "verify s.solution",
        "verify s.solution --sample 3",
        "verify s.strategy",
    ],
}


def run(words: str, folder: Path, codes: tuple[int, ...] = (0,)) -> str:
    command = [str(PROGRAM), *shlex.split(words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode in codes, (words, done.stderr)
    return done.stdout


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without room for fields that it does not name."""
    for part in schema["$defs"].values():
        if part.get("type") == "object":
            part["unevaluatedProperties"] = False
    return schema


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schema")
    (folder / "positions.txt").write_text("4453\n99\n\n")
    for words in FILES:
        run(words, folder)
    return folder


def test_every_schema_is_used(folder: Path) -> None:
    assert set(run("schema", folder).split()) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_documents_keep_to_their_schema(name: str, folder: Path) -> None:
    schema = json.loads(run(f"schema {'ttt' if name == 'GAME' else name}", folder))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(strict(schema))
    for words in COMMANDS[name]:
        # Lines of `convert` that are refused make its exit code.
        told = run(f"{words} --json", folder, codes=(0, 1) if name == "convert" else (0,))
        lines = told.splitlines() if name == "convert" else [told]
        assert lines
        for line in lines:
            document = json.loads(line)
            errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
            assert not errors, (words, *errors)
