"""An ensemble as a table: a row for each body and strength (CSV), or a page for a report."""

import json
import math
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.shares.counts import Counted, answered, fell
from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.ensembles.labels import Measure, common, naming, strength
from rocksteady.ensembles.progress import spaced
from rocksteady.errors import InputError
from rocksteady.files import as_path, suffix_of, write_whole
from rocksteady.marks import mark
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.names import csv_text, shown
from rocksteady.version import version

if TYPE_CHECKING:
    import xarray

TABLES = ("csv", "md")
FLAT = "flat"
FLAT_MEANS = "its base never left the ground."
UNKNOWN = "–"  # no run gave an answer
Row = dict[str, Any]


def write_ensemble_table(data: "xarray.Dataset", path: str | Path, title: str = "") -> Path:
    """Write the results of :func:`rocksteady.ensemble` as a table, whole or not at all.

    The share of motions that overturn each body at each scale, with its 90 % interval: ``.csv`` has
    a row for each body and scale, and how far the others leaned; ``.md`` is a page for a report
    with a row for each body. Of several bodies the last rows are those of all together, without an
    interval. Shares are of the runs that gave an answer.
    """
    path = as_path(path, "a file for the table")
    suffix = suffix_of(path, TABLES, "a table")
    found = Counted(data)
    refuse_paired(found.paired)
    if suffix == "md":
        return write_whole(path, shown(f"{as_markdown(found, title)}\n<!-- {mark()} -->\n"))
    rows = table_rows(found)
    first = next(rows)
    cells = chain([first, first.values()], (row.values() for row in rows))
    return write_whole(path, csv_text(cells, "\r\n"))


def refuse_paired(paired: bool) -> None:
    """Such runs lie along one axis."""
    if paired:
        raise InputError(
            "Paired runs have no table by body and scale: name a store, and take "
            "rs.open_ensemble(store).to_dataframe()."
        )


def table_rows(found: Counted) -> Iterator[Row]:
    """Of each body at each scale: how many of the motions overturn it, the share of those with an
    answer and its 90 % interval, and how far it came under those that do not."""
    data, kind, shares = found.data, found.kind, found.shares
    shared, uplift = common(data), uplifts(data)
    for i, label in enumerate(found.labels):
        status, far = data["status"][i].values, data[kind.measure][i].values
        stands = answered(status) & ~fell(status)
        for j, scale in enumerate(data["scale"].values.tolist()):
            count = int(found.fallen[i, j])
            known = int(found.known[i, j])
            low, high = found.intervals[:, i, j]
            rest = far[stands[:, j], j]
            median, largest = (np.median(rest), rest.max()) if len(rest) else (None, None)
            row: Row = {"system": label}
            if "floor" in data.attrs:
                row["floor"] = data.attrs["floor"]
            if uplift is not None:
                row["lifts off at [g]"] = _digits(uplift[i])
            row["scale [-]"] = _digits(scale)
            row |= _strengths(scale, shared)
            row |= {
                "motions": found.motions,
                "without an answer": found.motions - known,
                kind.fallen: count,
                "share [-]": _digits(shares[i, j]),
                f"share, low end of {100 * LEVEL:.0f} % [-]": _digits(low),
                f"share, high end of {100 * LEVEL:.0f} % [-]": _digits(high),
                f"median {kind.measure} of the rest [-]": _digits(median),
                f"largest {kind.measure} of the rest [-]": _digits(largest),
            }
            yield row
            names = list(row)
    if found.bodies > 1:
        yield from _rows_of_all(found, shared, names)


def _rows_of_all(found: Counted, shared: dict[Measure, float], names: list[str]) -> Iterator[Row]:
    """All bodies together at each scale; what has no meaning for them is left empty."""
    for j, scale in enumerate(found.data["scale"].values.tolist()):
        count, known = int(found.fallen[:, j].sum()), int(found.known[:, j].sum())
        row = dict.fromkeys(names, "") | {
            "system": found.all,
            "scale [-]": _digits(scale),
            "motions": found.motions,
            "without an answer": found.bodies * found.motions - known,
            found.kind.fallen: count,
            "share [-]": _digits(found.whole[j]),
        }
        yield row | _strengths(scale, shared)


def _strengths(scale: float, shared: dict[Measure, float]) -> Row:
    """The ground's peaks at a scale, of those measures that all motions share."""
    return {measure.column: _digits(abs(scale) * value) for measure, value in shared.items()}


def as_markdown(found: Counted, title: str = "") -> str:
    """A table for a report: of each body, at each scale, the share of motions that overturn it and
    its 90 % interval in per cent; under one motion how far it came."""
    data, kind = found.data, found.kind
    scales, uplift = data["scale"].values.tolist(), uplifts(data)
    name = naming(common(data), scales)
    head = [kind.one, *(["lifts off at"] if uplift is not None else [])]
    head += [strength(scale, name) for scale in scales]
    lines = [_line(head), _line(["---"] * len(head))]
    for i, label in enumerate(found.labels):
        cells = [label, *([f"{uplift[i]:.3g} g"] if uplift is not None else [])]
        lines.append(_line(cells + _cells(found, i)))
    if found.bodies > 1 and found.motions > 1:
        cells = [found.all, *([""] if uplift is not None else [])]
        lines.append(_line(cells + [_percent(share) for share in found.whole]))
    by = "scale of the motions" if name is None else name.measure.words
    caption = (
        f"Share of {spaced(found.motions)} motions under which it {kind.falls}, by {by}; in "
        f"brackets the {100 * LEVEL:.0f} % interval of the share (Clopper and Pearson)."
    )
    if found.motions == 1:
        what = f"{kind.title}, {kind.axis.removesuffix(' [–]')},"
        caption = f"{what} under {data['motion'].values[0]}, by {by}."
    elif found.bodies > 1:
        caption += (
            f" {found.all.capitalize()}: of all runs; they stood under the same motions, so that "
            "this share has no such interval."
        )
    if found.failed:
        caption += f" {spaced(found.failed)} of {spaced(found.runs)} runs have no answer."
        if found.motions > 1:
            caption += " Shares are of the runs with an answer; if some have none, it says so."
    how = json.loads(data.attrs["formulation"])["name"]
    made = f"{how} formulation, rocksteady {version()}."
    if "floor" in data.attrs:
        lifts = ", and lifts off at so much acceleration of that floor" * (uplift is not None)
        caption += f" Everything stands on the {data.attrs['floor']}{lifts}."
    if any(f"| {FLAT} |" in line for line in lines):
        caption += f" {FLAT.capitalize()}: {FLAT_MEANS}"
    heading = [f"## {title}", ""] if title else []
    warned = [f"Warning: {text}\n" for text in json.loads(data.attrs.get("warnings", "[]"))]
    return "\n".join([*heading, *lines, "", f"{caption} {made}", "", *warned])


def uplifts(data: "xarray.Dataset") -> Any:
    """The acceleration of a stiff floor [g] that lifts each block off where nothing moves
    vertically; None of other bodies: a column that sways lifts off before."""
    if "alpha" not in data.coords or "natural_frequency" in data.coords:
        return None
    return np.tan(data["alpha"].values) * data["g"].values / GRAVITY_UNIT


def none_means(motions: int, at_least: bool = False) -> str:
    """What it means that none fell, of so many motions, or of so many ``at_least``."""
    high = interval(0, motions)[1]
    return (
        f"0 is none of {spaced(motions)}{' or more' * at_least}: if they are a fair sample, the "
        f"true share may be up to {100 * high:.2g} %."
    )


def _cells(found: Counted, body: int) -> list[str]:
    moved, far = found.moved(body), found.data[found.kind.measure][body].values[0]
    ends, shares = 100 * found.intervals[:, body], 100 * found.shares[body]
    cells = []
    for j, known in enumerate(found.known[body].tolist()):
        if known == 0:
            cells.append(UNKNOWN)
        elif not moved[j]:
            cells.append(FLAT)
        elif found.motions == 1:
            cells.append(found.kind.fallen if found.fallen[body, j] else how_far(far[j]))
        else:
            of = f" of {spaced(known)}" * (known < found.motions)
            cells.append(f"{shares[j]:.0f} % ({ends[0, j]:.0f}–{ends[1, j]:.0f}){of}")
    return cells


def _percent(share: float) -> str:
    return UNKNOWN if math.isnan(share) else f"{100 * share:.0f} %"


def how_far(value: float | None) -> str:
    """A peak or a wear in two digits; a dash where it is not known."""
    return f"{value:.2g}" if value is not None and math.isfinite(value) else UNKNOWN


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _digits(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.6g}"
