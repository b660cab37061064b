"""The ground motion of one run from the command line: a record, its components, or a pulse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import OR_A_PULSE, built, check_record, in_its_units
from rocksteady.errors import InputError, warn

_motion = panel("The ground motion")
Number = float | None

UNUSUAL = 2.0  # g: whoever types more may think of m/s²
STRONG = 8.0  # g: twice what was ever recorded; whoever asks for more thinks of another unit


@dataclass(frozen=True)
class MotionOptions(Options):
    """What shakes it."""

    motion: Annotated[
        str | None,
        _motion(
            "A record in any known format, or a pulse such as pulse:sine,a=0.45g,w=5.75p: sine, "
            "cosine, rectangular, ricker or mavroeidis.",
            "--motion",
            "-m",
            metavar="FILE|pulse:…",
        ),
    ] = None
    transverse: Annotated[
        str | None,
        _motion(
            "Record of the other horizontal component, along y. Without it a body in space is "
            "shaken by all components in the file of --motion, or in those of its station.",
            metavar="FILE",
        ),
    ] = None
    vertical: Annotated[
        str | None, _motion("Record of the vertical component.", metavar="FILE")
    ] = None
    turn: Annotated[
        Number,
        _motion(
            "Turn the horizontal components, degrees: x becomes the direction at this angle from "
            "the first towards the second, as if the body were turned like that."
        ),
    ] = None
    component: Annotated[str | None, _motion("Which one, of a file with several.")] = None
    dt: Annotated[Number, _motion("Time step, s, of a file that has none.")] = None
    unit: Annotated[str | None, _motion("Unit of a file that names none: g, m/s2, cm/s2, …")] = None
    decimal: Annotated[
        str | None, _motion("Decimal sign of an ambiguous table: comma or point.")
    ] = None
    sensitivity: Annotated[Number, _motion("Counts per m/s² (miniSEED, SAC, COSMOS).")] = None
    differentiate: Annotated[
        bool, _motion("Turn velocities into accelerations.", "--differentiate")
    ] = False
    any_peak: Annotated[
        bool, _motion("Accept a peak above 5 g, refused otherwise.", "--any-peak")
    ] = False
    no_vertical: Annotated[
        bool, _motion("Leave out the file's vertical component.", "--no-vertical")
    ] = False
    scale: Annotated[
        Number, _motion("Multiply the accelerations by this; -1: the other way round.")
    ] = None
    pga: Annotated[
        Number,
        _motion(
            "Scale to this largest acceleration, g: that of the first component, before --turn."
        ),
    ] = None

    def build(self, body: Any, how: rs.Formulation | None = None) -> rs.Motion | None:
        """The motion, scaled and turned; None where none was given. A pulse may be in units of the
        body. All components are read for a theory that takes them."""
        values = self.given()
        if self.motion is None:
            if values:
                raise InputError(f"--{next(iter(values)).replace('_', '-')} needs --motion.")
            return None
        in_space = how is not None and "transverse" in how.components
        motion = self._whole(values, body, in_space or self.turn is not None)
        if self.turn is not None:
            motion = self._turned(motion, in_space)
        self._check_strength(motion)
        return motion

    @property
    def sources(self) -> list[str | None]:
        """The files that are read: what must not be written over."""
        return [self.motion, self.transverse, self.vertical]

    def _whole(self, values: dict[str, Any], body: Any, every: bool) -> rs.Motion:
        """All components as one motion, scaled; ``every``: also those in other files of the
        station."""
        from rocksteady.motion.components import paired
        from rocksteady.motion.units import GRAVITY_UNIT

        beside = {role: values.pop(role, None) for role in ("transverse", "vertical")}
        given = {role: file for role, file in beside.items() if file is not None}
        values.pop("turn", None)
        if not given:
            return self._read(values, body, every and self.component is None)
        if self.scale is not None and self.pga is not None:
            raise InputError(
                f"--scale {self.scale:g} and --pga {self.pga:g} were both given: give one of them."
            )
        if self.no_vertical and self.vertical is not None:
            raise InputError("--vertical and --no-vertical were both given: give one of them.")
        values = {n: value for n, value in values.items() if n not in ("scale", "pga")}
        motion = self._read(values, body, False)
        for role, file in given.items():
            _check_beside(role, file)
            other = self._read({**values, "motion": file, "no_vertical": False}, body, False)
            motion, other = paired(motion, other)  # as long as the longer one, as fine as the finer
            motion = getattr(motion, f"with_{role}")(other)
        if self.scale is not None:
            return motion.scaled(self.scale)
        return motion if self.pga is None else motion.scaled_to(pga=self.pga * GRAVITY_UNIT)

    def _read(self, values: dict[str, Any], body: Any, whole: bool) -> rs.Motion:
        """A pulse, a file, or as a ``whole`` the record of a station."""
        values = dict(values)
        file = values.pop("motion")
        if values.pop("no_vertical", False):
            values["vertical"] = False
        if file.startswith("pulse:"):
            if self.no_vertical:
                raise InputError("--no-vertical is for files: a pulse has no vertical component.")
            values["pulse"] = file
        else:
            check_record(file, OR_A_PULSE)
            values["record" if whole else "file"] = file
        motion: rs.Motion = built(rs.specs.MotionSpec, values, body=in_its_units(body))
        return motion

    def _turned(self, motion: rs.Motion, in_space: bool) -> rs.Motion:
        """Turned by ``--turn``; in a plane only the component that has become the first remains."""
        from rocksteady.motion.components import turned

        if motion.transverse is None:
            motion = motion.with_transverse(0 * motion.accel)
        motion = turned(motion, self.turn or 0.0)
        return motion if in_space else motion.with_transverse(None)

    def _check_strength(self, motion: rs.Motion) -> None:
        """Neither nothing at all nor what no earthquake can do."""
        from rocksteady.motion.units import GRAVITY_UNIT

        if not any(component.any() for component in motion.components.values()):
            why = "--scale 0" if self.scale == 0 else f"--motion {self.motion}"
            raise InputError(
                f"{why} leaves the ground at rest: give a motion that moves it, and a scale that "
                "is not zero (1: as it is; -1: turned round)."
            )
        if self.pga is not None and UNUSUAL < self.pga <= STRONG:
            warn(
                f"--pga {self.pga:g} is in g, and hardly any record reaches that: "
                f"{self.pga:g} m/s² would be --pga {self.pga / GRAVITY_UNIT:.3g}."
            )
        if motion.pga > STRONG * GRAVITY_UNIT:
            warn(
                f"The ground's acceleration reaches {motion.pga / GRAVITY_UNIT:.3g} g; earthquakes "
                "have been recorded up to some 4 g. Is the unit right? --pga is in g, a pulse's "
                "a=3 in m/s², and --unit says that of a file that names none."
            )


def _check_beside(role: str, file: str) -> None:
    """Refuse what is no record of another component."""
    if file.startswith("pulse:"):
        raise InputError(
            f"--{role} {file} is not allowed: it takes a record, not a pulse. A pulse is given "
            "with --motion and acts along x; --turn sets its direction."
        )
    check_record(file)
