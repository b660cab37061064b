"""What is typed after `rocksteady assembly`: files of stones, how they are made, how they move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from typer import Argument

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import built
from rocksteady.cli.common.theory import set_options
from rocksteady.errors import InputError

_stones, _how = panel("The stones"), panel("How they move")
Number = float | None
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
USUAL = "blocks"  # the formulation
FILES = (".json", ".dxf", ".svg")
STONES = {"the stones": FILES, "picture": (".png", ".pdf")}
FOLDER = ("assembly.json", "assembly.png")
DRAWN = (".dxf", ".svg")
DRAWN_AS = {"density": "2000 kg/m³", "thickness": "1 m", "friction": "0.7"}
SET_ONLY = ("spacing", "law", "alpha_hht", "beta_hht", "gamma_hht")
PYTHON = {  # what a sentence says of Python, and what to type instead
    "`scale`": "--drawing-unit",
    "ground=True": "--ground",
    "sliding=False": "--no-sliding",
    "dynamic_push": "rocksteady assembly limit --dynamic",
}


@dataclass(frozen=True)
class MaterialOptions(Options):
    """What all stones of a new assembly have in common."""

    friction: Annotated[
        Number, _stones("Coulomb's coefficient of the joints; 0.7 unless given.")
    ] = None
    density: Annotated[Number, _stones("Density, kg/m³; 2000, of a plinth 2400, unless given.")] = (
        None
    )
    thickness: Annotated[Number, _stones("Thickness across the plane, m; 1 unless given.")] = None
    name: Annotated[str | None, _stones("What tables and pictures call it.")] = None
    g: Annotated[Number, _stones("Acceleration of gravity, m/s²; 9.81 unless given.")] = None

    def build(self, structure: str, **sizes: Any) -> rs.Assembly:
        """The assembly of such a structure with these sizes, those that were given."""
        values = {name: value for name, value in sizes.items() if value is not None}
        with in_options():
            made: rs.Assembly = built(
                rs.specs.BodySpec,
                {"kind": "Assembly", "structure": structure, **values, **self.given()},
            )
        return made


@dataclass(frozen=True)
class StonesOptions(Options):
    """An assembly from a file."""

    bare: ClassVar[tuple[str, ...]] = ("file",)

    file: Annotated[
        str | None,
        Argument(metavar="FILE", help="The stones: .json (ours, or of COMPAS), .dxf or .svg."),
    ] = None
    drawing_unit: Annotated[
        str | None, _stones("Unit of a drawing that names none: m, cm, mm, in or ft.")
    ] = None
    ground: Annotated[
        bool, _stones("Add a fixed ground below the lowest stone of a drawing.", "--ground")
    ] = False
    friction: Annotated[
        Number,
        _stones("Coulomb's coefficient of the joints; that of the file, or 0.7, unless given."),
    ] = None
    density: Annotated[
        Number, _stones("Density of the stones of a drawing, kg/m³; 2000 unless given.")
    ] = None
    thickness: Annotated[
        Number, _stones("Their thickness across the plane, m; 1 unless given.")
    ] = None

    def build(self) -> rs.Assembly:
        """The assembly, checked."""
        if self.file is None:
            raise InputError(
                "Give the file of the stones, as in rocksteady assembly info wall.json. "
                "rocksteady assembly wall --help says how one is made."
            )
        if not Path(self.file).is_file():
            raise InputError(
                f"There is no file {self.file}: give the path of an assembly, "
                f"{', '.join(FILES[:-1])} or {FILES[-1]}. rocksteady assembly --help lists what "
                "makes one."
            )
        given = self.given()
        del given["file"]
        unit = given.pop("drawing_unit", None)
        if unit is not None:
            if unit not in UNITS:
                raise InputError(
                    f"--drawing-unit {unit} is not known: give {', '.join(UNITS)}, the unit in "
                    "which the stones were drawn."
                )
            given["scale"] = UNITS[unit]
        with in_options():
            return rs.read_assembly(self.file, **given)

    @property
    def assumed(self) -> str:
        """What was taken because a drawing does not say it, in a sentence; empty for other
        files."""
        if self.file is None or Path(self.file).suffix.lower() not in DRAWN:
            return ""
        given = self.given()
        taken = [f"{name} {value}" for name, value in DRAWN_AS.items() if name not in given]
        if not taken:
            return ""
        words = ", ".join(taken[:-1]) + " and " * (len(taken) > 1) + taken[-1]
        options = " or ".join(f"--{name}" for name in DRAWN_AS if name not in given)
        was, them = ("were", "them") if len(taken) > 1 else ("was", "it")
        return f"A drawing has outlines only: {words} {was} assumed; change {them} by {options}."


Rule = Annotated[
    str | None,
    _how(
        "located: impacts found in time, for columns, frames and small arches; stepped: "
        "Moreau and Jean's rule, for walls. By default the number of joints decides.",
        metavar="located|stepped",
    ),
]
Restitution = Annotated[
    Number,
    _how("Newton's coefficient of restitution, 0 to 1; default: 0, which is Housner's loss."),
]
Share = Annotated[
    Number, _how("Share of a landing corner's impulse that the other corner takes; default: 0.")
]


@dataclass(frozen=True)
class DynamicsOptions(Options):
    """How rigid stones are moved."""

    rule: Rule = None
    step: Annotated[
        Number, _how("Longest time step, s; default: 0.005 (located) or 0.001 (stepped).")
    ] = None
    restitution: Restitution = None
    share: Share = None

    def build(self) -> rs.BlockDynamics:
        """The theory."""
        with in_options():
            made: rs.BlockDynamics = built(
                rs.specs.TheorySpec, {"name": "BlockDynamics", **self.given()}
            )
        return made


@dataclass(frozen=True)
class StonesTheoryOptions(Options):
    """How stones are moved: as rigid ones, or on springs in their joints."""

    formulation: Annotated[
        str | None,
        _how(
            "blocks: rigid stones; joints: springs in the joints, and the time step sets the loss "
            "at impacts; or your own theory, as module:Class. Default: blocks.",
            metavar="NAME",
        ),
    ] = None
    rule: Rule = None
    step: Annotated[
        Number,
        _how(
            "With blocks the longest time step, s; default: 0.005 (located) or 0.001 (stepped). "
            "With joints the step itself; default: the one that gives the loss, by the law."
        ),
    ] = None
    restitution: Restitution = None
    share: Share = None
    r: Annotated[
        Number,
        _how(
            "With joints: kinetic energy after an impact over that before it, instead of --step; "
            "default: Housner's."
        ),
    ] = None
    k_n: Annotated[
        Number, _how("With joints: stiffness of their springs, N/m³; default: 5e8.", "--k-n")
    ] = None
    set: Annotated[
        list[str] | None,
        _how(
            "Any other option of the formulation, such as spacing=0.05; may be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None

    def build(self, *, film: bool = False) -> rs.Formulation:
        """The theory; for a ``film`` rigid stones are followed until their rubble lies still."""
        from rocksteady.registry import class_of
        from rocksteady.theories.registry import FORMULATIONS

        values = self.given()
        values["name"] = name = values.pop("formulation", None) or USUAL
        values |= set_options(values.pop("set", ()))
        with rs.allow_modules(name.partition(":")[0]), in_options():  # typed here
            theory = class_of(FORMULATIONS.named(name))
            known = {field.name for field in fields(theory)} if is_dataclass(theory) else {name}
            if "dt" in known and "step" not in known and "step" in values:
                values["dt"] = values.pop("step")
            if film and "rubble" in known:
                values.setdefault("rubble", True)
            return built(rs.specs.TheorySpec, values)  # type: ignore[no-any-return]


@contextmanager
def in_options() -> Iterator[None]:
    """Errors speak of options, not of Python's arguments."""
    try:
        yield
    except InputError as error:
        raise type(error)(as_options(str(error))) from error


def as_options(text: str) -> str:
    """The sentence with ``rule = 'x' is`` as ``--rule x is``, and so on."""
    text = text.replace("dt = [s]", "--step")
    text = re.sub(r"\b(dt|r) = (\S+) and r = (\S+) were", r"\1 = \2 and --r \3 were", text)
    text = re.sub(r"^dt = (\S+)", r"--step \1", text)
    text = re.sub(r" has no '(\w+)': ", lambda m: f" does not take {_option(m[1])}: ", text)
    text = re.sub(r"`scale`, the length of one unit in metres \([^)]*\)", "--drawing-unit", text)
    for python, typed in PYTHON.items():
        text = text.replace(python, typed)
    text = re.sub(r"\brule='(\w+)'", r"--rule \1", text)
    text = re.sub(r"`(\w+)`", lambda m: _option(m[1]), text)
    return re.sub(
        r"""^([a-z_]+) = (['"]?)((?:(?!, ).)*?)\2 is """,
        lambda m: f"{_option(m[1])} {m[3]} is ",
        text,
    )


def _option(name: str) -> str:
    if name in SET_ONLY:
        return f"--set {name}"
    return "--" + name.replace("_", "-")
