"""From which side, and how strong: the outcome over the direction and strength of one motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.bodies import Body, expect
from rocksteady.ensembles.api import ensemble
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.components import turned
from rocksteady.motion.motion import checked_motion
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array

if TYPE_CHECKING:
    import xarray

    from rocksteady.theories import Formulation

KEPT = ("peak", "fell", "status")  # of the planar runs


def direction_map(
    body: Any,
    motion: Motion,
    directions: ArrayLike,
    scales: ArrayLike,
    formulation: Formulation | None = None,
    *,
    planes: Sequence[float] | None = None,
    planar: Formulation | None = None,
    until: str | float = "rest",
    **options: Any,
) -> xarray.Dataset:
    """Shake a body in space from several directions and with several strengths; beside it the
    answer in a plane.

    Parameters
    ----------
    body
        The body, an `rs.Body`.
    motion
        One to three components. Its ``accel`` acts in the direction, its ``transverse`` 90° to the
        left of it; the vertical component stays.
    directions
        Directions in which ``accel`` acts [degrees from the body's x towards its y].
    scales
        What the motion is multiplied by [-].
    formulation
        How the body moves in space; the usual theory unless given.
    planes
        Directions [degrees] of the planes in which the planar answer is computed: the block
        ``body.block(plane)`` under the component of the motion along it. Unless given, the weakest
        one and the one at right angles to it.
    planar
        How the blocks move; the usual theory of a Block unless given.
    until
        When a run ends: see :func:`rocksteady.ensemble`.
    options
        Others of :func:`rocksteady.ensemble`: ``backend``, ``executor``, ``progress``.

    Returns
    -------
    xarray.Dataset
        Over (direction, scale): ``peak`` [-], ``fell``, ``status`` and the other results of an
        ensemble; over (plane, direction, scale): ``planar_peak``, ``planar_fell`` and
        ``planar_status``. The coordinate ``pga`` [m/s²] is the largest horizontal acceleration of
        both components together. `rocksteady.view.space.plot_directions` draws it.
    """
    expect(body, Body, "A map over directions", ": a body in a plane has one direction only")
    angles = _increasing("directions", directions, "np.arange(0, 360, 15)")
    factors = _increasing("scales", scales, "np.linspace(0.5, 3, 11)")
    if factors[0] <= 0:
        raise InputError(f"scales = {scales!r} is not allowed: they must be positive.")
    both = checked_motion(motion).right_handed()
    if both.transverse is None:
        both = both.with_transverse(np.zeros(both.npts))
    shared = {"scales": factors, "until": until, **options}

    found = ensemble(body, _from_all(both, angles), formulation, **shared)
    data = _over(found, angles, [str(name) for name in found.data_vars])
    weakest = float(body.weakest)
    sides = [weakest, weakest + 90] if planes is None else [float(side) for side in planes]
    plane_answers = [
        _over(_in_plane(body, both, angles, side, planar, shared), angles, KEPT) for side in sides
    ]
    return _joined(data, plane_answers, sides, both).assign_attrs(
        body=body.label, motion=motion.name, weakest=weakest
    )


def _from_all(motion: Motion, angles: Array) -> dict[str, Motion]:
    """The motion as the body feels it when ``accel`` acts in each direction."""
    return {f"{angle:g}": turned(motion, -float(angle)) for angle in angles}


def _in_plane(
    body: Any, motion: Motion, angles: Array, side: float, how: Any, shared: dict[str, Any]
) -> xarray.Dataset:
    """The body's planar shadow under the components along its plane."""
    along = _from_all(motion, angles - side)
    motions = {
        f"{angle:g}": one.with_transverse(None)
        for angle, one in zip(angles, along.values(), strict=True)
    }
    return ensemble(body.block(side), motions, how, **shared)


def _over(found: xarray.Dataset, angles: Array, names: Sequence[str]) -> xarray.Dataset:
    """These results over direction and scale alone."""
    data = found.isel(system=0)[list(names)]
    data = data.drop_vars([name for name in data.coords if name not in ("motion", "scale")])
    data = data.assign_coords(motion=angles).rename(motion="direction")
    data["direction"].attrs.update(units="degree", long_name="direction of the motion")
    return data


def _joined(
    data: xarray.Dataset, planar: list[xarray.Dataset], sides: list[float], motion: Motion
) -> xarray.Dataset:
    import xarray

    plane = xarray.Variable(
        "plane", sides, {"units": "degree", "long_name": "direction of a plane"}
    )
    beside = xarray.concat(planar, dim="plane").assign_coords(plane=plane)
    data = data.assign({f"planar_{name}": beside[name] for name in KEPT})
    flat = np.hypot(motion.accel, motion.transverse)  # type: ignore[arg-type]
    pga = {"units": "m/s2", "long_name": "largest horizontal acceleration"}
    return data.assign_coords(pga=("scale", data.scale.values * float(flat.max()), pga))


def _increasing(name: str, values: ArrayLike, example: str) -> Array:
    try:
        numbers = np.atleast_1d(reals(values)).astype(float).ravel()
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    good = len(numbers) >= 2 and bool(np.isfinite(numbers).all() and (np.diff(numbers) > 0).all())
    if not good:
        raise InputError(
            f"{name} = {values!r} is not allowed: give two or more numbers, each larger than the "
            f"one before, as {example} does."
        )
    return numbers
