"""The laws of a masonry building: one mass on an interface that adheres, slips, hardens and wears,

m u'' + c u' + A_c τ = −m a_h,   τ = k_a (1 − w)(u − g),   F = k_a |u − g| − τ_0 − A ≤ 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocksteady.analysis.auditing.flow import Flow, followed, pieces
from rocksteady.analysis.auditing.general import energy_laws
from rocksteady.analysis.auditing.laws import momentum_law, work_law
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response

COLLAPSED = 2.0
SLIPS = 1e-9  # of τ_0
STRESS = "τ = k_a (1 − w)(u − g), and none once it has collapsed"
FRICTION = "The slip function F is not above zero, and zero while it slips"


def laws(response: Response) -> tuple[Law, ...]:
    """Of a masonry building."""
    building: Any = response.system
    explicit = response.formulation.update == "explicit"  # type: ignore[attr-defined]
    dt, fast = response.motion.dt, building.natural_frequency
    phase = fast * dt
    if explicit:
        return _of_the_paper(response, building, phase)
    allowed = 1e-6 + 3e-4 * min(phase, 1.0) ** 3
    why = (
        "slip is integrated in steps of 5 % of the hardening's length and of up to a radian of "
        "vibration, ω_n Δt here, which err by a part of its cube"
    )
    flow = _flow(response, building)
    found = followed(flow, response)
    return (
        momentum_law(response, flow, found, slice(0, 5), allowed, why),
        work_law(response, flow, found, slice(5, 8), allowed, why),
        *_law_of_interface(response, building),
        _wear(response, building),
        *energy_laws(response, _energy(response, building), allowed, why, flow.scale[5]),
    )


def _of_the_paper(response: Response, building: Any, allowed: float) -> tuple[Law, ...]:
    """With the explicit update: a step takes the stress along a straight line."""
    v, tau = response.column("v"), response.column("tau")
    dt = response.motion.dt
    own = -building.contact_area * tau - building.damping * v
    first, slope = (each[:, 0] for each in pieces(response))
    change = building.mass * np.diff(v)
    mean = (own[1:] + own[:-1]) / 2 - building.mass * (first + slope * dt / 2)
    between = np.abs(change - dt * mean)
    # the stress changes within a step by no more than that of an elastic one, there and back
    stretch = building.stiffness * dt * (np.abs(v[1:]) + np.abs(v[:-1])) / 2
    spread = building.contact_area * stretch + building.mass * np.abs(slope) * dt / 2
    worst = np.maximum(between - dt * spread, 0.0)
    unit = building.contact_area * building.threshold * dt
    reason = "the paper's explicit update, of first order, does not hold it"
    why = "the update is of first order: a run errs by about ω_n Δt"
    energies = energy_laws(response, _energy(response, building), allowed, why)
    left = 1 - response.column("w")
    if response.fell or (np.diff(left) < -0.1 * left[1:]).any():
        late = f"{reason} where a step wears a tenth of what is left"
        energies = tuple(unchecked(each.name, each.equation, late) for each in energies)
    return (
        law("momentum", "The momentum over an interval changes by a force between those at its "
            "ends", worst / unit, response.time[1:], 1e-3,
            "the velocity changes within a step as well, by (ω_n Δt)²",
            relative_to="of A_c τ_0", extent=f"{len(worst)} intervals"),
        unchecked("stress", STRESS, reason),
        unchecked("friction", FRICTION, reason),
        _wear(response, building),
        *energies,
    )  # fmt: skip


def _flow(response: Response, building: Any) -> Flow:
    names = ("u", "v", "g", "alpha", "w", "work", "loss", "viscous")
    y = np.stack([response.column(name) for name in names], axis=-1)
    mode = response.column("mode")

    def rate(y: Array, mode: Array, ground: tuple[Array, ...]) -> Array:
        return _rate(building, y, mode, ground[0])

    length, fast = building.elastic_displacement, building.natural_frequency
    unit = building.contact_area * building.threshold * length
    scale = np.array([length, fast * length, length, length, 1.0, unit, unit, unit])
    slips = np.abs(mode) == 1
    forwards = ~slips | (mode * y[:, 1] > 0)  # it turns around within the others
    return Flow(y, mode, (mode != COLLAPSED) & forwards, rate, scale, fast)


def hardening(building: Any, alpha: Array, w: Array) -> tuple[Array, Array, Array, Array]:
    """(A, ∂A/∂α, ∂A/∂w, hardening's part of W) [N/m²]."""
    a, limit, q = building.hardening_rate, building.hardening_limit, 1 - w
    e = np.exp(-a * alpha / q)
    A = limit * q * (1 - q * e)
    by_alpha = limit * a * q * e
    by_w = -limit * (1 - q * e) + limit * q * (e + a * alpha / q * e)
    stored = limit * (alpha - 3 / a + (3 * q**2 + a * alpha * q) * e / a)
    return A, by_alpha, by_w, stored


def _rate(building: Any, y: Array, mode: Array, a_h: Array) -> Array:
    u, v, g, alpha, w = (y[:, i] for i in range(5))
    m, area, k = building.mass, building.contact_area, building.stiffness
    slips = np.abs(mode) == 1
    _, by_alpha, by_w, stored = hardening(building, alpha, w)
    q = 1 - w
    W = k * (u - g) ** 2 / 2 + stored
    D = (np.maximum(W, 0) / building.wear_energy) ** building.wear_exponent
    # dF = 0 along a slip of |du|: d|u − g| = dA/k, and g follows with (1 − w) dg = ± dα
    per_way = k * q / (k + q * (by_alpha + by_w * D))
    grows = np.where(slips, np.abs(v) * per_way, 0.0)
    wears = D * grows
    slip = v - mode * (by_alpha * grows + by_w * wears) / k
    tau = k * q * (u - g)
    speed = -(area * tau + building.damping * v) / m - a_h
    damped = building.damping * v**2
    lost = area * (building.threshold * grows + W * wears) + damped
    zero = np.where(slips, slip, 0.0)
    return np.stack([v, speed, zero, grows, wears, -m * a_h * v, lost, damped], axis=-1)


def _law_of_interface(response: Response, building: Any) -> tuple[Law, ...]:
    u, g, alpha, w, tau, mode = (
        response.column(name) for name in ("u", "g", "alpha", "w", "tau", "mode")
    )
    k, time = building.stiffness, response.time
    holds = mode != COLLAPSED
    unit = building.threshold
    stress = np.abs(tau - np.where(holds, k * (1 - w) * (u - g), 0.0)) / unit
    excess = k * np.abs(u - g) - unit - hardening(building, alpha, np.minimum(w, 0.9999))[0]
    slips = np.abs(mode) == 1
    off = np.where(slips, np.abs(excess), np.maximum(excess, 0.0))[holds] / unit
    return (
        law("stress", STRESS, stress, time, 1e-9, "the rounding of a stress",
            relative_to="of τ_0"),
        law("friction", FRICTION, off, time[holds], SLIPS, "F = 0 is held to rounding",
            relative_to="of τ_0", nothing="it has collapsed from the start"),
    )  # fmt: skip


def _wear(response: Response, building: Any) -> Law:
    alpha, w = response.column("alpha"), response.column("w")
    shrinks = np.maximum(-np.diff(alpha) / building.elastic_displacement, -np.diff(w))
    return law(
        "wear", "Hardening and wear only ever grow", np.maximum(shrinks, 0.0), response.time[1:],
        0.0, "none is allowed", extent=f"{len(shrinks)} intervals",
    )  # fmt: skip


def _energy(response: Response, building: Any) -> Array:
    """Kinetic energy, and that of springs and hardening [J]."""
    u, v, g, alpha, w, mode = (
        response.column(name) for name in ("u", "v", "g", "alpha", "w", "mode")
    )
    a, limit, q = building.hardening_rate, building.hardening_limit, np.maximum(1 - w, 1e-4)
    springs = np.where(mode == COLLAPSED, 0.0, building.stiffness * q * (u - g) ** 2 / 2)
    # Ψ with A = ∂Ψ/∂α
    kept = limit * (q * alpha + (q**3 * np.exp(-a * alpha / q) - 3 * q + 2) / a)
    return np.asarray(building.mass * v**2 / 2 + building.contact_area * (springs + kept))
