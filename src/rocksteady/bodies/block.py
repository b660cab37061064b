"""The free-standing rigid block: its geometry and mass."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from rocksteady.bodies.given import derived
from rocksteady.bodies.outline import OPTIONS, Outline, block_values, scaled
from rocksteady.bodies.outline_checks import from_text
from rocksteady.bodies.presets import drawn, preset_values
from rocksteady.bodies.rocker import Rocker, Side
from rocksteady.bodies.support import Polygon
from rocksteady.bodies.units import WRITTEN
from rocksteady.errors import InputError
from rocksteady.numbers import keep_floats, positive, real

STANDARD_GRAVITY = 9.81  # m/s²; the value used by all five papers


@dataclass(frozen=True)
class Block(Rocker):
    """A rigid body with a flat base that can rock about either corner.

    The default is a homogeneous rectangular block. For another shape, give the position of the
    centre of mass (``offset``, ``com_height``), the ``mass`` and the ``inertia``. What you leave
    out follows from the rest, also in a changed block: ``dataclasses.replace(block, height=3.6)``
    is the block that you get with a height of 3.6 m and all else as it was given.

    Parameters
    ----------
    height, width
        Full height 2h and full base width 2b [m].
    density
        Mass density [kg/m³], used when ``mass`` is not given.
    thickness
        Out-of-plane thickness [m], used when ``mass`` is not given.
    offset
        Horizontal position of the centre of mass, from the middle of the base towards +x [m].
    com_height
        Height of the centre of mass above the base [m]; half the height by default.
    mass
        Mass [kg]; by default density times the volume of the box.
    inertia
        Moment of inertia about the centre of mass [kg m²]; by default that of a rectangle of this
        mass.
    g
        Acceleration of gravity [m/s²].

    Examples
    --------
    >>> column = Block(height=4.2, width=0.6)
    >>> round(column.alpha, 4), round(column.p, 4)
    (0.1419, 1.8624)
    >>> column
    Block(height=4.2, width=0.6, density=2600.0, thickness=1.0, offset=0.0, g=9.81)
    """

    filmed = True
    words = ("outline", "section")
    lists = ("outline",)

    height: float
    width: float
    density: float = 2600.0
    thickness: float = 1.0
    offset: float = 0.0
    com_height: float = derived(lambda block: block.height / 2)
    mass: float = derived(lambda block: block.density * block._volume)
    inertia: float = derived(lambda block: block.mass * (block.height**2 + block.width**2) / 12)
    g: float = STANDARD_GRAVITY

    def __post_init__(self) -> None:
        self._check("height", "width", "density", "thickness", "g", "com_height", "mass", "inertia")
        if self.com_height > self.height:
            raise InputError(
                f"com_height = {self.com_height!r} m lies above the block's top: it must be "
                f"between 0 and height = {self.height!r} m."
            )
        if not abs(real(self.offset)) < self.width / 2:
            raise InputError(
                f"offset = {self.offset!r} m puts the centre of mass outside the base: |offset| "
                f"must be less than half the width, {self.width / 2!r} m; otherwise the body "
                "falls without an earthquake."
            )
        keep_floats(self, "offset")

    @property
    def _volume(self) -> float:
        return self.height * self.width * self.thickness

    @classmethod
    def from_parameters(cls, *, p: float, alpha: float, g: float = STANDARD_GRAVITY) -> Self:
        """The rectangular block with frequency parameter ``p`` [rad/s] and slenderness angle
        ``alpha`` [rad], which together determine how it rocks."""
        p, g = positive("p", p, WRITTEN["p"]), positive("g", g, WRITTEN["g"])
        if not 0 < real(alpha) < math.pi / 2:
            raise InputError(
                f"alpha = {alpha!r} rad is not a slenderness angle: give it in radians, between "
                "0 and π/2 (a slender column has about 0.1)."
            )
        R = 3 * g / (4 * p**2)
        return cls(height=2 * R * math.cos(alpha), width=2 * R * math.sin(alpha), g=g)

    @classmethod
    def from_sides(
        cls, *, p: float, alpha_right: float, alpha_left: float, g: float = STANDARD_GRAVITY
    ) -> Self:
        """The block with frequency parameter ``p`` [rad/s] of its weak side and the slenderness
        angles ``alpha_right`` and ``alpha_left`` [rad] of its two sides. Its inertia is that of a
        rectangle; it decides by how little the other side's p differs."""
        if alpha_right == alpha_left:
            return cls.from_parameters(p=p, alpha=alpha_right, g=g)
        # the weak side of a symmetric block: checks p, g and both angles
        for angle in (alpha_right, alpha_left):
            cls.from_parameters(p=p, alpha=angle, g=g)
        right, left = math.tan(alpha_right), math.tan(alpha_left)
        # p² = g R/(ρ² + R²) with ρ² = h²[4 + (tan α_r + tan α_l)²]/12 and R = h/cos α
        per_h = 1 / math.cos(min(alpha_right, alpha_left))
        h = g / p**2 * per_h / ((4 + (right + left) ** 2) / 12 + per_h**2)
        return cls(height=2 * h, width=h * (right + left), offset=h * (left - right) / 2, g=g)

    @classmethod
    def from_outline(
        cls,
        points: Sequence[Sequence[float]],
        *,
        height: float | None = None,
        scale: float | None = None,
        density: float = 2600.0,
        thickness: float = 1.0,
        mass: float | None = None,
        section: str = "flat",
        tolerance: float | None = None,
        g: float = STANDARD_GRAVITY,
    ) -> Self:
        """A homogeneous block with this outline, traced over a photograph for example. Centre and
        inertia are those of the polygon, exactly; its base is what touches the lowest line. They
        count as given: for another height or density draw the outline anew, ``dataclasses.replace``
        keeps them.

        Parameters
        ----------
        points
            The corners (x, y) in the order along the outline, x to the right and y up; a simple
            polygon, in either sense.
        height, scale
            The full height [m], or the length of one unit of the points [m]: give one of them;
            without any, the points are in metres.
        density, thickness, mass
            Density [kg/m³] and thickness [m] across the picture, or the mass [kg].
        section
            "flat" for a body of the same thickness everywhere; "round" (a vase) or "square" (an
            obelisk) for one that is as deep as it is wide, around the vertical through the middle
            of its base.
        tolerance
            Corners within this of the lowest one touch the floor [m]; 2 % of the height unless
            given.
        g
            Acceleration of gravity [m/s²].

        Examples
        --------
        >>> gable = Block.from_outline([(0, 0), (2, 0), (2, 3), (1, 4), (0, 3)], height=4.0)
        >>> gable.width, round(gable.com_height, 4)
        (2.0, 1.7619)
        """
        values = block_values(
            points,
            height=height,
            scale=scale,
            tolerance=tolerance,
            density=density,
            thickness=thickness,
            mass=mass,
            section=section,
        )
        made = cls(**values, density=density, thickness=thickness, g=g)
        seen = Outline(scaled(points, height, scale), tolerance).standing
        return made._seen_as(seen)

    @classmethod
    def parameter_names(cls) -> list[str]:
        return [*super().parameter_names(), "p", "alpha", "outline", *OPTIONS]

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        """From sizes, from ``p`` and ``alpha``, from an ``outline``, or from a ``preset`` and the
        sizes that differ from its own."""
        if "outline" in values and cls.__init__ is Block.__init__:
            return cls._outlined(values, preset)
        if preset is not None:
            made = cls.from_values(preset_values(preset, values))
            return made._seen_as(cls.drawn(values, preset))
        lost = [name for name in OPTIONS if name in values]
        if lost:
            raise InputError(f"`{lost[0]}` belongs to an `outline`, and none is given.")
        parameters = [f"`{name}`" for name in values if name in ("p", "alpha")]
        sizes = [f"`{name}`" for name in values if name not in ("p", "alpha", "g")]
        if parameters and sizes:
            raise InputError(
                f"{parameters[0]} and {sizes[0]} were both given: describe the block either by its "
                "sizes (`height` and `width`) or by its parameters (`p` and `alpha`)."
            )
        if len(parameters) == 2:
            return cls.from_parameters(**values)
        needed = ("p", "alpha") if parameters else ("height", "width")
        lacks = " and ".join(f"`{name}`" for name in needed if name not in values)
        if lacks and cls.__init__ is Block.__init__:
            raise InputError(
                f"The block lacks {lacks}: give its full `height` and `width` in metres, or `p` "
                "and `alpha`."
            )
        return super().from_values(values)

    @classmethod
    def _outlined(cls, values: dict[str, Any], preset: str | None) -> Self:
        allowed = ("outline", "height", *OPTIONS, "density", "thickness", "mass", "g")
        strange = "preset" if preset else next((n for n in values if n not in allowed), None)
        if strange:
            raise InputError(
                f"`{strange}` cannot stand beside `outline`: beside it a block takes "
                f"{', '.join(f'`{name}`' for name in allowed[1:])}; the rest follows from it."
            )
        given = dict(values)
        return cls.from_outline(from_text(given.pop("outline")), **given)

    @classmethod
    def drawn(cls, values: dict[str, Any], preset: str | None = None) -> Polygon:
        return drawn(values, preset)

    @classmethod
    def made_by(
        cls, values: dict[str, Any], preset: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        if "outline" in values:
            given = dict(values)
            return "from_outline", {"points": from_text(given.pop("outline")), **given}
        if preset is not None:
            values = preset_values(preset, values)
        return ("from_parameters" if "alpha" in values else ""), values

    # -- geometry ---------------------------------------------------------------------------

    @property
    def silhouette(self) -> Polygon:
        """The outline in which films and figures draw it, (x, y) from the middle of its base [m]:
        that of a preset or of `from_outline`, and a box for a block made of sizes."""
        b = self.width / 2
        box = ((-b, 0.0), (b, 0.0), (b, self.height), (-b, self.height))
        seen: Polygon = vars(self).get("_silhouette", box)
        return seen

    def _seen_as(self, outline: Polygon) -> Self:
        vars(self)["_silhouette"] = tuple(outline)
        return self

    def _side(self, b: float) -> Side:
        R = math.hypot(self.com_height, b)
        inertia = self.inertia + self.mass * R**2
        p = math.sqrt(self.mass * self.g * R / inertia)
        return Side(b, R, math.atan2(b, self.com_height), inertia, p)

    @cached_property
    def right(self) -> Side:
        """The block on its right corner (it leans towards +x, θ > 0)."""
        return self._side(self.width / 2 - self.offset)

    @cached_property
    def left(self) -> Side:
        """The block on its left corner (it leans towards −x, θ < 0)."""
        return self.right if self.symmetric else self._side(self.width / 2 + self.offset)

    @property
    def label(self) -> str:
        """In words: "4.2 × 0.6 m block"."""
        shape = "block" if self.symmetric else "asymmetric block"
        return f"{self.height:.4g} × {self.width:.4g} m {shape}"

    @property
    def symmetric(self) -> bool:
        """Whether the centre of mass lies above the middle of the base."""
        return self.offset == 0.0

    def rigid(self) -> Self:
        """The block itself."""
        return self

    @property
    def slenderness(self) -> float:
        """h/b: height of the centre of mass over its distance from the (weak side's) corner."""
        return self.com_height / self.weak_side.b

    # -- impact ------------------------------------------------------------------------------

    @cached_property
    def eta_to_left(self) -> float:
        """Housner's ω⁺/ω⁻ when the pivot changes from the right corner to the left one."""
        return self._eta(self.right, self.left)

    @cached_property
    def eta_to_right(self) -> float:
        """Housner's ω⁺/ω⁻ when the pivot changes from the left corner to the right one."""
        return self._eta(self.left, self.right)

    def _eta(self, before: Side, after: Side) -> float:
        # Angular momentum about the new pivot is conserved (science: Housner 1963, any body).
        arm = self.com_height**2 - before.b * after.b
        return (self.inertia + self.mass * arm) / after.inertia

    @property
    def eta(self) -> float:
        """Housner's ratio of angular velocities ω⁺/ω⁻ at an impact [-].

        For an asymmetric block, the ratio whose square is the mean energy ratio of a left and a
        right impact. Zero or negative for a block so stocky that an impact stops it.
        """
        to_left = self.eta_to_left
        if self.symmetric:
            return to_left
        to_right = self.eta_to_right
        if min(to_left, to_right) <= 0:
            return min(to_left, to_right)
        return math.sqrt(to_left * to_right)

    @property
    def r(self) -> float:
        """Housner's ratio of kinetic energies after and before an impact [-]."""
        return max(self.eta, 0.0) ** 2
