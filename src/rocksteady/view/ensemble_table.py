"""An ensemble as a table: a row for each body and strength (CSV), or a page for a report."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import __version__
from rocksteady.analysis.statistics import LEVEL
from rocksteady.ensembles.outcome import CODE
from rocksteady.ensembles.progress import spaced
from rocksteady.ensembles.summary import FALLEN, common_pga
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.motion.readers._common import GRAVITY_UNIT
from rocksteady.response import Status
from rocksteady.view.ensemble_counts import Counted, interval
from rocksteady.view.style import suffix_of

if TYPE_CHECKING:
    import xarray

TABLES = ("csv", "md")
FLAT = "flat"
FLAT_MEANS = "its base never left the ground."
Row = dict[str, Any]


def write_ensemble_table(data: xarray.Dataset, path: Path, title: str = "") -> Path:
    """Write how often each body falls at each scale, whole or not at all: ``.csv`` with a row for
    each of them, ``.md`` as a page with a row for each body."""
    suffix = suffix_of(path, TABLES, "a table")
    refuse_paired(paired=data["status"].dims == ("run",))
    found = Counted(data)
    if suffix == "md":
        text = as_markdown(found, title)
        return write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="") as file:
            rows = table_rows(found)
            first = next(rows)
            writer = csv.DictWriter(file, first)
            writer.writeheader()
            writer.writerows([first])
            writer.writerows(rows)

    return write_whole(path, write)


def refuse_paired(paired: bool) -> None:
    """Such runs lie along one axis."""
    if paired:
        raise InputError(
            "Paired runs have no table by body and scale: name a store, and take "
            "rs.open_ensemble(store).to_dataframe()."
        )


def table_rows(found: Counted) -> Iterator[Row]:
    """Of each body at each scale: how many of the motions overturn it, the share with its 90 %
    interval, and how far it came under those that do not."""
    data, kind = found.data, found.kind
    pga, uplift = common_pga(data), uplifts(data)
    ends = {count: interval(count, found.motions) for count in np.unique(found.fallen).tolist()}
    for i, label in enumerate(found.labels):
        status, far = data["status"][i].values, data[kind.measure][i].values
        stands = ~np.isin(status, [*FALLEN, CODE[Status.FAILED]])
        for j, scale in enumerate(data["scale"].values.tolist()):
            count = int(found.fallen[i, j])
            low, high = ends[count]
            rest = far[stands[:, j], j]
            median, largest = (np.median(rest), rest.max()) if len(rest) else (None, None)
            row: Row = {"system": label}
            if uplift is not None:
                row["lifts off at [g]"] = _digits(uplift[i])
            row["scale [-]"] = _digits(scale)
            if pga is not None:
                row["PGA [g]"] = _digits(abs(scale) * pga)
            yield row | {
                "motions": found.motions,
                kind.fallen: count,
                "share [-]": _digits(count / found.motions),
                f"share, low end of {100 * LEVEL:.0f} % [-]": _digits(low),
                f"share, high end of {100 * LEVEL:.0f} % [-]": _digits(high),
                f"median {kind.measure} of the rest [-]": _digits(median),
                f"largest {kind.measure} of the rest [-]": _digits(largest),
            }


def as_markdown(found: Counted, title: str = "") -> str:
    """A table for a report: of each body, at each scale, the share of motions that overturn it and
    its 90 % interval in per cent; under one motion how far it came."""
    data, kind = found.data, found.kind
    pga, uplift = common_pga(data), uplifts(data)
    scales = data["scale"].values.tolist()
    head = [kind.one, *(["lifts off at"] if uplift is not None else [])]
    head += [strength(scale, pga) for scale in scales]
    lines = [_line(head), _line(["---"] * len(head))]
    for i, label in enumerate(found.labels):
        cells = [label, *([f"{uplift[i]:.3g} g"] if uplift is not None else [])]
        lines.append(_line(cells + _cells(found, i)))
    by = "scale of the motions" if pga is None else "peak acceleration of the ground"
    said = (
        f"Share of {spaced(found.motions)} motions under which it {kind.falls}, by {by}; in "
        f"brackets the {100 * LEVEL:.0f} % interval of the share (Clopper and Pearson)."
    )
    if found.motions == 1:
        what = f"{kind.title}, {kind.axis.removesuffix(' [–]')},"
        said = f"{what} under {data['motion'].values[0]}, by {by}."
    if found.failed:
        said += f" {spaced(found.failed)} of {spaced(found.runs)} runs have no answer."
    how = json.loads(data.attrs["formulation"])["name"]
    made = f"{how} formulation, rocksteady {__version__}."
    if any(f"| {FLAT} |" in line for line in lines):
        said += f" {FLAT.capitalize()}: {FLAT_MEANS}"
    heading = [f"## {title}", ""] if title else []
    return "\n".join([*heading, *lines, "", f"{said} {made}", ""])


def uplifts(data: xarray.Dataset) -> Any:
    """The acceleration of a stiff floor [g] that lifts each block off where nothing moves
    vertically; None of other bodies: a column that sways lifts off before."""
    if data.attrs["system_type"] != "Block":
        return None
    return np.tan(data["alpha"].values) * data["g"].values / GRAVITY_UNIT


def strength(scale: float, pga: float | None) -> str:
    """ "0.3 g" where all motions have one peak; else the scale."""
    return f"{scale:.3g}" if pga is None else f"{scale * pga:.3g} g"


def none_means(motions: int) -> str:
    """What it means that none fell."""
    high = interval(0, motions)[1]
    return (
        f"0 is none of {spaced(motions)}: if they are a fair sample, the true share may be up to "
        f"{100 * high:.2g} %."
    )


def _cells(found: Counted, body: int) -> list[str]:
    peaks = found.data["peak"][body].values.max(axis=0)
    far = found.data[found.kind.measure][body].values[0]
    cells = []
    for j, count in enumerate(found.fallen[body].tolist()):
        if peaks[j] == 0:
            cells.append(FLAT)
        elif found.motions == 1:
            cells.append(found.kind.fallen if count else how_far(far[j]))
        else:
            low, high = (100 * end for end in interval(count, found.motions))
            cells.append(f"{100 * count / found.motions:.0f} % ({low:.0f}–{high:.0f})")
    return cells


def how_far(value: float) -> str:
    """A peak or a wear in two digits; a dash where it is not known."""
    return f"{value:.2g}" if math.isfinite(value) else "–"


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
