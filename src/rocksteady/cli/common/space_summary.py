"""A run of a body in space: what it is, what became of it, in numbers and in rows of a table."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

import rocksteady as rs
from rocksteady.cli.common.lift_off import lifts_off
from rocksteady.outcome import FACES
from rocksteady.status import Status

LEAST_ASIDE = 5e-5  # m: less is the rounding of a scan
BOX = 4  # corners


def of_body(body: Any) -> dict[str, Any]:
    """Its sizes and what follows from them, SI units; angles of directions in degrees."""
    return {
        "label": body.label,
        "height": body.height,
        "base": [list(corner) for corner in body.base],
        "base_x": body.base_x,
        "base_y": body.base_y,
        "radius": body.radius,
        "mass": body.mass,
        "centre": list(body.centre),
        "inertia": [list(row) for row in body.inertia],
        "g": body.g,
        "alpha": body.alpha,
        "weakest": body.weakest,
        "axisymmetric": body.axisymmetric,
        "p": body.p,
        "R": body.R,
        "uplift_acceleration": body.g * math.tan(body.alpha),
    }


def of_space(response: rs.Response) -> dict[str, Any]:
    """How it began and what became of it, beyond what is said of every run. ``direction``
    [degrees]: where it leant at the start."""
    first = response.formulation.at_end(response.system, response.states[:1])
    tilt = response.column("tilt")
    spin = [response.column(f"spin_{axis}")[0] for axis in "xyz"]
    return {
        "theta0": float(tilt[0]),
        "omega0": float(np.linalg.norm(spin)),
        "direction": float(first["heading"][0]) if tilt[0] else None,
        "advice": _advice(response),
        "peak_angle": float(tilt.max()),
        "slide": None if response.fell else response.slide,
        "walked": None if response.fell else response.walked,
        "turned": None if response.fell else response.turned,
    }


def _advice(response: rs.Response) -> str:
    """What its status means; a longer run does not help a round body that loses nothing."""
    body, how = cast("rs.Body", response.system), cast("rs.Spatial", response.formulation)
    if response.status is not Status.MOVING or body.radius is None or how.friction is not None:
        return response.status.advice
    return (
        "It was still moving when the run ended. A round body that wobbles on its rim loses no "
        "energy and never comes to rest."
    )


# -- as a table ------------------------------------------------------------------------------------


def body_rows(about: dict[str, Any]) -> list[tuple[str, str]]:
    """The body and where it is weakest."""
    body = about["body"]
    x, y, z = body["centre"]
    angle = f"α = {math.degrees(body['alpha']):.2f}° ({body['alpha']:.4g} rad) "
    angle += (
        "in every direction" if body["axisymmetric"] else f"towards {_degrees(body['weakest'])}°"
    )
    off = math.hypot(x, y)
    aside = f", {1e3 * off:.3g} mm beside the middle" if off >= LEAST_ASIDE else ""
    friction = about["formulation"].get("friction")
    return [
        ("Body", f"{body['height']:.4g} m high, {_base(body)}"),
        ("", f"{body['mass']:.4g} kg, centre of mass {z:.4g} m high{aside}, p = {body['p']:.4g} "
             "rad/s"),
        ("balances at", angle),
        ("lifts off at", lifts_off(body, friction, "" if body["axisymmetric"] else " there")),
        ("keeps at an impact", about["keeps_at_impact"]),
        *([] if friction is None else [("friction", f"{friction:.3g} (Coulomb)")]),
    ]  # fmt: skip


def _degrees(direction: float) -> str:
    """A direction to a tenth of a degree, from 0 to below 360."""
    return f"{round(direction, 1) % 360:g}"


def _base(body: dict[str, Any]) -> str:
    if body["radius"] is not None:
        return f"on a round base, {2 * body['radius']:.4g} m in diameter"
    size = f"{body['base_x']:.4g} × {body['base_y']:.4g} m"
    corners = len(body["base"])
    return f"base {size}" + (f", {corners} corners" if corners != BOX else "")


def moved_rows(about: dict[str, Any]) -> list[tuple[str, str]]:
    """Where it stands in the end; nothing of what fell."""
    walked, turned = about["walked"], about["turned"]
    rows = []
    if walked is not None and about["away"]:
        rows.append(("moves", f"{1e3 * walked:.1f} mm over the floor"))
    if turned is not None and abs(turned) >= FACES:
        side = "counter-clockwise" if turned > 0 else "clockwise"
        rows.append(("turns", f"{abs(math.degrees(turned)):.1f}° {side}, seen from above"))
    return rows
