"""Buildings that are shaken by generated earthquakes, for want of a sensor.

The samples go through `rocksteady.Monitor` as those of a sensor would, at true speed or faster.
"""

import math
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.bodies import MasonryBuilding
from rocksteady.monitor import Monitor
from rocksteady.monitor.alarms import Thresholds
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.specs import MotionSpec
from rocksteady.studio.watching.building import Building, of_monitor, pointer

TICK = 0.1  # s of this machine's clock between two pieces of the feed
SAMPLES_A_POINT = 4  # of the history that is drawn
DT = 0.01  # s between two samples
QUIET = 6.0  # s before the first earthquake and after each
PGA = (0.08, 0.15, 0.18, 0.13)
"""Peak accelerations [g] of the earthquakes: a foreshock, two main shocks, an aftershock."""
SHORT = {
    "arias": 0.5, "d5_95": 7.0, "t_mid": 5.0,
    "frequency_mid": 6.0, "frequency_rate": -0.1, "damping": 0.3,
}  # fmt: skip
"""Parameters of the generator: ten seconds of shaking, so that nobody waits long."""
ALARMS: Thresholds = {"wear": (0.01, 0.05, 0.2), "drift": 0.002}


@dataclass(frozen=True)
class Model:
    """One of the buildings: its mass [kg], damping ratio [-], and how much more or less strongly
    the ground shakes there than at the town hall."""

    name: str
    mass: float
    damping_ratio: float
    site: float = 1.0

    def build(self) -> MasonryBuilding:
        bare = MasonryBuilding.casalotti2025(self.mass)
        critical = 2 * bare.mass * bare.natural_frequency
        return MasonryBuilding.casalotti2025(self.mass, damping=self.damping_ratio * critical)


MODELS = (
    Model("Town hall", 40e3, 0.03),
    Model("School", 38e3, 0.03, 1.1),
    Model("Parish church", 46e3, 0.02, 1.1),
    Model("Old mill", 42e3, 0.03, 1.05),
    Model("Library", 36e3, 0.05, 0.8),
    Model("Bakery", 36e3, 0.03, 1.2),
    Model("Chapel on the hill", 38e3, 0.03, 0.6),
    Model("Farmhouse", 37e3, 0.02, 1.0),
)


class Demonstration:
    """``count`` buildings under one sequence of earthquakes, ``speed`` times as fast as time."""

    def __init__(self, count: int = 1, speed: float = 1.0, seed: int = 8) -> None:
        self.speed, self.seed = speed, seed
        self.models = MODELS[:count]
        self.buildings = [Building(model.name, demonstration=True) for model in self.models]
        self.ended = False
        self.problem = ""
        self._stop = threading.Event()
        self._time = self._duration = 0.0

    def about(self) -> dict[str, Any]:
        """What runs, and how far it is [s]."""
        return {
            "buildings": len(self.models),
            "speed": self.speed,
            "seed": self.seed,
            "time": self._time,
            "duration": self._duration,
            "ended": self.ended,
            "problem": self.problem,
        }

    def start(self) -> None:
        """Begin, in a thread of its own."""
        threading.Thread(target=self._run, name="demonstration", daemon=True).start()

    def stop(self) -> None:
        """End at the next tick."""
        self._stop.set()

    def _run(self) -> None:
        try:
            self._replay(feed(self.seed))
        except Exception as error:  # told on the page: the server goes on
            self.problem = f"The demonstration ended: {error or repr(error)}"
        self.ended = True

    def _replay(self, ground: Motion) -> None:
        self._duration = ground.duration
        monitors = [Monitor(model.build(), dt=DT, alarms=ALARMS) for model in self.models]
        for building, monitor in zip(self.buildings, monitors, strict=True):
            building.update({**of_monitor(monitor), "followed": "live", "written": time.time()})
        begin, done = time.monotonic(), 0
        while done < ground.npts and not self._stop.is_set():
            due = min(ground.npts, round((time.monotonic() - begin) * self.speed / DT))
            if due > done:
                piece = ground.accel[done:due]
                for one in zip(self.models, self.buildings, monitors, strict=True):
                    _push(*one, piece)
                done = due
                self._time = done * DT
            self._stop.wait(TICK)
        for building in self.buildings:
            building.update({**building.card, "followed": "ended"})


def feed(seed: int) -> Motion:
    """The ground at the town hall: quiet, then one generated earthquake after the other."""
    ground = Motion.zeros(QUIET, DT)
    for i, pga in enumerate(PGA):
        about = {"stochastic": {"count": 1, "seed": seed + i, "dt": DT, **SHORT}, "pga": pga}
        ground = ground.then(MotionSpec.checked(about).build(), QUIET)
    return ground.then(Motion.zeros(QUIET, DT), 0.0)


def _push(model: Model, building: Building, monitor: Monitor, piece: Array) -> None:
    """Hand a piece of the feed to one building, in parts, so that its history can be drawn."""
    point = pointer(monitor)
    parts = np.array_split(model.site * piece, math.ceil(len(piece) / SAMPLES_A_POINT))
    for part in parts:
        reading = monitor.push_block(part)
        building.add([point(reading.time, monitor.state, float(part[-1]))])
    building.update({**of_monitor(monitor), "followed": "live", "written": time.time()})
