"""Springs, ties and tendons between stones."""

import math

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Spring, Stone, Tendon, Tie
from theories.assembly.cases import G, run, standing, still, turning_points

LOW = Stone.box(-0.5, 0.0, 1.0, 0.5, name="sledge")
ANCHOR = Stone.box(-3.0, 0.0, 0.5, 0.5, name="anchor", fixed=True)


def tied(link, friction=0.0):
    """A sledge without friction, held to a post at its left."""
    return standing(ANCHOR, LOW, friction=friction, links=(link,))


def held_by(kind, **values):
    ends = {"stones": ("anchor", "sledge"), "points": ((-2.5, 0.25), (-0.5, 0.25))}
    return kind(**ends, **values)


def test_a_spring_makes_a_sledge_swing_with_its_period():
    """T = 2π √(m/k), and the amplitude stays: F₀/k about its new rest."""
    stiffness, push = 2e4, 0.5
    period = 2 * math.pi * math.sqrt(LOW.mass / stiffness)
    dt = period / 400
    steady = rs.Motion(np.full(round(3 * period / dt) + 1, -push), dt)
    found = run(tied(held_by(Spring, stiffness=stiffness)), steady, step=dt)
    x, v = found.column("x sledge"), found.column("x rate sledge")
    times, places = turning_points(found.time[1:], x[1:], v[1:])
    assert np.diff(times)[:4] == pytest.approx(period / 2, rel=1e-4)
    far = 2 * LOW.mass * push / stiffness
    assert places[::2] == pytest.approx(far, rel=1e-4)
    assert places[1::2] == pytest.approx(0.0, abs=1e-4 * far)


def test_the_period_of_a_spring_is_of_second_order():
    stiffness = 2e4
    period = 2 * math.pi * math.sqrt(LOW.mass / stiffness)
    errors = []
    for count in (50, 100, 200):
        dt = period / count
        steady = rs.Motion(np.full(2 * count + 1, -0.5), dt)
        found = run(tied(held_by(Spring, stiffness=stiffness)), steady, step=dt)
        x, v = found.column("x sledge")[1:], found.column("x rate sledge")[1:]
        errors.append(abs(turning_points(found.time[1:], x, v)[0][1] - period))
    assert np.polyfit(np.log((50, 100, 200)), np.log(errors), 1)[0] == pytest.approx(-2, abs=0.1)


@pytest.mark.parametrize(("kind", "returns"), [(Spring, True), (Tie, False)])
def test_a_tie_goes_slack_where_a_spring_pushes(kind, returns):
    """Pulled towards its post, a sledge on a spring comes back; on a tie it goes on."""
    pulse = np.zeros(401)
    pulse[:21] = 1.0
    found = run(tied(held_by(kind, stiffness=1e5)), rs.Motion(pulse, 0.005), step=0.002)
    x = found.column("x sledge")
    assert bool(x.min() > -0.05) is returns
    if not returns:
        assert np.diff(x).max() < 1e-12  # never pulled back
        assert found.column("x rate sledge")[-1] == pytest.approx(-0.1 - 0.0025, rel=1e-6)


def test_a_tie_breaks_at_its_strength():
    """A push just below its strength holds, just above breaks it; then nothing pulls any more."""
    stiffness, strength = 1e6, 1000.0
    link = held_by(Tie, stiffness=stiffness, strength=strength)
    for share, breaks in ((0.98, False), (1.02, True)):
        push = share * strength / 2 / LOW.mass  # a sudden load pulls twice as hard
        found = run(tied(link), rs.Motion(np.full(401, -push), 0.005), step=0.0005)
        assert bool(found.column("x sledge")[-1] > 1.05 * strength / stiffness) is breaks
        if breaks:
            rate = found.column("x rate sledge")
            assert rate[-1] - rate[-101] == pytest.approx(push * 0.5, rel=1e-6)


def test_pretension_of_a_tie_raises_what_friction_holds():
    """A tie that pulls down by F adds μF to what a sledge resists: it slides from
    a = μ(mg + F)/m on."""
    below = Stone.box(-0.5, -0.8, 1.0, 0.3, name="deep", fixed=True)
    force = 0.5 * LOW.mass * G
    link = Tie(stones=("deep", "sledge"), points=((0.0, -0.6), (0.0, 0.25)), stiffness=1.0,
               pretension=force)  # fmt: skip
    holds = Assembly((*standing(LOW).stones[:1], LOW), friction=0.4)
    ground = Stone.box(-5, -0.5, 10, 0.5, name="ground", fixed=True)
    clamped = Assembly((below, ground, LOW), friction=0.4, links=(link,))
    for assembly, least in ((holds, 0.4), (clamped, 0.6)):
        for share, slides in ((0.99, False), (1.01, True)):
            accel = np.full(41, share * least * G)
            found = run(assembly, rs.Motion(accel, 0.005), step=0.005)
            assert bool(found.column("displacement")[-1] > 1e-4) is slides


def column_with(pretension):
    """Five drums with a tendon through their axes, anchored below the ground."""
    column = Assembly.drums(5, 5.0, 1.0)
    names = ["ground", *(stone.name for stone in column.stones[1:])]
    points = [(0.0, -0.5), *((0.0, 0.5 + i) for i in range(5))]
    tendon = Tendon(stones=tuple(names), points=tuple(points), stiffness=1e4, pretension=pretension)
    return Assembly(column.stones, friction=0.7, links=(tendon,) if pretension else ())


def test_a_tendon_clamps_a_column():
    """Pulled with twice the weight, five drums stand a push that fells them without."""
    weight = column_with(0.0).mass * G
    motion = rs.pulses.sine(amplitude=0.35 * G, period=1.5, dt=0.005)
    free = run(column_with(0.0), motion, step=0.005, until=6.0)
    clamped = run(column_with(2 * weight), motion, step=0.005, until=6.0)
    assert free.fell
    assert not clamped.fell and clamped.column("displacement")[-1] < 0.01


def test_a_tendon_lifts_the_load_that_uplifts():
    """m h a = (m g + F) b: a column of one drum with a tendon F lifts from (1 + F/mg) b/h on."""
    one = Assembly.drums(1, 2.0, 0.5)
    force = 0.5 * one.mass * G
    tendon = Tendon(stones=("ground", "drum 1"), points=((0.0, -0.2), (0.0, 2.0)), stiffness=1.0,
                    pretension=force)  # fmt: skip
    clamped = Assembly(one.stones, friction=2.0, links=(tendon,))
    for share, lifts in ((0.999, False), (1.001, True)):
        accel = np.full(11, share * 1.5 * 0.25 * G)
        found = run(clamped, rs.Motion(accel, 0.001), step=0.001)
        assert bool(found.column("turn")[-1] > 1e-7) is lifts


def test_links_pull_stones_together_in_the_air():
    """Two stones without weight to speak of swing about their centre of mass: reduced mass."""
    stones = (Stone.box(-1.5, 10, 0.5, 0.5, name="a"), Stone.box(1.0, 10, 0.5, 1.0, name="b"))
    link = Spring(stones=("a", "b"), points=(stones[0].centre, (1.25, 10.25)), stiffness=1e4,
                  pretension=500.0)  # fmt: skip
    pair = standing(*stones, floating=True, links=(link,))
    found = run(pair, still(0.001), step=0.001, until=0.3)
    x = [found.column(f"x {name}") for name in "ab"]
    middle = (stones[0].mass * x[0] + stones[1].mass * x[1]) / (stones[0].mass + stones[1].mass)
    assert np.abs(middle - middle[0]).max() < 1e-12
    assert x[1][-1] - x[0][-1] < x[1][0] - x[0][0] - 1e-3
