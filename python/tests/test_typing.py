"""Types: mypy over package and tests, and the stubs against the module."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_package_and_the_tests_are_typed() -> None:
    assert "no issues" in run("mypy", "--strict")


@pytest.mark.slow
def test_the_stubs_are_the_module() -> None:
    assert "no issues" in run("mypy.stubtest", "everyply._everyply")


@pytest.mark.slow
def test_readme_notebooks_and_stubs_pass_pyright_as_editors_run_it(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    for path in (ROOT / "README.md", ROOT.parent / "README.md"):
        blocks = re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
        for number, block in enumerate(blocks):
            (tmp_path / f"{path.parent.name}_{number}.py").write_text(block)
    for path in (ROOT.parent / "examples" / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        (tmp_path / f"{path.stem.replace('-', '_')}.py").write_text("\n".join(code))
    stub = ROOT / "python" / "everyply" / "_everyply.pyi"
    settings = {
        "typeCheckingMode": "strict",
        "include": [".", os.path.relpath(stub, tmp_path)],
        # A cell ends with what it shows, and matplotlib leaves some of its types out.
        "reportUnusedExpression": False,
        "reportUnknownMemberType": False,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    python = ["--pythonpath", sys.executable]
    assert "0 errors, 0 warnings" in run("pyright", "-p", str(tmp_path), *python)
