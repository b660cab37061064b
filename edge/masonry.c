/* The masonry building: one mass on an interface that adheres, slips, hardens and wears
 * (Casalotti 2025).
 *
 * theories/masonry/interface.py (the interface, driven by displacement) and motion.py (the
 * building, driven by the ground), function by function and with sums in the same order.
 */
#include "real.h"

#define WORN_OUT R(0.999) /* wear at which nothing is left to hold */
#define LEAST R(1e-4)     /* smallest share 1 - w that a tentative stage is evaluated at */
#define BRITTLE R(1e-2)   /* of k_a: softening beyond it and the stress drops at once */
#define JUMP R(0.1)       /* wear of one step: more, and it is halved */
#define HALVED 20U        /* times at most: then the interface breaks */
#define STRETCH R(0.05)   /* largest (a + D) of one Runge-Kutta step along the displacement */
#define LEAST_PART R(9.5367431640625e-07) /* 0.5 to the power of HALVED */
#define REACH R(0.85)     /* largest omega dt of a step */
#define NEAR EITHER(1e-6, 1e-4) /* of the step: the last Newton correction */
#define SLIDE R(0.2)      /* largest (a + D) |du| of a slipping step */
#define MAX_ITERATIONS (uint8_t) EITHER(60, 16) /* in single precision: all there is to gain */
#define COLLAPSED R(2.0)
#define SPENT R(3.0) /* the mode of a point for which the steps did not suffice */

/* -- the interface ------------------------------------------------------------------------------ */

typedef struct {
    real A;       /* what hardening adds to the threshold [N/m2] */
    real A_alpha; /* its derivative by the hardening */
    real A_w;     /* its derivative by the wear */
    real stored;  /* hardening's part of W [N/m] */
} hardening_result;

typedef struct { /* while it slips */
    real growth; /* d alpha / d|u| */
    real D;      /* d w / d alpha [1/m] */
    real Y;      /* tau_0 + A [N/m2] */
    real W;      /* the energy that drives wear [N/m] */
    real left;   /* share of k_a that softening leaves */
} slip_rates_result;

static hardening_result hardening(real alpha, real w, const masonry_params *params)
{
    const real a = params->hardening_rate, limit = params->hardening_limit;
    const real q = larger(R(1.0) - w, LEAST);
    const real e = LIBM(exp)(-a * alpha / q);
    hardening_result result;
    result.A = limit * q * (R(1.0) - q * e);
    result.A_alpha = a * limit * q * e;
    result.A_w = limit * ((R(2.0) * q + a * alpha) * e - R(1.0));
    result.stored = limit * (alpha + ((R(3.0) * q + a * alpha) * q * e - R(3.0)) / a);
    return result;
}

/* D; wear feeds on the positive part of W only. */
static real wear_rate(real W, const masonry_params *params)
{
    const real ratio = larger(W, R(0.0)) / params->wear_energy;
    if (params->wear_exponent == R(2.0)) {
        return ratio * ratio;
    }
    return LIBM(pow)(ratio, params->wear_exponent);
}

/* The stretch |u - g| at which it slips [m]. */
static real slip_limit(real alpha, real w, const masonry_params *params)
{
    return (params->threshold + hardening(alpha, w, params).A) / params->stiffness;
}

static slip_rates_result slip_rates(real alpha, real w, const masonry_params *params)
{
    const real k = params->stiffness, q = larger(R(1.0) - w, LEAST);
    const hardening_result hard = hardening(alpha, w, params);
    slip_rates_result result;
    result.Y = params->threshold + hard.A;
    result.W = R(0.5) * result.Y * result.Y / k + hard.stored;
    result.D = wear_rate(result.W, params);
    result.left = R(1.0) + q * (hard.A_alpha + hard.A_w * result.D) / k;
    result.growth = q / larger(result.left, BRITTLE);
    return result;
}

/* What the springs hold at the stretch x [J]. */
static real held(real x, real w, const masonry_params *params)
{
    return params->contact_area * R(0.5) * params->stiffness * (R(1.0) - w) * x * x;
}

typedef struct {
    real alpha, w;
    real work, loss; /* per area [N/m] */
    real gone;       /* distance [m] */
    bool spent;      /* all steps were taken, and it goes on */
} slip_result;

/* Whether a step in which softening leaves only this share of k_a meets the break, or steps over it
 * by wearing too much at once. */
static bool breaks(real left, real worn)
{
    return (left <= BRITTLE) || (worn > JUMP);
}

/* Slip on by a distance [m] with the classical Runge-Kutta rule, (a + D) d|u| <= STRETCH a step;
 * stop short where the interface is worn out or breaks. A step over the break is halved until it
 * ends before it. */
static slip_result slip(real alpha, real w, real distance, const masonry_params *params)
{
    const real a = params->hardening_rate;
    slip_result at = {alpha, w, R(0.0), R(0.0), R(0.0), false};
    real part = R(1.0);
    uint16_t step;
    for (step = 0U; step < ROCKSTEADY_MAX_STEPS; step++) {
        slip_rates_result k1, k2, k3, k4;
        real h, w1, w2, w3, w4, sixth, q1, q2, q3, q4, grown, worn;
        if (!((at.gone < distance) && (at.w < WORN_OUT))) {
            break;
        }
        k1 = slip_rates(at.alpha, at.w, params);
        if (k1.left <= BRITTLE) {
            break;
        }
        h = part * smaller(distance - at.gone, STRETCH / (a + k1.D));
        w1 = k1.D * k1.growth;
        k2 = slip_rates(at.alpha + R(0.5) * h * k1.growth, at.w + R(0.5) * h * w1, params);
        w2 = k2.D * k2.growth;
        k3 = slip_rates(at.alpha + R(0.5) * h * k2.growth, at.w + R(0.5) * h * w2, params);
        w3 = k3.D * k3.growth;
        k4 = slip_rates(at.alpha + h * k3.growth, at.w + h * w3, params);
        w4 = k4.D * k4.growth;
        q1 = R(1.0) - at.w;
        q2 = R(1.0) - at.w - R(0.5) * h * w1;
        q3 = R(1.0) - at.w - R(0.5) * h * w2;
        q4 = R(1.0) - at.w - h * w3;
        sixth = h / R(6.0);
        worn = sixth * (w1 + R(2.0) * (w2 + w3) + w4);
        if (breaks(smaller(smaller(k2.left, k3.left), k4.left), worn)) {
            if (part <= LEAST_PART) {
                break;
            }
            part *= R(0.5);
            continue;
        }
        if (at.w + worn >= WORN_OUT) { /* only as far as there is something to wear */
            const real share = (WORN_OUT - at.w) / worn;
            h = share * h;
            sixth = share * sixth;
            worn = WORN_OUT - at.w;
        }
        at.work += sixth * (q1 * k1.Y + R(2.0) * (q2 * k2.Y + q3 * k3.Y) + q4 * k4.Y);
        grown = sixth * (k1.growth + R(2.0) * (k2.growth + k3.growth) + k4.growth);
        at.loss += params->threshold * grown
                   + sixth * (k1.W * w1 + R(2.0) * (k2.W * w2 + k3.W * w3) + k4.W * w4);
        at.alpha += grown;
        at.w = (worn == WORN_OUT - at.w) ? WORN_OUT : at.w + worn;
        at.gone = (h == distance - at.gone) ? distance : at.gone + h;
        part = smaller(R(1.0), R(2.0) * part);
    }
    at.spent = (step == ROCKSTEADY_MAX_STEPS) && (at.gone < distance) && (at.w < WORN_OUT);
    return at;
}

/* The accurate update to the displacement u1: elastic up to where it slips, which has a closed
 * form; then slip along the rest of the way; g from F = 0. */
static masonry_point deform(const masonry_point *from, real u1, const masonry_params *params)
{
    const real area = params->contact_area, k = params->stiffness;
    const real limit = slip_limit(from->alpha, from->w, params);
    const real side = (u1 >= from->u) ? R(1.0) : R(-1.0);
    const real x0 = from->u - from->g;
    masonry_point point = *from;
    real x1 = u1 - from->g;
    point.u = u1;
    if (from->mode == COLLAPSED) {
        point.tau = R(0.0);
        return point;
    }
    point.mode = R(0.0);
    if ((side * x1 >= limit) && (u1 != from->u)) {
        const real distance = side * x1 - limit;
        slip_result slipped;
        x1 = side * limit;
        point.work += area * R(0.5) * k * (R(1.0) - point.w) * (x1 * x1 - x0 * x0);
        slipped = slip(point.alpha, point.w, distance, params);
        point.alpha = slipped.alpha;
        point.w = slipped.w;
        point.work += area * slipped.work;
        point.loss += area * slipped.loss;
        point.mode = slipped.spent ? SPENT : side;
        x1 = side * slip_limit(point.alpha, point.w, params);
        point.g = u1 - side * (distance - slipped.gone) - x1;
        if (!slipped.spent && ((slipped.gone < distance) || (point.w >= WORN_OUT))) {
            /* what is still in the springs goes with them */
            point.loss += held(x1, point.w, params);
            point.tau = R(0.0);
            point.mode = COLLAPSED;
            return point;
        }
    } else {
        point.work += area * R(0.5) * k * (R(1.0) - point.w) * (x1 * x1 - x0 * x0);
    }
    point.tau = k * (R(1.0) - point.w) * (u1 - point.g);
    return point;
}

/* -- the building, adhering ----------------------------------------------------------------------- */

typedef struct {
    masonry_state state;
    real used;
    int event;
} step_result;

typedef struct { /* x = A + B t + y(t), y'' = -ww y - 2 beta y' */
    real ww, beta, A, B, y, rate;
} swing_motion;

typedef struct {
    real x, v;
} swung_result;

/* The motion x'' = -ww x - c x' - a0 - a1 t (c per mass). */
static swing_motion swing(real x, real v, real ww, real damping, real a0, real a1)
{
    const real flexibility = R(-1.0) / ww;
    swing_motion motion;
    motion.ww = ww;
    motion.beta = R(0.5) * damping;
    motion.B = flexibility * a1;
    motion.A = flexibility * (a0 + damping * motion.B);
    motion.y = x - motion.A;
    motion.rate = v - motion.B;
    return motion;
}

/* x and x' after the time t, omega t <= REACH; cosine and sine by their series. */
static swung_result swung(const swing_motion *m, real t)
{
    const real z = (m->ww - m->beta * m->beta) * t * t; /* negative where overdamped */
    real P = R(1.0 / 3628800.0) - z * (R(1.0 / 479001600.0) - z * R(1.0 / 87178291200.0));
    real Q = R(1.0 / 39916800.0) - z * (R(1.0 / 6227020800.0) - z * R(1.0 / 1307674368000.0));
    real cosine, sine, x, v;
    swung_result at;
    P = R(1.0 / 720.0) - z * (R(1.0 / 40320.0) - z * P);
    P = R(1.0 / 2.0) - z * (R(1.0 / 24.0) - z * P);
    Q = R(1.0 / 5040.0) - z * (R(1.0 / 362880.0) - z * Q);
    Q = R(1.0 / 6.0) - z * (R(1.0 / 120.0) - z * Q);
    cosine = R(1.0) - z * P;
    sine = t * (R(1.0) - z * Q); /* sin(omega_d t) / omega_d */
    x = m->y * cosine + (m->rate + m->beta * m->y) * sine;
    v = m->rate * cosine - (m->ww * m->y + m->beta * m->rate) * sine;
    if (m->beta > R(0.0)) {
        const real decay = LIBM(exp)(-m->beta * t);
        at.x = m->A + m->B * t + decay * x;
        at.v = m->B + decay * v;
    } else {
        at.x = m->A + m->B * t + x;
        at.v = m->B + v;
    }
    return at;
}

/* When the velocity is zero, knowing that it changes its sign within h, from v to v1. */
static real turning_time(const swing_motion *m, real v, real v1, real h)
{
    real low = R(0.0), high = h, t = h * v / (v - v1);
    /* the parabola that starts like v */
    const real bend = -h * (m->ww * m->y + R(2.0) * m->beta * m->rate) - (v1 - v);
    uint8_t i;
    t += t * (t - h) * bend / (h * (v1 - v));
    for (i = 0U; i < MAX_ITERATIONS; i++) {
        const swung_result at = swung(m, t);
        real slope, next;
        bool settled;
        if (at.v == R(0.0)) {
            break;
        }
        if ((at.v > R(0.0)) == (v > R(0.0))) {
            low = t;
        } else {
            high = t;
        }
        slope = -m->ww * (at.x - m->A - m->B * t) - R(2.0) * m->beta * (at.v - m->B);
        next = (slope != R(0.0)) ? t - at.v / slope : low;
        if (!((low < next) && (next < high))) {
            next = R(0.5) * (low + high);
        }
        settled = size_of(next - t) <= NEAR * h;
        t = next;
        if (settled) {
            break;
        }
    }
    return t;
}

/* When the stretch, monotone within h, passes the goal on its way from x to x1. */
static real slipping_time(const swing_motion *m, real x, real x1, real goal, real h)
{
    real low = R(0.0), high = h, t = h * (goal - x) / (x1 - x);
    uint8_t i;
    for (i = 0U; i < MAX_ITERATIONS; i++) {
        const swung_result at = swung(m, t);
        real next;
        bool settled;
        if (at.x == goal) {
            break;
        }
        if ((at.x < goal) == (x < x1)) {
            low = t;
        } else {
            high = t;
        }
        next = (at.v != R(0.0)) ? t + (goal - at.x) / at.v : low;
        if (!((low < next) && (next < high))) {
            next = R(0.5) * (low + high);
        }
        settled = size_of(next - t) <= NEAR * h;
        t = next;
        if (settled) {
            break;
        }
    }
    return t;
}

typedef struct {
    real first, last;
} pulls_result;

/* x'' = -ww y - c y' at the start, and after the time h at (x1, v1). */
static pulls_result pulls(const swing_motion *m, real x1, real v1, real h)
{
    pulls_result result;
    result.first = -m->ww * m->y - R(2.0) * m->beta * m->rate;
    result.last = -m->ww * (x1 - m->A - m->B * h) - R(2.0) * m->beta * (v1 - m->B);
    return result;
}

/* Whether it slips on its way to x1, when outset has the sign of its motion. (Not from the
 * displacements: where they differ by rounding only, slip would start and end for ever.) */
static bool starts_to_slip(real outset, real x1, real alpha, real w, const masonry_params *params)
{
    return (size_of(x1) > slip_limit(alpha, w, params)) && (outset * x1 > R(0.0));
}

/* How much of dt one step may take [s]. */
static real reach(real dt, real ww, real damping)
{
    if (ww * dt * dt > REACH * REACH) {
        dt = REACH / LIBM(sqrt)(ww);
    }
    return (damping > R(0.0)) ? smaller(dt, REACH / damping) : dt;
}

/* c times the integral of x'^2, per mass: of the even drift B, and of y by what its energy lost. */
static real damped(const swing_motion *m, real x1, real v1, real h)
{
    const real y1 = x1 - m->A - m->B * h, rate1 = v1 - m->B;
    const real drift = R(2.0) * m->beta * m->B * (m->B * h + R(2.0) * (y1 - m->y));
    return drift + R(0.5) * (m->rate * m->rate - rate1 * rate1 + m->ww * (m->y * m->y - y1 * y1));
}

/* One elastic step: to the end, a turning point or the onset of slip. */
static step_result adhere(const masonry_state *state, const masonry_params *params,
                          rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const real mass = params->mass, k = params->stiffness, v = state->v;
    const real per_mass = R(1.0) / mass;
    const real damping = params->damping * per_mass, per_area = k * (R(1.0) - state->w);
    const real ww = per_area * params->contact_area * per_mass;
    const real a0 = ground0.h, a1 = (ground1.h - ground0.h) / dt;
    const real x = state->u - state->g;
    const swing_motion motion = swing(x, v, ww, damping, a0, a1);
    step_result result = {*state, R(0.0), ROCKSTEADY_NOTHING};
    real h = reach(dt, ww, damping), outset = v, moment;
    swung_result end = swung(&motion, h);

    result.state.mode = R(0.0);
    if (v == R(0.0)) { /* it may set out one way and come back: then only to where the pull is 0 */
        const pulls_result pull = pulls(&motion, end.x, end.v, h);
        if (pull.first * pull.last < R(0.0)) {
            h = h * pull.first / (pull.first - pull.last);
            end = swung(&motion, h);
        }
        outset = (pull.first != R(0.0)) ? pull.first : pull.last;
    }
    if (v * end.v < R(0.0)) {
        h = turning_time(&motion, v, end.v, h);
        end.x = swung(&motion, h).x;
        end.v = R(0.0);
        result.event = ROCKSTEADY_TURN;
    }
    if ((k * size_of(end.x) > params->threshold)
        && starts_to_slip(outset, end.x, state->alpha, state->w, params)) {
        const real limit = slip_limit(state->alpha, state->w, params);
        const real side = (end.x > R(0.0)) ? R(1.0) : R(-1.0);
        result.state.mode = side;
        result.event = ROCKSTEADY_UPLIFT;
        if (size_of(x) >= limit) {
            h = R(0.0);
            end.x = x;
            end.v = v;
        } else {
            h = slipping_time(&motion, x, end.x, side * limit, h);
            end.x = side * limit;
            end.v = swung(&motion, h).v;
        }
    }
    /* the ground's work by parts, the integral of x from the equation of motion */
    moment = (end.v - v + damping * (end.x - x) + h * (a0 + R(0.5) * h * a1)) * motion.B;
    result.state.work -= mass * ((a0 + a1 * h) * end.x - a0 * x - moment);
    if (damping > R(0.0)) {
        const real lost = mass * damped(&motion, end.x, end.v, h);
        result.state.loss += lost;
        result.state.viscous += lost;
    }
    result.state.u = state->g + end.x;
    result.state.v = end.v;
    result.state.tau = per_area * end.x;
    result.used = h;
    return result;
}

/* -- the building, slipping ------------------------------------------------------------------------ */

typedef struct { /* rates, with v and the ground counted positive the way it slips */
    real v, alpha, w, loss;
    real D, left;
} slipping_result;

static slipping_result slipping(real v, real alpha, real w, real ground,
                                const masonry_params *params)
{
    const slip_rates_result at = slip_rates(alpha, w, params);
    const real q = larger(R(1.0) - w, LEAST);
    const real pull = (params->contact_area * q * at.Y + params->damping * v) / params->mass;
    slipping_result rates;
    rates.v = -pull - ground;
    rates.alpha = at.growth * v;
    rates.w = at.D * rates.alpha;
    rates.loss = params->threshold * rates.alpha + at.W * rates.w;
    rates.D = at.D;
    rates.left = at.left;
    return rates;
}

typedef struct {
    real du, v, alpha, w;
    real loss;   /* per area */
    real input;  /* minus the integral of a v */
    real square; /* the integral of v^2 */
    real left;   /* least share of k_a that softening left */
} runge_kutta_result;

/* One classical step of (u, v, alpha, w) with the energies that go with it. */
static runge_kutta_result runge_kutta(real v, real alpha, real w, const slipping_result *k1,
                                      real a0, real a1, real h, const masonry_params *params)
{
    const real half = R(0.5) * h, sixth = h / R(6.0), middle = a0 + half * a1;
    const real v2 = v + half * k1->v;
    const slipping_result k2 =
        slipping(v2, alpha + half * k1->alpha, w + half * k1->w, middle, params);
    const real v3 = v + half * k2.v;
    const slipping_result k3 =
        slipping(v3, alpha + half * k2.alpha, w + half * k2.w, middle, params);
    const real v4 = v + h * k3.v;
    const slipping_result k4 =
        slipping(v4, alpha + h * k3.alpha, w + h * k3.w, a0 + h * a1, params);
    runge_kutta_result end;
    end.du = sixth * (v + R(2.0) * (v2 + v3) + v4);
    end.v = v + sixth * (k1->v + R(2.0) * (k2.v + k3.v) + k4.v);
    end.alpha = alpha + sixth * (k1->alpha + R(2.0) * (k2.alpha + k3.alpha) + k4.alpha);
    end.w = w + sixth * (k1->w + R(2.0) * (k2.w + k3.w) + k4.w);
    end.loss = sixth * (k1->loss + R(2.0) * (k2.loss + k3.loss) + k4.loss);
    end.input = -sixth * (a0 * v + R(2.0) * middle * (v2 + v3) + (a0 + h * a1) * v4);
    end.square = sixth * (v * v + R(2.0) * (v2 * v2 + v3 * v3) + v4 * v4);
    end.left = smaller(smaller(k2.left, k3.left), k4.left);
    return end;
}

/* The share of the step after which the cubic of v (Hermite's) passes from >= 0 to < 0. */
static real stopping_share(real v0, real slope0, real v1, real slope1)
{
    const real b = R(3.0) * (v1 - v0) - R(2.0) * slope0 - slope1;
    const real d = R(2.0) * (v0 - v1) + slope0 + slope1;
    real low = R(0.0), high = R(1.0), s = (v0 > R(0.0)) ? v0 / (v0 - v1) : R(0.5);
    uint8_t i;
    if ((v0 == R(0.0)) && (slope0 <= R(0.0))) {
        return R(0.0);
    }
    for (i = 0U; i < MAX_ITERATIONS; i++) {
        const real value = v0 + s * (slope0 + s * (b + s * d));
        real slope, next;
        bool settled;
        if (value == R(0.0)) {
            break;
        }
        if (value > R(0.0)) {
            low = s;
        } else {
            high = s;
        }
        slope = slope0 + s * (R(2.0) * b + s * R(3.0) * d);
        next = (slope != R(0.0)) ? s - value / slope : low;
        if (!((low < next) && (next < high))) {
            next = R(0.5) * (low + high);
        }
        settled = size_of(next - s) <= NEAR;
        s = next;
        if (settled) {
            break;
        }
    }
    return s;
}

/* One slipping step: to the end, to a stop (v = 0) or to collapse. */
static step_result slide(const masonry_state *state, const masonry_params *params,
                         rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    const real mass = params->mass, area = params->contact_area, k = params->stiffness;
    const real side = state->mode, v = side * state->v, alpha = state->alpha, w = state->w;
    const real a0 = side * ground0.h, a1 = side * (ground1.h - ground0.h) / dt;
    const slipping_result first = slipping(v, alpha, w, a0, params);
    step_result result = {*state, R(0.0), ROCKSTEADY_OVERTURN};
    masonry_state *at = &result.state;
    runge_kutta_result end;
    real h, fast, x, lost;
    uint8_t i;

    if ((first.left <= BRITTLE) || (w >= WORN_OUT) || (side == COLLAPSED)) {
        return result;
    }
    h = reach(dt, k * area / mass, params->damping / mass);
    fast = (size_of(v) + h * size_of(first.v)) * (params->hardening_rate + first.D);
    if (fast * h > SLIDE) {
        h = SLIDE / fast;
    }
    for (i = 0U; i <= HALVED; i++) {
        end = runge_kutta(v, alpha, w, &first, a0, a1, h, params);
        if (!breaks(end.left, end.w - w)) {
            break;
        }
        h *= R(0.5); /* beyond the break there is no law to follow: only as far as it holds */
    }
    if (i > HALVED) {
        return result;
    }
    result.event = ROCKSTEADY_NOTHING;
    if ((end.v < R(0.0)) || ((v == R(0.0)) && (first.v <= R(0.0)))) {
        const slipping_result last = slipping(end.v, end.alpha, end.w, a0 + h * a1, params);
        h *= stopping_share(v, h * first.v, end.v, h * last.v);
        end = runge_kutta(v, alpha, w, &first, a0, a1, h, params);
        result.event = ROCKSTEADY_TURN;
    }
    if (end.w >= WORN_OUT) {
        h *= (WORN_OUT - w) / (end.w - w);
        end = runge_kutta(v, alpha, w, &first, a0, a1, h, params);
        result.event = ROCKSTEADY_OVERTURN;
    }
    lost = params->damping * end.square;
    at->loss = at->loss + area * end.loss + lost;
    at->viscous += lost;
    at->work += mass * end.input;
    at->alpha = end.alpha;
    at->w = larger(w, end.w);
    at->u += side * end.du;
    at->v = side * end.v;
    if (result.event == ROCKSTEADY_TURN) {
        at->v = R(0.0);
        at->mode = R(0.0);
    }
    if (result.event == ROCKSTEADY_OVERTURN) {
        at->w = WORN_OUT;
    }
    x = side * slip_limit(at->alpha, at->w, params);
    at->tau = k * (R(1.0) - at->w) * x;
    at->g = at->u - x;
    result.used = h;
    return result;
}

/* What is still in the springs goes with them; a building that has collapsed stays as it is. */
static void collapsed(masonry_state *at, const masonry_params *params)
{
    if (at->mode != COLLAPSED) {
        at->loss += held(at->u - at->g, at->w, params);
    }
    at->tau = R(0.0);
    at->mode = COLLAPSED;
}

/* One step with the accurate update. */
static step_result advance(const masonry_state *state, const masonry_params *params,
                           rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    if (state->mode == R(0.0)) {
        return adhere(state, params, ground0, ground1, dt);
    }
    return slide(state, params, ground0, ground1, dt);
}

/* -- the public face --------------------------------------------------------------------------- */

static bool finite_state(const masonry_state *state)
{
    return finite_real(state->u) && finite_real(state->v) && finite_real(state->g)
           && finite_real(state->alpha) && finite_real(state->w) && finite_real(state->tau)
           && finite_real(state->work) && finite_real(state->loss)
           && finite_real(state->viscous);
}

static int refuse(const masonry_state *state, rocksteady_ground ground0,
                  rocksteady_ground ground1, real dt)
{
    const real mode = state->mode;
    if (!positive(dt)) {
        return ROCKSTEADY_BAD_STEP;
    }
    if (!(finite_real(ground0.h) && finite_real(ground1.h))) {
        return ROCKSTEADY_BAD_SAMPLE;
    }
    if (!finite_state(state) || (state->w < R(0.0)) || (state->w > R(1.0))
        || !((mode == R(0.0)) || (mode == R(1.0)) || (mode == R(-1.0)) || (mode == COLLAPSED))) {
        return ROCKSTEADY_BAD_STATE;
    }
    return ROCKSTEADY_NOTHING;
}

int masonry_advance(masonry_state *state, const masonry_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1, real dt, real *used)
{
    const int error = refuse(state, ground0, ground1, dt);
    step_result result;
    *used = R(0.0);
    if (error != ROCKSTEADY_NOTHING) {
        return error;
    }
    result = advance(state, params, ground0, ground1, dt);
    if (result.event == ROCKSTEADY_OVERTURN) {
        collapsed(&result.state, params);
    }
    if (!(finite_state(&result.state) && finite_real(result.used))) {
        return ROCKSTEADY_FAILURE;
    }
    *state = result.state;
    *used = result.used;
    return result.event;
}

int masonry_interval(masonry_state *state, const masonry_params *params,
                     rocksteady_ground ground0, rocksteady_ground ground1, real dt,
                     rocksteady_extremes *extremes)
{
    real left = dt;
    uint16_t step;
    start_extremes(extremes, state->u);
    for (step = 0U; step < ROCKSTEADY_MAX_STEPS; step++) {
        real used;
        const int event = masonry_advance(state, params, ground0, ground1, left, &used);
        if (event < 0) {
            return event;
        }
        extremes->steps++;
        keep_extremes(extremes, state->u, dt - (left - used));
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

int masonry_deform(masonry_point *point, const masonry_params *params, real u1)
{
    masonry_point moved;
    if (!finite_real(u1)) {
        return ROCKSTEADY_BAD_SAMPLE;
    }
    moved = deform(point, u1, params);
    if (moved.mode == SPENT) {
        return ROCKSTEADY_FAILURE;
    }
    if (!(finite_real(moved.tau) && finite_real(moved.g) && finite_real(moved.alpha)
          && finite_real(moved.w) && finite_real(moved.work) && finite_real(moved.loss))) {
        return ROCKSTEADY_BAD_STATE;
    }
    *point = moved;
    return (moved.mode == COLLAPSED) ? ROCKSTEADY_OVERTURN : ROCKSTEADY_NOTHING;
}

int masonry_check(const masonry_params *params)
{
    const bool possible = positive(params->mass) && positive(params->contact_area)
                          && positive(params->stiffness) && positive(params->threshold)
                          && positive(params->hardening_rate)
                          && (params->hardening_limit >= R(0.0))
                          && finite_real(params->hardening_limit)
                          && positive(params->wear_energy) && positive(params->wear_exponent)
                          && (params->damping >= R(0.0)) && finite_real(params->damping);
    return possible ? ROCKSTEADY_NOTHING : ROCKSTEADY_BAD_PARAMS;
}
