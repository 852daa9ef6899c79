"""The reference of the Python package as a page: signatures from its stubs and sources, texts as
`help` shows them."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import everyply

# Characters of a signature that fit beside the table of contents.
WIDTH = 70

# A comma outside of brackets: the next bracket after it, if any, opens.
COMMA = re.compile(r",(?![^\[\]()]*[\])])")

# A line on one or more arguments.
ARGUMENT = re.compile(r"^([a-z_]+(?:, [a-z_]+)*): ", re.MULTILINE)

Definition = ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


FOLDER = Path(everyply.__file__).parent


def definitions(*files: Path) -> Iterator[tuple[str, Definition, str | None]]:
    """The name and node of each definition in the files and, for a variable, the text below it."""
    for path in files:
        for node, text in with_texts(ast.parse(path.read_text()).body):
            match node:
                case (
                    ast.ClassDef(name=name)
                    | ast.FunctionDef(name=name)
                    | ast.AnnAssign(target=ast.Name(id=name))
                    | ast.Assign(targets=[ast.Name(id=name)])
                ):
                    yield name, node, text


def with_texts(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str | None]]:
    """Statements, each with the text below it."""
    for node, below in zip(body, [*body[1:], None], strict=True):
        match below:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node, inspect.cleandoc(text)
            case _:
                yield node, None


def signature(node: ast.FunctionDef) -> str:
    """`name(arguments) -> result`, without self; one argument a line if it is long."""
    arguments = ast.parse(ast.unparse(node)).body[0].args  # type: ignore[attr-defined]
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args.pop(0)
    elif arguments.posonlyargs and arguments.posonlyargs[0].arg in ("self", "cls"):
        arguments.posonlyargs.pop(0)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    told = f"{node.name}({ast.unparse(arguments)}){returns}"
    if len(told) <= WIDTH:
        return told
    # Commas outside of brackets and quotes divide arguments.
    lines = "".join(f"    {a.strip()},\n" for a in COMMA.split(ast.unparse(arguments)))
    return f"{node.name}(\n{lines}){returns}"


def is_property(node: ast.FunctionDef) -> bool:
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    return "property" in names or "cached_property" in names


def code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def text_of(thing: object) -> str:
    """The text of `help` in Markdown: arguments as a list, examples as code."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    for i, paragraph in enumerate(paragraphs):
        if paragraph.startswith(">>> "):
            paragraphs[i] = code(paragraph.replace("  # doctest: +SKIP", ""))
        elif ARGUMENT.match(paragraph):
            paragraphs[i] = ARGUMENT.sub(r"- **\1:** ", paragraph)
    return "\n\n".join(paragraphs)


def members(owner: type, node: ast.ClassDef) -> Iterator[str]:
    """The public members of a class, each with its text."""
    told: set[str] = set()
    for member, below in with_texts(node.body):
        match member:
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                if is_property(member):
                    line = f"{name}: {ast.unparse(member.returns)}" if member.returns else name
                else:
                    line = signature(member)
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                line = ast.unparse(member)
            case _:
                continue
        # Overloads have one text.
        text = below or ("" if name in told else text_of(getattr(owner, name, None)))
        told.add(name)
        yield f"{code(line)}\n{text}\n"


def module(name: str, of: ModuleType) -> str:
    """A module of the package, and its public functions."""
    parts = [f"### everyply.{name}\n\n{text_of(of)}\n"]
    for function, node, _ in definitions(FOLDER / f"{name}.py"):
        if isinstance(node, ast.FunctionDef) and not function.startswith("_"):
            parts.append(f"{code(signature(node))}\n{text_of(getattr(of, function))}\n")
    return "\n".join(parts)


def section(name: str, node: Definition, text: str | None) -> str:
    heading = f"### {name}\n"
    if isinstance(node, ast.FunctionDef):
        return f"{heading}\n{code(signature(node))}\n{text_of(getattr(everyply, name))}\n"
    if isinstance(node, ast.ClassDef):
        owner = getattr(everyply, name)
        made = [m for m in node.body if isinstance(m, ast.FunctionDef)]
        maker = next((m for m in made if m.name in ("__init__", "__new__")), None)
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        line = f"class {name}({bases})" if bases else f"class {name}"
        if maker:
            line += "\n" + signature(maker).split(" -> ")[0].replace(maker.name, name, 1)
        return f"{heading}\n{code(line)}\n{text_of(owner)}\n\n" + "\n".join(members(owner, node))
    return f"{heading}\n{code(ast.unparse(node))}\n{text or ''}\n"


def page() -> str:
    """The whole page: functions, classes, and the other names, by name."""
    files = sorted([*FOLDER.glob("*.pyi"), *FOLDER.glob("*.py")])
    found = {name: (node, text) for name, node, text in definitions(*files)}
    names = [name for name in everyply.__all__ if not name.startswith("_")]
    modules, others = [], []
    for name in [name for name in names if name not in found]:
        match getattr(everyply, name):
            case ModuleType() as of:
                modules.append(module(name, of))
            case type(__name__=known) if known in found:
                others.append(f"### {name}\n\n{code(f'{name} = {known}')}\n")
            case _:
                raise LookupError(f"{name} has no definition")
    names = [name for name in names if name in found]
    parts = [f"# Python\n\n{text_of(everyply)}\n"]
    for title, kinds in [
        ("Functions", ast.FunctionDef),
        ("Classes", ast.ClassDef),
        ("Other names", ast.Assign | ast.AnnAssign),
    ]:
        parts.append(f"## {title}\n")
        of_kind = [name for name in names if isinstance(found[name][0], kinds)]
        parts += [section(name, *found[name]) for name in sorted(of_kind, key=str.lower)]
    return "\n".join([*parts, *others, "## Modules\n", *modules])
