"""The laws of every theory: rows are finite, energy is balanced and only lost, the outcome is that
of the rows."""

from __future__ import annotations

import numpy as np

from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.analysis.auditing.table import laws_of_events
from rocksteady.numerics.types import Array
from rocksteady.response import Response, lost
from rocksteady.status import Status
from rocksteady.theories.contract import OVERTURN


def laws(response: Response) -> tuple[Law, ...]:
    """Of a theory that states no laws of its own."""
    why = "the theory names no function of its laws, see `Formulation.laws`"
    return (unchecked("momentum", "Between events the equations of motion hold", why),)


def laws_of_every_run(response: Response) -> tuple[Law, ...]:
    """Finite numbers, and an outcome that agrees with them."""
    return (_finite(response), *laws_of_events(response), _outcome(response))


def _finite(response: Response) -> Law:
    bad = lost(response.columns, response.states)
    return law(
        "numbers", "Every stored coordinate and velocity is a number", bad.astype(float),
        response.time, 0.0, "none is allowed",
    )  # fmt: skip


def _outcome(response: Response) -> Law:
    """The status agrees with the last row and the last event."""
    how, system, last = response.formulation, response.system, response.states[-1]
    rests, doomed = bool(how.at_rest(system, last[None])[0]), how.doomed(system, last)
    lies = bool(len(response.events)) and response.events[-1, 1] == OVERTURN
    beyond = response.rocks and bool(np.abs(response.relative[-1]) > 1)
    agrees = {
        Status.AT_REST: rests and not lies,
        Status.MOVING: not rests and not lies,
        system.ends: lies or doomed or beyond,
    }.get(response.status, True)
    largest = float(np.nanmax(np.abs(response.relative), initial=0.0))
    hidden = max(0.0, largest * (1 - 1e-12) - response.peak)  # the peak covers every row
    return law(
        "outcome", "Status and peak are those of the stored rows and events",
        np.array([(0.0 if agrees else 1.0) + hidden]), response.time[-1:], 1e-9,
        "the rounding of a ratio", extent="the last row and the peak",
    )  # fmt: skip


# -- energy ------------------------------------------------------------------------------------


def energy_laws(
    response: Response, energy: Array, tolerance: float, why: str, lift: float = 0.0,
    back: float = 0.0,
) -> tuple[Law, ...]:  # fmt: skip
    """Kinetic and potential ``energy`` [J] of every row, by the laws' own formula, against the work
    of the ground and the losses that are stored. ``tolerance``: of the largest energy, or of a
    millionth of ``lift`` [J] if that is more: what stands still has but rounding. Up to ``back`` of
    the largest energy may be given back within an impact that takes time."""
    work, loss = response.column("work"), response.column("loss")
    change = energy - energy[0]
    size = size_of_energies(response, energy, 1e-6 * lift)
    balance = np.abs(change - work + loss) / size
    lost_before = np.maximum.accumulate(loss)
    grows = (lost_before - loss) / size
    return (
        law(
            "energy",
            "Kinetic + potential energy changes by the work of the ground less the losses", balance,
            response.time, tolerance, why, relative_to="of the largest energy in the run",
        ),
        law(
            "losses", "Impacts, friction and damping only ever take energy", grows, response.time,
            tolerance + back, why, relative_to="of the largest energy in the run",
        ),
    )  # fmt: skip


def size_of_energies(response: Response, energy: Array, least: float = 0.0) -> float:
    """The largest of all energies of a run [J], ``least`` at least."""
    found = [np.nanmax(np.abs(energy - energy[0]), initial=0.0), np.nanmax(np.abs(energy))]
    for name in ("work", "loss"):
        if response.has(name):
            found.append(np.nanmax(np.abs(response.column(name))))
    return float(max(*found, least, 1e-300))
