"""A run of an assembly, bit for bit that of `simulate`, thinned out to what a film shows."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError, held_back
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.specs import CaseSpec
from rocksteady.studio.answers.assembly.shape import about, built, is_quick
from rocksteady.studio.answers.motion import about_motion
from rocksteady.studio.answers.simulate import verdict
from rocksteady.studio.limits import (
    ELSEWHERE,
    MOST_POSES,
    QUICK_JOINTS,
    SHAKING_SECONDS,
    check_case,
    check_motion,
)

FRAMES = 60.0  # poses that are sent for each second of the run, at most
HISTORIES = ("displacement [m]", "turn [rad]", "fallen [-]", "residual [-]")


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The run of a column, a frame or a small arch."""
    asked = arguments(CaseSpec.checked(request), folder)
    refuse_slow(asked["system"])
    response, warned = shaken(asked)
    return {**about_run(response), "warnings": warned}


def halved(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What the time step may have done to the run of `answer`: asked for after it, so that the run
    itself is answered at once."""
    from rocksteady.analysis.stones.halved_step import refuse_halving, step_error

    asked = arguments(CaseSpec.checked(request), folder)
    refuse_slow(asked["system"])
    refuse_halving(asked["formulation"])
    return step_error(shaken(asked)[0]).summary()


def refuse_slow(assembly: Assembly) -> None:
    """Refuse what takes too long for an answer at once."""
    if not is_quick(assembly):
        raise InputError(
            f"A {assembly.label} takes long: with more than {QUICK_JOINTS} joints it is computed "
            'in the background. Start a job, {"kind": "assembly", "case": …}.'
        )


def arguments(case: CaseSpec, folder: Path) -> dict[str, Any]:
    """What `simulate` takes; an error if that is no assembly, or too much for the studio."""
    check_case(case)
    if len(case.theories) > 1:
        raise InputError(f"{len(case.theories)} theories were given: an assembly moves by one.")
    built(case.body, folder)
    asked = case.build(folder)[0]
    motion = asked["motion"]
    if motion is not None:
        check_motion(motion)
        if motion.duration > SHAKING_SECONDS:
            raise InputError(
                f"The motion lasts {motion.duration:.0f} s: at most {SHAKING_SECONDS:g} s here. "
                f"Cut it to its strong part. {ELSEWHERE}"
            )
    return asked


def shaken(
    asked: dict[str, Any], progress: Callable[[int, int], Any] | None = None
) -> tuple[Response, list[str]]:
    """Run it; the response, and what it was warned of."""
    with held_back() as said:
        response = simulate(**asked, progress=progress)
    return response, said


def about_run(response: Response) -> dict[str, Any]:
    """Poses of the stones, histories, and how it went."""
    theory: Any = response.formulation
    assembly: Any = response.system
    kept = frames(response)
    known = dict(zip(response.columns, response.states.T, strict=True))
    shaking = response.motion.pga > 0
    return {
        "assembly": about(assembly),
        "motion": about_motion(response.motion) if shaking else None,
        "dt": response.motion.dt,
        "frames": {
            "time": response.time[kept],
            "poses": np.ascontiguousarray(moved_poses(response, kept)),
            "ground": ground_displacement(response)[kept],
        },
        "columns": {name: np.ascontiguousarray(known[name]) for name in HISTORIES if name in known},
        "ground": np.ascontiguousarray(response.ground[0]),
        "impacts": np.ascontiguousarray(response.impacts["time"]),
        **verdict(response),
        "outcome": response.outcome.sentence,
        "first_fall": response.outcome.fallen[0][1] if response.outcome.fallen else None,
        "fallen": [name for name, _ in response.outcome.fallen],
        "told": theory.told(response),
        "not_halved": theory.not_halved,
        **theory.computed(response),
    }


def frames(response: Response) -> NDArray[np.intp]:
    """The numbers of the samples that are sent: `FRAMES` a second at most, fewer of many stones,
    and the last one."""
    assembly: Any = response.system
    count = len(response.states)
    every = max(
        1,
        math.ceil(1 / (FRAMES * response.motion.dt) - 1e-9),
        math.ceil(count * assembly.stone_count / MOST_POSES),
    )
    return np.unique(np.append(np.arange(0, count, every), count - 1))


def moved_poses(response: Response, rows: NDArray[np.intp]) -> Array:
    """(rows, stones that move, 3): x, y of the centre of mass [m] and rotation [rad]."""
    theory: Any = response.formulation
    assembly: Any = response.system
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    return np.asarray(theory.poses(assembly, response.states[rows])[:, moving])


def ground_displacement(response: Response) -> Array:
    """Of the ground at each sample [m]; once the motion has ended it goes on as it moved last."""
    motion = response.motion
    count, known = len(response.states), motion.displacement
    after = np.arange(1, max(count - len(known), 0) + 1) * motion.dt
    return np.concatenate([known[:count], known[-1] + motion.velocity[-1] * after])
