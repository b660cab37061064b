/* Classical rocking: a rigid block that pivots about a corner without sliding (Housner 1963).
 *
 * theories/housner/rocking.py and motion.py, function by function. Sums run in the same order, and
 * what is one fused operation there is one here, so that in double precision the bits are the same
 * (if the compiler fuses no others: -ffp-contract=off).
 */
#include "real.h"

#define LYING R(1.5707963267948966)
#define NEGLIGIBLE R(1e-12) /* of alpha: a block that will not lift by more than this is at rest */
#define MAX_ITERATIONS (uint8_t) EITHER(50, 16) /* in single precision: all there is to gain */
#define MOST_HALVINGS (uint8_t) R(60)           /* of a step */
#define TOLERANCE EITHER(2.4e-8, 2.4e-5) /* of p: 480 times what a series may leave out */
#define CLOSE EITHER(1e-9, 1e-5)       /* of the time searched: Newton's next step is its square */
#define CLOSE_CUBIC EITHER(1e-7, 1e-4) /* with Chebyshev's correction its cube */
#define ROUNDING EITHER(4e-16, 2e-7)
#define LEAST EITHER(5e-324, FLT_MIN)  /* the smallest rate there is: of a block about to strike */
#define ETA_ROUNDING EITHER(1e-14, 1e-6)
#define UNIT_ROUNDING R(1e-6) /* numbers may have been copied in single precision */

#define DERIVATIVES 6 /* of the lean that a series has */

typedef struct { /* the motion from here on, with time counted in intervals */
    real of[DERIVATIVES + 1]; /* lean, rate, acceleration and on: derivatives of the lean */
    real alpha;
    real turn; /* p times the interval */
} smooth_motion;

typedef struct {
    real lean;
    real rate;
    real acceleration;
} instant;

typedef struct { /* (k + k' t) sin(alpha - y) + (c + c' t) cos(alpha - y) is y'' */
    real k0, k1, c0, c1;
} forces;

typedef struct { /* what a step goes through: the ground's acceleration is linear in time */
    const housner_params *params;
    rocksteady_ground ground0, ground1;
    real dt;
} stretch;

typedef struct {
    housner_state state;
    real used;
    int event;
} step_result;

static const housner_corner *about(real side, const housner_params *params)
{
    return (side > R(0.0)) ? &params->right : &params->left;
}

/* -- smooth motion about one corner ------------------------------------------------------------ */

/* For |x| <= pi/2 within 3e-16; coefficients as in numerics/trig.py. */
static real sine_of(real x)
{
    const real z = x * x;
    real tail = FUSED(z, R(-7.364646462267063e-13), R(1.604730119734255e-10));
    tail = FUSED(z, tail, R(-2.5051851497018036e-08));
    tail = FUSED(z, tail, R(2.755731607700745e-06));
    tail = FUSED(z, tail, R(-0.00019841269820094202));
    tail = FUSED(z, tail, R(0.00833333333326288));
    tail = FUSED(z, tail, R(-0.1666666666666581));
    return FUSED(x * z, tail, x);
}

static real cosine_of(real x)
{
    const real z = x * x;
    real tail = FUSED(z, R(4.610293793445856e-14), R(-1.1463039332492845e-11));
    tail = FUSED(z, tail, R(2.087656773953877e-09));
    tail = FUSED(z, tail, R(-2.7557316525197284e-07));
    tail = FUSED(z, tail, R(2.480158727914869e-05));
    tail = FUSED(z, tail, R(-0.001388888888878565));
    tail = FUSED(z, tail, R(0.04166666666666437));
    tail = FUSED(z, tail, R(-0.49999999999999983));
    return FUSED(z, tail, R(1.0));
}

/* level + share lift: nothing to add where nothing lifts. */
static real raised(real level, real share, real lift)
{
    return (lift != R(0.0)) ? FUSED(share, lift, level) : level;
}

static forces pull(real side, real turn, real unit, rocksteady_ground ground0,
                   rocksteady_ground ground1)
{
    const real weight = -turn * turn, share = weight * unit, sideways = side * share;
    forces on;
    on.k0 = raised(weight, share, ground0.v);
    on.k1 = share * (ground1.v - ground0.v);
    on.c0 = sideways * ground0.h;
    on.c1 = sideways * (ground1.h - ground0.h);
    return on;
}

/* The derivatives of the lean. With S = sin(alpha - y), C = cos(alpha - y) and
 *
 *     F = k S + c C,   G = k C - c S,   L = k' S + c' C,   M = k' C - c' S,   Q = G + v2:
 *
 *     v' = F,   F' = L - v G,   F" = -2 v M - F Q,   Q' = M + 3 v F,   L' = -v M,   M' = v L. */
static void expand(smooth_motion *motion, real y, real v, real alpha, real turn, forces on)
{
    const real S = sine_of(alpha - y), C = cosine_of(alpha - y);
    const real F0 = FUSED(on.c0, C, on.k0 * S), G0 = FUSED(-on.c0, S, on.k0 * C);
    const real L = raised(on.c1 * C, S, on.k1), M = raised(-on.c1 * S, C, on.k1);
    const real vL = v * L, vM = v * M, Q0 = FUSED(v, v, G0);
    const real F1 = FUSED(-v, G0, L);
    const real F2 = FUSED(-F0, Q0, R(-2.0) * vM);
    const real Q1 = FUSED(R(3.0), v * F0, M);
    const real F3 = FUSED(-F1, Q0, FUSED(-F0, FUSED(R(2.0), M, Q1), R(-2.0) * (v * vL)));
    const real Q2 = FUSED(R(3.0), FUSED(v, F1, F0 * F0), vL);
    const real late = FUSED(F1, Q1 + M, v * FUSED(-v, vM, F0 * L));
    motion->of[0] = y;
    motion->of[1] = v;
    motion->of[2] = F0;
    motion->of[3] = F1;
    motion->of[4] = F2;
    motion->of[5] = F3;
    motion->of[6] = FUSED(-F2, Q0, FUSED(-F0, FUSED(R(4.0), vL, Q2), R(-2.0) * late));
    motion->alpha = alpha;
    motion->turn = turn;
}

/* The motion about the active corner from a state on. */
static void smooth(smooth_motion *motion, const housner_state *state, const stretch *over)
{
    const real side = state->side;
    const housner_corner *corner = about(side, over->params);
    const real turn = corner->p * over->dt;
    expand(motion, side * state->theta, side * (state->omega * over->dt), corner->alpha, turn,
           pull(side, turn, over->params->unit, over->ground0, over->ground1));
}

/* 480 times what the rate's series leaves out of an interval, estimated from terms it consists
 * of. */
static real omitted(const smooth_motion *motion)
{
    const real *of = motion->of;
    const real turn = FUSED(R(3.0), size_of(of[1]), motion->turn);
    const real steep = FUSED(of[2], of[2], size_of(of[1] * of[3]));
    const real linear = FUSED(size_of(of[5]), turn, size_of(of[6])) * turn;
    return FUSED(R(12.0), size_of(of[3]) * steep, linear);
}

/* The part of the interval, halved as often as it takes, over which the rate's series leaves out
 * no more than tolerance. */
static real trusted(const smooth_motion *motion, real tolerance)
{
    real left_out = omitted(motion), span = R(1.0);
    uint8_t i;
    for (i = 0U; (i < MOST_HALVINGS) && (left_out > tolerance); i++) {
        left_out *= R(1.0 / 64.0);
        span *= R(0.5);
    }
    return span;
}

/* Lean, rate and acceleration after the part t of the interval: of each the series
 * of[0] + t (of[1] + t/2 (of[2] + t/3 (...))), all three at once. */
static instant evaluate(const smooth_motion *motion, real t)
{
    const real *of = motion->of;
    real part[DERIVATIVES + 1];
    instant at = {of[DERIVATIVES], of[DERIVATIVES], of[DERIVATIVES]};
    uint8_t n;
    part[1] = t;
    part[2] = t * R(1.0 / 2.0);
    part[3] = t * R(1.0 / 3.0);
    part[4] = t * R(1.0 / 4.0);
    part[5] = t * R(1.0 / 5.0);
    part[6] = t * R(1.0 / 6.0);
    for (n = DERIVATIVES; n > 2U; n--) {
        at.lean = FUSED(part[n], at.lean, of[n - 1U]);
        at.rate = FUSED(part[n - 1U], at.rate, of[n - 1U]);
        at.acceleration = FUSED(part[n - 2U], at.acceleration, of[n - 1U]);
    }
    at.rate = FUSED(t, at.rate, of[1]);
    at.lean = FUSED(t, FUSED(part[2], at.lean, of[1]), of[0]);
    return at;
}

/* Of the ground, per unit inertia: q v, with q = v' + p2 S. */
static real power(const smooth_motion *motion, real t)
{
    const instant at = evaluate(motion, t);
    const real weight = motion->turn * motion->turn;
    return FUSED(weight, sine_of(motion->alpha - at.lean), at.acceleration) * at.rate;
}

/* Work of the ground per unit inertia over the part t of the interval, by Gauss' four points. */
static real input_work(const smooth_motion *motion, real t)
{
    const real outer = R(0.17392742256872693), inner = R(0.32607257743127307);
    real work = outer * power(motion, R(0.06943184420297371) * t);
    work = FUSED(inner, power(motion, R(0.33000947820757187) * t), work);
    work = FUSED(inner, power(motion, R(0.6699905217924281) * t), work);
    work = FUSED(outer, power(motion, R(0.9305681557970262) * t), work);
    return t * work;
}

/* The time between low and high at which the lean passes level, or the rate zero, on the way down
 * where it falls; t is a guess. Newton's method, for the lean with Chebyshev's correction for its
 * curvature, kept inside the bracket by bisection. Who moves away from the level has not passed it
 * yet, though it may have set out from it. */
static real locate(const smooth_motion *motion, bool of_rate, real level, real low, real high,
                   real t, bool falls)
{
    uint8_t i;
    if (!((low <= t) && (t <= high))) {
        t = R(0.5) * (low + high);
    }
    for (i = 0U; i < MAX_ITERATIONS; i++) {
        const instant at = evaluate(motion, t);
        const real excess = (of_rate ? at.rate : at.lean) - level;
        const real slope = of_rate ? at.acceleration : at.rate;
        const real per_slope = R(1.0) / slope;
        real step = excess * per_slope, enough = CLOSE, better;
        if (((excess > R(0.0)) == falls) || ((slope > R(0.0)) == falls)) {
            low = t;
        } else {
            high = t;
        }
        if (!of_rate) {
            step = FUSED(R(0.5) * at.acceleration * per_slope * step, step, step);
            enough = CLOSE_CUBIC;
        }
        better = t - step;
        if (!((low <= better) && (better <= high))) {
            better = R(0.5) * (low + high);
            enough = ROUNDING;
        }
        if (size_of(better - t) <= enough * high) {
            return better;
        }
        t = better;
    }
    return t;
}

/* A guess where something vanishes: where the parabola does that goes through both ends, whose
 * signs differ, and has their difference of slopes. */
static real parabola(real low, real high, real f_low, real f_high, real slope_low, real slope_high)
{
    const real share = f_low / (f_low - f_high), whole = high - low;
    const real bend = R(0.5) * whole * (slope_high - slope_low) / (f_high - f_low);
    return FUSED(whole * share, FUSED(bend, R(1.0) - share, R(1.0)), low);
}

/* A guess when a block that leans by y, at the rate v, is back on the ground, if the acceleration
 * is start at first and changes steadily by bend. */
static real landing(real y, real v, real start, real bend)
{
    real acceleration = start, t = R(0.0);
    uint8_t i;
    for (i = 0U; i < 2U; i++) {
        const real square = FUSED(R(-2.0) * acceleration, y, v * v);
        const real root = LIBM(sqrt)(larger(square, R(0.0)));
        t = (v > R(0.0)) ? (v + root) / -acceleration : R(2.0) * y / (root - v);
        acceleration = FUSED(bend * t, R(1.0 / 3.0), start);
    }
    return t;
}

/* (time, theta) of the maximum of the lean within a step that took the time used. */
static void turning(const housner_state *state, const stretch *over, real used, real *time,
                    real *theta)
{
    const real span = used / over->dt;
    smooth_motion motion;
    instant end;
    real t;
    smooth(&motion, state, over);
    end = evaluate(&motion, span);
    t = parabola(R(0.0), span, motion.of[1], end.rate, motion.of[2], end.acceleration);
    t = locate(&motion, true, R(0.0), R(0.0), span, t, true);
    *time = t * over->dt;
    *theta = state->side * evaluate(&motion, t).lean;
}

/* -- rest, uplift, impacts -------------------------------------------------------------------- */

/* Acceleration that upright rest would take up about a corner; it lifts off where positive. */
static real overturning_push(real side, const housner_params *params, rocksteady_ground ground)
{
    const housner_corner *corner = about(side, params);
    const real weight = corner->weight * FUSED(ground.v, params->unit, R(1.0));
    return -FUSED(side * ground.h, corner->inertia_force, weight);
}

/* Whether the rate vanishes on the way; span and end are then those of that instant.
 *
 * The rate is monotonic on either side of the acceleration's zero, the lean on either side of the
 * rate's: so the signs at those places tell all that happens in between. */
static bool stops(const smooth_motion *motion, real start, real *span, instant *end)
{
    const real v = motion->of[1];
    real low = R(0.0), v_low = v, a_low = start, guess;
    bool turns = (v * end->rate) < R(0.0);
    if ((start * end->acceleration) < R(0.0)) {
        const real knee = *span * start / (start - end->acceleration);
        const real v_knee = evaluate(motion, knee).rate;
        if ((v * v_knee) < R(0.0)) {
            turns = true;
            *span = knee;
            end->rate = v_knee;
            end->acceleration = R(0.0);
        } else if ((v_knee * end->rate) < R(0.0)) {
            turns = true;
            low = knee;
            v_low = v_knee;
            a_low = R(0.0);
        } else {
            /* monotonic enough */
        }
    }
    if (turns) {
        guess = parabola(low, *span, v_low, end->rate, a_low, end->acceleration);
        *span = locate(motion, true, R(0.0), low, *span, guess, end->rate < v_low);
        end->lean = evaluate(motion, *span).lean;
        end->rate = R(0.0);
    }
    return turns;
}

/* Lean about the active corner until something happens. */
static step_result rock(const housner_state *state, const stretch *over)
{
    const real side = state->side, rate = R(1.0) / over->dt;
    step_result result = {*state, R(0.0), ROCKSTEADY_NOTHING};
    smooth_motion motion;
    real y, v, start, span, guess;
    instant end;

    smooth(&motion, state, over);
    y = motion.of[0];
    v = motion.of[1];
    start = motion.of[2];
    span = trusted(&motion, over->params->tolerance * over->dt);
    end = evaluate(&motion, span);

    if ((y == R(0.0)) && (v == R(0.0))) { /* just lifted off: not pulled back yet */
        start = larger(start, R(0.0));
        if ((start == R(0.0)) && (end.acceleration <= R(0.0))) { /* nor was it lifted after all */
            result.state.theta = R(0.0);
            result.state.omega = R(0.0);
            result.state.side = R(0.0);
            result.used = span * over->dt;
            result.event = ROCKSTEADY_REST;
            return result;
        }
    }
    /* through a maximum of the lean it goes as through any other point */
    if (!((v > R(0.0)) && (end.rate < R(0.0)) && (y + v + larger(start, R(0.0)) < LYING))
        && stops(&motion, start, &span, &end)) {
        result.event = ROCKSTEADY_TURN;
    }
    if (end.lean >= LYING) {
        guess = parabola(R(0.0), span, y - LYING, end.lean - LYING, v, end.rate);
        span = locate(&motion, false, LYING, R(0.0), span, guess, false);
        end.lean = LYING;
        end.rate = evaluate(&motion, span).rate;
        result.event = ROCKSTEADY_OVERTURN;
    } else if (end.lean < R(0.0)) {
        guess = landing(y, v, start, (end.acceleration - start) / span);
        span = locate(&motion, false, R(0.0), R(0.0), span, guess, true);
        end.lean = R(0.0);
        end.rate = smaller(evaluate(&motion, span).rate, -LEAST);
        result.event = ROCKSTEADY_NOTHING;
    } else {
        /* it leans on */
    }
    result.state.work = FUSED(about(side, over->params)->inertia,
                              input_work(&motion, span) * rate * rate, state->work);
    result.state.theta = side * end.lean;
    /* in single precision the rounded 1/dt would err the same way at every step */
    result.state.omega = side * EITHER(end.rate * rate, end.rate / over->dt);
    result.used = span * over->dt;
    return result;
}

/* Stand upright until the ground lifts it off, to the side away from its acceleration. */
static step_result wait_for_uplift(const housner_state *state, const stretch *over)
{
    step_result result = {*state, over->dt, ROCKSTEADY_NOTHING};
    real side = R(0.0);
    uint8_t i;
    for (i = 0U; i < 2U; i++) {
        const real corner = (i == 0U) ? R(1.0) : R(-1.0);
        const real push0 = overturning_push(corner, over->params, over->ground0);
        const real push1 = overturning_push(corner, over->params, over->ground1);
        if (push0 > R(0.0)) {
            result.used = R(0.0);
            side = corner;
        } else if (push1 > R(0.0)) {
            const real when = over->dt * push0 / (push0 - push1);
            if ((when < result.used) || (side == R(0.0))) {
                result.used = when;
                side = corner;
            }
        } else {
            /* this corner stays down */
        }
    }
    if (side != R(0.0)) {
        result.state.theta = R(0.0);
        result.state.omega = R(0.0);
        result.state.side = side;
        result.event = ROCKSTEADY_UPLIFT;
    }
    return result;
}

typedef struct {
    real spell;       /* time [s] */
    real here, there; /* weakest restoring acceleration about either corner [rad/s2] */
} quiet_result;

/* The time from here on, at most this interval, in which the ground leaves the block at least half
 * of its present restoring acceleration about either corner. */
static quiet_result quiet_spell(real side, const stretch *over)
{
    const real here0 = -overturning_push(side, over->params, over->ground0);
    const real there0 = -overturning_push(-side, over->params, over->ground0);
    const real here1 = -overturning_push(side, over->params, over->ground1);
    const real there1 = -overturning_push(-side, over->params, over->ground1);
    quiet_result quiet = {R(0.0), R(0.0), R(0.0)};
    real share;
    if ((here0 <= R(0.0)) || (there0 <= R(0.0))) {
        return quiet;
    }
    quiet.spell = over->dt;
    if (here1 < R(0.5) * here0) {
        quiet.spell = smaller(quiet.spell, over->dt * R(0.5) * here0 / (here0 - here1));
    }
    if (there1 < R(0.5) * there0) {
        quiet.spell = smaller(quiet.spell, over->dt * R(0.5) * there0 / (there0 - there1));
    }
    share = quiet.spell / over->dt;
    quiet.here = smaller(here0, FUSED(share, here1 - here0, here0));
    quiet.there = smaller(there0, FUSED(share, there1 - there0, there0));
    return quiet;
}

/* Whether a block that leaves the ground about a corner with this speed only chatters: all further
 * bounces fit into a quiet spell, even under its weakest restoring acceleration. */
static bool settles(real speed, real side, const stretch *over)
{
    const real alpha = about(side, over->params)->alpha, eta = about(side, over->params)->eta;
    const real eta_back = about(-side, over->params)->eta;
    const real pull_back = -overturning_push(side, over->params, over->ground0);
    quiet_result quiet;
    real bounces, lift;
    if ((R(2.0) * speed > pull_back * over->dt)
        && (speed * speed > R(2.0) * NEGLIGIBLE * alpha * pull_back)) {
        return false; /* too fast to be back before the interval ends: most impacts */
    }
    quiet = quiet_spell(side, over);
    if (quiet.spell == R(0.0)) {
        return false;
    }
    bounces = R(2.0) * speed / quiet.here + R(2.0) * eta_back * speed / quiet.there;
    lift = R(0.5) * speed * speed / quiet.here;
    return (bounces <= quiet.spell * FUSED(-eta, eta_back, R(1.0)))
           || (lift <= NEGLIGIBLE * alpha);
}

/* The base strikes the ground: the pivot changes corner, and eta of the rotation is left. */
static step_result strike(const housner_state *state, const stretch *over)
{
    const housner_corner *corner = about(state->side, over->params);
    const housner_corner *corner_new = about(-state->side, over->params);
    const real omega = state->omega;
    step_result result = {*state, R(0.0), ROCKSTEADY_IMPACT};
    real speed = corner_new->eta * size_of(omega), side_new;
    if ((speed <= R(0.0)) || settles(speed, -state->side, over)) {
        speed = R(0.0);
    }
    side_new = (speed > R(0.0)) ? -state->side : R(0.0);
    result.state.theta = R(0.0);
    result.state.omega = side_new * speed;
    result.state.side = side_new;
    result.state.loss += FUSED(R(-0.5) * corner_new->inertia * speed, speed,
                               R(0.5) * corner->inertia * omega * omega);
    return result;
}

static step_result advance(const housner_state *state, const stretch *over)
{
    if (state->side == R(0.0)) {
        return wait_for_uplift(state, over);
    }
    if ((state->theta == R(0.0)) && (state->side * state->omega < R(0.0))) {
        return strike(state, over);
    }
    return rock(state, over);
}

/* -- the public face --------------------------------------------------------------------------- */

static bool finite_state(const housner_state *state)
{
    return finite_real(state->theta) && finite_real(state->omega) && finite_real(state->work)
           && finite_real(state->loss);
}

static int refuse(const housner_state *state, const stretch *over)
{
    const real side = state->side, g = over->params->g;
    if (!positive(over->dt)) {
        return ROCKSTEADY_BAD_STEP;
    }
    if (!(finite_real(over->ground0.h) && finite_real(over->ground1.h)
          && positive(g + over->ground0.v) && positive(g + over->ground1.v))) {
        return ROCKSTEADY_BAD_SAMPLE;
    }
    if (!finite_state(state)
        || !((side == R(0.0)) || (side == R(1.0)) || (side == R(-1.0)))) {
        return ROCKSTEADY_BAD_STATE;
    }
    return ROCKSTEADY_NOTHING;
}

/* One step, if there is no reason to refuse it. */
static int checked_step(housner_state *state, const stretch *over, real *used)
{
    const int error = refuse(state, over);
    step_result result;
    *used = R(0.0);
    if (error != ROCKSTEADY_NOTHING) {
        return error;
    }
    if (size_of(state->theta) >= LYING) {
        return ROCKSTEADY_OVERTURN;
    }
    result = advance(state, over);
    if (!(finite_state(&result.state) && finite_real(result.used))) {
        return ROCKSTEADY_FAILURE;
    }
    *state = result.state;
    *used = result.used;
    return result.event;
}

int housner_advance(housner_state *state, const housner_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1, real dt, real *used)
{
    const stretch over = {params, ground0, ground1, dt};
    return checked_step(state, &over, used);
}

int housner_interval(housner_state *state, const housner_params *params,
                     rocksteady_ground ground0, rocksteady_ground ground1, real dt,
                     rocksteady_extremes *extremes)
{
    stretch left = {params, ground0, ground1, dt};
    uint16_t step;
    start_extremes(extremes, state->theta);
    for (step = 0U; step < ROCKSTEADY_MAX_STEPS; step++) {
        const housner_state before = *state;
        real used;
        const int event = checked_step(state, &left, &used);
        if (event < 0) {
            return event;
        }
        if ((before.omega * state->omega) < R(0.0)) { /* through a turning point without a stop */
            real t, theta;
            turning(&before, &left, used, &t, &theta);
            keep_extremes(extremes, theta, dt - left.dt + t);
        }
        extremes->steps++;
        if (event == ROCKSTEADY_IMPACT) {
            extremes->impacts++;
        }
        keep_extremes(extremes, state->theta, dt - (left.dt - used));
        if ((used >= left.dt) || (event >= ROCKSTEADY_OVERTURN)) {
            extremes->used = dt - (left.dt - used);
            return event;
        }
        left.ground0 = partway(left.ground0, ground1, used / left.dt);
        left.dt -= used;
    }
    extremes->used = dt - left.dt;
    return ROCKSTEADY_FAILURE;
}

static bool sound(const housner_corner *corner)
{
    return positive(corner->alpha) && (corner->alpha < LYING) && positive(corner->p)
           && positive(corner->inertia) && (corner->eta >= R(0.0)) && (corner->eta <= R(10.0))
           && positive(corner->weight) && positive(corner->inertia_force);
}

int housner_check(const housner_params *params)
{
    const housner_corner *right = &params->right, *left = &params->left;
    const bool possible = sound(right) && sound(left) && positive(params->g)
                          && positive(params->tolerance)
                          && (size_of(FUSED(params->g, params->unit, R(-1.0))) < UNIT_ROUNDING)
                          /* an impact adds no energy, but for rounding */
                          && (right->eta * right->eta * right->inertia
                              <= left->inertia * (R(1.0) + ETA_ROUNDING))
                          && (left->eta * left->eta * left->inertia
                              <= right->inertia * (R(1.0) + ETA_ROUNDING));
    return possible ? ROCKSTEADY_NOTHING : ROCKSTEADY_BAD_PARAMS;
}

int housner_rectangle(housner_params *params, real height, real width, real mass, real eta, real g)
{
    const real R_full = R(0.5) * LIBM(sqrt)(height * height + width * width);
    const real sine = R(0.5) * width / R_full, cosine = R(0.5) * height / R_full;
    housner_corner *corner = &params->right;
    if (!(positive(height) && positive(width) && positive(mass) && positive(g))
        || !((eta >= R(0.0)) && (eta <= R(1.0)))) {
        return ROCKSTEADY_BAD_PARAMS;
    }
    corner->alpha = LIBM(atan2)(width, height);
    corner->p = LIBM(sqrt)(R(0.75) * g / R_full);
    corner->inertia = R(4.0 / 3.0) * mass * R_full * R_full;
    corner->eta = (eta > R(0.0)) ? eta : larger(R(1.0) - R(1.5) * sine * sine, R(0.0));
    corner->weight = corner->p * corner->p * sine;
    corner->inertia_force = corner->p * corner->p * cosine / g;
    params->left = params->right;
    params->g = g;
    params->unit = R(1.0) / g;
    params->tolerance = TOLERANCE * corner->p;
    return housner_check(params);
}
