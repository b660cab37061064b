"""The motions of a study file: records, folders of them, pulses, stochastic ensembles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, FiniteFloat, PositiveFloat, PositiveInt, model_validator

from rocksteady.ensembles.given import distinct
from rocksteady.ensembles.study_systems import Strict
from rocksteady.errors import InputError
from rocksteady.motion import Motion, parse_pulse, read_motion
from rocksteady.motion.collection import (
    Motions,
    UndecidedError,
    gather,
    horizontals,
    only,
    read_motions,
)
from rocksteady.motion.readers import Options
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.motion.upwards import warn_of_verticals

Tell = Callable[[str, int, int], Any]
"""Called with what is being done, how much of it is done, and the total."""


def silent(what: str, done: int, total: int) -> None:
    """Report nothing."""


class Stochastic(Strict):
    """``stochastic = {count = 20, seed = 1}``: by Rezaeian and Der Kiureghian, their parameters
    drawn from the published distributions; or all six given, or fitted to a record by ``like``."""

    count: PositiveInt
    seed: int = Field(default=0, ge=0)
    dt: PositiveFloat = 0.01
    like: Path | None = None
    arias: PositiveFloat | None = None
    d5_95: PositiveFloat | None = None
    t_mid: PositiveFloat | None = None
    frequency_mid: PositiveFloat | None = None
    frequency_rate: FiniteFloat | None = None
    damping: PositiveFloat | None = None

    @model_validator(mode="after")
    def _check(self) -> Stochastic:
        given = [name for name in _SIX if getattr(self, name) is not None]
        if given and len(given) < len(_SIX):
            missing = [name for name in _SIX if name not in given]
            raise ValueError(f"{', '.join(missing)} must be given, too, or none of the six")
        if given and self.like is not None:
            raise ValueError(f"like cannot stand beside {given[0]}: give one of them")
        return self

    def build(self, folder: Path, tell: Tell = silent) -> list[Motion]:
        from rocksteady.motion.generate import stochastic

        parameters = None
        if self.like is not None:
            parameters = stochastic.fit(_one(folder / self.like, None, None, None))
        elif self.arias is not None:
            parameters = stochastic.Parameters(*(getattr(self, name) for name in _SIX))
        return stochastic.ensemble(
            self.count,
            self.seed,
            parameters,
            dt=self.dt,
            progress=lambda done, total: tell("Making stochastic motions", done, total),
        )


_SIX = ("arias", "d5_95", "t_mid", "frequency_mid", "frequency_rate", "damping")


class Source(Strict):
    """``[[motions]]``: one source of motions."""

    file: Path | None = None
    folder: Path | None = None
    pulse: str | None = None
    """Such as "sine,a=0.45g,T=0.5", as on the command line."""
    stochastic: Stochastic | None = None

    name: str | None = None
    component: str | None = None
    components: Literal["horizontal"] | None = None
    """All horizontal components of each file; never a vertical one."""
    unreadable: Literal["stop", "skip"] = "stop"
    """Whether an unreadable file in a folder stops the study, or is left out and listed."""
    dt: PositiveFloat | None = None
    unit: str | None = None
    vertical: bool = True
    """False leaves the vertical component out."""
    pattern: str = "*"
    """Of a folder: which files, as in "*.AT2"."""
    pga: PositiveFloat | None = None
    """Scale each motion to this peak acceleration [g]."""
    pgv: PositiveFloat | None = None
    """Scale each motion to this peak velocity [m/s]."""

    @model_validator(mode="after")
    def _check(self) -> Source:
        sources = ("file", "folder", "pulse", "stochastic")
        given = [name for name in sources if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(sources)} in each [[motions]]")
        for name in ("component", "components", "dt", "unit"):
            if getattr(self, name) is not None and given[0] not in ("file", "folder"):
                raise ValueError(f"{name} is for files")
        if self.unreadable != "stop" and given[0] != "folder":
            raise ValueError("unreadable is for folders")
        for one, other in (("component", "components"), ("pga", "pgv")):
            if getattr(self, one) is not None and getattr(self, other) is not None:
                raise ValueError(f"{other} cannot stand beside {one}: give one of them")
        return self

    def build(self, folder: Path, tell: Tell = silent) -> Motions:
        """The motions by name; ``folder`` is where the study file lies."""
        found = self._read(folder, tell)
        motions = [self._scaled(motion) for motion in found.values()]
        names = _told_apart([motion.name for motion in motions], list(found))
        if self.name is not None:
            names = [self.name] if len(motions) == 1 else _numbered(self.name, len(motions))
        named = {name: motion.renamed(name) for name, motion in zip(names, motions, strict=True)}
        return Motions(named, found.skipped, found.verticals)

    def _read(self, folder: Path, tell: Tell) -> Motions:
        if self.pulse is not None:
            pulse = parse_pulse(self.pulse)
            return Motions({pulse.name: pulse})
        if self.stochastic is not None:
            made = self.stochastic.build(folder, tell)
            names = _numbered("stochastic", len(made))
            return Motions({n: m.renamed(n) for n, m in zip(names, made, strict=True)})
        if self.file is not None:
            return self._of_file(folder / self.file)
        assert self.folder is not None
        found = gather(
            folder / self.folder,
            self._choose,
            Options.checked(dt=self.dt, unit=self.unit),
            self.pattern,
            self.unreadable,
            lambda done, total: tell(f"Reading records in {self.folder}", done, total),
        )
        instead = 'take the horizontal components only, with components = "horizontal"'
        warn_of_verticals(list(found.values()), instead)
        return found

    def _of_file(self, path: Path) -> Motions:
        if self.components is None:
            motion = _one(path, self.component, self.dt, self.unit)
            warn_of_verticals([motion], "take a horizontal one")
            return Motions({motion.name: motion})
        if not path.is_file():
            raise InputError(f"There is no file {path}.")
        return read_motions(path, components=self.components, dt=self.dt, unit=self.unit)

    def _choose(self, name: str, motions: Mapping[str, Motion]) -> Mapping[str, Motion]:
        """Choose among the components of one file in a folder."""
        if self.component is not None:
            return only(self.component)(name, motions)
        if self.components is not None:
            return horizontals(name, motions)
        if len(motions) > 1:
            raise UndecidedError(_several(name, motions))
        return motions

    def _scaled(self, motion: Motion) -> Motion:
        if not self.vertical:
            motion = motion.with_vertical(None)
        if self.pgv is not None:
            return motion.scaled_to(pgv=self.pgv)
        return motion if self.pga is None else motion.scaled_to(pga=self.pga * GRAVITY_UNIT)


def _one(path: Path, component: str | None, dt: float | None, unit: str | None) -> Motion:
    motion = (
        read_motion(path, dt=dt, unit=unit)
        if component is None
        else read_motion(path, component, dt=dt, unit=unit)
    )
    if isinstance(motion, dict):
        raise InputError(_several(str(path), motion))
    return motion if motion.name else motion.renamed(path.stem)


def _several(name: str, motions: Mapping[str, Motion]) -> str:
    return (
        f"{name} has several components, {', '.join(motions)}: choose one with component = "
        f'{next(iter(motions))!r}, or take all horizontal ones with components = "horizontal".'
    )


def _told_apart(names: list[str], files: list[str]) -> list[str]:
    """Names of motions; those that are not their own, as of the two files of a K-NET station, by
    their files."""
    often = Counter(names)
    own = [file if often[name] > 1 else name for name, file in zip(names, files, strict=True)]
    return list(distinct(tuple(own)))


def _numbered(name: str, count: int) -> list[str]:
    digits = len(str(count))
    return [f"{name} {i:0{digits}d}" for i in range(1, count + 1)]
