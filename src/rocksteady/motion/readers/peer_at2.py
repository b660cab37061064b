"""PEER strong-motion files (.AT2): four lines of header, then accelerations in g.

Header variants in circulation: ``NPTS=  7500, DT=   .0200 SEC``, ``1991 0.0100 NPTS, DT`` and
either word alone or in other order (``dt= 0.005``). The title line is
``event, date, station, component``, or without the second comma.
"""

from __future__ import annotations

import re
from pathlib import Path

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers._common import (
    failure,
    motion,
    numbers,
    settled_dt,
    settled_unit,
    stated_unit,
    unit_factor,
)

NAME = "PEER AT2"

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_DT = re.compile(rf"\bdt\s*=\s*{_NUMBER}", re.I)
_NPTS = re.compile(r"\bnpts\s*=\s*(\d{1,18})", re.I)
_BARE = re.compile(r"^\s*(\d{1,18})\s+" + _NUMBER + r"\s+npts\s*,\s*dt\b", re.I)
_HEADER_LINES = 10  # the line with DT is the last one of the header, and among the first ten


def sniff(head: str) -> bool:
    """PEER's words and a DT in the first lines."""
    header = _header(head)
    return header is not None and bool(
        re.search(r"\bnpts\b|time (history|series) in units", "\n".join(header), re.I)
    )


def read(
    text: str,
    path: Path,
    *,
    component: str | None = None,
    dt: float | None = None,
    unit: str | None = None,
) -> dict[str, Motion]:
    """The file's one motion, under the component's name in the title line.

    The unit is g, which defines the format, unless the header names another.
    """
    header = _header(text) or []
    last = len(header)  # the line with DT
    words = "\n".join(header)
    _require_acceleration(words, path)
    npts, stated_dt = _size(header[-1])
    dt = settled_dt(path, stated_dt, dt, last)
    by_format = "g" if path.suffix.upper() == ".AT2" or "PEER" in words.upper() else None
    unit = settled_unit(path, stated_unit(words) or by_format, unit)

    body = [*text.split("\n", last), ""][last]
    accel = numbers(body, path, first_line=last + 1) * unit_factor(unit)
    if npts is not None and npts != accel.size:
        end = last + body.rstrip().count("\n") + 1
        raise failure(
            path,
            f"the header declares NPTS = {npts}, but {accel.size} numbers follow, up to line "
            f"{end}: the file is cut or damaged.",
            last,
        )
    event, station, direction = _title(header) or ("", "", path.stem)
    meta = {"format": NAME, "unit": unit, "event": event, "station": station}
    return {direction: motion(path, accel, dt, path.stem, meta)}


def _header(text: str) -> list[str] | None:
    """The lines up to the one with DT, or None; a commented one belongs to a table."""
    lines = text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    for i, line in enumerate(lines):
        if _DT.search(line) or _BARE.search(line):
            return None if line.lstrip()[0] in "#%!;/" else lines[: i + 1]
    return None


def _title(header: list[str]) -> tuple[str, str, str] | None:
    """Event (and date), station and component, where the header has PEER's four lines."""
    if len(header) == 4 and re.search(r"time (history|series)", header[2], re.I):
        parts = [part.strip() for part in header[1].split(",")]
        if len(parts) > 2:
            return ", ".join(parts[:-2]), parts[-2], parts[-1]
    return None


def _size(line: str) -> tuple[int | None, float]:
    """NPTS, where it is stated, and DT [s]."""
    bare = _BARE.search(line)
    if bare:
        return int(bare[1]), float(bare[2])
    dt, npts = _DT.search(line), _NPTS.search(line)
    assert dt is not None  # the header ends where DT was found
    return (int(npts[1]) if npts else None), float(dt[1])


def _require_acceleration(header: str, path: Path) -> None:
    words = header.upper()
    suffix = path.suffix.upper()
    for quantity, its_suffix in (("VELOCITY", ".VT2"), ("DISPLACEMENT", ".DT2")):
        if suffix == its_suffix or (quantity in words and "ACCEL" not in words):
            raise failure(
                path,
                f"holds a {quantity.lower()}, and a motion is an acceleration. Differentiating it "
                "would amplify its noise: use the record's .AT2 file.",
            )
