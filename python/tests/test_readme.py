"""The code in the README files prints what they say."""

import re
import subprocess
import sys

import pytest
from support import checkout

FILES = (checkout("python/README.md"), checkout("README.md"))
BLOCKS = [
    (path.parent.name, block)
    for path in FILES
    for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
]


@pytest.mark.parametrize("block", [block for _, block in BLOCKS])
def test_a_block_prints_what_its_comments_say(block: str) -> None:
    said = [line.split("# ")[1].strip() for line in block.splitlines() if "print(" in line]
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert said and done.stdout.splitlines() == said


def test_both_files_have_code() -> None:
    assert {folder for folder, _ in BLOCKS} == {path.parent.name for path in FILES}
