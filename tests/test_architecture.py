"""Who may import whom: docs/architecture.md draws it, this keeps it true."""

import ast
import re
from pathlib import Path

import pytest

import rocksteady

PACKAGE = Path(rocksteady.__file__).parent
PAGE = PACKAGE.parents[1] / "docs" / "architecture.md"
FILES = sorted(PACKAGE.rglob("*.py"))
SINGLE = {  # modules that lie in the package's own folder, and the room they belong to
    "digests": "basics",
    "errors": "basics",
    "extras": "basics",
    "files": "basics",
    "marks": "basics",
    "names": "basics",
    "numbers": "basics",
    "public": "basics",
    "registry": "basics",
    "status": "basics",
    "text_tables": "basics",
    "version": "basics",
    "outcome": "response",
    "response": "response",
    "simulation": "response",
    "storage": "response",
}


def rooms() -> list[str]:
    """The rooms in their order, from left to right, as the page lists them."""
    table = re.findall(r"^\| `([a-z_]+)/?` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(table) == len(set(table)) > 10
    return table


def room_of(module: str) -> str | None:
    """The room of a dotted name in the package; None for the package itself."""
    parts = [*module.split("."), "__main__"]
    return None if parts[1] == "__main__" else SINGLE.get(parts[1], parts[1])


def module_of(path: Path) -> str:
    parts = ["rocksteady", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(part for part in parts if part != "__init__")


def imported_by(path: Path) -> set[str]:
    """Every module of ours that a file imports, wherever: at the top, in a function, for types,
    or by name through `registry.imported`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            inside = {f"{node.module}.{name.name}" for name in node.names}
            found |= {name for name in inside if is_module(name)} or {str(node.module)}
    return {name for name in found if name.split(".")[0] == "rocksteady"}


def is_module(name: str) -> bool:
    path = PACKAGE.parent / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def named_later(path: Path) -> set[str]:
    """What a file imports by a text such as "rocksteady.view.figures:plot_response"."""
    return set(re.findall(r'"(rocksteady(?:\.\w+)+):\w+"', path.read_text(encoding="utf-8")))


def edges(of) -> dict[tuple[str, str], list[str]]:
    """(importing room, imported room) → where."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in FILES:
        module = module_of(path)
        here = room_of(module)
        for name in of(path):
            there = room_of(name)
            if here and there and here != there:
                found.setdefault((here, there), []).append(f"{module} → {name}")
    return found


def test_every_room_is_on_the_page():
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert set(rooms()) == folders | set(SINGLE.values())
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert modules == set(SINGLE)


def test_a_room_imports_only_from_rooms_to_its_left():
    order = {room: place for place, room in enumerate(rooms())}
    wrong = {
        edge: where for edge, where in edges(imported_by).items() if order[edge[1]] > order[edge[0]]
    }
    assert not wrong


def test_the_one_exception_is_one_helper():
    """`.plot()`, `.save()` and their like reach to the right through `registry.imported` alone."""
    order = {room: place for place, room in enumerate(rooms())}
    to_the_right = {
        edge
        for edge in edges(named_later)
        if order[edge[1]] > order[edge[0]] and edge[0] != "basics"
    }
    assert to_the_right <= {
        ("theories", "view"),  # which figure draws a response
        ("theories", "analysis"),  # which laws audit it
        ("response", "analysis"),
        ("response", "view"),
        ("ensembles", "view"),
        ("analysis", "view"),
    }


def test_the_bottom_imports_nothing_of_ours():
    assert not [edge for edge in edges(imported_by) if edge[0] == "numerics"]


def test_kernels_and_engine_do_not_describe_inputs():
    """pydantic is for files, commands and pages."""
    for path in FILES:
        if room_of(module_of(path)) in ("numerics", "theories", "engine", "bodies", "motion"):
            assert "pydantic" not in path.read_text(encoding="utf-8"), path


# -- nobody asks who it is ----------------------------------------------------------------------

THEORIES = ("Housner", "Nonsmooth", "ComplexPotential", "RigidBodySpring", "NumericalDissipation")
BODIES = ("Block", "Body", "FlexibleOscillator", "MasonryBuilding", "Rocker")
NAMES = {*THEORIES, *BODIES, "Masonry", "Sliding"}


def conditions(tree: ast.AST):
    """Everything that decides which way the program goes."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.Compare):
            yield node
        elif isinstance(node, ast.Match):
            yield from (case.pattern for case in node.cases)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "isinstance",
            "getattr",
        ):
            yield node


def names_in(node: ast.AST) -> set[str]:
    words = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    words |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    words |= {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }
    return words & NAMES


def outside(path: Path) -> bool:
    """Whether a file is in no theory's folder, not about bodies and not about a paper."""
    parts = path.relative_to(PACKAGE).parts
    own = parts[0] == "theories" and len(parts) > 2
    return not (own or parts[0] in ("bodies", "reproduce"))


@pytest.mark.parametrize("path", [path for path in FILES if outside(path)], ids=module_of)
def test_no_condition_names_a_theory_or_a_body(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = {
        f"line {node.lineno}: {', '.join(sorted(names_in(node)))}"
        for node in conditions(tree)
        if names_in(node)
    }
    assert not asked
