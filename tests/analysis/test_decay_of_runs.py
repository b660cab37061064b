"""`Response.decay` and `measure_r` of runs: what an impact keeps is all of the kinetic energy, in
every theory."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.impacts import impact_energies
from rocksteady.analysis.decay.swings import potential, swings

BLOCK = rs.Block(1.0, 0.25)
COLUMN = rs.Block(4.2, 0.6)
LEANING = rs.Block(1.0, 0.25, offset=0.03)
TANK = rs.FlexibleOscillator(
    height=10.0,
    width=2.0,
    top_mass=1e4,
    base_mass=2e4,
    column_mass=1e4,
    natural_frequency=5.0,
    damping_ratio=0.01,
)
STILL, FINE = (rs.Motion(np.zeros(2), dt) for dt in (2e-4, 2e-5))
RIGID = [
    pytest.param(BLOCK, rs.Housner(), id="Housner"),
    pytest.param(BLOCK, rs.Housner(r=0.7), id="Housner r"),
    pytest.param(LEANING, rs.Housner(), id="asymmetric"),
    pytest.param(BLOCK, rs.ComplexPotential(l=1e-7), id="ComplexPotential"),
    pytest.param(BLOCK, rs.Nonsmooth(), id="Nonsmooth"),
    pytest.param(BLOCK, rs.Nonsmooth(friction=0.15), id="slipping"),
    pytest.param(LEANING, rs.Nonsmooth(friction=0.15), id="asymmetric, slipping"),
    pytest.param(TANK, rs.Nonsmooth(), id="flexible"),
]


def let_go(body, how, motion=STILL, seconds=2.5, share=0.5):
    return rs.simulate(body, motion, how, theta0=share * body.alpha, duration=seconds)


def kinetic(run):
    """At each sample [J]: of the rigid body by its centre of mass, of the tank by Fig. 7's T."""
    body, omega = run.system, run.omega
    if body is TANK:
        side = np.sign(run.column("contact"))
        u, rate = side * run.column("u"), run.column("u_rate")
        lever = body.mass * body.b**2 - 2 * body.b * body.modal_participation * u
        inertia = body.inertia_about_base + lever + body.modal_mass * u**2
        coupled = body.modal_moment * rate * omega
        return body.modal_mass * rate**2 / 2 + coupled + inertia * omega**2 / 2
    right = (run.theta > 0) | ((run.theta == 0) & (omega > 0))
    R = np.where(right, body.right.R, body.left.R)
    tilt = np.where(right, body.right.alpha - run.theta, -body.left.alpha - run.theta)
    slides = run.column("slide_rate") if run.has("slide_rate") else 0.0
    lifts = run.column("lift_rate") if run.has("lift_rate") else 0.0
    speed = (slides + R * np.cos(tilt) * omega) ** 2 + (lifts + R * np.sin(tilt) * omega) ** 2
    return body.mass * speed / 2 + body.inertia * omega**2 / 2


@pytest.mark.parametrize(("body", "how"), RIGID)
def test_r_is_the_kinetic_energy_kept_at_each_impact(body, how):
    """Read off the samples next to it, 0.02 ms apart."""
    run = let_go(body, how, FINE, seconds=6.0 if body is TANK else 2.5)
    decay, energy, struck = run.decay(), kinetic(run), run.impacts.time
    assert len(decay) == len(struck) >= 3
    clear = decay.peak > 0.02
    before = np.floor(struck / FINE.dt).astype(int)[clear]
    after = before + 1
    if how.name == "ComplexPotential":  # it takes a little time, and the energy is then constant
        energy, before, after = run.energy, before - 20, after + 20
    kept = energy[after] / energy[before]
    np.testing.assert_allclose(decay.r[clear], kept, atol=1e-3)
    assert np.all(decay.r[clear] > 0.3)


def test_what_slips_or_bends_is_not_lost():
    """ω alone would tell 0.72 of the one and nothing of the other, which stops turning."""
    slipping = let_go(BLOCK, rs.Nonsmooth(friction=0.15), share=0.4)
    impact = slipping.impacts[0]
    assert (impact.omega_after / impact.omega_before) ** 2 < 0.74
    assert slipping.decay().r[0] == pytest.approx(0.819, abs=2e-3)
    bending = let_go(TANK, rs.Nonsmooth(), seconds=6.0)
    assert not bending.impacts.omega_after.any()
    assert np.all(bending.decay().r[:4] > 0.8)


@pytest.mark.parametrize("epsilon", [0.2, 0.6, 0.9])
def test_hops_belong_to_the_passage_from_one_side_to_the_other(epsilon):
    """Hundreds of impacts, as many swings as Housner's block has; each keeps what its passage does,
    by the energy from one largest lean to the next."""
    run = let_go(BLOCK, rs.Nonsmooth(epsilon=epsilon), seconds=5.0)
    decay = run.decay()
    housner = let_go(BLOCK, rs.Housner(), seconds=5.0).decay()
    assert len(run.impacts) > 4 * len(decay)
    n = np.arange(8)
    np.testing.assert_allclose(decay.half_period[n], housner.half_period[n], rtol=0.01)
    np.testing.assert_allclose(decay.peak[n], housner.peak[n], rtol=0.02)
    tops = swings(run.time, run.theta).at[:9]
    energy = run.energy[tops]
    # with ε = 0.9 it still hops at its largest lean: what it loses there counts to one or the other
    np.testing.assert_allclose(
        decay.r[n], energy[1:] / energy[:-1], atol=2e-3 if epsilon < 0.9 else 0.01
    )


@pytest.mark.parametrize(
    ("body", "how", "strength"),
    [
        (BLOCK, rs.Nonsmooth(epsilon=0.5), 2.0),
        (LEANING, rs.Nonsmooth(epsilon=0.3), 2.0),
        (rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, 5.0), rs.Nonsmooth(), 0.75),
    ],
    ids=["hopping", "asymmetric", "flexible"],
)
def test_shaken_impacts_lose_what_the_run_lost(body, how, strength, tmp_path):
    """Without friction and damping nothing is lost but at impacts; also of a run that was saved."""
    amplitude = strength * body.g * math.tan(body.alpha)
    push = rs.pulses.sine(amplitude, period=3 / body.p, dt=0.01)
    cut = rs.Motion(push.accel[:-7], push.dt, vertical=0.3 * push.accel[:-7])  # ends off zero
    run = rs.simulate(body, cut, how, duration=8.0)
    assert len(run.impacts) > 2
    _, lost = impact_energies(run)
    assert lost.sum() == pytest.approx(run.column("loss")[-1], rel=1e-6)
    again = rs.Response.load(run.save(tmp_path / "run.nc")).decay()
    np.testing.assert_array_equal(again.r, run.decay().r)


def test_a_block_that_rests_between_two_pushes_has_two_swings_to_one_side():
    push = rs.pulses.sine(3.0, 0.5, cycles=0.5, dt=0.005)
    pushes = rs.Motion(np.concatenate([push.accel, np.zeros(1600), push.accel]), push.dt)
    run = rs.simulate(BLOCK, pushes, rs.Nonsmooth(epsilon=0.2))
    once = rs.simulate(BLOCK, push, rs.Nonsmooth(epsilon=0.2))
    assert len(run.decay()) == 2 * len(once.decay())
    assert run.decay().peak[0] == pytest.approx(run.decay().peak[len(once.decay())], rel=1e-3)


@pytest.mark.parametrize("how", [rs.Housner(), rs.Nonsmooth(), rs.Nonsmooth(friction=0.2)])
def test_without_an_impact_there_is_no_swing(how):
    for start, seconds in ((0.5, 0.05), (1.1, None)):  # still on its way; falls at once
        run = rs.simulate(BLOCK, None, how, theta0=start * BLOCK.alpha, duration=seconds)
        assert len(run.decay()) == 0
    with pytest.raises(rs.InputError, match="has 0 impacts, too few"):
        rs.measure_r(rs.simulate(BLOCK, None, how, theta0=0.1, duration=0.05))
    pushed = rs.simulate(BLOCK, rs.pulses.sine(0.1, 0.5, dt=0.01), how)  # does not lift off
    assert len(pushed.decay()) == 0


SOFT = [
    rs.NumericalDissipation(k_n=5e8, dt=0.013),
    rs.NumericalDissipation(k_n=5e8, dt=0.013, body="elastic"),
    rs.RigidBodySpring(),
    rs.RigidBodySpring(friction=0.1),
    rs.RigidBodySpring(K=2e7),
]
SOFT_NAMES = ["rigid", "elastic", "springs", "sliding springs", "soft springs"]


@pytest.mark.parametrize("how", SOFT, ids=SOFT_NAMES)
def test_on_a_soft_bed_r_is_the_energy_from_peak_to_peak(how):
    """The energy column without what the bed holds under one corner: that is no kinetic energy."""
    run = rs.simulate(COLUMN, None, how, theta0=COLUMN.alpha / 2, duration=9.0)
    decay, found = run.decay()[:5], swings(run.time, run.theta)
    rise = COLUMN.mass * COLUMN.g * potential(COLUMN.right, np.abs(run.theta[:1]))
    energy = run.energy[found.at] - (run.energy[0] - rise)
    np.testing.assert_allclose(decay.r, (energy[1:] / energy[:-1])[:5], atol=5e-4)
    measured = rs.measure_r(run, impacts=4)
    assert measured.interval[0] <= measured.r <= measured.interval[1]
    if how.K != 2e7 if isinstance(how, rs.RigidBodySpring) else True:  # on that r is no constant
        assert measured.r == pytest.approx(np.mean(decay.r[:4]), abs=2e-3)


@pytest.mark.parametrize(("body", "how"), RIGID)
def test_measured_r_of_a_run_is_what_its_impacts_keep(body, how):
    """So much of the energy before the first of four impacts is left after the last."""
    run = let_go(body, how, None, seconds=10.0)
    kept = run.decay().r[:4]
    found = rs.measure_r(run, impacts=4)
    gradual = how.name == "ComplexPotential"  # the energy from peak to peak, and l is not zero
    assert found.r**4 == pytest.approx(np.prod(kept), rel=1e-4 if gradual else 1e-12)
    assert found.interval == pytest.approx((kept.min(), kept.max()), abs=1e-5)
    closed = body is BLOCK
    assert math.isfinite(found.error) == closed
    if how.name == "Housner" and closed:
        assert found.r == pytest.approx(how.r or BLOCK.r, rel=1e-12) and found.error < 0.005


def test_an_impact_that_takes_time_is_measured_from_peak_to_peak():
    how = rs.ComplexPotential(l=1e-3)
    run = let_go(BLOCK, how, seconds=4.0)
    energy = run.energy[swings(run.time, run.theta).at[:5]]
    assert rs.measure_r(run, impacts=4).r ** 4 == pytest.approx(energy[4] / energy[0], rel=1e-4)
