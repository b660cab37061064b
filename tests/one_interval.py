"""A compiled driver for one interval between two samples, to compare other programs with."""

from __future__ import annotations

from functools import cache

from rocksteady.engine.drivers import make_interval
from rocksteady.numerics.decorators import driver


@cache
def make_stream(advance):
    interval = make_interval(advance)

    def stream(state, params, ground0, ground1, dt):
        """(state, time used, largest coordinate, smallest, time of the larger in size, impacts,
        last event)."""
        return interval(state, params, ground0, ground1, dt)

    return driver(stream)
