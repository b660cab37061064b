"""The motion of a floor: against digits computed elsewhere, and against a building's own matrices
integrated by a matrix exponential."""

import math
import shlex
import warnings

import numpy as np
import pytest
from scipy.linalg import eigh, expm

import rocksteady as rs
from rocksteady.motion.floors import Mode
from rocksteady.motion.recipe import command_line, process

SINE = rs.pulses.sine(amplitude=1.0, period=0.5, dt=0.001)


def noise(samples: int = 400, dt: float = 0.01, seed: int = 3) -> rs.Motion:
    rng = np.random.default_rng(seed)
    return rs.Motion(rng.normal(size=samples), dt, name="noise")


def shear_building(storeys: int, period: float, damping: float) -> tuple[np.ndarray, ...]:
    """Stiffness and damping matrix of a uniform shear building of unit masses, modes damped
    alike: from the matrices themselves, not from a closed form."""
    k = 2 * np.eye(storeys) - np.eye(storeys, k=1) - np.eye(storeys, k=-1)
    k[-1, -1] = 1.0
    squares, shapes = eigh(k)
    k *= (2 * math.pi / period) ** 2 / squares[0]
    omegas = np.sqrt(eigh(k, eigvals_only=True))
    c = shapes @ np.diag(2 * damping * omegas) @ shapes.T
    return k, c


def by_exponential(ground: np.ndarray, dt: float, k: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Absolute accelerations of all floors [m/s²], a row per sample: one exponential of the whole
    state, with the ground's acceleration and its rate in it."""
    n = len(k)
    matrix = np.zeros((2 * n + 2, 2 * n + 2))
    matrix[:n, n : 2 * n] = np.eye(n)
    matrix[n : 2 * n, :n], matrix[n : 2 * n, n : 2 * n] = -k, -c
    matrix[n : 2 * n, 2 * n] = -1.0
    matrix[2 * n, 2 * n + 1] = 1.0
    step, state, out = expm(matrix * dt), np.zeros(2 * n), np.zeros((len(ground), n))
    for i in range(len(ground) - 1):
        whole = np.concatenate([state, [ground[i], (ground[i + 1] - ground[i]) / dt]])
        state = (step @ whole)[: 2 * n]
        out[i + 1] = -(k @ state[:n] + c @ state[n:])
    return out


# -- the building ----------------------------------------------------------------------------------


def test_modes_of_four_storeys() -> None:
    modes = rs.Floor(period=0.5, storeys=4).modes
    frequencies = [0.5 / mode.period for mode in modes]
    assert frequencies == pytest.approx([1, 2.87938524, 4.41147413, 5.41147413], abs=1e-8)
    weights = [mode.participation for mode in modes]
    expected = [1.24113829, -0.33333333, 0.11985841, -0.02766337]
    assert weights == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("storeys", [1, 2, 7, 40])
def test_participations_sum_to_one_at_every_level(storeys: int) -> None:
    for level in range(1, storeys + 1):
        floor = rs.Floor(0.8, storeys=storeys, level=level)
        assert sum(mode.participation for mode in floor.modes) == pytest.approx(1, abs=1e-13)
        assert abs(floor.residual) < 1e-13


@pytest.mark.parametrize(("storeys", "level"), [(1, 1), (4, 2), (6, 6)])
def test_modes_are_those_of_the_matrices(storeys: int, level: int) -> None:
    k, _ = shear_building(storeys, 0.7, 0.05)
    squares, shapes = eigh(k)
    weights = shapes.sum(axis=0) * shapes[level - 1]
    modes = rs.Floor(0.7, storeys=storeys, level=level).modes
    assert [mode.period for mode in modes] == pytest.approx(2 * np.pi / np.sqrt(squares))
    assert [mode.participation for mode in modes] == pytest.approx(weights, abs=1e-12)


# -- its motion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "peak"), [(1, 1.366520866), (2, 2.177178034), (3, 2.944656762), (4, 3.391454707)]
)
def test_peaks_under_a_sine(level: int, peak: float) -> None:
    made = rs.floor_motion(SINE, period=0.5, damping=0.05, storeys=4, level=level)
    assert made.pga == pytest.approx(peak, abs=1e-8)


@pytest.mark.parametrize("storeys", [1, 4])
@pytest.mark.parametrize("damping", [0.02, 0.2])
def test_equals_the_exponential_of_the_whole_building(storeys: int, damping: float) -> None:
    ground = noise()
    k, c = shear_building(storeys, 0.4, damping)
    for level in range(1, storeys + 1):
        made = rs.floor_motion(ground, period=0.4, damping=damping, storeys=storeys, level=level)
        still = np.zeros(made.npts - ground.npts)
        exact = by_exponential(np.concatenate([ground.accel, still]), ground.dt, k, c)
        assert np.abs(made.accel - exact[:, level - 1]).max() < 1e-10


def test_resonance() -> None:
    """√(1 + 4ξ²)/(2ξ) of a steady sine at the building's own period."""
    steady = rs.pulses.sine(amplitude=1.0, period=0.5, cycles=120, dt=0.5 / 2000)
    made = rs.floor_motion(steady, period=0.5, damping=0.05)
    last = slice(steady.npts - 2001, steady.npts - 1)  # one whole period
    turns = np.exp(2j * np.pi * steady.time[last] / 0.5)
    amplitude = 2 * abs(np.mean(made.accel[last] * turns))
    # between samples the ground is straight, which takes sinc² off the sine's amplitude
    amplitude /= np.sinc(1 / 2000) ** 2
    assert amplitude == pytest.approx(10.049875621, abs=1e-8)


def test_a_stiff_building_moves_with_the_ground() -> None:
    with pytest.warns(rs.RocksteadyWarning, match="resampled"):
        made = rs.floor_motion(SINE, period=1e-3, storeys=3)
    assert made.accel[: SINE.npts] == pytest.approx(SINE.accel, abs=1e-3)


def test_level_zero_is_the_ground() -> None:
    made = rs.floor_motion(SINE, period=0.5, storeys=4, level=0)
    assert (made.accel[: SINE.npts] == SINE.accel).all()
    assert not made.accel[SINE.npts :].any()


def test_fewer_modes_leave_a_rigid_part() -> None:
    """One of eight modes and the rest as rigid: near the whole building where the ground is slow,
    and wrong without the rest."""
    whole = rs.Floor(0.4, storeys=8, level=1)
    first = whole.modes[:1]
    weights = [mode.participation for mode in first]
    few = rs.Floor.of_modes([mode.period for mode in first], weights, 0.05)
    assert few.residual == pytest.approx(1 - sum(weights)) and abs(few.residual) > 0.5
    slow = rs.pulses.sine(amplitude=1.0, period=2.0, dt=0.005)
    exact, near = whole.motion(slow), few.motion(slow)
    assert near.pga == pytest.approx(exact.pga, rel=0.01)
    bare = near.accel[: slow.npts] - few.residual * slow.accel
    assert np.abs(bare).max() < 0.95 * exact.pga


def test_rings_until_one_per_cent_is_left() -> None:
    floor = rs.Floor(0.5, 0.05)
    assert floor.ringing == pytest.approx(math.log(100) * 0.5 / (2 * math.pi * 0.05))
    made = floor.motion(SINE)
    assert made.duration == pytest.approx(SINE.duration + floor.ringing, abs=SINE.dt)
    after = np.abs(made.accel[SINE.npts :])
    left = after[-500:].max() / after.max()  # the last peak over the first, up to a period apart
    assert 0.01 < left < 0.01 * math.exp(2 * math.pi * 0.05)


def test_slowest_mode_decides_how_long_it_rings() -> None:
    floor = rs.Floor.of_modes([0.5, 0.2], [1.2, -0.2], [0.10, 0.01])
    assert floor.ringing == pytest.approx(math.log(100) * 0.2 / (2 * math.pi * 0.01))


def test_linear_and_the_same_in_both_directions() -> None:
    a, b = noise(seed=1), noise(seed=2)
    both = rs.Motion(a.accel, a.dt, vertical=0.1 * b.accel, transverse=b.accel, name="record")
    floor = rs.Floor(0.6, storeys=3, level=2)
    made = floor.motion(both)
    assert made.accel == pytest.approx(floor.motion(a).accel, abs=0)
    assert made.transverse == pytest.approx(floor.motion(b).accel, abs=0)
    twice = floor.motion(both.scaled(2.0)).accel
    assert twice == pytest.approx(2 * made.accel, abs=1e-12)


def test_vertical_passes_through() -> None:
    ground = SINE.with_vertical(0.5 * SINE.accel)
    made = rs.floor_motion(ground, period=0.5)
    assert (made.vertical[: SINE.npts] == ground.vertical).all()  # type: ignore[index]
    assert not made.vertical[SINE.npts :].any()  # type: ignore[index]


# -- what is remembered ----------------------------------------------------------------------------


def test_name_meta_and_history_are_kept() -> None:
    ground = rs.Motion(SINE.accel, SINE.dt, name="AQK", meta={"station": "AQK", "history": ("x",)})
    made = rs.floor_motion(ground, period=0.5, storeys=4, level=2)
    assert made.name == "AQK" and made.meta["station"] == "AQK"
    assert made.meta["floor"] == "floor at level 2 of a 4-storey building, T1 0.5 s, damping 5 %"
    assert made.meta["history"] == ("x", "floor(0.5,0.05,4,2)")


@pytest.mark.parametrize(
    "floor",
    [
        rs.Floor(0.5, 0.03, 4, 2),
        rs.Floor(1 / 3),
        rs.Floor.of_modes([0.5, 0.17], [1.24, -0.33], [0.05, 1 / 30]),
    ],
)
def test_history_repeats_it_to_the_last_bit(floor: rs.Floor) -> None:
    ground = noise()
    made = floor.motion(ground)
    words = command_line(made, "record.csv")
    assert words.startswith("rocksteady motion process record.csv --floor")
    again = process(ground, shlex.split(words)[4:])
    assert again == made


def test_survives_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    made = rs.floor_motion(noise(), period=0.5, storeys=4)
    rs.write_motion(made, tmp_path / "roof.csv")
    back = rs.read_motion(tmp_path / "roof.csv")
    assert back.meta["floor"] == made.meta["floor"]
    with pytest.raises(rs.InputError, match="already the motion of a floor"):
        rs.floor_motion(back, period=0.5)


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"period": 0.0}, "period = 0.0 s"),
        ({"period": 0.5, "damping": 5}, "Five per cent is 0.05"),
        ({"period": 0.5, "damping": 0.0}, "ring on without end"),
        ({"period": 0.5, "storeys": 0}, "storeys = 0"),
        ({"period": 0.5, "storeys": 2.5}, "whole number"),
        ({"period": 0.5, "storeys": 4, "level": 5}, "level = 5 .* from 0 to 4"),
        ({"period": 0.5, "storeys": 4, "level": "roof"}, "level = 'roof'"),
    ],
)
def test_bad_floors(options: dict[str, float], words: str) -> None:
    with pytest.raises(rs.InputError, match=words):
        rs.floor_motion(SINE, **options)  # type: ignore[arg-type]


def test_bad_modes() -> None:
    with pytest.raises(rs.InputError, match="2 periods, 1 participations"):
        rs.Floor.of_modes([0.5, 0.2], [1.2])
    with pytest.raises(rs.InputError, match=r"periods = -0\.2"):
        rs.Floor.of_modes([0.5, -0.2], [1.2, 0.1])
    with pytest.raises(rs.InputError, match="dampings must be"):
        rs.Floor.of_modes([0.5], [1.2], "5 %")  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match=r"'0\.5' is not a mode"):
        rs.Floor.parsed("0.5")
    with pytest.raises(rs.InputError, match="no modes"):
        rs.Floor.parsed(" ")
    with pytest.raises(rs.InputError, match="not a Motion"):
        rs.Floor(0.5).motion([1.0, 2.0])  # type: ignore[arg-type]
    assert rs.Floor.parsed("0.5:1.2:0.1").modes == (Mode(0.5, 1.2, 0.1),)


@pytest.mark.parametrize(("period", "told"), [(0.199, True), (0.2, False), (0.21, False)])
def test_a_stiff_building_needs_ten_samples_of_its_motion_in_a_period(period, told):
    ground = rs.Motion(np.sin(np.arange(200) * 0.3), 0.02, name="site")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        rs.Floor(period=period, storeys=3).motion(ground)
    assert [str(each.message)[:59] for each in said] == told * [
        "The building's period of 0.199 s has fewer than 10 samples "
    ]
