"""A rigid body in space with a flat base: its geometry and mass."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from rocksteady.bodies import body_values, solids
from rocksteady.bodies.block import STANDARD_GRAVITY
from rocksteady.bodies.body_checks import (
    checked_centre,
    checked_inertia,
    checked_shape,
    refuse_falling,
)
from rocksteady.bodies.solids import Matrix, Shape, Vector
from rocksteady.bodies.standing import Standing
from rocksteady.bodies.support import (
    Polygon,
    checked_base,
    checked_outline,
    simplified,
    unit_vector,
)
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive

FINE = 0.01  # share of a scanned base that may be lost without a word


@dataclass(frozen=True)
class Body(Standing):
    """A rigid body in space that stands on a flat base: a convex polygon or a circle.

    Axes x and y are horizontal and z is up, from a point of the base: the middle of a box, the
    centre of a circle. Most bodies are made by :meth:`box`, :meth:`cylinder`, :meth:`prism`,
    :meth:`drum`, :meth:`cone`, :meth:`stacked` or :meth:`from_mesh`.

    Parameters
    ----------
    mass
        Mass [kg].
    inertia
        Inertia tensor about the centre of mass, 3 × 3, or its diagonal [kg m²].
    centre
        (x, y, z) of the centre of mass [m]; z is its height above the base.
    height
        Overall height [m].
    base
        Corners (x, y) of a convex base [m], in the order along its outline; at most 32 are kept.
    radius
        Radius of a circular base around the origin [m], in place of ``base``.
    g
        Acceleration of gravity [m/s²].
    shape
        What films draw: (vertices [m], faces).

    Examples
    --------
    >>> statue = Body.box(0.45, 0.60, 1.8)
    >>> round(statue.alpha, 4), round(statue.p, 4), statue.weakest
    (0.245, 2.8162, 0.0)
    >>> round(statue.limit(90), 4)
    0.3218
    """

    mass: float
    inertia: Matrix
    centre: Vector
    height: float
    base: Polygon = ()
    radius: float | None = None
    g: float = STANDARD_GRAVITY
    shape: Shape | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check("mass", "height", "g")
        if (self.radius is None) == (len(self.base) == 0):
            raise InputError(
                "A body stands on one base: give either the corners of its `base` or the `radius` "
                "of a circle."
            )
        if self.radius is None:
            self._keep(base=checked_base(self.base, stacklevel=5))
        else:
            self._check("radius")
            self._keep(base=())
        self._keep(
            inertia=checked_inertia(self.inertia),
            centre=checked_centre(self.centre, self.height),
            shape=checked_shape(self.shape),
        )
        refuse_falling(self._reaches, self.centre)

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def parameter_names(cls) -> list[str]:
        return list(dict.fromkeys((*super().parameter_names(), *body_values.names())))

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        """From the sizes of a box (``base_x``, ``base_y``, ``height``) or of a round body
        (``diameter``, ``height``), from a scan (``mesh``), or from the fields."""
        given = body_values.with_preset(values, preset)
        made = body_values.build(cls, given)
        return super().from_values(given) if made is None else made  # type: ignore[return-value]

    @classmethod
    def made_by(
        cls, values: dict[str, Any], preset: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        return body_values.written(values, preset) or super().made_by(values, preset)

    # -- made from dimensions ---------------------------------------------------------------------

    @classmethod
    def box(cls, x: float, y: float, height: float, **options: Any) -> Self:
        """A box of full sizes ``x`` and ``y`` [m] around the origin. ``options`` are those of
        :meth:`prism`."""
        a, b = (positive(n, v, "m") / 2 for n, v in (("x", x), ("y", y)))
        return cls.prism(((-a, -b), (a, -b), (a, b), (-a, b)), height, **options)

    @classmethod
    def prism(
        cls,
        polygon: Sequence[Sequence[float]],
        height: float,
        *,
        taper: float = 1.0,
        **options: Any,
    ) -> Self:
        """An upright prism over a convex ``polygon``, the (x, y) of its corners [m]. ``taper`` is
        the size of its top over that of its base: 0.7 for an obelisk, 0 for a pyramid. It stands
        on at most 32 of the corners; its mass, centre and inertia are those of all.

        Options, of all bodies made from dimensions: ``density`` [kg/m³], 2600 by default, or the
        ``mass`` [kg]; ``offset``, by which (x, y) the centre of mass lies beside that of the
        homogeneous solid [m]; ``com_height``, its height above the base [m]; ``g`` [m/s²]. The
        inertia about the centre of mass is always that of the homogeneous solid.
        """
        height = positive("height", height, "m")
        taper = finite("taper", taper, minimum=0.0)
        outline = checked_outline(polygon)
        solid = solids.prism(outline, height, taper)
        shape = solids.prism_shape(outline, height, solids.scaled(outline, solid.centre, taper))
        return cls._solid(solid, height, shape, {"base": simplified(outline)}, **options)

    @classmethod
    def cylinder(cls, diameter: float, height: float, **options: Any) -> Self:
        """An upright cylinder; ``options`` as of :meth:`prism`."""
        across = positive("diameter", diameter, "m")
        return cls.drum(across, across, height, **options)

    @classmethod
    def cone(cls, diameter: float, height: float, **options: Any) -> Self:
        """A cone on its base; ``options`` as of :meth:`prism`."""
        return cls.drum(positive("diameter", diameter, "m"), 0.0, height, **options)

    @classmethod
    def drum(cls, bottom: float, top: float, height: float, **options: Any) -> Self:
        """A round body whose diameter runs from ``bottom`` to ``top`` [m], as the drum of a column
        or a truncated cone; ``options`` as of :meth:`prism`."""
        height = positive("height", height, "m")
        a = positive("bottom diameter", bottom, "m") / 2
        b = finite("top diameter", top, "m", minimum=0.0) / 2
        shape = solids.frustum_shape(a, b, height)
        return cls._solid(solids.frustum(a, b, height), height, shape, {"radius": a}, **options)

    @classmethod
    def from_mesh(
        cls,
        path: str | Path,
        *,
        density: float = 2600.0,
        mass: float | None = None,
        unit: str | None = None,
        up: str | None = None,
        turn: float = 0.0,
        tolerance: float | None = None,
        g: float = STANDARD_GRAVITY,
    ) -> Self:
        """A homogeneous body from a 3D scan: an STL, OBJ, PLY or GLB file.

        Its base is the convex hull of what touches the floor. What is guessed, repaired or doubtful
        is said in warnings.

        Parameters
        ----------
        path
            The file.
        density, mass
            Density [kg/m³], or the mass if it is known [kg].
        unit
            Unit of the file: "m", "cm", "mm", "in" or "ft". Guessed unless given.
        up
            Axis of the file that points up: "x", "y", "z", "-x", "-y" or "-z"; or "rest", which
            sets it on the points that it comes to rest on, with z about up: an uneven rock. By
            default z if it stands like that; else it is set on its best flat face.
        turn
            Turn it about the vertical by so many degrees, from x towards y.
        tolerance
            What is nearer to the floor than this touches it [m], at most 5 % of its height; by
            default a thousandth of its size. A large one makes the base larger, and the body seems
            safer than it is: a warning says by how much.
        g
            Acceleration of gravity [m/s²].
        """
        from rocksteady.bodies.meshes.scan import scanned  # late: SciPy's hull is slow to import

        scan = scanned(path, unit, up, tolerance)
        heavy = solids.weighed(scan.solid, density, mass)
        base = checked_base(scan.base, silent=FINE)
        height, shape = scan.height, scan.shape
        made = cls(heavy.volume, heavy.inertia, heavy.centre, height, base, g=g, shape=shape)
        return made.turned(turn) if turn else made

    @classmethod
    def _solid(
        cls,
        solid: solids.Solid,
        height: float,
        shape: Shape,
        base: dict[str, Any],
        *,
        density: float = 2600.0,
        mass: float | None = None,
        offset: Sequence[float] = (0.0, 0.0),
        com_height: float | None = None,
        g: float = STANDARD_GRAVITY,
    ) -> Self:
        heavy = solids.weighed(solid, density, mass)
        x, y, z = heavy.centre
        try:
            dx, dy = offset
        except (TypeError, ValueError):
            raise InputError(
                f"offset = {offset!r} is not allowed: give the (x, y) in metres by which the "
                "centre of mass lies beside that of the homogeneous solid."
            ) from None
        z = z if com_height is None else positive("com_height", com_height, "m")
        centre = (x + finite("offset", dx, "m"), y + finite("offset", dy, "m"), z)
        return cls(heavy.volume, heavy.inertia, centre, height, g=g, shape=shape, **base)

    @classmethod
    def stacked(
        cls, parts: Sequence["Body"], offsets: Sequence[Sequence[float]] | None = None
    ) -> Self:
        """Parts on top of each other, the lowest first, that move as one body (a vase fixed on its
        plinth): it stands on the base of the lowest. ``offsets``: where the origin of each part
        lies, (x, y) from that of the lowest [m]; all in line by default."""
        parts = tuple(parts)
        if not parts or not all(isinstance(part, Body) for part in parts):
            raise InputError("stacked takes a list of bodies: rs.Body.stacked([plinth, vase]).")
        places = offsets if offsets is not None else [(0.0, 0.0)] * len(parts)
        if len(places) != len(parts):
            raise InputError(f"{len(parts)} parts need as many offsets, not {len(places)}.")
        level, solid_parts, shapes = 0.0, [], []
        for part, (dx, dy) in zip(parts, places, strict=True):
            x, y, z = part.centre
            placed = (x + float(dx), y + float(dy), z + level)
            solid_parts.append(solids.Solid(part.mass, placed, part.inertia))
            if part.shape is not None:
                shapes.append(part.shape.moved(float(dx), float(dy), level))
            level += part.height
        whole = solids.joined(solid_parts)
        first = parts[0]
        at = (-float(places[0][0]), -float(places[0][1]))  # the lowest stays where its base is
        centre = (whole.centre[0] + at[0], whole.centre[1] + at[1], whole.centre[2])
        shape = solids.joined_shape(shapes).moved(*at, 0.0) if shapes else None
        return cls(
            whole.volume,
            whole.inertia,
            centre,
            level,
            base=first.base,
            radius=first.radius,
            g=first.g,
            shape=shape,
        )

    def turned(self, degrees: float) -> Self:
        """The body turned about the vertical through its origin, from x towards y."""
        c, s = unit_vector(finite("degrees", degrees))
        x, y, z = self.centre
        return replace(
            self,
            inertia=solids.turned(self.inertia, c, s),
            centre=(c * x - s * y, s * x + c * y, z),
            base=tuple((c * a - s * b, s * a + c * b) for a, b in self.base),
            shape=None if self.shape is None else self.shape.turned(c, s),
        )
