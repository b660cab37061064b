"""The options that commands share, and the objects they describe.

Options come in groups, one dataclass each: a command that takes a `BlockOptions` has all options
of a block. `grouped` lets Typer see them.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import rocksteady as rs
from rocksteady.cli.common.options import Options, out_option, panel, result
from rocksteady.cli.common.records import OR_A_PULSE, built, check_record, warn_if_vertical
from rocksteady.errors import InputError, warn

_block, _motion, _start = panel("The block"), panel("The ground motion"), panel("The start")
Number = float | None

UNUSUAL = 2.0  # g: whoever types more may think of m/s²
STRONG = 8.0  # g: twice what was ever recorded; whoever asks for more thinks of another unit

Json = Annotated[bool, result("Print one JSON object (SI units, radians) only.", "--json")]
FigureFile = Annotated[Path | None, out_option("Figure: .png .svg .pdf", "FILE")]
Until = Annotated[
    str,
    result(
        "When the run ends: at rest, with the motion, or after so long.",
        "--until",
        "--duration",
        metavar="rest|motion|SECONDS",
    ),
]
Quiet = Annotated[bool, result("Print nothing but warnings and errors.", "--quiet", "-q")]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """``command`` with each parameter that is a group of options replaced by those options."""
    groups: dict[str, Any] = {}
    flat: dict[str, inspect.Parameter] = {}
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        if dataclasses.is_dataclass(hints[name]):
            groups[name] = hints[name]
            own = get_type_hints(hints[name], include_extras=True)
            members = [(f.name, f.default, own[f.name]) for f in dataclasses.fields(hints[name])]
        else:
            members = [(name, parameter.default, hints[name])]
        for member, default, kind in members:
            flat[member] = inspect.Parameter(
                member, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
            )

    @functools.wraps(command)
    def call(**values: Any) -> None:
        for name, group in groups.items():
            fields = dataclasses.fields(group)
            values[name] = group(**{field.name: values.pop(field.name) for field in fields})
        command(**values)

    call.__signature__ = inspect.Signature(list(flat.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: parameter.annotation for name, parameter in flat.items()}
    return call


@dataclass(frozen=True)
class BlockOptions(Options):
    """What is shaken."""

    height: Annotated[Number, _block("Full height, m.")] = None
    width: Annotated[Number, _block("Full width of the base, m.")] = None
    com_height: Annotated[
        Number, _block("Height of the centre of mass, m; half the height unless given.")
    ] = None
    offset: Annotated[
        Number,
        _block(
            "How far the centre of mass is from the middle of the base, m; towards the right if "
            "positive."
        ),
    ] = None
    density: Annotated[Number, _block("Density, kg/m³; 2600 unless given.")] = None
    thickness: Annotated[Number, _block("Depth out of the plane, m; 1 unless given.")] = None
    mass: Annotated[Number, _block("Mass, kg; that of a full box unless given.")] = None
    inertia: Annotated[
        Number,
        _block(
            "Moment of inertia about the centre of mass, kg m²; that of a full box unless given."
        ),
    ] = None
    p: Annotated[
        Number, _block("Frequency parameter p, rad/s: with --alpha, instead of sizes.")
    ] = None
    alpha: Annotated[Number, _block("Slenderness angle α, rad: with --p, instead of sizes.")] = None
    g: Annotated[Number, _block("Acceleration of gravity, m/s²; 9.81 unless given.")] = None

    def build(self) -> rs.Block:
        """The block, from its dimensions or from its two parameters."""
        from rocksteady.systems.units import suspect_centimetres

        block: rs.Block = built(rs.specs.BodySpec, {"kind": "Block", **self.given()})
        suspect_centimetres(block.height, "--height ")
        return block


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
    pga: Annotated[Number, _motion("Scale to this largest acceleration, g.")] = None

    def build(self, block: rs.Block) -> rs.Motion | None:
        """The motion, scaled; None where none was given. A pulse may be in units of the block."""
        values = self.given()
        if self.motion is None:
            if values:
                raise InputError(f"--{next(iter(values)).replace('_', '-')} needs --motion.")
            return None

        del values["motion"]
        if values.pop("no_vertical", False):
            values["vertical"] = False
        if self.motion.startswith("pulse:"):
            if self.no_vertical:
                raise InputError("--no-vertical is for files: a pulse has no vertical component.")
            values["pulse"] = self.motion
        else:
            check_record(self.motion, OR_A_PULSE)
            values["file"] = self.motion
        motion: rs.Motion = built(rs.specs.MotionSpec, values, body=block)
        warn_if_vertical(motion)
        self._check_strength(motion, block.g)
        return motion

    def _check_strength(self, motion: rs.Motion, g: float) -> None:
        """Neither nothing at all nor what no earthquake can do."""
        if motion.pga == 0 and motion.vertical is None:
            why = "--scale 0" if self.scale == 0 else f"--motion {self.motion}"
            raise InputError(
                f"{why} leaves the ground at rest: give a motion that moves it, and a scale that "
                "is not zero (1: as it is; -1: turned round)."
            )
        if self.pga is not None and UNUSUAL < self.pga <= STRONG:
            warn(
                f"--pga {self.pga:g} is in g, and hardly any record reaches that: "
                f"{self.pga:g} m/s² would be --pga {self.pga / g:.3g}."
            )
        if motion.pga > STRONG * g:
            warn(
                f"The ground's acceleration reaches {motion.pga / g:.3g} g; earthquakes have been "
                "recorded up to some 4 g. Is the unit right? --pga is in g, a pulse's a=3 in m/s², "
                "and --unit says that of a file that names none."
            )


@dataclass(frozen=True)
class StartOptions:
    """How it stands at the start."""

    theta0: Annotated[
        str | None,
        _start(
            "Lean at the start: rad, or 0.5a (half of α), or 5deg; negative to the left.",
            metavar="ANGLE",
        ),
    ] = None
    omega0: Annotated[float, _start("Angular velocity at the start, rad/s.")] = 0.0

    def angle(self, block: rs.Block) -> float:
        """The lean at the start [rad]; a fraction of α counts for the side it leans to."""
        if self.theta0 is None:
            return 0.0
        from rocksteady.numbers import NUMBER

        match = re.fullmatch(rf"\s*({NUMBER})\s*(a|deg|rad|)\s*", self.theta0)
        if match is None:
            raise InputError(
                f"--theta0 {self.theta0} is not an angle: give radians (0.1), a fraction of the "
                "block's α (0.5a) or degrees (5deg)."
            )
        value = float(match[1])
        if not match[2] and abs(value) >= math.pi / 2:
            raise InputError(
                f"--theta0 {self.theta0} rad lies on its side: it must be less than π/2. Degrees "
                f"are written {self.theta0.strip()}deg."
            )
        side = block.right if value >= 0 else block.left
        return value * {"a": side.alpha, "deg": math.pi / 180}.get(match[2], 1.0)

    def check_moves(self, block: rs.Block, motion: MotionOptions) -> None:
        """Something must shake the block, or let it go."""
        if motion.motion is None and self.angle(block) == self.omega0 == 0:
            if motion.pga is not None:
                raise InputError(
                    f"--pga {motion.pga:g} says how strong a motion is to be, and there is none: "
                    "give a record with --motion, or make some with rocksteady motion generate. "
                    f"The block lifts off at {math.tan(block.alpha):.3f} g: less does not rock it."
                )
            raise InputError(
                "Nothing would move: give a ground motion with --motion, or let the block go with "
                "--theta0 or --omega0."
            )


def end_of_run(until: str, motion: rs.Motion | None) -> str | float:
    """When a run ends, as `simulate` takes it. A run that ends before the worst has come would say
    that all is well: of that it warns."""
    if until in ("rest", "motion"):
        return until
    try:
        seconds = float(until)
    except ValueError:
        raise InputError(
            f"--until {until} is not allowed: give rest, motion or a number of seconds."
        ) from None
    strongest = 0.0 if motion is None else motion.dt * int(abs(motion.accel).argmax())
    if 0 < seconds < strongest:
        warn(
            f"--until {seconds:g} ends the run before the motion is at its strongest, at "
            f"{strongest:.4g} s: leave it out to see the whole."
        )
    return seconds
