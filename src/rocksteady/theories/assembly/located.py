"""One step of the located rule, RATTLE with inequalities: second order, impacts found in time.

    drift   w from v + h a/2 and impulses such that closed ends do not overlap, and stick where they
            stuck, at the end of the step, q⁺ = q + h w
    kick    v⁺ from w + h a⁺/2 and impulses such that closed ends do not approach
    impact  a step of its own, without time, on all that touch (`impact.py`)

Kick and impact in one solve would be of first order. Where a step would make an open end overlap,
it ends when that end closes; where a joint begins to slip, stops slipping or parts, it ends there
(`slips.py`). While something slips or flies the ground's acceleration is integrated exactly: a
third of what it gains over the step goes with the drift, and as much less with the kick.
"""

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, kernel, spliced_kernel
from rocksteady.theories.assembly.contacts import find_contacts, forget_statuses, list_pairs
from rocksteady.theories.assembly.drift import drift, recall_holds, settle_holds
from rocksteady.theories.assembly.impact import kinetic, strike, strikes
from rocksteady.theories.assembly.landing import closing, keep_forces, kick, until_closed
from rocksteady.theories.assembly.loads import pull
from rocksteady.theories.assembly.places import place_corners, take_pose
from rocksteady.theories.assembly.rows import lead_by_force, write_rows
from rocksteady.theories.assembly.slips import (
    NEAR,
    NONE,
    STOPS,
    both,
    cross,
    first_event,
    moves_freely,
    note_drift,
    note_slips,
    parts_at_once,
)
from rocksteady.theories.assembly.state import (
    INSTANT,
    LOSS,
    WORK,
    fastest,
    is_over,
    load,
    step_within,
    store,
    wait,
    work_of_contact,
    work_of_ground,
)
from rocksteady.theories.assembly.workspace import (
    GUESS,
    LOCATED,
    MARGIN,
    PULL,
    SIDE,
    SLID,
    START,
    STEP,
    STRIKES,
    TRIAL,
    Q,
    V,
    W,
)
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, partway

FOUND, JAMMED, AGAIN = range(3)  # the step ends rightly; friction has no answer; try another length
LOCATINGS = 6  # repeats of a drift until the impact is at its end
MOST_LOCATED = 20  # impacts in a row; then open ends are kept open instead
SHORTEST = 1e-3  # of a step
MADE = 1e-3  # of the kinetic energy: friction that makes more has jammed
JUMPS = 0.9  # of an excess that a shorter step leaves: it has no zero, for forces jump
ZEROS = 12  # repeats of a step until a slip begins or ends at its end
MOST_SLID = 20  # such steps in a row; then one that is not cut short


@array_kernel
def list_again(work, pose):  # type: ignore[no-untyped-def]
    """Make the list of pairs for this pose."""
    take_pose(work, pose)
    place_corners(work)
    work.travel[0] = 0.0
    return list_pairs(work)


@array_kernel
def lean_on(work, ground0, ground1, share):  # type: ignore[no-untyped-def]
    """Add a share of what the ground's acceleration gains from one moment to another to the pull"""
    a_h, a_v = share * (ground1[0] - ground0[0]), share * (ground1[1] - ground0[1])
    for i in range(work.exact.shape[1] // 3):
        work.body[PULL, 3 * i] -= a_h
        work.body[PULL, 3 * i + 1] -= a_v


@array_kernel
def begin(work, ground0, ground1, share):  # type: ignore[no-untyped-def]
    """Pull, pose and rows at the start of a step."""
    pull(work, Q, ground0)
    lean_on(work, ground0, ground1, share)
    take_pose(work, Q)
    write_rows(work, work.tally[SIDE])


@array_kernel
def drift_until_closed(state, work, ground0, ground1, dt, h, full, third):  # type: ignore[no-untyped-def]
    """Drift over h, or until the first open end closes: (length of the step, 0 where joints cannot
    slip on; whether an end closes; whether all ends are kept open instead). The ground is that at
    both ends of dt."""
    start, end = work.tally[SIDE], 1 - work.tally[SIDE]
    every = work.tally[LOCATED] >= MOST_LOCATED
    which, which_end, longest = -1, 0, h
    for count in range(LOCATINGS):
        if count == 0 or third > 0.0:
            begin(work, ground0, ground1, third * h / dt)
        if not drift(state, work, start, h, every):
            return 0.0, False, every
        find_contacts(work, TRIAL, end)
        if every:
            break
        share, pair, k = closing(work, end, h)
        if share < 1.0:
            which, which_end, longest = pair, k, h
            h *= share
            every = h < SHORTEST * full
        else:
            more = 0.0 if which < 0 else until_closed(work, end, which, which_end, h)
            if more == 0.0 or h + more >= longest:
                break
            h += more
    return h, which >= 0, every


@array_kernel
def finish(state, work, ground0, ground1, later, dt, h, every, third):  # type: ignore[no-untyped-def]
    """Kick after a drift over h; what contact added to the energy in both [J]."""
    end = 1 - work.tally[SIDE]
    drifted = work_of_contact(work, V, W, 0.5 * h)
    pull(work, TRIAL, later)
    lean_on(work, ground0, ground1, -third * h / dt)
    take_pose(work, TRIAL)
    kick(state, work, end, h, every)
    return drifted, work_of_contact(work, GUESS, W, 0.5 * h)


@kernel
def nearer(low, low_gain, high, high_gain, h, gained):  # type: ignore[no-untyped-def]
    """A step that ends nearer to the zero of an excess than h, between ``low`` before it and h; the
    last one beyond it was ``high``."""
    wanted = cross(low, low_gain, h, gained)
    if gained < high_gain:  # it may have a kink at its zero: from beyond
        beyond = cross(high, high_gain, h, gained)
        wanted = beyond if low < beyond < h else wanted
    return wanted


@array_kernel
def narrow(work, search, end, h, third, closes, makes, last):  # type: ignore[no-untyped-def]
    """What a trial of a step of length h says of the first slip that begins or ends in it, or joint
    that parts: (search, verdict). The search is (joint, what, a step that ends before it and its
    excess there, one that ends beyond it and its excess, the length to be tried next). ``makes``:
    friction made energy; ``last``: no shorter or no further step is tried."""
    which, what, low, low_gain, high, high_gain, wanted = search
    pair, kind = first_event(work, 1 - end, end, h, third)
    verdict = AGAIN
    if pair >= 0:
        first, gained = both(work, pair, kind, h, third)
        if pair == which and kind == what:
            if kind != STOPS and gained > JUMPS * high_gain:
                verdict = JAMMED
            low_gain *= 0.5
            wanted = nearer(low, low_gain, high, high_gain, h, gained)
        else:
            which, what, low, low_gain = pair, kind, 0.0, first
            wanted = cross(low, low_gain, h, gained)
        high, high_gain = h, gained
    else:
        found = which < 0 or closes or not (work.on[which, 0] or work.on[which, 1])
        if not found:
            low, low_gain = h, both(work, which, what, h, third)[1]
            found = low_gain >= -NEAR * (high_gain - low_gain)
            wanted = cross(low, low_gain, high, high_gain)
        if found:
            verdict = JAMMED if makes else FOUND
    if verdict == AGAIN and last:
        verdict = JAMMED if kind == STOPS or makes else FOUND
    return (which, what, low, low_gain, high, high_gain, wanted), verdict


@array_kernel
def count_located(work, slips, lands):  # type: ignore[no-untyped-def]
    """Count how many steps in a row ended with a slip that begins or ends, or with an impact."""
    tally = work.tally
    if not slips or lands:
        tally[LOCATED] = tally[LOCATED] + 1 if lands else 0
    if slips or not lands:
        tally[SLID] = tally[SLID] + 1 if slips else 0


@array_kernel
def take(state, work, h, every):  # type: ignore[no-untyped-def]
    """Go to the end of a step: pose, velocity, contacts and forces there are now the present."""
    body, start = work.body, work.tally[SIDE]
    end = 1 - start
    settle_holds(work, start)
    lead_by_force(work, end)
    keep_forces(work, h, every)
    for k in range(work.exact.shape[1]):
        body[Q, k], body[V, k] = body[TRIAL, k], body[W, k]
    work.tally[SIDE] = end
    wait(state, work, h)
    work.tally[STRIKES] = 1 if strikes(work, end) else 0
    work.travel[0] += h * fastest(work)


@spliced_kernel
def located(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step, or one impact: (state, used, event)."""
    work = by_address(params)
    tally, number = work.tally, work.number
    load(state, work)
    if tally[SIDE] < 0:
        if not list_again(work, Q):
            return state, 0.0, FAILURE
        find_contacts(work, Q, START)
        write_rows(work, START)
        tally[SIDE] = 0
        tally[STRIKES] = 1 if strikes(work, START) else 0
    if tally[STRIKES]:
        strike(state, work)
        tally[STRIKES] = 0
        store(state, work)
        return state, 0.0, IMPACT
    start = tally[SIDE]
    end = 1 - start
    full = step_within(dt, number[STEP])
    take_pose(work, Q)
    write_rows(work, start)
    recall_holds(work, start)
    trials, uncut = 0, tally[SLID] >= MOST_SLID
    slides = note_slips(work, start, uncut)
    third = 1.0 / 3.0 if moves_freely(work, start) else 0.0
    h, broken = full, work.travel[1]
    search = (-1, NONE, 0.0, 0.0, full, 0.0, full)
    while True:
        h, closes, every = drift_until_closed(state, work, ground0, ground1, dt, h, full, third)
        jams = h == 0.0
        if not jams:
            note_drift(work, h)
            if third > 0.0 and trials == tally[SLID] == 0 and parts_at_once(work):
                h, third = full, 0.0  # what comes later in the step must not part it
                continue
            later = partway(ground0, ground1, h / dt)
            gain = finish(state, work, ground0, ground1, later, dt, h, every, third)
            makes = slides and gain[0] > MADE * kinetic(work, GUESS)
            if uncut or ((every or work.travel[1] != broken) and not makes):
                break
            trials += 1
            last = h <= SHORTEST * full or trials == ZEROS
            verdict = JAMMED
            if not every:
                search, verdict = narrow(work, search, end, h, third, closes, makes, last)
            if verdict == FOUND:
                break
            jams = verdict == JAMMED
        if jams:
            slides = note_slips(work, start, True)
            forget_statuses(work)  # or the next solve may jam as well
            h, search, uncut = full, (-1, NONE, 0.0, 0.0, full, 0.0, full), True
        else:
            h = max(search[6], SHORTEST * full)
    count_located(work, search[0] >= 0, closes and not every)
    used = h if dt - h > INSTANT * number[STEP] else dt
    state[WORK] += work_of_ground(work, Q, TRIAL, ground0, later)
    state[LOSS] -= gain[0]
    state[LOSS] -= gain[1]
    take(state, work, h, every)
    if 2.5 * work.travel[0] > number[MARGIN]:
        if not list_again(work, Q):
            return state, used, FAILURE
        find_contacts(work, Q, end)
    store(state, work)
    if is_over(state, work):
        return state, used, OVERTURN
    return state, used, NOTHING
