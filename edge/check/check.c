/* Compare the kernels with vectors that the Python code has made (tests/edge/vectors.py).
 *
 * The same file runs on the host, on an emulated Cortex-M4 and on an emulated ATmega328P. It
 * judges nothing but writes what it found; tests/edge decides what is good enough.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "vectors.h"

#define ORDINARY ((real)0.1) /* s: a sensor is faster; only such intervals are timed */
#define MOST 15 /* numbers in the longest state or set of parameters */

typedef int interval_function(real *state, const real *params, rocksteady_ground ground0,
                              rocksteady_ground ground1, real dt, rocksteady_extremes *extremes);
typedef int advance_function(real *state, const real *params, rocksteady_ground ground0,
                             rocksteady_ground ground1, real dt, real *used);

typedef struct {
    uint8_t n_state, n_params;
    interval_function *interval;
    advance_function *advance;
    void (*adapt)(real *params);                       /* to the precision of this build */
    void (*mirror)(real *state, real *params);
    const real *bodies; /* rows: parameters, scale of each entry of the state */
    const real *cases;  /* rows: body, state, ground0, ground1, dt | state, extremes, event */
    const real *runs;   /* rows: body, first sample, samples, dt | state, extremes, event */
    uint16_t n_cases, n_runs;
} subject;

/* -- writing ------------------------------------------------------------------------------------ */

static void put_text(const char *text)
{
    while (*text != '\0') {
        put_char(*text++);
    }
}

static void put_hex(uint32_t value)
{
    int8_t shift;
    for (shift = 28; shift >= 0; shift = (int8_t)(shift - 4)) {
        put_char("0123456789abcdef"[(value >> shift) & 15U]);
    }
    put_char('\n');
}

static void put_count(const char *group, const char *what, uint32_t value)
{
    put_text(group);
    put_char('.');
    put_text(what);
    put_char(' ');
    put_hex(value);
}

static void put_real(const char *group, const char *what, real value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_count(group, what, bits);
}

/* -- the kernel, on plain rows of numbers -------------------------------------------------------- */

#ifdef CHECK_HOUSNER

static int housner_row(real *state, const real *params, rocksteady_ground ground0,
                       rocksteady_ground ground1, real dt, rocksteady_extremes *extremes)
{
    return housner_interval((housner_state *)state, (const housner_params *)params, ground0,
                            ground1, dt, extremes);
}

static int housner_step(real *state, const real *params, rocksteady_ground ground0,
                        rocksteady_ground ground1, real dt, real *used)
{
    return housner_advance((housner_state *)state, (const housner_params *)params, ground0,
                           ground1, dt, used);
}

static void housner_adapt(real *params)
{
    if (sizeof(real) < 8U) { /* the vectors hold the tolerance of double precision, 2.4e-8 p */
        params[1] *= (real)1e3;
    }
}

static void housner_mirror(real *state, real *params)
{
    uint8_t i;
    for (i = 0U; i < 3U; i++) {
        state[i] = -state[i];
    }
    for (i = 2U; i < 8U; i++) {
        const real swap = params[i];
        params[i] = params[i + 6U];
        params[i + 6U] = swap;
    }
}

#else

static int masonry_row(real *state, const real *params, rocksteady_ground ground0,
                       rocksteady_ground ground1, real dt, rocksteady_extremes *extremes)
{
    return masonry_interval((masonry_state *)state, (const masonry_params *)params, ground0,
                            ground1, dt, extremes);
}

static int masonry_step(real *state, const real *params, rocksteady_ground ground0,
                        rocksteady_ground ground1, real dt, real *used)
{
    return masonry_advance((masonry_state *)state, (const masonry_params *)params, ground0,
                           ground1, dt, used);
}

static void masonry_adapt(real *params)
{
    (void)params;
}

static void masonry_mirror(real *state, real *params)
{
    (void)params;
    state[0] = -state[0];
    state[1] = -state[1];
    state[2] = -state[2];
    state[5] = -state[5];
    if (state[6] != (real)2.0) { /* collapse has no direction */
        state[6] = -state[6];
    }
}

#endif

/* -- comparing ---------------------------------------------------------------------------------- */

typedef struct {
    uint32_t compared, unequal, other_way; /* numbers; in bits; cases with another outcome */
    uint32_t worst_interval, worst_step, worst_stack, most_steps, intervals, time;
    real error[MOST];
    real peak_error;
} findings;

static void load(real *into, const real *stored, uint8_t n)
{
    uint8_t i;
    for (i = 0U; i < n; i++) {
        into[i] = STORED_REAL(&stored[i]);
    }
}

static real difference(real a, real b)
{
    return (a > b) ? a - b : b - a;
}

/* A NaN must not pass for a small error. */
static real worse(real so_far, real error)
{
    return (error <= so_far) ? so_far : error;
}

static real relative(real value, real expected, real scale)
{
    const real size = difference(expected, (real)0.0);
    return difference(value, expected) / ((size > scale) ? size : scale);
}

static void compare(findings *found, const subject *of, const real *state, const real *expected,
                    const real *scales, uint8_t discrete)
{
    uint8_t i;
    for (i = 0U; i < of->n_state; i++) {
        found->compared++;
        if (!(state[i] == expected[i])) {
            found->unequal++;
        }
        if (i != discrete) {
            found->error[i] = worse(found->error[i], relative(state[i], expected[i], scales[i]));
        }
    }
    if (!(state[discrete] == expected[discrete])) {
        found->other_way++;
    }
}

static uint8_t discrete_of(const subject *of)
{
    return (of->n_state == 5U) ? 2U : 6U; /* side, mode */
}

/* The longest of the steps that make up one interval. */
static void time_steps(findings *found, const subject *of, real *state, const real *params,
                       rocksteady_ground ground0, rocksteady_ground ground1, real dt)
{
    uint16_t i;
    for (i = 0U; i < ROCKSTEADY_MAX_STEPS; i++) {
        const uint32_t begin = clock_now();
        real used;
        const int event = of->advance(state, params, ground0, ground1, dt, &used);
        const uint32_t cost = clock_since(begin);
        found->worst_step = (cost > found->worst_step) ? cost : found->worst_step;
        if ((used >= dt) || (event < 0) || (event >= ROCKSTEADY_OVERTURN)) {
            break;
        }
        ground0.h += used / dt * (ground1.h - ground0.h);
        ground0.v += used / dt * (ground1.v - ground0.v);
        dt -= used;
    }
}

/* Single intervals: result, cost, and the mirrored interval, which must be the exact mirror. */
static void check_cases(findings *found, const subject *of)
{
    const uint8_t n = of->n_state, width = (uint8_t)(2U * n + 12U);
    uint32_t asymmetric = 0U;
    uint16_t i;
    for (i = 0U; i < of->n_cases; i++) {
        const real *row = of->cases + (uint32_t)i * width;
        const uint16_t body = (uint16_t)STORED_REAL(row);
        real params[MOST], scales[MOST], state[MOST], step[MOST], other[MOST], rest[11];
        rocksteady_ground ground0, ground1;
        rocksteady_extremes extremes, mirrored;
        uint32_t begin;
        uint8_t j;
        int event;

        load(params, of->bodies + (uint32_t)body * (of->n_params + n), of->n_params);
        load(scales, of->bodies + (uint32_t)body * (of->n_params + n) + of->n_params, n);
        of->adapt(params);
        load(state, row + 1, n);
        memcpy(step, state, sizeof state);
        memcpy(other, state, sizeof state);
        load(rest, row + 1 + n, 5U);
        ground0.h = rest[0];
        ground0.v = rest[1];
        ground1.h = rest[2];
        ground1.v = rest[3];

        if (rest[4] < ORDINARY) {
            time_steps(found, of, step, params, ground0, ground1, rest[4]);
        }

        stack_mark();
        begin = clock_now();
        event = of->interval(state, params, ground0, ground1, rest[4], &extremes);
        begin = clock_since(begin);
        if ((begin > found->worst_interval) && (rest[4] < ORDINARY)) {
            found->worst_interval = begin;
        }
        begin = stack_used();
        found->worst_stack = (begin > found->worst_stack) ? begin : found->worst_stack;
        if (extremes.steps > found->most_steps) {
            found->most_steps = extremes.steps;
        }

        load(step, row + 1 + n + 5, n);
        compare(found, of, state, step, scales, discrete_of(of));
        load(rest + 5, row + 1 + n + 5 + n, 6U);
        found->compared += 6U;
        found->unequal += (uint32_t)(extremes.used != rest[5]) + (extremes.highest != rest[6])
                          + (extremes.lowest != rest[7]) + (extremes.t_peak != rest[8])
                          + ((real)extremes.impacts != rest[9]) + ((real)event != rest[10]);
        found->peak_error =
            worse(found->peak_error, relative(extremes.highest, rest[6], scales[0]));
        found->peak_error =
            worse(found->peak_error, relative(extremes.lowest, rest[7], scales[0]));

        of->mirror(other, params);
        ground0.h = -ground0.h;
        ground1.h = -ground1.h;
        (void)of->interval(other, params, ground0, ground1, rest[4], &mirrored);
        of->mirror(other, params);
        for (j = 0U; j < n; j++) {
            asymmetric += (uint32_t)(other[j] != state[j]);
        }
        asymmetric += (uint32_t)(mirrored.highest != -extremes.lowest)
                      + (mirrored.impacts != extremes.impacts);
    }
    put_count("cases", "asymmetric", asymmetric);
}

static rocksteady_ground ground_at(uint16_t i)
{
    rocksteady_ground at;
    at.h = STORED_REAL(&samples[i][0]);
    at.v = STORED_REAL(&samples[i][1]);
    return at;
}

/* Whole motions, one sample after the other as a sensor delivers them. */
static void check_runs(findings *found, const subject *of)
{
    const uint8_t n = of->n_state, width = (uint8_t)(2U * n + 8U);
    uint16_t i;
    for (i = 0U; i < of->n_runs; i++) {
        const real *row = of->runs + (uint32_t)i * width;
        real params[MOST], scales[MOST], state[MOST], expected[MOST], rest[8];
        real highest, lowest;
        uint32_t impacts = 0U;
        uint16_t body, first, count, k;
        int event = ROCKSTEADY_NOTHING;
        load(rest, row, 4U);
        body = (uint16_t)rest[0];
        first = (uint16_t)rest[1];
        count = (uint16_t)rest[2];
        load(params, of->bodies + (uint32_t)body * (of->n_params + n), of->n_params);
        load(scales, of->bodies + (uint32_t)body * (of->n_params + n) + of->n_params, n);
        of->adapt(params);
        load(state, row + 4, n);
        highest = lowest = state[0];
        for (k = 1U; (k < count) && (event >= 0) && (event < ROCKSTEADY_OVERTURN); k++) {
            const rocksteady_ground before = ground_at((uint16_t)(first + k - 1U));
            const rocksteady_ground after = ground_at((uint16_t)(first + k));
            rocksteady_extremes extremes;
            uint32_t cost = clock_now();
            event = of->interval(state, params, before, after, rest[3], &extremes);
            cost = clock_since(cost);
            found->intervals++;
            found->time += cost;
            if (cost > found->worst_interval) {
                found->worst_interval = cost;
            }
            if (extremes.steps > found->most_steps) {
                found->most_steps = extremes.steps;
            }
            highest = (extremes.highest > highest) ? extremes.highest : highest;
            lowest = (extremes.lowest < lowest) ? extremes.lowest : lowest;
            impacts += extremes.impacts;
        }
        load(expected, row + 4 + n, n);
        compare(found, of, state, expected, scales, discrete_of(of));
        load(rest + 4, row + 4 + 2 * n, 4U);
        found->compared += 4U;
        found->unequal += (uint32_t)(highest != rest[4]) + (lowest != rest[5])
                          + ((real)impacts != rest[6]) + ((real)event != rest[7]);
        found->peak_error = worse(found->peak_error, relative(highest, rest[4], scales[0]));
        found->peak_error = worse(found->peak_error, relative(lowest, rest[5], scales[0]));
    }
}

/* -- bad input: an error code, and the state untouched ------------------------------------------ */

static uint32_t accepts(const subject *of, const real *state, const real *params, real h0, real h1,
                        real dt, int expected)
{
    const rocksteady_ground ground0 = {h0, (real)0.0}, ground1 = {h1, (real)0.0};
    rocksteady_extremes extremes;
    real kept[MOST], used;
    uint32_t wrong = 0U;
    memcpy(kept, state, of->n_state * sizeof(real));
    wrong += (uint32_t)(of->interval(kept, params, ground0, ground1, dt, &extremes) != expected);
    wrong += (uint32_t)(memcmp(kept, state, of->n_state * sizeof(real)) != 0);
    wrong += (uint32_t)(of->advance(kept, params, ground0, ground1, dt, &used) != expected);
    wrong += (uint32_t)(memcmp(kept, state, of->n_state * sizeof(real)) != 0);
    return wrong + (uint32_t)(used != (real)0.0);
}

static void check_bad_input(const subject *of)
{
    const real zero = (real)0.0, dt = (real)0.01;
    volatile real nothing = zero;
    const real nan_value = nothing / nothing, infinite = (real)1.0 / nothing;
    real params[MOST], state[MOST];
    uint32_t wrong = 0U;
    load(params, of->bodies, of->n_params);
    load(state, of->cases + 1, of->n_state);
    wrong += accepts(of, state, params, nan_value, zero, dt, ROCKSTEADY_BAD_SAMPLE);
    wrong += accepts(of, state, params, zero, nan_value, dt, ROCKSTEADY_BAD_SAMPLE);
    wrong += accepts(of, state, params, zero, infinite, dt, ROCKSTEADY_BAD_SAMPLE);
    wrong += accepts(of, state, params, -infinite, zero, dt, ROCKSTEADY_BAD_SAMPLE);
    wrong += accepts(of, state, params, zero, zero, zero, ROCKSTEADY_BAD_STEP);
    wrong += accepts(of, state, params, zero, zero, -dt, ROCKSTEADY_BAD_STEP);
    wrong += accepts(of, state, params, zero, zero, nan_value, ROCKSTEADY_BAD_STEP);
    wrong += accepts(of, state, params, zero, zero, infinite, ROCKSTEADY_BAD_STEP);
    state[1] = nan_value;
    wrong += accepts(of, state, params, zero, zero, dt, ROCKSTEADY_BAD_STATE);
    state[1] = zero;
    state[discrete_of(of)] = (real)0.5;
    wrong += accepts(of, state, params, zero, zero, dt, ROCKSTEADY_BAD_STATE);
    put_count("input", "bad_accepted", wrong);
}

static void put_findings(const char *name, const findings *found, uint8_t n_state)
{
    char column[] = "error.0";
    uint8_t i;
    put_count(name, "compared", found->compared);
    put_count(name, "unequal", found->unequal);
    put_count(name, "other_way", found->other_way);
    put_count(name, "worst_step", found->worst_step);
    put_count(name, "worst_interval", found->worst_interval);
    put_count(name, "intervals", found->intervals);
    put_count(name, "time", found->time);
    put_count(name, "most_steps", found->most_steps);
    put_count(name, "worst_stack", found->worst_stack);
    put_real(name, "error.peak", found->peak_error);
    for (i = 0U; i < n_state; i++) {
        column[6] = (char)('0' + i);
        put_real(name, column, found->error[i]);
    }
}

static void check_subject(const subject *of)
{
    findings found;
    memset(&found, 0, sizeof found);
    check_cases(&found, of);
    put_findings("cases", &found, of->n_state);
    memset(&found, 0, sizeof found);
    check_runs(&found, of);
    put_findings("runs", &found, of->n_state);
    check_bad_input(of);
}

void check_all(void)
{
#ifdef CHECK_HOUSNER
    const subject of = {5U, 15U, housner_row, housner_step, housner_adapt, housner_mirror,
                        &bodies[0][0], &cases[0][0], &runs[0][0], CASES, RUNS};
#else
    const subject of = {10U, 9U, masonry_row, masonry_step, masonry_adapt, masonry_mirror,
                        &bodies[0][0], &cases[0][0], &runs[0][0], CASES, RUNS};
#endif
    check_subject(&of);
    put_text("end 0\n");
}
