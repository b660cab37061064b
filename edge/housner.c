/* Classical rocking: a rigid block that pivots about a corner without sliding (Housner 1963).
 *
 * formulations/rocking.py and housner.py, function by function. Sums run in the same order, so
 * that in double precision and without contraction to fused operations the bits are the same.
 */
#include "real.h"

#define ORDER 6 /* of the series of the rate */
#define LYING R(1.5707963267948966)
#define NEGLIGIBLE R(1e-12) /* of alpha: a block that will not lift by more than this is at rest */
#define MAX_ITERATIONS (uint8_t) EITHER(50, 16) /* in single precision: all there is to gain */
#define TOLERANCE EITHER(5e-13, 1e-8) /* of p: the most that a step's series may leave out */
#define CONVERGED EITHER(1e-9, 1e-5)  /* of the time searched: Newton's next step is its square */
#define ROUNDING EITHER(4e-16, 2e-7)
#define ETA_ROUNDING EITHER(1e-14, 1e-6)
#define LEAST_SPEED EITHER(DBL_MIN * DBL_EPSILON, FLT_MIN) /* of a block about to strike */

typedef struct { /* the motion from here on, as power series */
    real y;
    real rate[ORDER + 2]; /* of the last, only the ground's part: large where that is steep */
    real p;
    real sine[ORDER]; /* of the angle left to the balance point */
} smooth_motion;

typedef struct {
    real lean;
    real rate;
    real acceleration;
} instant;

typedef struct { /* of the ground: k0 + k1 t is 1 + a_v/g, c0 + c1 t is side a_h/g */
    real k0, k1, c0, c1;
} loading;

typedef struct { /* of a search */
    real time, excess, slope;
} bracket_end;

typedef struct {
    housner_state state;
    real used;
    int event;
} step_result;

/* -- smooth motion about one corner ------------------------------------------------------------ */

/* (sin x, cos x) for |x| <= pi/2 within 2.5e-16; coefficients as in formulations/_trig.py. */
static void sin_and_cos(real x, real *sine, real *cosine)
{
    const real z = x * x;
    const real z2 = z * z;
    const real z4 = z2 * z2;
    real tail = (R(0.00019841269841185962) - R(2.755731920778703e-06) * z)
                + z2 * (R(2.5052106606644466e-08) - R(1.6058927836753878e-10) * z);
    tail = tail + z4 * (R(7.64271293428848e-13) - R(2.7184964302159098e-15) * z);
    *sine = x - x * z * (R(0.16666666666666666) - z * (R(0.008333333333333115) - z * tail));
    tail = (R(0.001388888888878565) - R(2.480158727914869e-05) * z)
           + z2 * (R(2.7557316525197284e-07) - R(2.087656773953877e-09) * z);
    tail = tail + z4 * (R(1.1463039332492845e-11) - R(4.610293793445856e-14) * z);
    *cosine = R(1.0) - z * (R(0.49999999999999983) - z * (R(0.04166666666666437) - z * tail));
}

/* The n-th coefficient of the product of two series. */
static real convolve(const real *a, const real *b, uint8_t n)
{
    real sum = a[n] * b[0];
    uint8_t i;
    for (i = 1U; i <= n; i++) {
        sum += a[n - i] * b[i];
    }
    return sum;
}

/* Taylor coefficients of the rate y'(t), and what the work of the ground needs.
 *
 * k0 + k1 t is 1 + a_v/g and c0 + c1 t is side a_h/g. With S = sin(alpha - y), C = cos(alpha - y):
 * S' = -C v, C' = S v, v' = f = -p2 (k S + c C). */
static void expand(smooth_motion *motion, real y, real v, real alpha, real p, loading ground)
{
    const real pp = p * p;
    const real K0 = -pp * ground.k0, K1 = -pp * ground.k1;
    const real H0 = -pp * ground.c0, H1 = -pp * ground.c1;
    real C[ORDER];
    real *S = motion->sine, *rate = motion->rate;
    uint8_t n;

    rate[0] = v;
    sin_and_cos(alpha - y, &S[0], &C[0]);
    rate[1] = K0 * S[0] + H0 * C[0];
    for (n = 1U; n < ORDER; n++) {
        const real share = R(1.0) / R(n), next = R(1.0) / R(n + 1U);
        S[n] = -convolve(C, rate, (uint8_t)(n - 1U)) * share;
        C[n] = convolve(S, rate, (uint8_t)(n - 1U)) * share;
        rate[n + 1U] = ((K1 * S[n - 1U] + H1 * C[n - 1U]) + (K0 * S[n] + H0 * C[n])) * next;
    }
    rate[ORDER + 1] = (K1 * S[ORDER - 1] + H1 * C[ORDER - 1]) * R(1.0 / (ORDER + 1));
    motion->p = p;
    motion->y = y;
}

/* The terms v_n t^n of the rate's series, n = 1 to 7. */
static void terms(const smooth_motion *motion, real t, real *of)
{
    const real t2 = t * t;
    const real t3 = t2 * t, t4 = t2 * t2;
    of[1] = motion->rate[1] * t;
    of[2] = motion->rate[2] * t2;
    of[3] = motion->rate[3] * t3;
    of[4] = motion->rate[4] * t4;
    of[5] = motion->rate[5] * (t4 * t);
    of[6] = motion->rate[6] * (t4 * t2);
    of[7] = motion->rate[7] * (t4 * t3);
}

/* Size of what the rate's series leaves out of v7 t7, estimated: as it is where the motion is
 * linear, or else like p v6 / 7; p stands for p + 3 |omega|. */
static real omitted(const smooth_motion *motion, real t)
{
    const real turn = (motion->p + R(3.0) * size_of(motion->rate[0])) * t;
    real of[ORDER + 2];
    terms(motion, t, of);
    return (size_of(of[5]) * turn + R(6.0) * size_of(of[6])) * turn * R(1.0 / 42.0);
}

/* The part of dt over which the rate's series leaves out no more than tolerance. */
static real trusted(const smooth_motion *motion, real dt, real tolerance)
{
    const real left_out = omitted(motion, dt);
    if (left_out <= tolerance) {
        return dt;
    }
    return R(0.9) * dt * LIBM(pow)(tolerance / left_out, R(1.0 / 7.0));
}

/* Lean, rate and acceleration after the time t; sums in the order of Python. */
static instant evaluate(const smooth_motion *motion, real t)
{
    const real *v = motion->rate;
    const real slow = R(2.0) * v[2] + t * (R(3.0) * v[3]);
    const real fast =
        R(4.0) * v[4] + t * (R(5.0) * v[5] + t * (R(6.0) * v[6] + t * (R(7.0) * v[7])));
    real of[ORDER + 2], first, last;
    instant at;
    terms(motion, t, of);
    at.rate = v[0] + ((of[1] + of[2]) + ((of[3] + of[4]) + (of[5] + (of[6] + of[7]))));
    first = of[1] * R(1.0 / 2.0) + of[2] * R(1.0 / 3.0);
    last = (of[3] * R(1.0 / 4.0) + of[4] * R(1.0 / 5.0))
           + (of[5] * R(1.0 / 6.0) + (of[6] * R(1.0 / 7.0) + of[7] * R(1.0 / 8.0)));
    at.lean = motion->y + t * (v[0] + (first + last));
    at.acceleration = v[1] + t * (slow + (t * t) * fast);
    return at;
}

/* Work of the ground per unit inertia over the time t: its power is q v, with q = f + p2 S. */
static real input_work(const smooth_motion *motion, real t)
{
    const real pp = motion->p * motion->p;
    real q[ORDER], work[ORDER + 1], sum;
    uint8_t n;
    for (n = 0U; n < ORDER; n++) {
        q[n] = R(n + 1U) * motion->rate[n + 1U] + pp * motion->sine[n];
        work[n] = convolve(q, motion->rate, n) * (R(1.0) / R(n + 1U));
    }
    work[ORDER] = convolve(q, motion->rate + 1, ORDER - 1U) * R(1.0 / (ORDER + 1));
    sum = work[ORDER];
    for (n = ORDER; n > 0U; n--) {
        sum = work[n - 1U] + t * sum;
    }
    return t * sum;
}

/* Where the lean passes level, or the rate zero, between two times at which the excess and its
 * slope are given: Newton's method, kept inside the bracket by bisection. The parabola through both
 * ends with their difference of slopes gives the start. */
static real locate(const smooth_motion *motion, bool of_rate, real level, bracket_end low,
                   bracket_end high)
{
    const bool falling = low.excess > R(0.0);
    const real whole = high.time - low.time;
    const real share = low.excess / (low.excess - high.excess);
    const real bend = R(0.5) * whole * (high.slope - low.slope) / (high.excess - low.excess);
    real t = low.time + whole * share * (R(1.0) + bend * (R(1.0) - share));
    uint8_t i;
    if (!((low.time <= t) && (t <= high.time))) {
        t = R(0.5) * (low.time + high.time);
    }
    for (i = 0U; i < MAX_ITERATIONS; i++) {
        const instant at = evaluate(motion, t);
        const real excess = (of_rate ? at.rate : at.lean) - level;
        real newton = t - excess / (of_rate ? at.acceleration : at.rate), enough = CONVERGED;
        if ((excess > R(0.0)) == falling) {
            low.time = t;
        } else {
            high.time = t;
        }
        if (!((low.time <= newton) && (newton <= high.time))) {
            newton = R(0.5) * (low.time + high.time);
            enough = ROUNDING;
        }
        if (size_of(newton - t) <= enough * high.time) {
            return newton;
        }
        t = newton;
    }
    return t;
}

/* -- rest, uplift, impacts -------------------------------------------------------------------- */

static const housner_corner *about(real side, const housner_params *params)
{
    return (side > R(0.0)) ? &params->right : &params->left;
}

/* Acceleration that upright rest would take up about a corner; it lifts off where positive. */
static real overturning_push(real side, const housner_params *params, rocksteady_ground ground)
{
    const housner_corner *corner = about(side, params);
    return -(corner->weight * (R(1.0) + ground.v / params->g)
             + side * ground.h * corner->inertia_force);
}

static loading load(real side, real g, rocksteady_ground ground0, rocksteady_ground ground1,
                    real dt)
{
    const real unit = R(1.0) / g, slope = R(1.0) / (g * dt);
    loading ground;
    ground.k0 = R(1.0) + ground0.v * unit;
    ground.k1 = (ground1.v - ground0.v) * slope;
    ground.c0 = side * ground0.h * unit;
    ground.c1 = side * (ground1.h - ground0.h) * slope;
    return ground;
}

/* Lean about the active corner until something happens. */
static step_result rock(const housner_state *state, const housner_params *params,
                        rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const housner_corner *corner = about(state->side, params);
    const real side = state->side, y = side * state->theta, v = side * state->omega;
    smooth_motion motion;
    step_result result = {*state, R(0.0), ROCKSTEADY_NOTHING};
    bracket_end low = {R(0.0), v, R(0.0)}, high;
    real span, start;
    instant end;
    bool turns;

    expand(&motion, y, v, corner->alpha, corner->p, load(side, params->g, ground0, ground1, dt));
    span = trusted(&motion, dt, params->tolerance);
    start = motion.rate[1];
    end = evaluate(&motion, span);

    if ((y == R(0.0)) && (v == R(0.0))) { /* just lifted off: not pulled back yet */
        start = larger(start, R(0.0));
        if ((start == R(0.0)) && (end.acceleration <= R(0.0))) { /* nor was it lifted after all */
            result.state.theta = R(0.0);
            result.state.omega = R(0.0);
            result.state.side = R(0.0);
            result.used = span;
            result.event = ROCKSTEADY_REST;
            return result;
        }
    }

    /* The rate is monotonic on either side of the acceleration's zero, the lean on either side of
     * the rate's: so the signs at those places tell all that happens in between. */
    low.slope = start;
    turns = (v * end.rate) < R(0.0);
    if ((start * end.acceleration) < R(0.0)) {
        const real knee = span * start / (start - end.acceleration);
        const real v_knee = evaluate(&motion, knee).rate;
        if ((v * v_knee) < R(0.0)) {
            turns = true;
            span = knee;
            end.rate = v_knee;
            end.acceleration = R(0.0);
        } else if ((v_knee * end.rate) < R(0.0)) {
            turns = true;
            low.time = knee;
            low.excess = v_knee;
            low.slope = R(0.0);
        } else {
            /* monotonic enough */
        }
    }
    if (turns) {
        high.time = span;
        high.excess = end.rate;
        high.slope = end.acceleration;
        span = locate(&motion, true, R(0.0), low, high);
        end.lean = evaluate(&motion, span).lean;
        end.rate = R(0.0);
        result.event = ROCKSTEADY_TURN;
    }
    low.time = R(0.0);
    low.slope = v;
    high.time = span;
    high.slope = end.rate;
    if (end.lean >= LYING) {
        low.excess = y - LYING;
        high.excess = end.lean - LYING;
        span = locate(&motion, false, LYING, low, high);
        end.lean = LYING;
        end.rate = evaluate(&motion, span).rate;
        result.event = ROCKSTEADY_OVERTURN;
    } else if (end.lean < R(0.0)) {
        low.excess = y;
        high.excess = end.lean;
        span = locate(&motion, false, R(0.0), low, high);
        end.lean = R(0.0);
        end.rate = smaller(evaluate(&motion, span).rate, -LEAST_SPEED);
        result.event = ROCKSTEADY_NOTHING;
    } else {
        /* it leans on */
    }
    result.state.work += corner->inertia * input_work(&motion, span);
    result.state.theta = side * end.lean;
    result.state.omega = side * end.rate;
    result.used = span;
    return result;
}

/* Stand upright until the ground lifts it off, to the side away from its acceleration. */
static step_result wait_for_uplift(const housner_state *state, const housner_params *params,
                                   rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    step_result result = {*state, dt, ROCKSTEADY_NOTHING};
    real side = R(0.0);
    uint8_t i;
    for (i = 0U; i < 2U; i++) {
        const real corner = (i == 0U) ? R(1.0) : R(-1.0);
        const real push0 = overturning_push(corner, params, ground0);
        const real push1 = overturning_push(corner, params, ground1);
        if (push0 > R(0.0)) {
            result.used = R(0.0);
            side = corner;
        } else if (push1 > R(0.0)) {
            const real when = dt * push0 / (push0 - push1);
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
static quiet_result quiet_spell(real side, const housner_params *params,
                                rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const real here0 = -overturning_push(side, params, ground0);
    const real there0 = -overturning_push(-side, params, ground0);
    const real here1 = -overturning_push(side, params, ground1);
    const real there1 = -overturning_push(-side, params, ground1);
    quiet_result quiet = {R(0.0), R(0.0), R(0.0)};
    real share;
    if ((here0 <= R(0.0)) || (there0 <= R(0.0))) {
        return quiet;
    }
    quiet.spell = dt;
    if (here1 < R(0.5) * here0) {
        quiet.spell = smaller(quiet.spell, dt * R(0.5) * here0 / (here0 - here1));
    }
    if (there1 < R(0.5) * there0) {
        quiet.spell = smaller(quiet.spell, dt * R(0.5) * there0 / (there0 - there1));
    }
    share = quiet.spell / dt;
    quiet.here = smaller(here0, here0 + share * (here1 - here0));
    quiet.there = smaller(there0, there0 + share * (there1 - there0));
    return quiet;
}

/* Whether a block that leaves the ground about a corner with this speed only chatters: all further
 * bounces fit into a quiet spell, even under its weakest restoring acceleration. */
static bool settles(real speed, real side, const housner_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const quiet_result quiet = quiet_spell(side, params, ground0, ground1, dt);
    const real eta = about(side, params)->eta, eta_back = about(-side, params)->eta;
    real bounces, lift;
    if (quiet.spell == R(0.0)) {
        return false;
    }
    bounces = R(2.0) * speed / quiet.here + R(2.0) * eta_back * speed / quiet.there;
    lift = R(0.5) * speed * speed / quiet.here;
    return (bounces <= quiet.spell * (R(1.0) - eta * eta_back))
           || (lift <= NEGLIGIBLE * about(side, params)->alpha);
}

/* The base strikes the ground: the pivot changes corner, and eta of the rotation is left. */
static step_result strike(const housner_state *state, const housner_params *params,
                          rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const housner_corner *corner = about(state->side, params);
    const housner_corner *corner_new = about(-state->side, params);
    const real omega = state->omega;
    step_result result = {*state, R(0.0), ROCKSTEADY_IMPACT};
    real speed = corner_new->eta * size_of(omega), side_new;
    if ((speed <= R(0.0)) || settles(speed, -state->side, params, ground0, ground1, dt)) {
        speed = R(0.0);
    }
    side_new = (speed > R(0.0)) ? -state->side : R(0.0);
    result.state.theta = R(0.0);
    result.state.omega = side_new * speed;
    result.state.side = side_new;
    result.state.loss += R(0.5) * corner->inertia * omega * omega
                         - R(0.5) * corner_new->inertia * speed * speed;
    return result;
}

static step_result advance(const housner_state *state, const housner_params *params,
                           rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    if (state->side == R(0.0)) {
        return wait_for_uplift(state, params, ground0, ground1, dt);
    }
    if ((state->theta == R(0.0)) && (state->side * state->omega < R(0.0))) {
        return strike(state, params, ground0, ground1, dt);
    }
    return rock(state, params, ground0, ground1, dt);
}

/* -- the public face --------------------------------------------------------------------------- */

static bool finite_state(const housner_state *state)
{
    return finite_real(state->theta) && finite_real(state->omega) && finite_real(state->work)
           && finite_real(state->loss);
}

static int refuse(const housner_state *state, const housner_params *params,
                  rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const real side = state->side;
    if (!positive(dt)) {
        return ROCKSTEADY_BAD_STEP;
    }
    if (!(finite_real(ground0.h) && finite_real(ground1.h) && positive(params->g + ground0.v)
          && positive(params->g + ground1.v))) {
        return ROCKSTEADY_BAD_SAMPLE;
    }
    if (!finite_state(state)
        || !((side == R(0.0)) || (side == R(1.0)) || (side == R(-1.0)))) {
        return ROCKSTEADY_BAD_STATE;
    }
    return ROCKSTEADY_NOTHING;
}

int housner_advance(housner_state *state, const housner_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1, real dt, real *used)
{
    const int error = refuse(state, params, ground0, ground1, dt);
    step_result result;
    *used = R(0.0);
    if (error != ROCKSTEADY_NOTHING) {
        return error;
    }
    if (size_of(state->theta) >= LYING) {
        return ROCKSTEADY_OVERTURN;
    }
    result = advance(state, params, ground0, ground1, dt);
    if (!(finite_state(&result.state) && finite_real(result.used))) {
        return ROCKSTEADY_FAILURE;
    }
    *state = result.state;
    *used = result.used;
    return result.event;
}

int housner_interval(housner_state *state, const housner_params *params,
                     rocksteady_ground ground0, rocksteady_ground ground1, real dt,
                     rocksteady_extremes *extremes)
{
    real left = dt;
    uint16_t step;
    start_extremes(extremes, state->theta);
    for (step = 0U; step < ROCKSTEADY_MAX_STEPS; step++) {
        real used;
        const int event = housner_advance(state, params, ground0, ground1, left, &used);
        if (event < 0) {
            return event;
        }
        extremes->steps++;
        if (event == ROCKSTEADY_IMPACT) {
            extremes->impacts++;
        }
        keep_extremes(extremes, state->theta, dt - (left - used));
        if ((used >= left) || (event >= ROCKSTEADY_OVERTURN)) {
            extremes->used = dt - (left - used);
            return event;
        }
        ground0 = partway(ground0, ground1, used / left);
        left -= used;
    }
    extremes->used = dt - left;
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
    params->tolerance = TOLERANCE * corner->p;
    return housner_check(params);
}
