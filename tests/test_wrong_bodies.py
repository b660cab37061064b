"""Every public function that takes a body, a run or a path answers any body, or refuses it in a
sentence of ours: never an AttributeError, TypeError or KeyError from inside.

What would run for long is replaced: `simulate` and `ensemble` are tested elsewhere.
"""

import inspect

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.swings import Swings
from rocksteady.motion.code_spectra import Eurocode8

A = rs.analysis
PUSH = rs.Motion(0.2 * np.sin(np.linspace(0, 2 * np.pi, 21)), 0.02)
TWO = [PUSH, PUSH.scaled(1.1)]
CODE = Eurocode8(ag=2.45, soil="B")
SITE = A.hazard.Hazard.power(level=0.25, rate=1 / 475, k=2.5)
TIME, LEAN = np.linspace(0, 1, 50), 0.1 * np.cos(np.linspace(0, 9, 50))
MANY = {"progress": False}

GIVEN = {
    "block": rs.Block(1.8, 0.5),
    "oscillator": rs.FlexibleOscillator(4.0, 0.6, 1000.0, 100.0, 50.0, 20.0),
    "building": rs.MasonryBuilding.casalotti2025(4e4),
    "box": rs.Body.box(0.45, 0.45, 1.8),
    "cylinder": rs.Body.cylinder(0.45, 1.8),
    "assembly": rs.Assembly.drums(2, height=2.0, width=0.5, friction=0.7),
    "text": "statue",
    "none": None,
    "class": rs.Block,
    "nothing": [],
    "number": 1.8,
    "blocks": [rs.Block(1.8, 0.5), rs.Block(1.9, 0.5)],
}


def allowed(it):
    with rs.allow_modules(it):
        pass


CALLS = {
    "assess": A.assess,
    "body_history": rs.body_history,
    "calibrate": lambda it: rs.calibrate(it, rs.Housner(), 0.9),
    "capacity_curve": lambda it: A.capacity_curve(it, steps=3),
    "cloud": lambda it: A.cloud(it, TWO, **MANY),
    "codes.check": lambda it: A.codes.check(it, CODE),
    "codes.check, site": lambda it: A.codes.check(GIVEN["block"], it),
    "codes.compare": lambda it: A.codes.compare(it, CODE),
    "compare": lambda it: rs.compare(it, PUSH, until="motion"),
    "compare_measures": A.fragilities.compare_measures,
    "compare_outcomes": lambda it: A.compare_outcomes(it, it),
    "compare_solvers": lambda it: A.compare_solvers(it, steps=20),
    "foreshock_map": lambda it: A.foreshock_map(it, [2e4], [0.3]),
    "ramp": lambda it: A.ramp(it),
    "stack_motion": lambda it: A.stack_motion(it, it, theta0=(0.01, 0.01)),
    "varying_momentum": lambda it: A.varying_momentum(it, PUSH, theta0=0.05),
    "compare_peaks": lambda it: A.compare_peaks(it, it),
    "decay": A.decay.decay,
    "decay_error": lambda it: A.decay.decay_error(it, it, 0.9),
    "direction_map": lambda it: A.direction_map(it, PUSH, [0.0, 90.0], [1.0, 2.0], **MANY),
    "dynamic_push": lambda it: A.dynamic_push(it, rise=0.1, hold=0.1, tolerance=0.3),
    "ensemble": lambda it: rs.ensemble(it, PUSH, **MANY),
    "ensemble, motions": lambda it: rs.ensemble(GIVEN["block"], it, **MANY),
    "equivalent_block": A.equivalent_block,
    "error_curves": lambda it: A.timestep.error_curves(it, [0.9], steps=[0.01]),
    "allow_modules": lambda it: allowed(it),
    "audit": A.audit,
    "examine": A.examine,
    "first_motion": lambda it: A.first_motion(it, 1.0),
    "floor_motion": lambda it: rs.floor_motion(it, period=0.3),
    "floor_spectra": lambda it: A.floor_spectra(PUSH, it),
    "fragility": lambda it: A.fragility(it, TWO, levels=[0.5, 1.0], **MANY),
    "identify": lambda it: rs.identify(it, it, contact_area=1.0),
    "identify_block": lambda it: A.identify_block(it, it),
    "identify_from_outcomes": lambda it: A.identify_from_outcomes(it, p=(1, 3), alpha=(0.1, 0.3)),
    "impact": lambda it: rs.impact(it, [[1.0]], [[1.0]], [1.0], 0.5),
    "impact_history": A.body_history.impact_history,
    "joint_forces": A.joint_forces,
    "largest_rotations": lambda it: A.statistics.largest_rotations(it, TWO, **MANY),
    "least_thickness": A.least_thickness,
    "lifting": lambda it: A.planes.lifting(it, PUSH, 0.0),
    "limit_load": A.limit_load,
    "measure_r": rs.measure_r,
    "measure_r, block": lambda it: rs.measure_r((TIME, LEAN), it),
    "measures": lambda it: A.measures(it, TWO, SITE, **MANY),
    "step_error": A.step_error,
    "mechanism_loads": lambda it: A.mechanism_loads(it, np.zeros((2, 3))),
    "Monitor": lambda it: rs.Monitor(it, dt=0.01),
    "open_ensemble": rs.open_ensemble,
    "overturning_map": lambda it: A.overturning_map(it, points=2, **MANY),
    "plane_at": lambda it: A.planes.plane_at(it, PUSH, 0.0),
    "planes_of": lambda it: A.planes.planes_of(it, PUSH),
    "plot_ensemble": rs.plot_ensemble,
    "portfolio": lambda it: rs.portfolio(it, PUSH),
    "pushover": lambda it: rs.pushover(it, [0, 1e-3, 0]),
    "read_assembly": rs.read_assembly,
    "read_folder": rs.read_folder,
    "read_motion": rs.read_motion,
    "read_motions": rs.read_motions,
    "read_record": rs.read_record,
    "read_records": rs.read_records,
    "risk": lambda it: A.risk(it, SITE),
    "rocking_spectrum": lambda it: A.rocking_spectrum(it, alpha=0.3, periods=[1.0], **MANY),
    "rocking_spectrum, α": lambda it: A.rocking_spectrum(PUSH, alpha=it, periods=[1.0], **MANY),
    "rocks_flat": lambda it: A.planes.rocks_flat(it, 0.0),
    "sequence": lambda it: rs.sequence(it, TWO),
    "sequence, motions": lambda it: rs.sequence(GIVEN["building"], it),
    "simulate": lambda it: rs.simulate(it, PUSH, until="motion"),
    "stochastic_motions": lambda it: A.statistics.stochastic_motions(it, n=1),
    "stones.outcome": A.stones.outcome,
    "stripes_of": lambda it: A.stripes_of(it, TWO, levels=[0.5, 1.0], **MANY),
    "time_step": rs.time_step,
    "time_step, r": lambda it: rs.time_step(it, r=0.9),
    "time_step, Eq. 10": lambda it: rs.time_step(it, r=0.9, form="frequency"),
    "two_measures": A.fragilities.two_measures,
    "uncertainty": A.uncertainty,
    "uplift_of_two": A.equivalents.uplift_of_two,
    "validate": lambda it: A.validate(it, rs.Housner(), motions=TWO, **MANY),
    "validate_statistically": lambda it: A.statistics.validate_statistically(
        TWO, 0.9, block=it, **MANY
    ),
    "write_ensemble_runs": lambda it: rs.write_ensemble_runs(it, "runs.csv"),
    "write_ensemble_table": lambda it: rs.write_ensemble_table(it, "shares.md"),
    "write_motion": lambda it: rs.write_motion(it, "motion.AT2"),
    "yearly_rate": lambda it: A.hazard.yearly_rate(it, SITE),
}


class AcceptedError(Exception):
    """The argument was accepted: what follows would compile and run."""


@pytest.fixture(autouse=True)
def _no_runs(monkeypatch, tmp_path):
    def accepted(*_, **__):
        raise AcceptedError

    monkeypatch.chdir(tmp_path)
    for place in (  # none of which another module imports by its name
        "rocksteady.simulation._Runner.__init__",
        "rocksteady.simulation.make_trace",
        "rocksteady.ensembles.run._computed",
        "rocksteady.analysis.sequence.make_trace",
        "rocksteady.motion.generate.stochastic.ensemble",
    ):
        monkeypatch.setattr(place, accepted)


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_it_answers_or_refuses_in_a_sentence(call, given):
    try:
        CALLS[call](GIVEN[given])
    except AcceptedError:
        pass
    except rs.InputError as error:
        said = str(error)
        assert len(said) > 20 and said.rstrip()[-1] in ".?", said
        assert " a Assembly" not in said and "a NoneType" not in said, said


def test_no_public_function_is_left_out():
    """A new function that takes a body must be added above."""
    named = {call.split(",")[0].split(".")[-1] for call in CALLS}
    public = {name: getattr(rs, name) for name in rs.__all__}
    public |= {name: getattr(A, name) for name in A.__all__}
    functions = {name for name, it in public.items() if inspect.isfunction(it)}
    assert functions <= named, functions - named


def test_another_body_is_told_its_block():
    """What `rs.time_step` says, as the other functions that need a block."""
    for given, how in (
        ("assembly", "an Assembly: the law was fitted to blocks. rs.analysis.equivalent_block("),
        ("box", "a Body: the law was fitted to blocks. body.block(direction) gives a block."),
        ("oscillator", "oscillator.rigid() gives a block."),
        ("class", "not the class Block itself"),
        ("text", "not the text 'statue'"),
    ):
        with pytest.raises(rs.InputError, match="A time step needs a Block, not ") as error:
            rs.time_step(GIVEN[given])
        assert how in str(error.value)


def test_stones_have_no_theories_to_compare():
    """The error was empty."""
    with pytest.raises(
        rs.InputError, match="an Assembly moves by BlockDynamics or JointDissipation alone"
    ):
        rs.compare(GIVEN["assembly"], PUSH)


def test_swings_and_block_of_a_decay():
    swings = Swings(*(np.ones(3) for _ in inspect.signature(Swings).parameters))
    with pytest.raises(rs.InputError, match="decay_error needs a Block, not a Body"):
        A.decay.decay_error(swings, GIVEN["box"], 0.9)
