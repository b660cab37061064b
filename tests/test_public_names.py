"""Public names: each has one home, is found on first use, and editors see what it is."""

import ast
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import rocksteady as rs

SOURCE = Path(rs.__file__).parent
PACKAGES = {
    "rocksteady": rs,
    "rocksteady.analysis": rs.analysis,
    "rocksteady.theories": rs.theories,
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_stub_names_what_there_is(package):
    """Each name leads to the very thing that its home has."""
    module = PACKAGES[package]
    assert module.__all__ == sorted(module.__all__) == dir(module)
    assert len(module.__all__) == len(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"{package} has no 'fragilty'; it has .*, "):
        _ = module.fragilty


def test_the_stub_of_the_analysis_names_every_part_of_it():
    parts = {one.name for one in pkgutil.iter_modules(rs.analysis.__path__)}
    assert {one for one in parts if not one.startswith("_")} <= set(rs.analysis.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_hides_a_part_of_its_package(package):
    """Otherwise it would mean one thing before that part is imported, and another afterwards."""
    parts = {one.name for one in pkgutil.iter_modules(PACKAGES[package].__path__)}
    stub = ast.parse(Path(PACKAGES[package].__file__).with_suffix(".pyi").read_text("utf-8"))
    for line in stub.body:
        if isinstance(line, ast.ImportFrom) and line.module != package:
            assert not parts & {one.asname or one.name for one in line.names}


def test_it_is_imported_from_a_zip_file(tmp_path):
    whole = tmp_path / "program.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        for path in SOURCE.rglob("*.py*"):
            if path.suffix in (".py", ".pyi"):
                archive.write(path, path.relative_to(SOURCE.parent))
    program = (
        f"import sys; sys.path.insert(0, {str(whole)!r}); import rocksteady as rs\n"
        "print(rs.__file__, rs.Block(2.0, 1.0).alpha, rs.analysis.risk.__name__, rs.__version__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.split() == [
        str(whole / "rocksteady" / "__init__.py"), str(rs.Block(2.0, 1.0).alpha), "risk",
        "0.3.0+unknown",
    ], done.stderr  # fmt: skip
