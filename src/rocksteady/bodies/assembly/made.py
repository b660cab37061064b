"""Common structures as class methods of an assembly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from rocksteady.bodies.assembly.generators import arches, columns, frames, walls
from rocksteady.bodies.assembly.generators.common import Material
from rocksteady.bodies.assembly.stone import STONE
from rocksteady.bodies.system import System


class Made(System):
    """Assemblies made from a few dimensions. Each stands on a fixed stone, the "ground".

    ``density`` [kg/m³] and ``thickness`` across the plane [m] are those of all stones; further
    ``options`` are those of `Assembly`: ``friction``, ``joint_friction``, ``links``, ``name``,
    ``g``.
    """

    @classmethod
    def drums(
        cls,
        count: int,
        height: float,
        width: float,
        *,
        top_width: float | None = None,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """A column of ``count`` drums of equal height, ``height`` [m] in all. Its width [m] runs
        evenly from ``width`` at the foot to ``top_width``, the same unless given."""
        stones = columns.drums(count, height, width, top_width, Material(density, thickness))
        return cls._of(stones, "column", options)

    @classmethod
    def pedestal(
        cls,
        statue: Any,
        pedestal: Any,
        *,
        statue_density: float | None = None,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """A statue that stands free on a pedestal that stands free. Each is a (width, height) [m],
        a `Block`, or the (x, y) [m] of the corners of its outline; their bases are centred."""
        made_of = Material(density, thickness)
        return cls._of(
            columns.pedestal(statue, pedestal, made_of, statue_density), "statue", options
        )

    @classmethod
    def vase_on_plinth(
        cls,
        height: float = 1.5,
        width: float = 0.4,
        *,
        density: float = 2400.0,
        mass: float | None = None,
        **options: Any,
    ) -> Self:
        """A vase that stands free on a plinth that stands free: the two parts of the preset
        "vase_fixed_on_plinth", not fixed to each other. ``height`` of both together and ``width``
        of the plinth [m]; ``density`` of the plinth [kg/m³], of which the hollow vase has 0.4, or
        the ``mass`` of both [kg]."""
        stones = columns.vase_on_plinth(height, width, density, mass)
        return cls._of(stones, "vase on a plinth", options)

    @classmethod
    def portal(
        cls,
        width: float,
        height: float,
        beam_length: float,
        beam_height: float,
        *,
        columns: int = 2,
        overhang: float | None = None,
        drums: int = 1,
        split: bool = False,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """Columns of ``width`` and ``height`` [m] at equal distances under one beam, which reaches
        ``overhang`` [m] beyond the outer columns: half their width unless given. For a colonnade,
        each column may be made of ``drums`` of equal height, and the beam may be ``split`` above
        the inner columns, as architraves are."""
        made_of = Material(density, thickness)
        sizes = width, height, beam_length, beam_height
        stones = frames.portal(*sizes, columns, overhang, drums, split, made_of)
        return cls._of(stones, "portal", options)

    @classmethod
    def trilith(
        cls,
        width: float,
        height: float,
        gap: float,
        lintel_height: float,
        *,
        overhang: float = 0.0,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """Two uprights of ``width`` and ``height`` [m], ``gap`` [m] apart, under a lintel that ends
        ``overhang`` [m] beyond their outer faces."""
        made_of = Material(density, thickness)
        stones = frames.trilith(width, height, gap, lintel_height, overhang, made_of)
        return cls._of(stones, "trilith", options)

    @classmethod
    def arch(
        cls,
        voussoirs: int,
        ring: float,
        *,
        span: float | None = None,
        rise: float | None = None,
        radius: float | None = None,
        embrace: float | None = None,
        sectors: bool = True,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """A round arch of equal voussoirs between fixed abutments.

        ``ring`` is the thickness of its ring in the plane [m]. Give its clear ``span`` and ``rise``
        [m], or the ``radius`` of its middle line [m] and the angle it embraces, ``embrace``
        [degrees]; 1 m and 180° unless given. The voussoirs are drawn with straight chords, but
        weigh as the sectors they are; ``sectors=False`` gives them the mass of their polygons.
        """
        shape = arches.ring_of(ring, span, rise, radius, embrace)
        stones = arches.arch(voussoirs, shape, sectors, Material(density, thickness))
        return cls._of(stones, "arch", options)

    @classmethod
    def buttressed_arch(
        cls,
        voussoirs: int,
        ring: float,
        *,
        buttress_width: float,
        buttress_height: float,
        courses: int = 1,
        span: float | None = None,
        rise: float | None = None,
        radius: float | None = None,
        embrace: float | None = None,
        sectors: bool = True,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """As :meth:`arch`, of at most 180°, on two buttresses that stand free on the ground, of
        ``courses`` stones each: ``buttress_height`` [m] is that of the springing."""
        shape = arches.ring_of(ring, span, rise, radius, embrace)
        made_of = Material(density, thickness)
        size = buttress_width, buttress_height, courses
        stones = arches.buttressed(voussoirs, shape, *size, sectors, made_of)
        return cls._of(stones, "buttressed arch", options)

    @classmethod
    def wall(
        cls,
        rows: int,
        columns: int,
        length: float,
        height: float,
        *,
        bond: str = "running",
        openings: Sequence[Sequence[float]] = (),
        bearing: float | None = None,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """A wall of ``rows`` courses, each ``columns`` blocks of ``length`` × ``height`` [m] long.

        ``bond`` is "running" (half blocks at the ends of every second course; the lowest has whole
        ones), "stack" or "english" (courses of stretchers and headers in turn). ``openings`` are
        (x, y, width, height) [m] from the lower left corner of the wall, from bed joint to bed
        joint; each is covered by a lintel of one course that rests by ``bearing`` [m] on both
        sides, half a block unless given.
        """
        made_of = Material(density, thickness)
        stones = walls.wall(rows, columns, length, height, bond, openings, bearing, made_of)
        return cls._of(stones, "wall", options)

    @classmethod
    def patterned_wall(
        cls,
        pattern: Sequence[Sequence[float]],
        length: float,
        height: float,
        *,
        density: float = STONE,
        thickness: float = 1.0,
        **options: Any,
    ) -> Self:
        """A wall by its courses, from below: each is a list of the lengths of its stones, in units
        of a block of ``length`` × ``height`` [m]; negative ones are gaps."""
        stones = walls.patterned(pattern, length, height, Material(density, thickness))
        return cls._of(stones, "wall", options)

    @classmethod
    def ferris_tin_loi(
        cls, number: int, *, density: float = STONE, thickness: float = 1.0, **options: Any
    ) -> Self:
        """Wall 1 to 6 of Ferris and Tin-Loi (2001), "Limit analysis of frictional block assemblies
        as a mathematical program with complementarity constraints": blocks of 0.4 × 0.175 m,
        μ = 0.65; 3 to 6 have openings."""
        stones = walls.ferris_tin_loi(number, Material(density, thickness))
        named = {"friction": 0.65, "name": f"Ferris and Tin-Loi's wall {number}"}
        return cls._of(stones, "wall", {**named, **options})

    @classmethod
    def _of(cls, stones: Sequence[Any], name: str, options: dict[str, Any]) -> Self:
        return cls(**{"name": name, **options, "stones": tuple(stones)})
