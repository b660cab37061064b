"""The table of a portfolio: who stands where, with which parameters; read, checked, written."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies.masonry import MAY_BE_ZERO, PRESETS, MasonryBuilding
from rocksteady.bodies.units import check_unit, split_unit
from rocksteady.digests import sealed
from rocksteady.errors import InputError, unknown, warn
from rocksteady.files import suffix_of, write_whole
from rocksteady.marks import check_parquet, parquet, sealed_mark
from rocksteady.motion.units import SPEEDS, plain_unit, unit_factor
from rocksteady.names import csv_table
from rocksteady.numerics.types import Array
from rocksteady.text_tables import read_table_file

if TYPE_CHECKING:
    import pandas

PARAMETERS = tuple(field.name for field in dataclasses.fields(MasonryBuilding))
PLACES = (("lon", "lat"), ("longitude", "latitude"), ("x", "y"))
READ = (*PARAMETERS, "name", "id", "preset", "district", "height", *chain(*PLACES))
"""Columns that are read, whatever is asked; `Buildings.peak` reads that of the intensity."""
FACTORS = ("scale", "factor")  # names of columns that multiply a motion as it is
TABLES = (".csv", ".parquet")
WGS84 = ("lon", "longitude")


# -- reading ---------------------------------------------------------------------------------------


def read_buildings(path: str | Path) -> pandas.DataFrame:
    """A table of buildings from ``.csv`` or ``.parquet``, columns as they are named there."""
    path = Path(path)
    if path.suffix.lower() not in TABLES:
        raise InputError(f"{path} is no table of buildings: its name must end in .csv or .parquet.")
    return read_table_file(path, "a table of buildings")


class Buildings:
    """A checked table: what runs need of it, by row."""

    def __init__(self, table: pandas.DataFrame, preset: str | None = None) -> None:
        self.table, self.preset = table, preset
        self.labels: dict[str, list[Any]] = {}
        for label in table.columns:
            self.labels.setdefault(split_unit(label)[0].lower(), []).append(label)
        if not len(table):
            raise InputError("The table has no buildings.")
        self.names = self._names()
        self.ids = self._ids()
        self.params = self._parameters()
        self.place = self._place()
        self.xy = np.stack([self.numbers(name) for name in self.place], axis=1)
        if self.place[0] in WGS84:
            bad = np.flatnonzero((np.abs(self.xy[:, 0]) > 180) | (np.abs(self.xy[:, 1]) > 90))
            if len(bad):
                lon, lat = self.xy[bad[0]]
                self._refuse(
                    bad, f"lies at longitude {lon:g}, latitude {lat:g}", "within ±180, ±90"
                )
        self.districts = self._text("district", "all")
        self._refuse_misspelt()

    def _refuse_misspelt(self) -> None:
        """A column whose name is nearly that of a parameter was meant for it."""
        for label in self._strangers():
            name = split_unit(label)[0].lower()
            if name not in FACTORS and difflib.get_close_matches(name, READ, 1, 0.8):
                raise InputError(f"The table's column {label!r} {unknown(name, READ)}. Rename it.")

    def warn_of_unread(self, intensities: Iterable[str]) -> None:
        """Tell of columns that nothing reads: all but parameters and these intensities."""
        used = {self._label(self._meant(column)) for column in intensities}
        unread = [str(label) for label in self._strangers() if label not in used]
        if unread:
            warn(f"These columns of the table are not read: {', '.join(unread)}.", stacklevel=3)

    def _strangers(self) -> list[Any]:
        """The columns that are no parameter, name or place."""
        return [one for one in self.table.columns if split_unit(one)[0].lower() not in READ]

    def __len__(self) -> int:
        return len(self.table)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.labels

    def numbers(self, name: str, default: Array | None = None) -> Array:
        """A column of finite numbers; of a parameter, in its unit. An empty cell is an error unless
        there is a ``default`` for it."""
        alone, unit = split_unit(self._label(name))
        check_unit(alone.lower(), unit)
        values = self._floats(name)
        if default is not None:
            values = np.where(self.table[self._label(name)].isna(), default, values)
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            cell = self.table[self._label(name)].iloc[bad[0]]
            self._refuse(bad, f"has {name} = {cell!r}", "a finite number in every row")
        return values

    def peak(self, column: str) -> tuple[Array, str]:
        """The intensity of a column: peak accelerations [m/s²] ("pga"), peak velocities [m/s]
        ("pgv"), or factors ("")."""
        label = self._label(self._meant(column))
        name, unit = split_unit(label)
        values = self.numbers(label)
        bad = np.flatnonzero(values < 0)
        if len(bad):
            self._refuse(bad, f"has {name} = {values[bad[0]]:g}", "zero or more")
        if unit == "-" or name.lower() in FACTORS:
            return values, ""
        if plain_unit(unit) in SPEEDS:
            return values * SPEEDS[plain_unit(unit)], "pgv"
        try:
            return values * unit_factor(unit or "m/s2"), "pga"
        except InputError as error:
            raise InputError(
                f"The intensity column {name!r} is in {unit!r}: {error} Factors go into a column "
                "'scale'."
            ) from error

    # -- columns ----------------------------------------------------------------------------------

    def _meant(self, column: str) -> str:
        return column if column in self.table.columns else split_unit(column)[0]

    def _label(self, name: str) -> str:
        """The label of the column with this name, or with this name and unit."""
        alone, unit = split_unit(name)
        labels = self.labels.get(alone.lower(), [])
        if unit:
            labels = [label for label in labels if label == name]
        if not labels:
            raise InputError(
                f"The table has no column {name!r}; it has "
                f"{', '.join(repr(label) for label in self.table.columns)}."
            )
        if len(labels) > 1:
            raise InputError(
                f"The table has several columns {name!r}: {', '.join(map(repr, labels))}. Keep one "
                "of them, or give another name to the others."
            )
        return str(labels[0])

    def _floats(self, name: str) -> Array:
        import pandas

        column = self.table[self._label(name)]
        return np.asarray(pandas.to_numeric(column, errors="coerce"), dtype=float)

    def _text(self, name: str, default: str) -> Any:
        if name not in self:
            return np.full(len(self), default, dtype=object)
        column = self.table[self._label(name)]
        return np.asarray(column.astype(object).where(column.notna(), "unknown").astype(str))

    def _names(self) -> Any:
        """The buildings' names; None where the table has none."""
        return self._text("name", "") if "name" in self else None

    def _ids(self) -> Any:
        """The column ``id``; else the names, or the table's own labels of rows, where no two are
        the same; else numbers."""
        if "id" not in self:
            if self.names is not None and len(set(self.names)) == len(self):
                return self.names
            index = self.table.index
            if index.dtype.kind not in "iu" and index.is_unique and not index.hasnans:
                return np.asarray(index)
            return np.arange(1, len(self) + 1)
        ids = self.table[self._label("id")]
        twice = np.flatnonzero(np.asarray(ids.duplicated()) | np.asarray(ids.isna()))
        if len(twice):
            self.ids = np.asarray(ids)
            self._refuse(twice, "has no id, or one that another building has", "one id each")
        return np.asarray(ids)

    def _parameters(self) -> Array:
        params = self._presets()
        gaps = np.isnan(params).sum(axis=0).tolist()
        missing = [p for p, gap in zip(PARAMETERS, gaps, strict=True) if gap and p not in self]
        if missing:
            raise InputError(
                f"The table lacks {', '.join(missing)}: every building needs "
                f"{', '.join(PARAMETERS[:-1])} (damping is 0 unless given), in SI units; or its "
                f"mass and a preset, which has the rest ({', '.join(PRESETS)})."
            )
        for i, name in enumerate(PARAMETERS):
            if name not in self:
                continue
            params[:, i] = self.numbers(name, params[:, i])
            zero = name in MAY_BE_ZERO
            bad = np.flatnonzero((params[:, i] < 0) | ((params[:, i] == 0) & (not zero)))
            if len(bad):
                allowed = "zero or positive" if zero else "positive"
                self._refuse(bad, f"has {name} = {params[bad[0], i]:g}", f"{allowed}, in SI units")
        return params

    def _presets(self) -> Array:
        """The parameters by the presets of the whole table or of each building; NaN where there is
        none, and of the mass, which a preset does not have."""
        known = {"": np.r_[np.full(len(PARAMETERS) - 1, np.nan), 0.0]}  # no damping
        own = self._text("preset", "") if "preset" in self else np.full(len(self), "")
        names = np.where((own == "") | (own == "unknown"), self.preset or "", own)
        for name in dict.fromkeys(names):
            if name not in known:
                values = dataclasses.astuple(MasonryBuilding.preset(str(name), mass=1.0))
                known[name] = np.r_[np.nan, values[1:]]
        return np.array([known[name] for name in names])

    def _place(self) -> tuple[str, str]:
        for pair in PLACES:
            if pair[0] in self and pair[1] in self:
                return pair
        raise InputError(
            "The table has no coordinates: give columns lon and lat [degrees], or x and y [m]."
        )

    def _refuse(self, rows: Any, what: str, allowed: str) -> None:
        more = f" ({len(rows)} such rows)" if len(rows) > 1 else ""
        raise InputError(
            f"Building {self.ids[rows[0]]!s} (row {rows[0] + 1}) {what}{more}: it must be "
            f"{allowed}. Correct the table or leave such rows out."
        )


# -- writing ---------------------------------------------------------------------------------------


def write_table(table: pandas.DataFrame, path: str | Path) -> Path:
    """Write a table to ``.csv`` or ``.parquet``, whole or not at all."""
    if suffix_of(path, ("csv", "parquet"), "a table") == "csv":
        return write_whole(Path(path), csv_table(table))
    pyarrow = check_parquet()
    return write_whole(Path(path), parquet(pyarrow.Table.from_pandas(table, preserve_index=False)))


def write_geojson(
    table: pandas.DataFrame, place: Sequence[str], path: str | Path, crs: str | None = None
) -> Path:
    """Write one point per row, all columns as properties (RFC 7946: longitude, latitude, WGS 84).

    Coordinates in metres are not allowed there, though most programs read them with a ``crs``
    such as "EPSG:32633", which is written as GeoJSON of 2008 had it.
    """
    path = Path(path)
    suffix_of(path, ("geojson", "json"), "GeoJSON")
    head = f'{{"type": "FeatureCollection", "comment": "{sealed_mark()}", '
    if place[0] not in WGS84:
        if crs is None:
            warn(
                f"{path.name} has coordinates in metres and says not in which system: name it with "
                "crs='EPSG:…', or give lon and lat."
            )
        else:
            name = json.dumps({"type": "name", "properties": {"name": crs}})
            head += f'"crs": {name}, '
    xy = table[list(place)].to_numpy(dtype=float).tolist()
    rows = table.drop(columns=list(place)).to_json(
        orient="records", lines=True, double_precision=10
    )
    features = (
        f'{{"type": "Feature", "geometry": {{"type": "Point", "coordinates": [{x!r}, {y!r}]}}, '
        f'"properties": {row}}}'
        for (x, y), row in zip(xy, rows.splitlines(), strict=True)
    )
    text = head + '"features": [\n' + ",\n".join(features) + "\n]}\n"
    return write_whole(path, sealed(text.encode()))
