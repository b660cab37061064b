"""Motions made from what a reader found, by component."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, require_peak
from rocksteady.motion.readers.common.options import Options, in_si
from rocksteady.motion.readers.common.source import Source, failure
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.names import shown, storable
from rocksteady.numerics.types import Array


def without_offset(accel: Array) -> tuple[Array, float]:
    """Samples of a bare sensor without their mean, and the mean [m/s²]: the sensor's offset, which
    in a vertical one includes gravity."""
    offset = float(accel.mean()) if accel.size else 0.0
    return accel - offset, offset


def motion(
    source: Source,
    accel: Array,
    dt: float,
    meta: Mapping[str, Any],
    several: bool = False,
    **others: Array,
) -> Motion:
    """The Motion of ``accel`` [m/s²]; if Motion refuses it, that is an error of the file.

    Entries of ``meta`` that are empty or None are left out, and the azimuth is the component's
    unless stated; the format is the source's. A ``note`` on what was done to the file's numbers
    goes into the history too. If the file has ``several`` components, the name is the file's and
    the component's. The samples become the Motion's, read-only.
    """
    path, component = source.path, str(meta.get("component") or "")
    stem = shown(path.stem)
    file, name = shown(path.name), f"{stem} {component}" if several else stem
    if "azimuth" not in meta:
        meta = {**meta, "azimuth": azimuth_of(component)}
    known = {key: value for key, value in meta.items() if value is not None and value != ""}
    remark = f"  # {known['note']}" if "note" in known else ""
    known = {key: storable(one) if isinstance(one, str) else one for key, one in known.items()}
    known = {"file": file, "format": source.format, **known, "history": (f"read({file}){remark}",)}
    accel.flags.writeable = False  # so that the Motion need not copy it
    try:
        return Motion(accel, dt, **others, name=name, meta=known)
    except InputError as error:
        raise source.failure(str(error)) from error


def measured(
    source: Source,
    values: Array,
    dt: float,
    unit: str | None,
    options: Options,
    facts: Mapping[str, Any],
    *,
    quantity: str = "acceleration",
    peak: Peak | None = None,
    several: bool = False,
) -> Motion:
    """The motion of a file's ``values``: see `in_si`, `require_peak` and `motion`."""
    accel, unit = in_si(source, values, dt, unit, options, quantity)
    if peak is not None and quantity == "acceleration":
        what = str(facts["component"]) if several else ""
        peak = peak._replace(unit=peak.unit or unit)
        require_peak(source, accel, peak, accel.size * dt, what)
    return motion(source, accel, dt, {"unit": unit, **facts}, several)


def by_component(motions: Iterable[Motion]) -> dict[str, Motion]:
    """The motions by component; a repeated name gets a number."""
    named: dict[str, Motion] = {}
    for number, item in enumerate(motions, start=1):
        name = str(item.meta.get("component", "")) or str(number)
        named[f"{name} (channel {number})" if name in named else name] = item
    return named


def one_after_the_other(
    source: Source, options: Options, read_at: Callable[[Source, int, Options], tuple[Motion, int]]
) -> dict[str, Motion]:
    """The motions of a file that holds them one after the other, each with its own header and
    perhaps blank lines between. ``read_at`` reads one at a line, and returns the line after it."""
    motions = []
    line = 1
    while line <= source.line_count:
        if source.is_words(line):
            found, line = read_at(source, line, options)
            motions.append(found)
        else:
            line += 1
    return by_component(motions)


def pick(motions: dict[str, Motion], component: str, path: Path) -> Motion:
    """The motion of that name, in any letter case, or an error that lists the names."""
    for name, motion in motions.items():
        if name.casefold() == component.casefold():
            return motion
    names = ", ".join(repr(name) for name in motions)
    raise failure(path, f"has no component {component!r}: it has {names}.")
