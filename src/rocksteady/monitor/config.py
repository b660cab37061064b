"""A file that describes many buildings: `rocksteady monitor --config buildings.toml`.

Errors name the file, the line and the key.
"""

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, FiniteFloat, PositiveFloat, model_validator

from rocksteady.bodies.units import suspect_centimetres
from rocksteady.errors import InputError
from rocksteady.monitor.feed import MAX_GAP
from rocksteady.monitor.hooks import TIMEOUT, Hooks
from rocksteady.monitor.lines import CHANNEL
from rocksteady.monitor.settings import Settings, settings_in
from rocksteady.monitor.sources import Input, host_and_port
from rocksteady.monitor.state_log import EVERY, KEEP
from rocksteady.monitor.watch import SILENT_AFTER, SYNC, SourceColumns
from rocksteady.motion.units import unit_factor
from rocksteady.specs import BodySpec, Spec, TheorySpec
from rocksteady.specs.toml_lines import InFile, read_toml

EXAMPLE = "example_config.toml"
NAME = re.compile(r"[\w][\w .-]*")

Threshold = FiniteFloat | list[FiniteFloat]
NotNegative = Annotated[FiniteFloat, Field(ge=0)]


def example() -> str:
    """An example with every key there is."""
    return (files("rocksteady.monitor") / EXAMPLE).read_text(encoding="utf-8")


class HooksTable(Spec):
    """``[hooks]``: where alarms are sent."""

    command: str | None = None
    webhook: str | None = None
    headers: dict[str, str] = Field(default={})
    timeout: PositiveFloat = TIMEOUT

    def build(self, folder: Path) -> Hooks:
        return Hooks(self.command, self.webhook, dict(self.headers), self.timeout, folder)


class SourceTable(Spec):
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
    def _check(self) -> Self:
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


class BuildingTable(Spec):
    """``[[buildings]]``: a body, and the samples that move it."""

    name: str
    source: str
    channel: str | None = None
    a_h: str = "a_h"
    a_v: str = "a_v"
    a_t: str = "a_t"
    measured: str = "measured"
    body: BodySpec
    formulation: TheorySpec | None = None
    alarms: dict[str, Threshold] = Field(default={})
    every: PositiveFloat | None = None
    hooks: HooksTable | None = None

    @property
    def source_columns(self) -> SourceColumns:
        return SourceColumns(self.a_h, self.a_v, self.measured, self.channel, self.a_t)


class ConfigFile(Spec):
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
    place = InFile(path, text)
    file = ConfigFile.checked(values, place)
    _check_names(place, file)
    settings = []
    for i, building in enumerate(file.buildings):
        try:
            settings.append(_settings(file, building, path.parent))
        except InputError as error:
            where = f"{place.at(('buildings', i))} ({building.name})"
            raise InputError(f"{where}: {place.words(str(error))}") from error
    return Config(path, file, settings)


def _settings(file: ConfigFile, building: BuildingTable, folder: Path) -> Settings:
    source = next(source for source in file.sources if source.name == building.source)
    system = building.body.build(folder)
    suspect_centimetres(getattr(system, "height", 0.0), "height = ")
    hooks = file.hooks if building.hooks is None else building.hooks
    own = {
        "system": system,
        "formulation": None if building.formulation is None else building.formulation.build(),
        "columns": source.names,
        "source_columns": building.source_columns,
        "hooks": hooks.build(folder.resolve()),
    }
    given = [settings_in(dict(table)) for table in (file, source, building)]
    settings = Settings(**{name: value for each in (*given, own) for name, value in each.items()})
    settings.monitor()  # its alarms, and whether the formulation moves it
    return settings


def _check_names(place: InFile, file: ConfigFile) -> None:
    for what, entries in (("sources", file.sources), ("buildings", file.buildings)):
        names = [entry.name for entry in entries]
        for i, name in enumerate(names):
            where = place.at((what, i, "name"))
            if name in names[:i]:
                raise InputError(f"{where} = {name!r}: two have this name. Rename one of them.")
            if not NAME.fullmatch(name) or name.strip() != name:
                raise InputError(
                    f"{where} = {name!r}: a name may have letters, digits, spaces, dots and "
                    "dashes, because its log is a folder of that name."
                )
    if sum(source.stdin for source in file.sources) > 1:
        raise InputError(f"{place.path}: sources: only one of them can be standard input.")
    known = {source.name: source for source in file.sources}
    for i, building in enumerate(file.buildings):
        where = place.at(("buildings", i, "source"))
        source = known.get(building.source)
        if source is None:
            raise InputError(
                f"{where} = {building.source!r} is not a source: choose from {', '.join(known)}."
            )
        _check_columns(place, i, building, source)


def _check_columns(place: InFile, i: int, building: BuildingTable, source: SourceTable) -> None:
    """A building must use columns that its source has, and name its channel."""
    where = place.at(("buildings", i))
    columns = f"{source.name} has the columns {source.columns}"
    given = building.model_fields_set
    for role in ("a_h", "a_v", "a_t", "measured"):
        name = getattr(building, role)
        if name not in source.names and (role == "a_h" or role in given):
            raise InputError(f"{where} ({building.name}): {role} = {name!r}: {columns}.")
    if (CHANNEL in source.names) != (building.channel is not None):
        wrong = "say which channel it is" if building.channel is None else "there is no channel"
        raise InputError(f"{where} ({building.name}): {wrong}: {columns}.")
