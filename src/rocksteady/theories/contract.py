"""What every formulation offers, and what happens to a body between two samples.

A formulation is one pure scalar step, compiled by Numba and called by every driver:

    advance(state, params, ground0, ground1, dt) -> (state, used, event)

``state`` and ``params`` are flat tuples of floats; the first two of the state are the coordinate by
which the body is judged and its rate (θ [rad] and ω [rad/s] for everything that rocks). Arrays,
such as the contact points of a bed, travel in ``params``. Where the number of stones is known only
at run time the state is an array, which the step overwrites and returns.
``ground0`` and ``ground1`` are the ground's (a_h, a_v) [m/s²] at both ends of an interval of length
``dt`` [s], linear between. A theory whose `components` include the transverse one gets three,
(a_x, a_z, a_y): x is along a motion's ``accel``, y along its ``transverse``, z upwards.
The step goes as far as it can be trusted, at most ``dt``, and stops wherever something happens:
``used`` says how far it came, ``event`` what it met there. What takes no time (an impact) is a step
of its own with ``used == 0``, so that a driver sees the state on both sides of it. The caller goes
on with the rest of the interval.

Everything else that a driver, store, table, figure or command must know of a theory, the theory
declares as attributes and methods of `Formulation`. Nobody asks for a theory's name.

A step that does not stop at turning points has an attribute that finds the one it passed, where the
rate has changed its sign, as the time from the step's start and the coordinate:

    advance.turning(state, params, ground0, ground1, dt, used) -> (time, coordinate)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Coordinate, System
from rocksteady.numerics.decorators import inner_fused_kernel
from rocksteady.numerics.decorators import kernel as kernel
from rocksteady.numerics.types import Array as Array
from rocksteady.numerics.types import Numbers as Numbers
from rocksteady.theories.substeps import Substeps as Substeps

# What an `advance` can meet. Plain integers: they are constants inside compiled code.
NOTHING = 0
UPLIFT = 1  # it leaves full contact
TURN = 2  # the velocity is zero: an extremum of the rotation
IMPACT = 3  # the velocity jumps; the step took no time (on a soft bed: see soft_bed.py)
REST = 4  # it comes to rest without an impact
OVERTURN = 5  # it lies on its side: nothing more to follow
FAILURE = 6  # the method could not find an answer

EVENT_NAMES = ("nothing", "uplift", "turn", "impact", "rest", "overturn", "failure")


@inner_fused_kernel
def partway(ground0, ground1, fraction):  # type: ignore[no-untyped-def]
    """The ground's acceleration, of two components or three, after a fraction of the interval."""
    along = ground0[0] + fraction * (ground1[0] - ground0[0])
    upwards = ground0[1] + fraction * (ground1[1] - ground0[1])
    if len(ground0) == 2:  # known when compiled: only one of the two returns remains
        return along, upwards
    return along, upwards, ground0[2] + fraction * (ground1[2] - ground0[2])


class LossParameter(NamedTuple):
    """What sets the loss at an impact: a parameter of the formulation and where to search it.

    See :func:`rocksteady.calibrate`.
    """

    name: str
    low: float
    high: float
    instead_of: tuple[str, ...] = ()
    """Parameters that say the same in another form."""


class Quantity(NamedTuple):
    """A number that ensembles keep of each run."""

    dtype: str
    units: str
    long_name: str
    state: str = ""
    """The entry of the final state that it is, where it is one."""


class Watched(NamedTuple):
    """A quantity on which a live monitor can raise an alarm."""

    unit: str
    column: str = ""
    """The entry of the state that it is, one that only grows; the coordinate unless given."""
    ratio: bool = False
    """Whether the coordinate is divided by the body's limit: θ/α."""
    drop: bool = False
    """Whether it is 1 − √(1 − column): how far a frequency has dropped by wear."""


LANDS = -1.0  # a reach: something comes down
OTHERWISE = -2.0  # a reach: it moves in another way


class Otherwise(NamedTuple):
    """A second way in which bodies move, with an attempt of its own: many that do so are followed
    side by side, apart from the others."""

    when: Any
    """``when(state)``: whether a body moves this way."""
    attempt: Any
    """As that of `Glide`."""
    land: Any = None
    """As that of `Glide`, where the reach of this attempt is LANDS."""


class Glide(NamedTuple):
    """What many bodies side by side are followed with.

    A theory that offers one promises: a body whose coordinate and rate are zero, and stay zero
    through a whole interval in which nothing happens, is at rest; no attempt succeeds from there,
    nor from a state of zeros with parameters of ones (an idle lane); and what does not move it
    (`rocksteady.engine.rest`).
    """

    attempt: Any
    """A branch-free attempt at a whole interval in which nothing happens,

        attempt(state, params, ground0, ground1, dt, 1 / dt) -> (state, reach, ok)

    Where ``ok`` the state has the bits of `advance`. ``reach`` bounds an extreme of the coordinate
    that was passed on the way; 0 where there was none; LANDS where it is not ``ok`` because of an
    impact that `land` may know. What `prepare` returns follows on the parameters.
    """
    step: Any
    """The `advance` for where the attempt fails; it need not follow what the attempt does not."""
    prepare: Any = None
    """``prepare(state, params)``, if an attempt needs numbers that stay as they are until the next
    ``step``: a tuple of ``prepared`` of them."""
    prepared: int = 0
    land: Any = None
    """A branch-free attempt at the usual impact, if there is one, where the reach is LANDS:

        land(state, params, ground0, ground1, dt) -> (state, prepared, used, coordinate, ok)

    Where ``ok`` the state after the impact has the bits of ``step``, and ``coordinate`` is not
    exceeded on the way to it: it may only bound an extreme passed there, so where it is further out
    than any before, ``step`` has to find it. If it has used the whole interval, nothing happened
    after all. Several bodies that strike can then be followed side by side, too.
    """
    otherwise: Otherwise | None = None
    """How bodies are followed for which the reach of the attempt is OTHERWISE."""
    whole: Any = None
    """The attempt as an `advance`, if ``step`` would give other bits where it is ``ok``: for where
    it is and yet may have passed a new extreme. ``reach`` is 0 then wherever it is not ``ok``."""
    tolerance: int | None = None
    """Which parameter is the tolerance of a step, if one is."""
    unfollowed: int | None = None
    """Which number of the state is not followed, if one is not: it comes back as nan."""
    turning: Any = None
    """Finds the turning point that ``step`` passed through, if it can pass one: see above."""
    hopeless: Any = None
    """``hopeless(state)``: whether no attempt can succeed from this state, if there are any such.
    The body then moves in another way, with code of its own, and a GPU lets it wait longer for
    others in the same state."""
    changing: int | None = None
    """How many numbers of the state, the first ones, an attempt changes; all unless given."""
    zero_at_rest: bool = True
    """Whether the ground moves every body at rest as it moves a state of zeros. If not (it may have
    turned before it came to rest), a GPU looks at its own state."""


class Formulation(ABC):
    """How a body moves: one paper, one folder.

    A theory inherits from this class and states what differs from the defaults. It must have a
    `name`, its `bodies` and what is abstract.
    """

    # -- what it is -----------------------------------------------------------------------------

    name: ClassVar[str]
    """What tables, figures and files call it."""
    title: ClassVar[str] = ""
    """The same in plain words, where that differs: "Rigid body spring"."""
    bodies: ClassVar[tuple[type[System], ...]]
    """The kinds of body it can move; subclasses of them are included."""
    compared: ClassVar[bool] = False
    """Whether `rs.compare` includes it unasked; then it has :meth:`like`."""
    usual_for: ClassVar[tuple[type[System], ...]] = ()
    """The bodies that move by it unless another theory is given."""
    components: ClassVar[tuple[str, ...]] = ("accel", "vertical")
    """The components of a motion that it takes; others are left out. The step is given the first
    two, and ``"transverse"`` as the third if that is among them."""
    starts_in_a_direction: ClassVar[bool] = False
    """Whether :meth:`start` also takes ``direction`` [degrees from x towards y]: the one in which
    the body leans at first."""
    turns_are_events: ClassVar[bool] = False
    """Whether the step stops at every extreme of the coordinate. Then a batch of runs finds the
    peaks that `simulate` finds; otherwise an ensemble runs them one by one."""
    has_impacts: ClassVar[bool] = True
    compliant: ClassVar[bool] = False
    """Whether contact is soft: velocities never jump, and an impact is a passage through zero at
    the end of a swing in which a corner left the bed."""
    gradual: ClassVar[bool] = False
    """Whether an impact has an event of its own and yet takes time, so that energies are better
    compared from peak to peak."""
    deforms: ClassVar[bool] = False
    """Whether the body has displacements and stresses inside: see `rs.body_history`."""
    may_doubt: ClassVar[bool] = False
    """Whether :meth:`doubt` can say anything."""
    not_halved: ClassVar[str] = "nothing is known of the order of its steps"
    """Why runs with shorter steps say nothing of the error of one; "" where they do: see
    `rs.analysis.step_error`."""
    cost: ClassVar[float] = 500.0
    """About how long a core takes for one sample of the motion [ns]; sets how ensembles divide."""
    kept: ClassVar[Mapping[str, Quantity]] = {}
    """What ensembles keep of the final state, beside what they keep of every run; what is no entry
    of the state comes from :meth:`at_end`."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """Options of the command line that it does not take, and why."""

    # -- what it must offer -----------------------------------------------------------------------

    @abstractmethod
    def columns(self, system: Any) -> tuple[str, ...]:
        """Name and unit of each entry of the state, e.g. ``"theta [rad]"``."""

    @abstractmethod
    def advance_for(self, system: Any) -> Callable[..., Any]:
        """The compiled step for this kind of body."""

    @abstractmethod
    def parameters(self, system: Any) -> tuple[Any, ...]:
        """What the step needs to know of the body, checked. Made anew for every run: a body that
        is more than a few numbers (contact points, a mesh) keeps its workspace here."""

    def model(self, systems: Sequence[Any]) -> Any:
        """The body whose compiled step serves all of these."""
        return systems[0]

    def parameters_like(self, system: Any, model: Any) -> tuple[Any, ...]:
        """The same for the step of another body, see :meth:`model`."""
        return self.parameters(system)

    @abstractmethod
    def start(self, system: Any, coordinate: float = 0.0, rate: float = 0.0) -> Numbers:
        """The state at time zero: upright and at rest unless a coordinate and rate are given."""

    @abstractmethod
    def energy(self, system: Any, states: Array) -> Array:
        """Mechanical energy [J] of each row of ``states``; zero at rest upright."""

    @abstractmethod
    def at_rest(self, system: Any, states: Array) -> NDArray[np.bool_]:
        """Which rows of ``states`` stay as they are while the ground does not move."""

    @abstractmethod
    def doomed(self, system: Any, state: Array) -> bool:
        """Whether the body will fall from here though the ground never moves again."""

    # -- what it may offer ------------------------------------------------------------------------

    def coordinate(self, system: Any) -> Coordinate:
        """What the body is judged by: its own coordinate, if that is the first of the state; else
        the first of the state in its own unit."""
        label = self.columns(system)[0]
        own: Coordinate = system.coordinate
        return own if label == f"{own.name} [{own.unit}]" else Coordinate.of_column(label)

    def check_vertical(self, system: Any, a_v: Array) -> None:  # noqa: B027
        """Refuse a vertical ground acceleration [m/s²] that the theory does not cover."""

    def time_step(self, system: Any) -> float | None:
        """The step [s] the formulation prescribes, or None where the motion's own will do."""
        return None

    def aftermath(self, system: Any) -> float:
        """How long [s] a body is followed to its rest, at most, after the ground has stopped."""
        return 600.0

    def exact_rest(self, system: Any) -> bool:
        """Whether a body at rest keeps every bit of its state while the ground stands still, and
        its state alone says that it rests. (On a soft bed it goes on trembling.)"""
        return False

    def lift_off(self, system: Any) -> tuple[float, float] | None:
        """The horizontal acceleration over the vertical one, gravity included, below which a body
        at rest stays at rest: onto its right corner and onto its left one, tan α of each, or inf
        where it never lifts off. None where there is no such threshold, as on a soft bed."""
        return None

    def slide(self, system: Any, states: Array) -> Array | None:
        """How far the base has slid [m] in each row of ``states``; None where it cannot."""
        names = [label.split(" [")[0] for label in self.columns(system)]
        return states[..., names.index("slide")] if "slide" in names else None

    def displaced(self, system: Any, states: Array) -> Array | None:
        """How far the body, or the part of it that is farthest, is from where it stood [m], in each
        row of ``states``; None where it cannot leave its place."""
        return self.slide(system, states)

    def fallen(self, system: Any, time: Array, states: Array) -> list[tuple[str, float]]:
        """Name and time [s] of each part of the body that has fallen, the first one first; empty
        where it falls as a whole."""
        return []

    def derived(self, system: Any, states: Array) -> dict[str, Array]:
        """Further columns worked out from those of the state, by name and unit: ``"yaw [rad]"``."""
        return {}

    def at_end_for(self, system: Any) -> Any:
        """`at_end` in compiled code, ``at_end(state, params)``, its numbers in the order of those
        in ``kept`` that are not entries of the state; None: Python works them out."""
        return None

    def at_end(self, system: Any, states: Array) -> dict[str, Array]:
        """Those of `kept` that are no entries of the state, from the last state of each run, a row
        of ``states`` each."""
        return {}

    def fell_to(self, system: Any, state: Array) -> str:
        """Which way a body that rocks has fallen: "right" (+x) or "left", or in words such as
        "over corner 2"."""
        return "right" if state[0] > 0 else "left"

    def doubt(self, system: Any, states: Array) -> str | None:
        """A sentence where a run should not be trusted."""
        return None

    def told(self, response: Any) -> str:
        """How a run was computed and what that means for its numbers, in words."""
        return ""

    def computed(self, response: Any) -> dict[str, Any]:
        """The same in plain numbers."""
        return {}

    def laws_for(self, system: Any) -> str:
        """The function that audits a response by the laws of the theory, as "module:name": see
        `rs.analysis.audit`."""
        return "rocksteady.analysis.auditing.general:laws"

    # The next three are for loops in compiled code: functions of (state, params), None where there
    # is none. Without the first an ensemble runs bodies to their rest one by one.

    def resting_for(self, system: Any) -> Any:
        """``resting(state, params)``, compiled: what :meth:`at_rest` says."""
        return None

    def doomed_for(self, system: Any) -> Any:
        """``doomed(state, params)``, compiled: what :meth:`doomed` says."""
        return None

    def outcome_for(self, system: Any) -> Any:
        """``outcome(state, params) -> (falls, highest, lowest, impacts)``, compiled: whether a body
        falls once the ground has stopped, the largest and smallest coordinate that it still
        reaches, and how many impacts come before a fall, where energy tells. Then nobody needs to
        follow it to rest."""
        return None

    def loss_parameters(self, system: Any) -> tuple[LossParameter, ...]:
        """What sets its loss at impacts, the usual one first."""
        return ()

    def watched(self, system: Any) -> dict[str, Watched]:
        """What a live monitor can watch, by the names that alarms use."""
        coordinate = self.coordinate(system)
        if system.rocks and coordinate.over:
            return {"lean": Watched("", ratio=True)}
        return {coordinate.name: Watched(coordinate.unit)}

    def vibration(self, system: Any, state: Numbers) -> float:
        """Amplitude [m] of a vibration that goes on though the body is called at rest."""
        return 0.0

    def keeps_at_impact(self, system: Any) -> str:
        """What an impact keeps, in words."""
        return f"what follows from {self.name}"

    def glide_for(self, system: Any) -> Glide | None:
        """How ensembles follow many bodies side by side; None: one step after another."""
        return None

    def not_on_gpu(self, system: Any) -> str | None:
        """Why a GPU cannot follow this body, in words; None where one can."""
        return None

    def substeps_for(self, system: Any) -> Substeps | None:
        """The parts of an `advance` of many small steps; None where it is not one."""
        return None

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> Formulation:
        """The theory with this ratio of angular velocities at impacts and this friction, as far as
        it can be told them."""
        return cls()
