"""Many ground motions from the command line: files, folders, pulses, stochastic ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import as_options, built, check_record, in_its_units
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.cli.common.progress import Work
    from rocksteady.motion.collection import Motions

_ground = panel("The ground motions")
Number = float | None
OR_OTHERS = ", a folder of them, a pulse such as pulse:sine,a=1g,T=0.8, or stochastic:300,seed=5"


def _motions(folder: str) -> Any:
    """The option ``-m``; ``folder``: what a folder of records may hold."""
    return _ground(
        f"A record, {folder}, a pulse, or stochastic:300,seed=5 (300 motions; "
        "sets=20: from only 20 sets of parameters, quicker to make; like=FILE: like a record). "
        "May be repeated.",
        "--motion",
        "-m",
        metavar="FILE|FOLDER|pulse:…|stochastic:…",
    )


@dataclass(frozen=True)
class GroundOptions(Options):
    """The motions that shake it. A command that takes these has ``-m``, which may be repeated."""

    motion: Annotated[
        list[str] | None,
        _motions("a folder of records (for a body in space: each station with all its components)"),
    ] = None
    component: Annotated[
        str | None, _ground("Which one, of files with several; all horizontal ones unless given.")
    ] = None
    dt: Annotated[Number, _ground("Time step, s, of files that have none.")] = None
    unit: Annotated[str | None, _ground("Unit of files that name none: g, m/s2, cm/s2, …")] = None
    decimal: Annotated[str | None, _ground("Decimal sign of ambiguous tables: comma or point.")] = (
        None
    )
    sensitivity: Annotated[Number, _ground("Counts per m/s² (miniSEED, SAC, COSMOS).")] = None

    def build(
        self, body: Any = None, work: Work | None = None, how: rs.Formulation | None = None
    ) -> Motions:
        """The motions by name, and what was left out. A pulse may be in units of a ``body``.
        ``work`` shows how far it is. For a theory ``how`` that takes the transverse component each
        motion has all components of its station."""
        from rocksteady.cli.ensemble.progress import PreparationProgress, print_skipped
        from rocksteady.motion.collection import Motions, distinct
        from rocksteady.specs.motion_sources import silent

        if not self.motion:
            raise InputError(
                "There are no ground motions: give one or more with -m, a record"
                f"{OR_OTHERS.replace(', or', ', or -m')}."
            )
        tell = silent if work is None else PreparationProgress(work)
        whole = how is not None and "transverse" in how.components
        every = [self._of(text, body, tell, whole) for text in self.motion]
        motions = [motion for found in every for motion in found.values()]
        names = distinct(tuple(name for found in every for name in found))
        skipped = {name: why for found in every for name, why in found.skipped.items()}
        verticals = tuple(name for found in every for name in found.verticals)
        if work is not None and not work.quiet:
            print_skipped(skipped, work.console)
        named = {n: m.renamed(n) for n, m in zip(names, motions, strict=True)}
        return Motions(named, skipped, verticals)

    @property
    def sources(self) -> list[str]:
        """The files and folders that are read: what must not be written over."""
        return [text for text in self.motion or () if not text.startswith(("pulse:", "stochastic"))]

    def _of(self, text: str, body: Any, tell: Any, whole: bool) -> Motions:
        from rocksteady.motion.collection import Motions

        if text.startswith("pulse:"):
            pulse = built(rs.specs.MotionSpec, {"pulse": text}, body=in_its_units(body))
            return Motions({pulse.name or "pulse": pulse})
        if re.match(r"stochastic\b", text):
            values = ({"components": 3} if whole else {}) | _stochastic(text)
            return _all(text, {"stochastic": values}, tell)
        reading = {
            field.name: value
            for field in fields(self)
            if field.name != "motion" and (value := getattr(self, field.name)) is not None
        }
        path = Path(text)
        if whole and self.component is None:
            return self._record(path, reading, tell)
        if path.is_dir():
            return _all(text, {"folder": text, "unreadable": "skip", **reading}, tell)
        if not path.exists():
            check_record(text, OR_OTHERS)
        return _all(text, {"file": text, **reading}, tell)

    def _record(self, path: Path, reading: dict[str, Any], tell: Any) -> Motions:
        """All components of one station, or of each station in a folder."""
        if path.is_dir():
            return _all(str(path), {"records": str(path), "unreadable": "skip", **reading}, tell)
        check_record(str(path), OR_OTHERS)
        return _all(str(path), {"record": str(path), **reading}, tell)


@dataclass(frozen=True)
class PlaneGroundOptions(GroundOptions):
    """The same for commands that shake a block in a plane only."""

    motion: Annotated[list[str] | None, _motions("a folder of records")] = None


def _all(text: str, values: dict[str, Any], tell: Any) -> Motions:
    """All motions of one source; errors speak of the option."""
    from rocksteady.specs.problems import InOptions, Place

    place = Place() if "stochastic" in values else InOptions()
    try:
        return rs.specs.MotionSpec.checked(values, place).motions(Path(), tell)
    except InputError as error:
        said = as_options(place.words(str(error)))
        raise type(error)(said if text in said else f"-m {text}: {said}") from error


def _stochastic(text: str) -> dict[str, Any]:
    """``stochastic:300,seed=5`` as the table that a study file has."""
    words = [word.strip() for word in text.partition(":")[2].split(",") if word.strip()]
    values: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip() if equals else "count"
        if name in values:
            raise InputError(f"-m {text} has {name} twice: give it once.")
        values[name] = (value if equals else word).strip()
    if not re.fullmatch(r"\d+", str(values.get("count", ""))):
        raise InputError(
            f"-m {text} does not say how many motions: write stochastic:300,seed=5 for 300 of them."
        )
    return values


def files_below(paths: Iterable[str]) -> list[Path]:
    """The files themselves, of files and folders."""
    from rocksteady.motion.catalogue import files_in

    found: list[Path] = []
    for path in map(Path, paths):
        found += files_in(path) if path.is_dir() else [path]
    return found
