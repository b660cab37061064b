"""Wrong arguments of the public functions get a sentence of ours, not a traceback from inside."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.bodies.units import UNITS, WRITTEN, check_unit
from rocksteady.monitor.config import ConfigFile
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.processing import baseline
from rocksteady.numbers import is_number, real, reals, whole
from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.jobs.kinds import KINDS

BLOCK, MOTION = rs.Block(2.0, 0.5), rs.pulses.sine(5.0, period=1.0, dt=0.01)
BODY = rs.Body.box(0.45, 0.45, 1.8)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rs.simulate(BLOCK, MOTION, duration="long"), "duration = 'long' s is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, duration=-1.0), "duration = -1.0 s is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, theta0="x"), "theta0 = 'x' rad is not allowed"),
        (lambda: rs.simulate(BODY, theta0="a lot"), "theta0 = 'a lot' rad is not allowed"),
        (lambda: rs.simulate(BODY, omega0="x"), "omega0 = 'x' rad/s is not allowed"),
        (lambda: rs.simulate(BLOCK, MOTION, theta0=10.0), "Angles are in radians"),
        (lambda: rs.simulate(BLOCK, MOTION, "housner"), "such as rs.Housner()"),
        (lambda: rs.simulate(BLOCK, MOTION, rs.Housner), "did you mean Housner()"),
        (lambda: rs.simulate("statue", MOTION), "is not a body"),
        (lambda: rs.simulate(BLOCK, [1.0, 2.0]), "is not a motion"),
        (lambda: rs.calibrate(BLOCK, "housner", 0.9), "such as rs.Housner()"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 1.5), "between 0 and 1"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), "0.9"), "between 0 and 1"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 0.9, theta0=BLOCK.alpha), "released at a lean"),
        (lambda: rs.calibrate(BLOCK, rs.Housner(), 0.9, theta0=9.0), "theta0 = 9.0 rad"),
        (lambda: rs.compare(BLOCK), "Nothing would move"),
        (lambda: rs.ensemble(BLOCK, MOTION, scales="x"), "scales = 'x' is not allowed"),
        (lambda: rs.ensemble(BLOCK, MOTION, scales=[]), "There are no scales"),
        (lambda: rs.ensemble(BLOCK, MOTION, scales=["0.5"]), "scales = ['0.5'] is not allowed"),
    ],
)
def test_a_wrong_argument_is_named(call, told):
    with pytest.raises(rs.errors.InputError) as error:
        call()
    assert told in str(error.value)


TAKES_A_NUMBER = {
    "Motion.dt": lambda number: rs.Motion([0.0, 1.0], number),
    "Motion.accel": lambda number: rs.Motion([0.0, number], 0.01),
    "scaled": MOTION.scaled,
    "pga": lambda number: MOTION.scaled_to(pga=number),
    "sine": lambda number: rs.pulses.sine(number, period=1.0, dt=0.01),
    "Block": lambda number: rs.Block(number, 0.05),
    "alpha": lambda number: rs.Block.from_parameters(p=2.0, alpha=number),
    "building": rs.MasonryBuilding.casalotti2025,
    "theta0": lambda number: rs.simulate(BLOCK, theta0=number, duration=0.1),
    "dt": lambda number: rs.Monitor(BLOCK, dt=number),
    "push": lambda number: rs.Monitor(BLOCK, dt=0.01).push(number),
    "eta": lambda number: rs.simulate(BLOCK, None, rs.Housner(eta=number), theta0=0.1),
    "l": lambda number: rs.ComplexPotential(l=number).parameters(BLOCK),
    "K": lambda number: rs.RigidBodySpring(K=number),
    "k_n": lambda number: rs.NumericalDissipation(k_n=number),
    "epsilon": lambda number: rs.Nonsmooth(epsilon=number),
    "r": lambda number: rs.time_step(BLOCK, 5e8, number),
}


@pytest.mark.parametrize("take", TAKES_A_NUMBER.values(), ids=TAKES_A_NUMBER)
def test_a_text_is_no_number_anywhere(take):
    """One rule for all rooms: 0.05 in quotes is a mistake, however well it could be guessed."""
    for text in ("0.05", b"0.05", np.str_("0.05"), np.array("0.05"), np.complex128(0.05)):
        with pytest.raises(rs.InputError):
            take(text)
    for number in (0.05, np.float32(0.05), np.array(0.05), Fraction(1, 20), Decimal("0.05")):
        take(number)


TAKES_NUMBERS = {
    **TAKES_A_NUMBER,
    "until": lambda number: rs.simulate(BLOCK, MOTION, until=number),
    "width": lambda number: rs.Block(1.8, number),
    "mass": lambda number: rs.Block(1.8, 0.5, mass=number),
    "offset": lambda number: rs.Block(1.8, 0.5, offset=number),
    "scales": lambda number: rs.ensemble(BLOCK, MOTION, scales=[number, 2.0], progress=False),
    "centre": lambda number: rs.Body(1.0, (1.0, 1.0, 1.0), (0.0, 0.0, number), 2.0, radius=0.5),
    "inertia": lambda number: rs.Body(1.0, (number, 1.0, 1.0), (0.0, 0.0, 1.0), 2.0, radius=0.5),
    "base": lambda number: rs.Body.prism([(0, 0), (number, 0), (0, 1)], 1.0),
    "outline": lambda number: rs.Block.from_outline([(0, 0), (number, 0), (1, 2), (0, 2)]),
    "storeys": lambda number: rs.Floor(period=0.5, storeys=number),
    "n": lambda number: rs.stochastic.ensemble(number, 1),
    "seed": lambda number: rs.stochastic.ensemble(1, number),
    "components": lambda number: rs.stochastic.ensemble(1, 1, components=number),
    "drums": lambda number: rs.Assembly.drums(number, height=2.0, width=0.5),
    "impacts": lambda number: rs.measure_r(SWINGS, impacts=number),
    "steps": lambda number: rs.analysis.capacity_curve(DRUMS, steps=number),
    "voussoirs": lambda number: rs.analysis.least_thickness(170.0, voussoirs=number),
    "points": lambda number: rs.analysis.overturning_map(BLOCK, points=number, progress=False),
    "order": lambda number: baseline(MOTION, order=number),
}
SWINGS = rs.simulate(BLOCK, theta0=0.1, duration=3.0)
DRUMS = rs.Assembly.drums(2, height=2.0, width=0.5, friction=0.7)


@pytest.mark.parametrize("take", TAKES_NUMBERS.values(), ids=TAKES_NUMBERS)
def test_true_and_false_are_no_numbers_anywhere(take):
    """`until=True` would be one second."""
    for truth in (True, np.True_, False):
        with pytest.raises(rs.InputError):
            take(truth)


def test_a_list_with_a_truth_is_no_list_of_numbers():
    """NumPy would take [True, 2.0] for [1.0, 2.0]."""
    lists = ([True, 2.0], (2.0, np.False_), [[1.0, 2.0], [True, 2.0]], np.array([True, False]),
             np.array([True, 2.0], dtype=object))  # fmt: skip
    for values in lists:
        with pytest.raises(TypeError, match="True or False"):
            reals(values)
    assert reals([[1, 2.0], [3, 4]]).tolist() == [[1.0, 2.0], [3.0, 4.0]]


@given(st.integers(0, 2**80))
def test_whole_numbers_are_kept_exactly(number):
    assert whole("n", number, 0) == number and type(whole("n", np.int64(7))) is int
    for other in (number + 0.5 if number < 2**50 else -1, -1, True, "7", math.nan, math.inf, None):
        with pytest.raises(rs.InputError, match=r"n = .* it must be a whole number of at least 0"):
            whole("n", other, 0)
    with pytest.raises(rs.InputError, match="from 1 to 10 000"):
        whole("n", 10_001, 1, 10_000)


@pytest.mark.parametrize(
    "made",
    [
        lambda one: rs.Housner(eta=one / 2),
        lambda one: rs.Housner(r=one),
        lambda one: rs.ComplexPotential(l=one / 1000, eta=one / 2),
        lambda one: rs.RigidBodySpring(K=10**7 * one, beta=one / 50, friction=one, dt=one / 4000),
        lambda one: rs.NumericalDissipation(k_n=10**8 * one, dt=one / 100, friction=one),
        lambda one: rs.Nonsmooth(epsilon=one / 2, friction=one),
    ],
)
def test_a_number_of_any_kind_moves_a_block_alike(made):
    how = made(1.0)
    wanted = rs.simulate(BLOCK, theta0=0.1, duration=0.2, formulation=how).theta
    for one in (1, Fraction(1), Decimal(1), np.array(1.0)):
        assert repr(made(one)) == repr(how)
        found = rs.simulate(BLOCK, theta0=0.1, duration=0.2, formulation=made(one)).theta
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("number", [7, 7.0, np.int8(7), np.array(7), Fraction(7), Decimal(7)])
def test_what_is_a_number(number):
    assert real(number) == float(number)
    assert type(real(number)) is float


@pytest.mark.parametrize(
    "other",
    ["7", b"7", None, [7.0], [[7], [7, 7]], np.array([7.0]), 7j, object(), True, np.True_,
     np.array(False), np.array(True, dtype=object)],
)  # fmt: skip
def test_what_is_none(other):
    assert np.isnan(real(other))


def test_which_words_of_a_file_are_numbers():
    words = {"7": True, "-.7e+1": True, "nan": True, "7_0": False, "7,0": False, "": False}
    assert {word: is_number(word) for word in words} == words


def test_the_units_people_read_are_those_of_the_tables():
    for name, unit in WRITTEN.items():
        check_unit(name, unit)
        assert not set("23^") & set(unit) or name == "wear_energy"
    assert WRITTEN.keys() == UNITS.keys()
    assert (WRITTEN["stiffness"], WRITTEN["g"], WRITTEN["inertia"]) == ("N/m³", "m/s²", "kg m²")


# -- names that are not known: one sentence at every door ------------------------------------------


MISSPELT = {
    "systems": lambda: rs.specs.StudySpec.checked({"sistems": {}}),
    "object": lambda: rs.specs.AssessmentSpec.checked({"objct": {}}),
    "motion": lambda: rs.specs.CaseSpec.checked({"motoin": {}}),
    "levels": lambda: rs.specs.HazardSpec.checked({"levles": [1]}),
    "spectrum": lambda: rs.specs.CodesSpec.checked({"spectrm": {}}),
    "height": lambda: rs.specs.BodySpec.checked({"hight": 1}),
    "width": lambda: rs.Block.from_values({"height": 2, "width": 1, "widht": 1}),
    "thickness": lambda: rs.Block.from_values({"thicknes": 1}, "statue"),
    "eta": lambda: rs.specs.TheorySpec(name="Housner", etta=0.9).build(),
    "friction": lambda: codes.check(BLOCK, Eurocode8(ag=1.0, soil="A"), frction=1),
    "storey": lambda: AskRequest.checked({"kind": "ask", "storye": 2}),
    "points": lambda: KINDS["map"].request.checked({"kind": "map", "ponts": 3}),
    "logs": lambda: ConfigFile.checked({"lgos": "x"}),
    "count": lambda: rs.Assembly.from_values(
        {"structure": "drums", "cuont": 2, "count": 3, "height": 1, "diameter": 1}
    ),
}


@pytest.mark.parametrize("meant", MISSPELT)
def test_an_unknown_name_is_refused_with_those_that_are_allowed(meant):
    said = rf"is not known .*; did you mean {meant}\? Allowed are "
    with pytest.raises(rs.InputError, match=said):
        MISSPELT[meant]()
