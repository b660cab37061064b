/* Arithmetic shared by the kernels: one real type, its functions and its limits. */
#ifndef ROCKSTEADY_REAL_H
#define ROCKSTEADY_REAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "rocksteady.h"

#if defined(__AVR__) && defined(__GNUC__)
/* Half the flash at the same speed: every float is four registers here. */
#pragma GCC optimize("no-split-wide-types", "no-inline-functions-called-once", \
                     "no-inline-small-functions")
#endif

typedef rocksteady_real real;

#define R(x) ((real)(x)) /* a constant: without it, float code would compute in double */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define LIBM_double(function) function
#define LIBM_float(function) function##f
#define LIBM(function) PASTE(LIBM_, ROCKSTEADY_REAL)(function)
#define DIGITS_double DBL_MANT_DIG
#define DIGITS_float FLT_MANT_DIG

/* A constant for 64 bits, and one for 32 bits (float everywhere; double, too, on the AVR). */
#if PASTE(DIGITS_, ROCKSTEADY_REAL) > 30
#define EITHER(fine, coarse) R(fine)
#else
#define EITHER(fine, coarse) R(coarse)
#endif

/* a b + c, rounded once, as in Python. -DROCKSTEADY_FUSED=0 rounds the product, too: for machines
 * on which fma() is slow. The last bits then differ from those of Python. */
#ifndef ROCKSTEADY_FUSED
#define ROCKSTEADY_FUSED 1
#endif
#if ROCKSTEADY_FUSED
#define FUSED(a, b, c) LIBM(fma)((a), (b), (c))
#else
#define FUSED(a, b, c) ((a) * (b) + (c))
#endif

static inline real larger(real a, real b)
{
    return (a > b) ? a : b;
}

static inline real smaller(real a, real b)
{
    return (a < b) ? a : b;
}

static inline real size_of(real a)
{
    return LIBM(fabs)(a);
}

/* Not with isfinite(): it is a macro with a double inside on some of the small C libraries. */
static inline bool finite_real(real a)
{
    return (a - a) == R(0.0);
}

static inline bool positive(real a)
{
    return (a > R(0.0)) && finite_real(a);
}

/* Look at the ground after a fraction of the interval. */
static inline rocksteady_ground partway(rocksteady_ground ground0, rocksteady_ground ground1,
                                        real fraction)
{
    rocksteady_ground at;
    at.h = FUSED(fraction, ground1.h - ground0.h, ground0.h);
    at.v = FUSED(fraction, ground1.v - ground0.v, ground0.v);
    return at;
}

/* Note the coordinate after a step that ended at the time t of the interval. */
static inline void keep_extremes(rocksteady_extremes *extremes, real coordinate, real t)
{
    if (size_of(coordinate) > larger(extremes->highest, -extremes->lowest)) {
        extremes->t_peak = t;
    }
    extremes->highest = larger(extremes->highest, coordinate);
    extremes->lowest = smaller(extremes->lowest, coordinate);
}

static inline void start_extremes(rocksteady_extremes *extremes, real coordinate)
{
    extremes->used = R(0.0);
    extremes->highest = coordinate;
    extremes->lowest = coordinate;
    extremes->t_peak = R(0.0);
    extremes->impacts = 0U;
    extremes->steps = 0U;
}

#endif
