"""Public names, imported on first use: a package says in its stub where each one lives.

A stub (``__init__.pyi``) is what editors and type checkers read, so names are written once. The
library lazy_loader does the same, but it opens the stub by its path, which fails for a package in a
zip file, and it takes relative imports only.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any


def names_of(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package with an ``__init__.pyi``."""
    stub = get_data(package, "__init__.pyi")
    assert stub is not None, f"{package} has no __init__.pyi"
    homes = {
        alias.asname or alias.name: (statement.module, alias.name)
        for statement in ast.parse(stub).body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }
    names = sorted(homes)

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"{package} has no {name!r}; it has {', '.join(names)}")
        home, there = homes[name]
        if home == package:  # a part of the package
            value = import_module(f"{home}.{there}")
        else:  # as `from home import there` does, which finds modules, too
            value = getattr(__import__(home, fromlist=[there]), there)
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: names, names
