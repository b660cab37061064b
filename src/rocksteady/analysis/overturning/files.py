"""Spectra and maps as files: CSV for spreadsheets, NetCDF for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.overturning.result import OverturningMap
from rocksteady.analysis.overturning.spectrum import BAND, RockingSpectrum
from rocksteady.analysis.overturning.ways import Way
from rocksteady.analysis.shares.interval import LEVEL
from rocksteady.files import suffix_of, write_whole
from rocksteady.marks import mark
from rocksteady.names import csv_table
from rocksteady.storage import netcdf_of

if TYPE_CHECKING:
    import pandas
    import xarray

FORMATS = ("csv", "nc")


def save_map(found: OverturningMap, path: str | Path) -> Path:
    return _save(path, "an overturning map", found.to_dataset, lambda: map_table(found))


def save_spectrum(found: RockingSpectrum, path: str | Path) -> Path:
    return _save(path, "a rocking spectrum", found.to_dataset, lambda: spectrum_table(found))


def _save(path: str | Path, what: str, dataset: Any, table: Any) -> Path:
    if suffix_of(path, FORMATS, what) == "nc":
        return write_whole(path, netcdf_of(dataset()))
    return write_whole(path, csv_table(table()))


# -- maps -------------------------------------------------------------------------------------


def map_table(found: OverturningMap) -> pandas.DataFrame:
    """A row for each point."""
    import pandas

    x, y = np.meshgrid(found.x.values, found.y.values, indexing="ij")
    columns: dict[str, Any] = {found.x.column: x.ravel(), found.y.column: y.ravel()}
    if found.counts is not None:
        low, high = found.interval()
        columns |= {
            "motions": found.counts.known.ravel(),
            "fell": found.counts.fell.ravel(),
            "share [-]": found.share.ravel(),
            "low [-]": low.ravel(),
            "high [-]": high.ravel(),
        }
        return pandas.DataFrame(columns)
    points = found.one
    columns |= {
        "way": [Way(int(each)).words for each in points.classes.ravel()],
        "peak [-]": points.peak.ravel(),
        "impacts": np.where(points.ran, points.impacts, -1).ravel(),
        "run": points.ran.ravel().astype(int),
    }
    return pandas.DataFrame(columns)


def map_dataset(found: OverturningMap) -> xarray.Dataset:
    import xarray

    axes = found.x.name, found.y.name
    coords = {
        axis.name: (axis.name, axis.values, {"units": axis.unit or "1", "long_name": axis.words})
        for axis in (found.x, found.y)
    }
    variables: dict[str, Any] = {}
    if found.counts is not None:
        low, high = found.interval()
        one = {"units": "1"}
        variables["fell"] = (axes, found.counts.fell, {**one, "long_name": "motions that fell"})
        variables["known"] = (axes, found.counts.known, {**one, "long_name": "with an answer"})
        variables["share"] = (axes, found.share, {**one, "long_name": "share that falls"})
        ends = f"end of its {LEVEL:.0%} interval (Clopper and Pearson)"
        variables["share_low"] = (axes, low, {**one, "long_name": f"lower {ends}"})
        variables["share_high"] = (axes, high, {**one, "long_name": f"upper {ends}"})
    else:
        points = found.one
        flags = {
            "flag_values": np.array([int(way) for way in Way], dtype=np.int8),
            "flag_meanings": " ".join(way.words.replace(" ", "_") for way in Way),
        }
        variables["way"] = (axes, points.classes, {"long_name": "what became of it", **flags})
        variables["peak"] = (axes, points.peak, {"units": "1", "long_name": "largest |θ|/α"})
        impacts = {"units": "1", "long_name": "impacts until the fall; -1 where it was not run"}
        variables["impacts"] = (axes, points.impacts, impacts)
        ran = {"units": "1", "long_name": "1 where the point was run, 0 where it was inferred"}
        variables["run"] = (axes, points.ran.astype(np.int8), ran)
        for name, boundary in found.closed_forms.items():
            label = "closed_form_" + name.replace(",", "").replace(" ", "_")
            words = {"units": "1", "long_name": f"a/(g α) of linear theory, {name}"}
            variables[label] = ((found.x.name,), boundary, words)
    about = {"title": "rocksteady overturning map", "source": mark()}
    return xarray.Dataset(variables, coords, about | {"rocksteady": json.dumps(found.summary())})


# -- spectra ----------------------------------------------------------------------------------


def spectrum_table(found: RockingSpectrum) -> pandas.DataFrame:
    """A row for each α and period: of one motion what it does, of many the median and the band."""
    import pandas

    alphas, periods = np.meshgrid(found.alphas, found.periods, indexing="ij")
    columns: dict[str, Any] = {
        "alpha [rad]": alphas.ravel(),
        "2pi/p [s]": periods.ravel(),
        "height [m]": found.heights.ravel(),
    }
    if found.motions == 1:
        columns |= {
            "peak |theta|/alpha [-]": found.peak[:, 0].ravel(),
            "peak |omega|/p [-]": found.rate[:, 0].ravel(),
            "fell": found.fell[:, 0].ravel().astype(int),
        }
        return pandas.DataFrame(columns)
    for name, of in (("|theta|/alpha", "peak"), ("|omega|/p", "rate")):
        columns[f"peak {name} [-]"] = found.quantile(0.5, of).ravel()
        for q in BAND:
            columns[f"{name} at {q:.0%} [-]"] = found.quantile(q, of).ravel()
    low, high = found.interval()
    columns |= {
        "motions": found.known.sum(axis=1).ravel(),
        "fell": found.fell.sum(axis=1).ravel(),
        "share [-]": found.share.ravel(),
        "low [-]": low.ravel(),
        "high [-]": high.ravel(),
    }
    return pandas.DataFrame(columns)


def spectrum_dataset(found: RockingSpectrum) -> xarray.Dataset:
    import xarray

    axes = ("alpha", "motion", "period")
    variables: dict[str, Any] = {
        "peak": (axes, found.peak, {"units": "1", "long_name": "largest |θ|/α; nan if it falls"}),
        "rate": (axes, found.rate, {"units": "1", "long_name": "largest |ω|/p; nan if it falls"}),
        "fell": (axes, found.fell.astype(np.int8), {"units": "1"}),
        "known": (axes, found.known.astype(np.int8), {"units": "1"}),
        "height": (("alpha", "period"), found.heights, {"units": "m"}),
        "eta": (("alpha",), found.etas, {"units": "1", "long_name": "ω+/ω- at an impact"}),
    }
    coords = {
        "alpha": ("alpha", found.alphas, {"units": "rad"}),
        "period": ("period", found.periods, {"units": "s", "long_name": "2π/p"}),
    }
    about = {
        "title": "rocksteady rocking spectrum",
        "source": mark(),
        "motions": json.dumps(list(found.study.motion_names), ensure_ascii=False),
        "rocksteady": json.dumps(found.summary()),
    }
    return xarray.Dataset(variables, coords, about)
