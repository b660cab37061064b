"""How much of a motion a body at rest can skip.

Extremes of every motion are computed at the start, for each box of samples and from each box to
the end. A body at rest then skips to the next box that may move it, and its run is over where none
is left.

A formulation that offers a `Glide` promises this for a body at rest: if neither the strongest
acceleration to one side nor that to the other moves it, each with the lowest vertical one, then no
acceleration in between does. With two horizontal components there are four strongest ones, the
corners of the box of both: the ground goes along its two diagonals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.ground import Ground, scaled_sample
from rocksteady.numerics.decorators import array_kernel
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import NOTHING

BOX = 32  # samples


class Boxes(NamedTuple):
    """Extremes of every motion by boxes of samples: a row has the least and the greatest of each
    component, in turn."""

    first: NDArray[np.int64]  # where the boxes of each motion begin
    in_box: Array  # of the samples of one box and the next sample
    to_end: Array  # of those and of all that follow in the motion

    @classmethod
    def of(cls, ground: Ground, size: int = BOX) -> Boxes:
        """Of boxes of ``size`` samples."""
        boxes = -(-np.maximum(ground.count - 1, 1) // size)  # of each motion
        first = np.cumsum(boxes) - boxes
        motion = np.repeat(np.arange(len(boxes)), boxes)
        starts = size * (np.arange(len(motion)) - first[motion])
        ends = np.minimum(starts + size, ground.count[motion] - 1) + ground.first[motion]
        starts += ground.first[motion]
        in_box = np.empty((len(motion), 2 * len(ground.accel)))
        for k, values in enumerate(ground.accel):
            for j, extreme in enumerate((np.minimum, np.maximum)):
                # (reduceat goes from one start to the next, the last one of a motion to its end)
                extreme(extreme.reduceat(values, starts), values[ends], out=in_box[:, 2 * k + j])
        to_end = in_box.copy()
        for begin, end in zip(first, first + boxes, strict=True):
            part = to_end[begin:end][::-1]
            for j, extreme in enumerate((np.minimum, np.maximum)):
                extreme.accumulate(part[:, j::2], axis=0, out=part[:, j::2])
        return cls(first, in_box, to_end)


def make_rest(advance: Any, components: int) -> Any:
    """Build the search for where a body at rest may move again, under a ground of so many
    components."""

    @array_kernel
    def stands(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """Whether it stays as it is."""
        after, used, event = advance(state, params, ground0, ground1, dt)
        still = after[0] == state[0] and after[1] == state[1]
        return still and event == NOTHING and used == dt

    @array_kernel
    def stands_through(state, params, boxes, box, scale, dt):  # type: ignore[no-untyped-def]
        """The same for any ground motion between the extremes of a box."""
        side, other = scale * boxes[box, 0], scale * boxes[box, 1]
        down = min(scale * boxes[box, 2], scale * boxes[box, 3])
        if components == 2:
            return stands(state, params, (side, down), (other, down), dt)
        near, far = scale * boxes[box, 4], scale * boxes[box, 5]
        return stands(state, params, (side, down, near), (other, down, far), dt) and stands(
            state, params, (side, down, far), (other, down, near), dt
        )

    @array_kernel
    def next_unrest(state, params, i, samples, scale, dt, ground, box, in_box, to_end):  # type: ignore[no-untyped-def]
        """The first interval, from the i-th on, that may move it; that after the last if none.
        The arrays begin with the motion, ``box`` is its first box."""
        first, last = samples
        while first + i < last:
            if i % BOX == 0:
                at = box + i // BOX
                if stands_through(state, params, to_end, at, scale, dt):
                    break
                if stands_through(state, params, in_box, at, scale, dt):
                    i += BOX
                    continue
            at = first + i
            ground0 = scaled_sample(ground, at, scale)
            if not stands(state, params, ground0, scaled_sample(ground, at + 1, scale), dt):
                return i
            i += 1
        return last - first

    return next_unrest
