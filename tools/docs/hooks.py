"""Additions of the book to the pages of docs/: the commands, the Python package, links into the
source, and the explorer of target/site as play/, if it was built (tools/site).

Loaded by MkDocs (mkdocs.yml). The program is that of the environment variable ANALYZE, else the
release build; the package is the one installed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parent))
import python_reference  # noqa: E402

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("ANALYZE", ROOT / "target/release/analyze"))

PAGE = ROOT / "target/site"
# As HTML, since MkDocs knows no page there.
PLAY = r'<a class="md-button md-button--primary" href="play/" target="_blank">\1</a>'

# A link that leaves docs/, from whatever depth.
OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+((?:crates|src|examples|benches|tests|data|python)/?[^)]*)\)")


def help_of(*command: str) -> str:
    if not PROGRAM.exists():
        raise PluginError(f"{PROGRAM} is missing: cargo build --release, or set ANALYZE")
    # The width of the book's code blocks beside its table of contents.
    environment = {**os.environ, "COLUMNS": "76"}
    run = subprocess.run(
        [PROGRAM, *command, "--help"], capture_output=True, text=True, check=True, env=environment
    )
    return run.stdout


def block(text: str) -> str:
    """A block of text whose long lines wrap."""
    return f"``` {{ .text .wrapped }}\n{text}```\n"


def commands() -> str:
    """The help of every command, as one page."""
    overview = help_of()
    names = re.findall(r"^  ([a-z0-9]+)  +\S", overview.split("Commands:")[1], re.MULTILINE)
    page = [f"# Commands\n\nThe help texts of `analyze COMMAND --help`.\n\n{block(overview)}"]
    page += [f"## {name}\n\n{block(help_of(name))}" for name in names if name != "help"]
    return "\n".join(page)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, "reference/commands.md", content=commands()))
    files.append(
        File.generated(config, "reference/python.md", content=python_reference.page())
    )
    files.append(File.generated(config, "icon.svg", abs_src_path=str(ROOT / "src/web/assets/icon.svg")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replaces links to files of the source, which the book lacks, by their names. Marks Python's
    output, so that copies leave it out, and links the first page to the explorer."""
    markdown = markdown.replace("```python\n>>>", "```pycon\n>>>")
    if page.file.src_uri == "index.md" and (PAGE / "index.html").exists():
        markdown = re.sub(r"\[([^\]]*)\]\(explorer\.md\)\{ \.md-button [^}]*\}", PLAY, markdown)
    return OUTSIDE.sub(lambda link: f"{link[1]} (`{link[2]}`)", markdown)


def on_post_build(config: MkDocsConfig) -> None:
    if PAGE.exists():
        shutil.copytree(PAGE, Path(config.site_dir) / "play", dirs_exist_ok=True)
