"""A masonry building pushed slowly, or shaken by one earthquake after the other."""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.analysis.portfolio import DamageStates
from rocksteady.analysis.pushover import PushoverResponse, pushover
from rocksteady.analysis.sequence import SequenceResponse, Shock, sequence
from rocksteady.bodies.masonry import PRESETS, MasonryBuilding
from rocksteady.bodies.system import expect
from rocksteady.bodies.units import WRITTEN
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.specs import BodySpec, MotionSpec
from rocksteady.theories import Masonry
from rocksteady.theories.masonry.formulation import COLUMNS, frequency

MOST_SAMPLES = 200_000  # of all shocks together, with the quiet time after each
POINTS = 400  # of each branch of a push, from one turning point to the next


def about(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What a building is described by, the known ones, and what wear is called."""
    kinds = {one.get("title"): one for one in BodySpec.model_json_schema()["anyOf"]}
    own = kinds[MasonryBuilding.__name__]
    states = DamageStates()
    return {
        "kind": MasonryBuilding.__name__,
        "parameters": [
            {
                "name": name,
                "words": what.get("description", ""),
                "unit": WRITTEN.get(name, ""),
                "default": what.get("default"),
            }
            for name, what in own["properties"].items()
            if name != "kind"
        ],
        "presets": [
            {"name": name, "values": BodySpec.of(MasonryBuilding.preset(name)).values}
            for name in PRESETS
        ],
        "damage": {"names": states.names, "wear": states.wear},
    }


def push(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The answer of :func:`rocksteady.pushover`, with the names of its properties."""
    building = _building(request)
    history = request.get("displacement")
    if history is None:
        history = pushed_to(request["to"], request["cycles"])
    response = pushover(building, history, request["update"])
    return {"building": described(building), **_pushed(response)}


def shake(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The answer of :func:`rocksteady.sequence`."""
    building = _building(request)
    motions = [MotionSpec.checked(one).build(folder) for one in request["motions"]]
    gap = float(request["gap"])
    samples = sum(motion.npts + math.ceil(gap / motion.dt) for motion in motions)
    if samples > MOST_SAMPLES:
        raise InputError(
            f"These motions have {samples} samples, with the quiet time between them: at most "
            f"{MOST_SAMPLES} are allowed here. Take fewer motions, a shorter gap, or rs.sequence "
            "in a script."
        )
    response = sequence(
        building,
        motions,
        Masonry(update=request["update"]),
        gap=gap,
        settle=request["settle"],
        main=request.get("main"),
    )
    wanted = request.get("columns")
    return {
        "building": described(building),
        "shocks": [_shaken(building, shock, wanted) for shock in response.shocks],
        "asked": len(motions),
        "main": response.main,
        "alone": response.alone.row(),
        "wear_increase": response.wear_increase,
        "hardening_increase": response.hardening_increase,
        "collapse": response.collapse,
        "failed": response.failed,
        "sentence": _sentence(response),
    }


def pushed_to(to: float, cycles: int = 0) -> Array:
    """A displacement history [m]: straight from zero to ``to``, or ``cycles`` cycles to either side
    that grow in equal steps to ``to``."""
    if not cycles:
        return np.linspace(0.0, to, POINTS)
    turns = [0.0]
    for i in range(1, cycles + 1):
        turns += [to * i / cycles, -to * i / cycles]
    turns.append(0.0)
    branches = [np.linspace(a, b, POINTS)[1:] for a, b in pairwise(turns)]
    return np.concatenate([[0.0], *branches])


def described(building: MasonryBuilding) -> dict[str, Any]:
    """Its parameters and the quantities that can be measured on it, SI units."""
    return {
        "values": BodySpec.of(building).values,
        "label": building.label,
        "frequency": frequency(building, 0.0),
        "period": building.period,
        "damping_ratio": building.damping_ratio,
        "elastic_force": building.elastic_force,
        "elastic_displacement": building.elastic_displacement,
        "strength": building.strength,
    }


def _building(request: dict[str, Any]) -> MasonryBuilding:
    building = BodySpec.checked(request["building"]).build()
    return expect(building, MasonryBuilding, "This", ": only masonry buildings wear")


def _pushed(response: PushoverResponse) -> dict[str, Any]:
    arrays = ("displacement", "force", "slip", "hardening", "wear", "mode", "work", "dissipated")
    end = response.collapse
    words = "does not collapse" if end is None else f"collapses at {1e3 * end:.3g} mm"
    return {
        **{name: np.ascontiguousarray(getattr(response, name)) for name in arrays},
        "peak_force": response.peak_force,
        "displacement_at_peak": response.displacement_at_peak,
        "collapse": end,
        "sentence": f"It carries {response.peak_force / 1e3:.3g} kN at most, at "
        f"{1e3 * response.displacement_at_peak:.3g} mm, and {words}; its wear reaches "
        f"{100 * response.wear[-1]:.3g} %.",
    }


def _shaken(building: MasonryBuilding, shock: Shock, wanted: list[str] | None) -> dict[str, Any]:
    known = {name: shock.states[:, i] for i, name in enumerate(COLUMNS)}
    known["force [N]"] = building.contact_area * known["tau [N/m²]"]
    known["frequency [Hz]"] = frequencies(building, known["w [-]"])
    if wanted is None:
        wanted = list(known)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise InputError(f"columns: {unknown[0]!r} is not one of {', '.join(known)}.")
    return {
        "name": shock.name,
        "start": shock.start,
        "dt": shock.motion.dt,
        "accel": shock.motion.accel[: len(shock.states)],
        "columns": {name: np.ascontiguousarray(known[name]) for name in wanted},
        "row": shock.row(),
        "frequency_after": frequency(building, float(shock.states[-1, 4])),
    }


def frequencies(building: MasonryBuilding, wear: Array) -> Array:
    """Frequency of small vibrations [Hz] at each wear."""
    return np.asarray(building.natural_frequency * np.sqrt(1 - wear) / (2 * math.pi))


def _sentence(response: SequenceResponse) -> str:
    """What the sequence did, in words."""
    if response.failed is not None:
        return (
            f"The method found no solution after {response.failed:.3g} s: this says nothing about "
            "the building. Try a shorter time step or the other update."
        )
    count = len(response.shocks)
    if response.collapse is not None:
        return f"It collapses in earthquake {count}, after {response.collapse:.3g} s."
    wear = float(response.wear[-1])
    drop = 1 - math.sqrt(1 - wear)
    which = "the earthquake" if count == 1 else f"{count} earthquakes"
    return (
        f"After {which} it has lost {100 * wear:.3g} % of its stiffness and strength, and its "
        f"frequency has dropped by {100 * drop:.3g} %."
    )
