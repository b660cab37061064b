"""What motions are made of: one record, a stochastic model, or the samples themselves."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, FiniteFloat, PositiveFloat, PositiveInt, model_validator

from rocksteady.motion import Motion, read_motion
from rocksteady.motion.collection import UndecidedError
from rocksteady.specs.spec import Spec

Tell = Callable[[str, int, int], Any]
"""Called with what is being done, how much of it is done, and the total."""


def silent(what: str, done: int, total: int) -> None:
    """Report nothing."""


def one_motion(path: Path, component: str | None = None, **reading: Any) -> Motion:
    """The only motion in a file, or the one that was chosen."""
    motion: Motion | dict[str, Motion] = read_motion(path, component, **reading)
    if isinstance(motion, dict):
        raise UndecidedError(several(str(path), motion))
    return motion


def several(name: str, motions: Mapping[str, Motion]) -> str:
    return (
        f"{name} has several components, {', '.join(motions)}: choose one with component = "
        f'{next(iter(motions))!r}, or take all horizontal ones with components = "horizontal".'
    )


class Stochastic(Spec):
    """``stochastic = {count = 20, seed = 1}``: by Rezaeian and Der Kiureghian, their parameters
    drawn from the published distributions; or all six given, or fitted to a record by ``like``."""

    count: PositiveInt
    seed: int = Field(default=0, ge=0)
    dt: PositiveFloat = 0.01
    like: Path | None = None
    sets: PositiveInt | None = None
    """Draw only so many sets of parameters and make several motions from each: much quicker, but
    the motions of one set are one draw of the population."""
    only: PositiveInt | None = None
    """Make only this one of the count, from 1: the same motion as among all of them."""
    components: int = Field(default=1, ge=1, le=3)
    """1; for bodies in space 2 (both horizontal) or 3 (and the vertical one, times 2/3)."""
    arias: PositiveFloat | None = None
    d5_95: PositiveFloat | None = None
    t_mid: PositiveFloat | None = None
    frequency_mid: PositiveFloat | None = None
    frequency_rate: FiniteFloat | None = None
    damping: PositiveFloat | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in SIX if getattr(self, name) is not None]
        if given and len(given) < len(SIX):
            missing = [name for name in SIX if name not in given]
            raise ValueError(f"{', '.join(missing)} must be given, too, or none of the six")
        if given and self.like is not None:
            raise ValueError(f"like cannot stand beside {given[0]}: give one of them")
        if self.sets is not None and (given or self.like is not None):
            raise ValueError("sets says how many sets of parameters to draw: leave it out here")
        if self.sets is not None and self.sets > self.count:
            raise ValueError(f"sets must not exceed the count of motions, {self.count}")
        if self.only is not None and (self.only > self.count or self.components > 1):
            raise ValueError(f"only is one of the count, 1 to {self.count}, of one component")
        return self

    def build(self, folder: Path, tell: Tell = silent) -> list[Motion]:
        from rocksteady.motion.generate import stochastic

        parameters: stochastic.Parameters | list[stochastic.Parameters] | None = None
        if self.sets is not None:
            drawn = stochastic.sample_parameters(self.sets, self.seed)
            parameters = [drawn[i * self.sets // self.count] for i in range(self.count)]
        elif self.like is not None:
            parameters = stochastic.fit(one_motion(folder / self.like))
        elif self.arias is not None:
            parameters = stochastic.Parameters(*(getattr(self, name) for name in SIX))
        if self.only is not None:
            return [stochastic.one_of(self.only, self.seed, parameters, dt=self.dt)]
        return stochastic.ensemble(
            self.count,
            self.seed,
            parameters,
            dt=self.dt,
            components=self.components,
            progress=lambda done, total: tell("Making stochastic motions", done, total),
        )

    def names(self) -> list[str]:
        """Of the motions: "stochastic 007"."""
        numbers = range(1, self.count + 1) if self.only is None else (self.only,)
        return [f"stochastic {i:0{len(str(self.count))}d}" for i in numbers]


SIX = ("arias", "d5_95", "t_mid", "frequency_mid", "frequency_rate", "damping")


class Samples(Spec):
    """A motion itself: accelerations [m/s²] at equal time steps [s]."""

    accel: list[FiniteFloat] = Field(min_length=2)
    dt: PositiveFloat
    vertical: list[FiniteFloat] | None = None
    transverse: list[FiniteFloat] | None = None
    name: str = ""
    meta: dict[str, Any] = Field(default={})

    def build(self) -> Motion:
        meta = restored_meta(self.meta)
        return Motion(self.accel, self.dt, self.vertical, self.transverse, self.name, meta)


def kept_meta(motion: Motion) -> dict[str, Any]:
    """What is known of a motion, as far as JSON can hold it."""
    return {name: value for name, value in motion.meta.items() if _fits_json(value)}


def restored_meta(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The same again: JSON has no tuples."""
    return {n: tuple(value) if n == "history" else value for n, value in kept.items()}


def _fits_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True
