"""Find classes by name: our own, registered ones, and those of other installed packages.

A name is looked up among the registered classes, in our own table and among the entry points of
installed packages; ``module:Class`` in what was imported already. A data file may come from anyone:
no other module is imported because one names it, unless `allow_modules` says so.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

from rocksteady.errors import InputError, what_it_is

Kind = TypeVar("Kind", bound=type)

_LONGEST = 60  # characters of a name that an error repeats
_allowed: ContextVar[frozenset[str]] = ContextVar("allowed", default=frozenset())
"""Modules that may be imported because a file names them."""


class Registry:
    """Classes of one kind, such as theories, by the names used in commands and files."""

    def __init__(self, what: str, group: str, base: str, homes: dict[str, str]) -> None:
        self.what, self.group = what, group
        self._base = base
        """What all of them inherit from, as "module:Class"."""
        self._homes = homes
        """Our own: name → "module:Class". The class's own name works as well."""
        self._registered: dict[str, Any] = {}

    def register(self, kind: Kind) -> Kind:
        """Decorator: register a class under its own name."""
        self._registered[kind.__name__] = kind
        return kind

    def names(self) -> list[str]:
        """All known names: ours, then those of other packages, then registered ones."""
        offered = (point.name for point in _offered(self.group, tuple(sys.path)))
        return list(dict.fromkeys([*self._homes, *offered, *self._registered]))

    def ours_first(self) -> Iterator[Any]:
        """All classes, our own before the entry points of other packages are looked for."""
        yield from map(self.named, self._homes)
        yield from (self.named(name) for name in self.names() if name not in self._homes)

    def __iter__(self) -> Iterator[Any]:
        return map(self.named, self.names())

    def named(self, name: str) -> Any:
        """The class of this name; "module:Class" for one that is not registered: it is there
        already, an installed package offers it, or its module may be imported."""
        if name in self._registered:
            return self._registered[name]
        for own, home in self._homes.items():
            if name.lower() in (own.lower(), home.partition(":")[2].lower()):
                return imported(home)
        for point in _offered(self.group, tuple(sys.path)):
            if name in (point.name, point.value):
                return point.load()
        if ":" not in name:
            raise InputError(self._unknown(name) + " Give your own as module:Class.")
        found = self._there(name)
        return self._elsewhere(name) if found is None else found

    def _unknown(self, name: str) -> str:
        shown = name if len(name) < _LONGEST else f"{name[:_LONGEST]}…"
        return f"There is no {self.what} {shown!r}: there are {', '.join(self.names())}."

    def _there(self, name: str) -> Any:
        """A class of a module that was imported already; nothing of the module is run."""
        module, _, path = name.partition(":")
        found: Any = sys.modules.get(module)
        for part in path.split("."):
            found = getattr(found, "__dict__", {}).get(part)
        fits = isinstance(found, type) and issubclass(found, imported(self._base))
        return found if fits else None

    def name_of(self, kind: type) -> str:
        """The name by which another session can find the class."""
        if f"{kind.__module__.rpartition('.')[0]}:{kind.__name__}" in self._homes.values():
            return kind.__name__
        return f"{kind.__module__}:{kind.__qualname__}"

    def _elsewhere(self, name: str) -> Any:
        module, _, path = name.partition(":")
        if module == "__main__":
            raise InputError(
                f"The {self.what} {path} was defined in a script or notebook: put it in a "
                "module that can be imported, or define it again in this session first."
            )
        if not any(f"{module}.".startswith(f"{trusted}.") for trusted in _allowed.get()):
            raise InputError(
                f"{self._unknown(name)} The module in {name[:_LONGEST]!r} is not imported because "
                "a file names it. If you trust it, import it first or allow it: "
                f"rs.allow_modules({module[:_LONGEST]!r}) in Python, --allow-modules "
                f"{module[:_LONGEST]} on the command line."
            )
        here = str(Path.cwd())
        added = here not in sys.path and "" not in sys.path
        if added:
            sys.path.insert(0, here)  # the module may be in the user's folder
        try:
            return imported(name)
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"The {self.what} {name!r} cannot be imported ({error}): give module:Class, with "
                "the module in this folder or installed."
            ) from error
        finally:
            if added:
                sys.path.remove(here)


@contextmanager
def allow_modules(*modules: str) -> Iterator[None]:
    """Within this, classes "module:Class" of these modules and of their submodules are imported
    where a file or a description names them; without it none are.

    >>> with rs.allow_modules("my_theories"):  # doctest: +SKIP
    ...     response = rs.Response.load("run.nc")
    """
    for name in modules:
        if not isinstance(name, str):
            raise InputError(
                f"{what_it_is(name)} is not the name of a module: give names, "
                'rs.allow_modules("my_theories").'
            )
    before = _allowed.get()
    token = _allowed.set(before | set(modules))
    try:
        yield
    finally:
        _allowed.reset(token)


def as_modules(given: str | Iterable[str]) -> tuple[str, ...]:
    """The names of modules, from one or several."""
    return (given,) if isinstance(given, str) else tuple(given)


@lru_cache(maxsize=32)
def _offered(group: str, path: tuple[str, ...]) -> tuple[Any, ...]:
    """The entry points of installed packages; looking for them takes milliseconds."""
    return tuple(entry_points(group=group))


def imported(home: str) -> Any:
    """The object that "module:name" refers to."""
    module, _, path = home.partition(":")
    found = import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def class_of(made_by: Any) -> Any:
    """The class behind a registered name; some names are a class with an option set."""
    return made_by.func if isinstance(made_by, partial) else made_by
