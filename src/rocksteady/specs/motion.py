"""Motions: a record or a folder of them, a pulse, generated ones, or the samples themselves."""

from collections import Counter
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import FiniteFloat, PositiveFloat, model_validator

from rocksteady.bodies import Rocker
from rocksteady.errors import InputError
from rocksteady.motion import Motion, parse_pulse
from rocksteady.motion.collection import Motions, chooser, distinct, gather, only, read_motions
from rocksteady.motion.readers import Options
from rocksteady.motion.record import read_record
from rocksteady.motion.records import read_records
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.motion.upwards import warn_of_left_out
from rocksteady.specs.motion_sources import Samples, Stochastic, Tell, kept_meta, one_motion, silent
from rocksteady.specs.spec import Spec

SOURCES = ("file", "folder", "pulse", "stochastic", "record", "records", "samples")
READING = ("dt", "unit", "decimal", "sensitivity", "differentiate", "any_peak")
"""What `read_motion` is told of a file."""


class MotionSpec(Spec):
    """``[[motions]]``: one source of motions, and what is done to each of them."""

    file: Path | None = None
    folder: Path | None = None
    pulse: str | None = None
    """Such as "sine,a=0.45g,T=0.5", as on the command line."""
    stochastic: Stochastic | None = None
    record: Path | None = None
    """All components of one station as one motion, by one of its files."""
    records: Path | None = None
    """A folder of stations, each with all its components as one motion: for bodies in space."""
    samples: Samples | None = None

    name: str | None = None
    component: str | None = None
    components: Literal["horizontal", "vertical", "all"] | None = None
    """Which components of each file to take: the horizontal ones unless given."""
    unreadable: Literal["stop", "skip"] = "stop"
    """Whether an unreadable file in a folder stops the study, or is left out and listed."""
    dt: PositiveFloat | None = None
    """Time step [s] of a file that states none."""
    unit: str | None = None
    """Unit of a file that states none."""
    decimal: str | None = None
    """Decimal sign of an ambiguous table: "comma" or "point"."""
    sensitivity: PositiveFloat | None = None
    """Counts per m/s² of a file that states none."""
    differentiate: bool = False
    """Turn velocities or displacements into accelerations."""
    any_peak: bool = False
    """Accept a peak above 5 g, refused otherwise."""
    vertical: bool = True
    """False leaves the vertical component out."""
    pattern: str = "*"
    """Of a folder: which files, as in "*.AT2"."""
    scale: FiniteFloat | None = None
    """Multiply the accelerations by this."""
    pga: PositiveFloat | None = None
    """Scale each motion to this peak acceleration [g]."""
    pgv: PositiveFloat | None = None
    """Scale each motion to this peak velocity [m/s]."""

    @classmethod
    def of(cls, motion: Motion) -> Self:
        """The description of a motion by its samples, from which `build` makes the same again."""
        samples = {name: values.tolist() for name, values in motion.components.items()}
        about = {"dt": motion.dt, "name": motion.name, "meta": kept_meta(motion)}
        return cls.model_validate({"samples": {**samples, **about}})

    @model_validator(mode="after")
    def _check(self) -> Self:
        source, *more = [name for name in SOURCES if getattr(self, name) is not None] or [""]
        if more or not source:
            raise ValueError(f"give one of {', '.join(SOURCES)} in each [[motions]]")
        given = [name for name in READING if getattr(self, name) not in (None, False)]
        given += [name for name in ("component", "components") if getattr(self, name) is not None]
        instead = ""
        if source == "pulse":
            instead = ": write what belongs to a pulse into it, as in pulse:sine,a=0.45g,T=0.4"
        for name in given:
            if source not in ("file", "folder", "record", "records"):
                raise ValueError(f"{name} is for files{instead}")
            if source in ("record", "records") and name not in READING:
                raise ValueError(f"{name} cannot stand beside {source}, which has all of them")
        if source not in ("folder", "records"):
            if self.unreadable != "stop":
                raise ValueError("unreadable is for folders")
            if self.pattern != "*":
                raise ValueError("pattern is for folders")
        pairs = (("components", "component"), ("scale", "pga"), ("scale", "pgv"), ("pgv", "pga"))
        for one, other in pairs:
            here, there = getattr(self, one), getattr(self, other)
            if here is not None and there is not None:
                raise ValueError(
                    f"`{one}` = {_short(here)} and `{other}` = {_short(there)} were both given: "
                    "give one of them"
                )
        return self

    # -- the motions ------------------------------------------------------------------------------

    def build(self, folder: Path = Path(), body: Rocker | None = None) -> Motion:
        """The motion, if it is one. Paths begin in ``folder``. A pulse may be in units of a
        ``body``; ``pga`` is in the unit g, 9.80665 m/s², whatever the body's gravity is."""
        if self.pulse is not None and body is not None:
            motion = parse_pulse(self.pulse, p=body.p, alpha=body.alpha, g=body.g)
        elif self.file is not None and self.components is None:
            motion = one_motion(folder / self.file, self.component, **self.reading)
        else:
            found = self._read(folder, silent)
            if len(found) > 1:
                raise InputError(f"{self} has {len(found)} motions, and one is wanted.")
            motion = next(iter(found.values()))
        motion = self._scaled(motion)
        return motion if self.name is None else motion.renamed(self.name)

    def motions(self, folder: Path = Path(), tell: Tell = silent) -> Motions:
        """All motions by name, as `build` makes one."""
        found = self._read(folder, tell)
        motions = [self._scaled(motion) for motion in found.values()]
        names = _told_apart([motion.name for motion in motions], list(found))
        if self.name is not None:
            names = [self.name] if len(motions) == 1 else _numbered(self.name, len(motions))
        named = {name: motion.renamed(name) for name, motion in zip(names, motions, strict=True)}
        warn_of_left_out(found.verticals)
        return Motions(named, found.skipped, found.verticals)

    @property
    def reading(self) -> dict[str, Any]:
        """The options of `read_motion`."""
        return {name: getattr(self, name) for name in READING}

    def _read(self, folder: Path, tell: Tell) -> Motions:
        if self.pulse is not None:
            return _alone(parse_pulse(self.pulse))
        if self.samples is not None:
            return _alone(self.samples.build())
        if self.stochastic is not None:
            made = self.stochastic.build(folder, tell)
            named = zip(self.stochastic.names(), made, strict=True)
            return Motions({name: motion.renamed(name) for name, motion in named})
        if self.record is not None:
            return _alone(read_record(folder / self.record, **self.reading))
        if self.file is not None:
            return self._of_file(folder / self.file)
        if self.records is not None:
            return read_records(
                folder / self.records,
                pattern=self.pattern,
                unreadable=self.unreadable,
                progress=lambda done, total: tell(
                    f"Reading records in {self.records}", done, total
                ),
                **self.reading,
            )
        assert self.folder is not None
        return gather(
            folder / self.folder,
            chooser(self._wanted) if self.component is None else only(self.component),
            Options.checked(**self.reading),
            self.pattern,
            self.unreadable,
            lambda done, total: tell(f"Reading records in {self.folder}", done, total),
        )

    @property
    def _wanted(self) -> str:
        return self.components or "horizontal"

    def _of_file(self, path: Path) -> Motions:
        if self.component is not None:
            motion = one_motion(path, self.component, **self.reading)
            return _alone(motion if motion.name else motion.renamed(path.stem))
        if not path.is_file():
            raise InputError(f"There is no file {path}.")
        every = read_motions(path, components="all", **self.reading)
        if len(every) == 1:  # a vertical record that was named is used, with a warning
            return every
        return read_motions(path, components=self._wanted, **self.reading)

    def _scaled(self, motion: Motion) -> Motion:
        if not self.vertical:
            motion = motion.with_vertical(None)
        if self.scale is not None:
            return motion.scaled(self.scale)
        if self.pgv is not None:
            return motion.scaled_to(pgv=self.pgv)
        return motion if self.pga is None else motion.scaled_to(pga=self.pga * GRAVITY_UNIT)

    def summary(self) -> str:
        """Such as "file = record.AT2, pga = 0.4"."""
        if self.samples is None:
            return super().summary()
        n, rest = len(self.samples.accel), self.model_copy(update={"samples": None})
        return f"{n} samples of {self.samples.name or 'a motion'}{', ' * bool(str(rest))}{rest}"


def _alone(motion: Motion) -> Motions:
    return Motions({motion.name: motion})


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)


def _told_apart(names: list[str], files: list[str]) -> list[str]:
    """Names of motions; those that are not their own, as of the two files of a K-NET station, by
    their files."""
    often = Counter(names)
    own = [file if often[name] > 1 else name for name, file in zip(names, files, strict=True)]
    return list(distinct(tuple(own)))


def _numbered(name: str, count: int) -> list[str]:
    digits = len(str(count))
    return [f"{name} {i:0{digits}d}" for i in range(1, count + 1)]
