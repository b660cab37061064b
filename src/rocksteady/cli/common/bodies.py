"""The options of a body in space, beside those of a block, and of how it leans at the start."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from typer import Argument

import rocksteady as rs
from rocksteady.cli.common.inputs import BlockOptions, Number, StartOptions
from rocksteady.cli.common.options import panel
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError, held_back, warn

_body, _start = panel("Or a body in space"), panel("The start")
_column = panel("Or a flexible oscillator, with --height and --width")
OSCILLATOR = (
    "top_mass",
    "base_mass",
    "column_mass",
    "natural_frequency",
    "damping_ratio",
    "preset",
)
SCANS = (".stl", ".obj", ".ply", ".glb")
IN_A_PLANE = ("width", "thickness", "inertia", "p", "alpha")
NOT_OF_A_SCAN = ("height", "com_height", "offset", "offset_y", "top_diameter")


@dataclass(frozen=True)
class BodyOptions(BlockOptions):
    """What is shaken: a block in a plane, a body in space, or a flexible oscillator."""

    bare: ClassVar[tuple[str, ...]] = ("scan",)

    scan: Annotated[
        str | None, Argument(metavar="SCAN", help="A 3D scan of the body: .stl .obj .ply .glb.")
    ] = None
    base: Annotated[
        str | None,
        _body("Full sizes of its base along x and y, m, as in 0.45x0.60.", metavar="XxY"),
    ] = None
    diameter: Annotated[Number, _body("Of a round base, m.")] = None
    top_diameter: Annotated[
        Number, _body("Of the top of a round body, m; that of the base unless given.")
    ] = None
    offset_y: Annotated[
        Number,
        _body("How far its centre of mass is from the middle along y, m; --offset: along x."),
    ] = None
    scan_unit: Annotated[str | None, _body("Unit of the scan: m, cm, mm, in or ft.")] = None
    up: Annotated[str | None, _body("Axis of the scan that points up: x, y, z, -x, -y or -z.")] = (
        None
    )

    top_mass: Annotated[Number, _column("Mass m on its top, kg.")] = None
    base_mass: Annotated[Number, _column("Mass m_b of its base, kg.")] = None
    column_mass: Annotated[Number, _column("Mass m_c of its column, kg.")] = None
    natural_frequency: Annotated[
        Number, _column("Circular frequency ω_n on a fixed base, rad/s.")
    ] = None
    damping_ratio: Annotated[
        Number, _column("Share of critical damping on a fixed base; 0 unless given.")
    ] = None
    preset: Annotated[
        str | None,
        _column(
            "One from the literature: giouvanidis2016; what else is given replaces its values.",
            metavar="NAME",
        ),
    ] = None

    @property
    def in_space(self) -> bool:
        """Whether a body in space is described."""
        return any(value is not None for value in (self.scan, self.base, self.diameter))

    def build(self) -> Any:
        """The body in space that was described, or the block."""
        values = self.given()
        own = [name for name in ("top_diameter", "offset_y", "scan_unit", "up") if name in values]
        swaying = [name for name in OSCILLATOR if name in values]
        if swaying:
            if self.in_space or own:
                shape = next(n for n in (*own, "scan", "base", "diameter") if n in values)
                raise InputError(
                    f"{_option(swaying[0])} and {_option(shape)} were both given: the first "
                    "describes a flexible oscillator in a plane. Give one of them."
                )
            return built(rs.specs.BodySpec, {"kind": "FlexibleOscillator", **values})
        if not self.in_space:
            if own:
                raise InputError(
                    f"{_option(own[0])} is for a body in space: give its --base or --diameter, or "
                    "a scan."
                )
            return super().build()
        self._refuse(values)
        told = {name: value for name, value in values.items() if name not in RENAMED}
        told |= {RENAMED[name]: value for name, value in values.items() if name in RENAMED}
        if self.base is not None:
            del told["base"]
            told["base_x"], told["base_y"] = _sizes(self.base)
        return _built(told)

    def _refuse(self, values: dict[str, Any]) -> None:
        """What does not go together, before a message of the body has to speak of parameters."""
        if self.scan is not None:
            self._check_scan(self.scan)
        shapes = [name for name in ("scan", "base", "diameter") if name in values]
        if len(shapes) > 1:
            one, other = map(_option, shapes[:2])
            raise InputError(f"{one} and {other} were both given: describe the body in one way.")
        flat = [name for name in IN_A_PLANE if name in values]
        if flat:
            raise InputError(
                f"{_option(flat[0])} and {_option(shapes[0])} were both given: the first describes "
                "a block in a plane, the second a body in space. Give one of them."
            )
        if self.scan is None and self.height is None:
            raise InputError(f"{_option(shapes[0])} needs --height, the full height in m.")
        if self.scan is not None:
            measured = [name for name in NOT_OF_A_SCAN if name in values]
            if measured:
                raise InputError(
                    f"{_option(measured[0])} does not go with a scan, which has its own sizes and "
                    "centre of mass: a scan takes --scan-unit, --up, --density, --mass and --g."
                )

    def _check_scan(self, scan: str) -> None:
        if Path(scan).suffix.lower() not in SCANS:
            raise InputError(
                f"{scan} stands alone: a ground motion is given as in --motion {scan}. Only a 3D "
                f"scan of the body is given without an option: {', '.join(SCANS)}."
            )
        if not Path(scan).is_file():
            raise InputError(f"There is no file {scan}: give the path of a 3D scan of the body.")


def need_plane(body: Any, option: str, why: str) -> None:
    """Refuse an option that only a block in a plane can take."""
    if body.spatial:
        raise InputError(
            f"{option} {why}, and is for a block in a plane: give --height and --width. In Python "
            "body.block(direction) is what a body in space is in a plane."
        )


RENAMED = {"scan": "mesh", "scan_unit": "unit", "offset": "offset_x"}


def _option(name: str) -> str:
    return "A scan" if name == "scan" else f"--{name.replace('_', '-')}"


def _sizes(text: str) -> tuple[float, float]:
    """0.45x0.60, or 0.45 for a square."""
    from rocksteady.numbers import NUMBER

    match = re.fullmatch(rf"\s*({NUMBER})\s*(?:[xX×*]\s*({NUMBER})\s*)?", text)
    if match is None:
        raise InputError(
            f"--base {text} is not a size: give the full sizes along x and y in m, as in "
            "--base 0.45x0.60."
        )
    sizes = float(match[1]), float(match[2] or match[1])
    if not all(0 < size < math.inf for size in sizes):
        raise InputError(f"--base {text} is not allowed: both sizes must be positive, in m.")
    return sizes


def _built(values: dict[str, Any]) -> Any:
    """The body; what is said of it speaks of options."""
    from rocksteady.bodies.units import suspect_centimetres

    with held_back() as said:
        try:
            body = built(rs.specs.BodySpec, {"kind": "Body", **values})
        except InputError as error:
            raise type(error)(_as_options(str(error))) from error
    for text in said:
        warn(_as_options(text))
    if "mesh" not in values:
        suspect_centimetres(body.height, "--height ")
    return body


def _as_options(text: str) -> str:
    """The sentence with ``up="y"`` as ``--up y``, and so on."""
    text = re.sub(r"""\b(up|unit)=['"]([^'"]*)['"]""", r"--\1 \2", text)
    text = re.sub(r"^(up|unit) = '?([^']*?)'? is", r"--\1 \2 is", text)
    text = re.sub(r"--unit\b", "--scan-unit", text)
    text = re.sub(r"--offset-x\b", "--offset", text)
    return re.sub(r"--base-[xy]\b", "--base", text)


@dataclass(frozen=True)
class LeanOptions(StartOptions):
    """How it stands at the start; in space it may lean in any direction."""

    direction: Annotated[
        Number, _start("Of a body in space: where it leans at the start, degrees from x towards y.")
    ] = None

    @property
    def towards(self) -> float:
        return self.direction or 0.0

    def build(self, body: Any) -> dict[str, float]:
        """The start as `rs.simulate` takes it."""
        start = {"theta0": self.angle(body), "omega0": self.omega0}
        if self.direction is None:
            return start
        if not any(start.values()):
            raise InputError(
                f"--direction {self.direction:g} says where the body leans at the start, and it "
                "does not: give --theta0, or --turn to turn the motion."
            )
        return {**start, "direction": self.direction}
