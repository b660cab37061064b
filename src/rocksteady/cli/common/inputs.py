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
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import rocksteady as rs
from rocksteady.cli.common.options import Options, out_option, panel, result
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError, warn

if TYPE_CHECKING:
    from rocksteady.cli.common.shaking import MotionOptions

_block, _start = panel("The block"), panel("The start")
Number = float | None

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
        from rocksteady.bodies.units import suspect_centimetres

        block: rs.Block = built(rs.specs.BodySpec, {"kind": "Block", **self.given()})
        suspect_centimetres(block.height, "--height ")
        return block


@dataclass(frozen=True)
class StartOptions:
    """How it stands at the start."""

    theta0: Annotated[
        str | None,
        _start(
            "Lean at the start: rad, or 0.5a (half of α), or 5deg; negative to the left.",
            "--theta0",
            "--lean",
            metavar="ANGLE",
        ),
    ] = None
    omega0: Annotated[float, _start("Angular velocity at the start, rad/s.")] = 0.0

    def angle(self, body: Any) -> float:
        """The lean at the start [rad]; a fraction of α counts for the side it leans to."""
        if self.theta0 is None:
            return 0.0
        from rocksteady.numbers import NUMBER

        match = re.fullmatch(rf"\s*({NUMBER})\s*(a|deg|rad|)\s*", self.theta0)
        if match is None:
            raise InputError(
                f"--theta0 {self.theta0} is not an angle: give radians (0.1), a fraction of the "
                "body's α (0.5a) or degrees (5deg)."
            )
        value = float(match[1])
        if not match[2] and abs(value) >= math.pi / 2:
            raise InputError(
                f"--theta0 {self.theta0} rad lies on its side: it must be less than π/2. Degrees "
                f"are written {self.theta0.strip()}deg."
            )
        alpha: float = body.balance_angle(value, self.towards)
        return value * {"a": alpha, "deg": math.pi / 180}.get(match[2], 1.0)

    @property
    def towards(self) -> float:
        """The direction in which it leans [degrees]."""
        return 0.0

    def check_moves(self, body: Any, motion: MotionOptions) -> None:
        """Something must shake the body, or let it go."""
        if motion.motion is None and self.angle(body) == self.omega0 == 0:
            if motion.pga is not None:
                raise InputError(
                    f"--pga {motion.pga:g} says how strong a motion is to be, and there is none: "
                    "give a record with --motion, or make some with rocksteady motion generate. "
                    f"It lifts off at {math.tan(body.alpha):.3f} g: less does not rock it."
                )
            raise InputError(
                "Nothing would move: give a ground motion with --motion, or let the body go with "
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
