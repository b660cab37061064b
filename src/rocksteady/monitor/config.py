"""A file that describes many buildings: `rocksteady monitor --config buildings.toml`.

Errors name the file, the line and the key.
"""

from __future__ import annotations

import difflib
import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat, PositiveFloat, ValidationError, model_validator

from rocksteady.ensembles.study_file import How
from rocksteady.ensembles.study_systems import Strict, Systems
from rocksteady.ensembles.toml_lines import Key, in_our_words, place_of, read_toml
from rocksteady.errors import InputError
from rocksteady.monitor.feed import MAX_GAP
from rocksteady.monitor.hooks import TIMEOUT, Hooks
from rocksteady.monitor.lines import CHANNEL
from rocksteady.monitor.settings import Settings
from rocksteady.monitor.sources import Input, host_and_port
from rocksteady.monitor.state_log import EVERY, KEEP
from rocksteady.monitor.watch import SILENT_AFTER, SYNC, SourceColumns
from rocksteady.motion.units import unit_factor

EXAMPLE = "example_config.toml"
NAME = re.compile(r"[\w][\w .-]*")

Threshold = FiniteFloat | list[FiniteFloat]
NotNegative = Annotated[FiniteFloat, Field(ge=0)]


def example() -> str:
    """An example with every key there is."""
    return (files("rocksteady.monitor") / EXAMPLE).read_text(encoding="utf-8")


class HooksTable(Strict):
    """``[hooks]``: where alarms are sent."""

    command: str | None = None
    webhook: str | None = None
    headers: dict[str, str] = Field(default={})
    timeout: PositiveFloat = TIMEOUT

    def build(self, folder: Path) -> Hooks:
        return Hooks(self.command, self.webhook, dict(self.headers), self.timeout, folder)


class SourceTable(Strict):
    """``[[sources]]``: where samples come from, their columns and units."""

    name: str
    follow: Path | None = None
    listen: str | None = None
    stdin: bool = False
    columns: str = "time,a_h"
    unit: str = "m/s2"
    dt: PositiveFloat
    max_gap: NotNegative = MAX_GAP
    full_scale: PositiveFloat | None = None
    silent_after: NotNegative = SILENT_AFTER
    patience: PositiveFloat | None = None

    @model_validator(mode="after")
    def _check(self) -> SourceTable:
        if (self.follow is not None) + (self.listen is not None) + self.stdin != 1:
            raise ValueError('give one of follow = "FILE", listen = ":PORT" and stdin = true')
        try:
            unit_factor(self.unit)
            if self.listen is not None:
                host_and_port(self.listen)
        except InputError as error:
            raise ValueError(str(error)) from None
        named = [name for name in self.names if name != "-"]
        if len(set(named)) < len(named) or "" in named:
            raise ValueError(f"columns {self.columns!r}: each needs a name, and no name twice")
        if CHANNEL in named and "time" not in named:
            raise ValueError("columns with a channel need a time, too: lines of several channels "
                             "come in any order")  # fmt: skip
        if self.stdin and self.patience is not None:
            raise ValueError("patience is for follow and listen: standard input ends by itself")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.columns.split(","))


class BuildingTable(Strict):
    """``[[buildings]]``: a body, and the samples that move it."""

    name: str
    source: str
    channel: str | None = None
    a_h: str = "a_h"
    a_v: str = "a_v"
    measured: str = "measured"
    body: Systems
    formulation: How | None = None
    alarms: dict[str, Threshold] = Field(default={})
    every: PositiveFloat | None = None
    hooks: HooksTable | None = None

    @property
    def source_columns(self) -> SourceColumns:
        return SourceColumns(self.a_h, self.a_v, self.measured, self.channel)


class ConfigFile(Strict):
    """Every key of such a file."""

    name: str = ""
    logs: Path
    """A folder with the log of each building, by its name."""
    sync: NotNegative = SYNC
    every: PositiveFloat = EVERY
    keep: PositiveFloat = KEEP
    hooks: HooksTable = HooksTable()
    sources: list[SourceTable] = Field(min_length=1)
    buildings: list[BuildingTable] = Field(min_length=1)


class Config:
    """The sources and buildings of such a file, checked."""

    def __init__(self, path: Path, file: ConfigFile, settings: list[Settings]) -> None:
        self.path, self.file = path, file
        self.name = file.name or path.stem
        self.logs = path.parent / file.logs
        self.settings = dict(zip((b.name for b in file.buildings), settings, strict=True))
        self.sources = {source.name: source for source in file.sources}

    def buildings_of(self, source: str) -> list[str]:
        """The names of the buildings that take samples from a source."""
        return [b.name for b in self.file.buildings if b.source == source]

    def input_of(self, source: str, stdin: int) -> Input:
        """Where the samples of a source come from."""
        table = self.sources[source]
        follow = None if table.follow is None else self.path.parent / table.follow
        return Input(follow, table.listen, stdin, table.patience)


def read_config(path: str | Path) -> Config:
    """Read and check such a file."""
    path = Path(path)
    text, values = read_toml(path, "the config file", "rocksteady monitor --example")
    try:
        file = ConfigFile.model_validate(values)
    except ValidationError as error:
        raise InputError(_sentence(path, text, error)) from error
    _check_names(path, text, file)
    settings = []
    for i, building in enumerate(file.buildings):
        try:
            settings.append(_settings(file, building, path.parent))
        except InputError as error:
            where = place_of(path, text, ("buildings", i))
            raise InputError(f"{where} ({building.name}): {error}") from error
    return Config(path, file, settings)


def _settings(file: ConfigFile, building: BuildingTable, folder: Path) -> Settings:
    source = next(source for source in file.sources if source.name == building.source)
    try:
        bodies = building.body.build(folder)
    except InputError as error:
        raise InputError(str(error).removeprefix("System 0: ").replace("System 0", "It")) from error
    if len(bodies) != 1:
        raise InputError(f"body describes {len(bodies)} bodies: give each of them its own entry.")
    system = next(iter(bodies.values() if isinstance(bodies, dict) else bodies))
    hooks = file.hooks if building.hooks is None else building.hooks
    settings = Settings(
        system=system,
        formulation=None if building.formulation is None else building.formulation.build(),
        dt=source.dt,
        columns=source.names,
        unit=source.unit,
        max_gap=source.max_gap,
        full_scale=source.full_scale,
        source_columns=building.source_columns,
        alarms=building.alarms,
        every=building.every or file.every,
        keep=file.keep,
        sync=file.sync,
        silent_after=source.silent_after,
        hooks=hooks.build(folder.resolve()),
    )
    settings.monitor()  # its alarms, and whether the formulation moves it
    return settings


def _check_names(path: Path, text: str, file: ConfigFile) -> None:
    for what, entries in (("sources", file.sources), ("buildings", file.buildings)):
        names = [entry.name for entry in entries]
        for i, name in enumerate(names):
            where = place_of(path, text, (what, i, "name"))
            if name in names[:i]:
                raise InputError(f"{where} = {name!r}: two have this name. Rename one of them.")
            if not NAME.fullmatch(name) or name.strip() != name:
                raise InputError(
                    f"{where} = {name!r}: a name may have letters, digits, spaces, dots and "
                    "dashes, because its log is a folder of that name."
                )
    if sum(source.stdin for source in file.sources) > 1:
        raise InputError(f"{path}: sources: only one of them can be standard input.")
    known = {source.name: source for source in file.sources}
    for i, building in enumerate(file.buildings):
        where = place_of(path, text, ("buildings", i, "source"))
        source = known.get(building.source)
        if source is None:
            raise InputError(
                f"{where} = {building.source!r} is not a source: choose from {', '.join(known)}."
            )
        _check_columns(path, text, i, building, source)


def _check_columns(
    path: Path, text: str, i: int, building: BuildingTable, source: SourceTable
) -> None:
    """A building must use columns that its source has, and name its channel."""
    where = place_of(path, text, ("buildings", i))
    columns = f"{source.name} has the columns {source.columns}"
    given = building.model_fields_set
    for role in ("a_h", "a_v", "measured"):
        name = getattr(building, role)
        if name not in source.names and (role == "a_h" or role in given):
            raise InputError(f"{where} ({building.name}): {role} = {name!r}: {columns}.")
    if (CHANNEL in source.names) != (building.channel is not None):
        wrong = "say which channel it is" if building.channel is None else "there is no channel"
        raise InputError(f"{where} ({building.name}): {wrong}: {columns}.")


# -- errors ---------------------------------------------------------------------------------------

_TABLES: dict[str, type[Strict]] = {
    "": ConfigFile,
    "sources": SourceTable,
    "buildings": BuildingTable,
    "hooks": HooksTable,
}
_WORDS = {
    "missing": "this is missing",
    "float_parsing": "a number is needed, in SI units and without the unit",
    "float_type": "a number is needed, in SI units and without the unit",
    "too_short": "at least one is needed",
}


def _sentence(path: Path, text: str, error: ValidationError) -> str:
    """The first problem, in one sentence."""
    problems = error.errors()
    problem = problems[0]
    if problem["type"] == "missing":  # a misspelt key beside it says more
        strays = [p for p in problems if p["type"] == "extra_forbidden"]
        problem = next((p for p in strays if p["loc"][:-1] == problem["loc"][:-1]), problem)
    kinds = ("float", "int", "list", "Range", "Draw", "constrained", "function")
    key = tuple(part for part in problem["loc"] if not str(part).startswith(kinds))
    why = _WORDS.get(problem["type"], problem["msg"].removeprefix("Value error, "))
    if problem["type"] == "extra_forbidden":
        why = f"this key is not known here{_known(key)}"
    elif problem["type"] == "list_type" and key in (("sources",), ("buildings",)):
        why = f"each of them begins with [[{key[0]}]], in double brackets"
    given = problem.get("input")
    simple = problem["type"] not in ("missing", "value_error") and not isinstance(
        given, dict | list
    )
    shown = f" = {given!r}" if simple else ""
    count = error.error_count()
    more = f" ({count} problems in all.)" if count > 1 else ""
    return f"{place_of(path, text, key)}{shown}: {in_our_words(why)}.{more}"


def _known(key: Key) -> str:
    """The known keys beside an unknown one."""
    words = [part for part in key[:-1] if isinstance(part, str)]
    table = _TABLES.get(words[-1] if words else "")
    if table is None:
        return ""
    near = difflib.get_close_matches(str(key[-1]), table.model_fields, 1)
    meant = f"; did you mean {near[0]}?" if near else "."
    return f"{meant} There are {', '.join(table.model_fields)}"
