"""Many bodies of one kind: all combinations of values, random draws, or the rows of a table."""

import json
import math
from collections.abc import Sequence
from itertools import chain, product
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    PositiveInt,
    model_validator,
)

from rocksteady.bodies import SYSTEMS, System
from rocksteady.bodies.presets import warn_of_assumed
from rocksteady.bodies.units import check_unit, split_unit, suspect_centimetres
from rocksteady.errors import InputError, unknown, warn, warned_once, with_article
from rocksteady.motion.collection import distinct
from rocksteady.numerics.types import Array
from rocksteady.specs.body import body_class, check_parameters, in_folder
from rocksteady.specs.problems import unknown_key
from rocksteady.specs.spec import Spec, shown
from rocksteady.text_tables import read_table_file

MOST = 10_000_000
NAME = "name"  # the column of a table that names the systems
FLOORS = ("floor", "storey", "story", "level", "piano", "etage")


class Range(Spec):
    """``{from = 0.5, to = 2.0, count = 4}``: so many values at equal distances, or at equal ratios
    with ``log = true``."""

    start: FiniteFloat = Field(alias="from")
    stop: FiniteFloat = Field(alias="to")
    count: PositiveInt = Field(le=MOST)
    log: bool = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.log and not (self.start > 0 and self.stop > 0):
            raise ValueError("log = true needs from and to above zero")
        return self

    def values(self) -> Array:
        if self.log:
            return np.geomspace(self.start, self.stop, self.count)
        return np.linspace(self.start, self.stop, self.count)


Pair = tuple[FiniteFloat, FiniteFloat]


class Draw(Spec):
    """One distribution to draw from."""

    uniform: Pair | None = None
    """[lowest, highest]"""
    loguniform: Pair | None = None
    normal: Pair | None = None
    """[mean, standard deviation]"""
    lognormal: Pair | None = None
    """[median, standard deviation of the logarithm]"""
    choice: list[FiniteFloat] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(type(self).model_fields)}")
        pair = self.uniform or self.loguniform
        if pair and not pair[0] <= pair[1]:
            raise ValueError("the lowest value must come first")
        positive = self.loguniform or (self.lognormal and self.lognormal[:1])
        if positive and not min(positive) > 0:
            raise ValueError("a logarithm needs values above zero")
        spread = self.normal or self.lognormal
        if spread and spread[1] < 0:
            raise ValueError("a standard deviation is not negative")
        return self

    def values(self, rng: np.random.Generator, count: int) -> Array:
        if self.uniform:
            return rng.uniform(*self.uniform, count)
        if self.loguniform:
            low, high = self.loguniform
            return np.exp(rng.uniform(math.log(low), math.log(high), count))
        if self.normal:
            return rng.normal(*self.normal, count)
        if self.lognormal:
            median, deviation = self.lognormal
            return median * np.exp(rng.normal(0.0, deviation, count))
        return rng.choice(np.array(self.choice), count)


Words = Annotated[str, AfterValidator(str.strip)]
# Numbers first: a number in quotation marks is a number.
Value = Annotated[
    FiniteFloat | list[FiniteFloat] | Range | Draw | Words | list[Words],
    Field(union_mode="left_to_right"),
]


class BodiesSpec(Spec):
    """``[systems]``: the kind of body, and its parameters by their names."""

    model_config = ConfigDict(extra="allow")
    inner: ClassVar[tuple[type[BaseModel], ...]] = (Range,)
    beside: ClassVar[tuple[str, ...]] = ("and the parameters of the body",)

    kind: str = "Block"
    sample: PositiveInt | None = Field(default=None, le=MOST)
    """How many to draw at random; every combination of the values unless given."""
    seed: int = Field(default=0, ge=0)
    table: Path | None = None
    """A file with a row per system and a column per parameter, and their ``name`` in one if you
    like: CSV or Parquet."""
    ignore: list[Words] = Field(default=[])
    """Columns of the table that no answer depends on, such as rooms and values."""
    preset: str | None = None
    __pydantic_extra__: dict[str, Value]

    @model_validator(mode="before")
    @classmethod
    def _lists_of_one(cls, values: Any) -> Any:
        """A list of lists, such as the openings of a wall, is one value: the text that stands in
        a table."""
        if not isinstance(values, dict):
            return values
        return {
            name: json.dumps(value)
            if isinstance(value, list) and value and all(isinstance(one, list) for one in value)
            else value
            for name, value in values.items()
        }

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, value in self.parameters.items():
            if isinstance(value, str) and name not in self.key_names():  # a misspelt key of ours
                said = unknown_key((name,), type(self)).removeprefix("this key ")
                raise ValueError(f"{name} {said}")
        check_parameters(self.kind, self.parameters)
        self._refuse_words()
        if self.seed and self.sample is None:
            raise ValueError("seed is for systems drawn at random: give sample, or leave seed out")
        if self.ignore and self.table is None:
            raise ValueError("ignore names columns of a table, and there is none")
        if self.table is not None and self.sample is not None:
            raise ValueError("sample cannot stand beside table: give one of them")
        draws = [name for name, value in self.parameters.items() if isinstance(value, Draw)]
        if draws and self.sample is None:
            raise ValueError(f"{draws[0]} is to be drawn: say how many systems with sample = …")
        if self.sample is not None or self.table is not None:
            many = [n for n, v in self.parameters.items() if isinstance(v, (list, Range))]
            if many:
                raise ValueError(
                    f"{many[0]} has several values: with sample or table give one, or a "
                    "distribution such as {uniform = [0.5, 2.0]}"
                )
        return self

    def _refuse_words(self) -> None:
        """Words for a number, or numbers for words."""
        words = body_class(self.kind).words
        for name, value in self.parameters.items():
            every = value if isinstance(value, list) else [value]
            text = [one for one in every if isinstance(one, str)]
            if text and name not in words:
                raise ValueError(
                    f"{name} = {value!r}: a number is needed, in SI units (m, kg, rad, s) and "
                    "without the unit"
                )
            if name in words and len(text) < len(every):
                raise ValueError(f"{name} = {shown(value)}: text is needed, in quotation marks")

    @classmethod
    def key_names(cls) -> list[str]:
        """All that may stand there, for any kind of body."""
        of_bodies = chain.from_iterable(kind.parameter_names() for kind in SYSTEMS)
        return [*super().key_names(), *dict.fromkeys(of_bodies)]

    @property
    def parameters(self) -> dict[str, Any]:
        return self.__pydantic_extra__ or {}

    def build(self, folder: Path) -> list[System] | dict[str, System]:
        """The systems, by their names where a table has some; ``folder`` is where the study file
        lies."""
        names = None
        if self.table is not None:
            rows, names = self._rows(folder / self.table)
        elif self.sample is not None:
            rows = self._drawn(self.sample)
        else:
            rows = self._combined()
        made_by = body_class(self.kind)
        warn_of_assumed(self.preset)
        rows = [row | in_folder(made_by, row, folder) for row in rows]
        with warned_once(rows):
            systems = [self._system(made_by, i, row) for i, row in enumerate(rows)]
        return systems if names is None else dict(zip(names, systems, strict=True))

    @property
    def named_files(self) -> list[str]:
        """The files that its parameters name."""
        given = (self.parameters.get(name, []) for name in body_class(self.kind).files)
        return [one for value in given for one in (value if isinstance(value, list) else [value])]

    def _combined(self) -> list[dict[str, Any]]:
        axes = []
        for value in self.parameters.values():
            values = value.values() if isinstance(value, Range) else np.atleast_1d(value)
            axes.append(values.tolist())
        count = math.prod(len(axis) for axis in axes)
        if count > MOST:
            raise InputError(f"{count} combinations are too many: at most {MOST}.")
        return [dict(zip(self.parameters, values, strict=True)) for values in product(*axes)]

    def _drawn(self, count: int) -> list[dict[str, Any]]:
        columns = {}
        for name, value in sorted(self.parameters.items()):
            # A stream for each parameter by its name: adding another one changes none of these.
            spawn = np.random.SeedSequence(self.seed, spawn_key=tuple(name.encode()))
            rng = np.random.Generator(np.random.PCG64(spawn))
            drawn = value.values(rng, count) if isinstance(value, Draw) else np.full(count, value)
            columns[name] = drawn.tolist()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _rows(self, path: Path) -> tuple[list[dict[str, Any]], tuple[str, ...] | None]:
        """The parameters of each system, and the names in the column ``name`` if there is one."""
        table = read_table_file(path)
        labels = [split_unit(label) for label in table.columns]
        names = [NAME if name.lower() == NAME else name for name, _ in labels]
        known = body_class(self.kind).parameter_names()
        used = [i for i, name in enumerate(names) if name in known and name not in self.ignore]
        for i in used:
            check_unit(*labels[i])
        self._refuse_strangers(names, known, path.name)
        self._refuse_floors(table, names, path.name)
        if not used or not len(table):
            raise InputError(
                f"{path} has no systems: its columns are {', '.join(names)}, and a {self.kind} has "
                f"{', '.join(known)}."
            )
        both = [names[i] for i in used if names[i] in self.parameters]
        if both:
            raise InputError(f"{both[0]} is given here and in {path.name}: give it once.")
        columns: dict[str, Any] = {names[i]: table.iloc[:, i].tolist() for i in used}
        columns |= {name: [value] * len(table) for name, value in self.parameters.items()}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if NAME not in names:
            return rows, None
        given = table.iloc[:, names.index(NAME)].fillna("").astype(str).str.strip()
        return rows, distinct(tuple(given), "system")

    def _refuse_strangers(self, names: list[str], known: Sequence[str], file: str) -> None:
        """A column that is not read may have been meant to change the answer."""
        lost = next((name for name in self.ignore if name not in names), None)
        if lost is not None:
            raise InputError(f"ignore: the column {lost!r} {unknown(lost, names, f'in {file}')}.")
        strange = [
            name
            for name in names
            if name not in (*known, NAME, *self.ignore) and name.lower() not in FLOORS
        ]
        if not strange:
            return
        said = unknown(strange[0], [*known, NAME], f"for {with_article(self.kind)}")
        quoted = ", ".join(f'"{name}"' for name in strange)
        them = "it" if len(strange) == 1 else "them"
        raise InputError(
            f"{file}: the column {strange[0]!r} {said}. If no answer depends on {them}, write "
            f"ignore = [{quoted}]."
        )

    def _refuse_floors(self, table: Any, names: list[str], file: str) -> None:
        """All bodies of a study stand on the same floor, whatever a column says of each."""
        for i, name in enumerate(names):
            if name.lower() not in FLOORS:
                continue
            where = "All bodies of a study stand on the same floor, that of its [floor]"
            if name not in self.ignore or table.iloc[:, i].nunique(dropna=False) > 1:
                raise InputError(
                    f"{file}: the column {name!r} cannot be used. {where}: write a study for each "
                    "floor, with a table that has no such column."
                )
            warn(f"{file}: the column {name!r} is ignored. {where}, or the ground without one.")

    def _system(self, made_by: type[System], number: int, row: dict[str, Any]) -> System:
        try:
            system = made_by.from_values(row, self.preset)
        except InputError as error:
            raise InputError(f"System {number}: {error}") from error
        suspect_centimetres(getattr(system, "height", 0.0), "height = ")
        return system

    def summary(self) -> str:
        """Such as "Block: height = [1.2, 1.8], width = from = 0.3, to = 0.6, count = 4"."""
        own = {n: getattr(self, n) for n in ("table", "sample", "seed", "preset")}
        told = {n: v for n, v in own.items() if v not in (None, 0)} | self.parameters
        return f"{self.kind}: {', '.join(f'{n} = {shown(v)}' for n, v in told.items())}"
