"""The motions of a study file: records, folders of them, pulses, stochastic ensembles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pydantic import Field, FiniteFloat, PositiveFloat, PositiveInt, model_validator

from rocksteady.ensembles.study_systems import Strict
from rocksteady.errors import InputError
from rocksteady.motion import Motion, parse_pulse, read_motion
from rocksteady.motion.catalogue import files_in
from rocksteady.motion.upwards import warn_of_verticals

G = 9.80665  # m/s² of one g, the unit


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
            raise ValueError(f"like and {given[0]} were both given: give one of them")
        return self

    def build(self, folder: Path) -> list[Motion]:
        from rocksteady.motion import stochastic

        parameters = None
        if self.like is not None:
            parameters = stochastic.fit(_one(folder / self.like, None, None, None))
        elif self.arias is not None:
            parameters = stochastic.Parameters(*(getattr(self, name) for name in _SIX))
        return stochastic.ensemble(self.count, self.seed, parameters, dt=self.dt)


_SIX = ("arias", "d5_95", "t_mid", "frequency_mid", "frequency_rate", "damping")


class Motions(Strict):
    """``[[motions]]``: one source of motions."""

    file: Path | None = None
    folder: Path | None = None
    pulse: str | None = None
    """Such as "sine,a=0.45g,T=0.5", as on the command line."""
    stochastic: Stochastic | None = None

    name: str | None = None
    component: str | None = None
    dt: PositiveFloat | None = None
    unit: str | None = None
    vertical: bool = True
    """False leaves the vertical component out."""
    pattern: str = "*"
    """Of a folder: which files, as in "*.AT2"."""
    pga: PositiveFloat | None = None
    """Scale each motion to this peak acceleration [g]."""

    @model_validator(mode="after")
    def _check(self) -> Motions:
        sources = ("file", "folder", "pulse", "stochastic")
        given = [name for name in sources if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(sources)} in each [[motions]]")
        for name in ("component", "dt", "unit"):
            if getattr(self, name) is not None and given[0] not in ("file", "folder"):
                raise ValueError(f"{name} is for files")
        return self

    def build(self, folder: Path) -> list[Motion]:
        motions = [self._scaled(motion) for motion in self._read(folder)]
        if self.name is None:
            return motions
        names = [self.name] if len(motions) == 1 else _numbered(self.name, len(motions))
        return [
            Motion(motion.accel, motion.dt, motion.vertical, name, motion.meta)
            for motion, name in zip(motions, names, strict=True)
        ]

    def _read(self, folder: Path) -> list[Motion]:
        if self.pulse is not None:
            return [parse_pulse(self.pulse)]
        if self.stochastic is not None:
            made = self.stochastic.build(folder)
            names = _numbered("stochastic", len(made))
            return [
                Motion(m.accel, m.dt, m.vertical, name, m.meta)
                for m, name in zip(made, names, strict=True)
            ]
        if self.file is not None:
            motions = [_one(folder / self.file, self.component, self.dt, self.unit)]
            warn_of_verticals(motions, "take a horizontal one")
            return motions
        assert self.folder is not None
        found = [f for f in files_in(folder / self.folder) if f.match(self.pattern)]
        if not found:
            raise InputError(f"{folder / self.folder} has no file that matches {self.pattern!r}.")
        motions = [self._record(file, found) for file in found]
        warn_of_verticals(motions, 'leave out what is vertical, with a pattern = "…" for example')
        return motions

    def _record(self, file: Path, among: list[Path]) -> Motion:
        """One of a folder's files; where it is no record, the pattern of those that may be ones."""
        try:
            return _one(file, self.component, self.dt, self.unit)
        except InputError as error:
            others = Counter(path.suffix for path in among if path.suffix != file.suffix)
            kind = others.most_common(1)[0][0] if others else ".AT2"
            raise InputError(
                f"{error} Where a folder holds more than records, say which files are: "
                f'pattern = "*{kind}".'
            ) from error

    def _scaled(self, motion: Motion) -> Motion:
        if not self.vertical:
            motion = motion.with_vertical(None)
        return motion if self.pga is None else motion.scaled_to(pga=self.pga * G)


def _one(path: Path, component: str | None, dt: float | None, unit: str | None) -> Motion:
    motion = (
        read_motion(path, dt=dt, unit=unit)
        if component is None
        else read_motion(path, component, dt=dt, unit=unit)
    )
    if isinstance(motion, dict):
        raise InputError(
            f"{path} has several components, {', '.join(motion)}: choose one with component = "
            f"{next(iter(motion))!r}."
        )
    if motion.name:
        return motion
    return Motion(motion.accel, motion.dt, motion.vertical, path.stem, motion.meta)


def _numbered(name: str, count: int) -> list[str]:
    digits = len(str(count))
    return [f"{name} {i:0{digits}d}" for i in range(1, count + 1)]
