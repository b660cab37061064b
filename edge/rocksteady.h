/* rocksteady on a microcontroller: the rocking block (Housner) and the masonry building.
 *
 * The same steps under the same names as in the Python package. Portable C99: no heap, no globals,
 * no recursion, bounded loops, no library beyond libm. SI units and radians throughout.
 *
 * Arithmetic is double (in an Arduino sketch: float). -DROCKSTEADY_REAL=float or =double, for the
 * whole program alike, decides otherwise.
 */
#ifndef ROCKSTEADY_H
#define ROCKSTEADY_H

#include <stdint.h>

#ifndef ROCKSTEADY_REAL
#ifdef ARDUINO
#define ROCKSTEADY_REAL float
#else
#define ROCKSTEADY_REAL double
#endif
#endif

/* Most steps inside one interval between two samples. An interval takes one step, a few more where
 * it uplifts, strikes or slips, and some dozens where impacts chatter. At most 65535. */
#ifndef ROCKSTEADY_MAX_STEPS
#define ROCKSTEADY_MAX_STEPS 1000
#endif

#ifdef __FAST_MATH__
#error "rocksteady needs IEEE arithmetic (it must see a NaN): compile without -ffast-math."
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef ROCKSTEADY_REAL rocksteady_real;

/* What a step can meet (theories/contract.py) ... */
enum {
    ROCKSTEADY_NOTHING = 0,
    ROCKSTEADY_UPLIFT = 1,   /* it leaves full contact; masonry: it begins to slip */
    ROCKSTEADY_TURN = 2,     /* the velocity is zero */
    ROCKSTEADY_IMPACT = 3,   /* the velocity jumps; the step took no time */
    ROCKSTEADY_REST = 4,     /* it comes to rest without an impact */
    ROCKSTEADY_OVERTURN = 5, /* it lies on its side; masonry: it has collapsed. Nothing follows */
    ROCKSTEADY_FAILURE = 6   /* the method found no answer; the state is the last good one */
};

/* ... and why it refuses to step. The state is then left as it was. */
enum {
    ROCKSTEADY_BAD_SAMPLE = -1, /* a ground acceleration is not finite, or a_v <= -g (Housner) */
    ROCKSTEADY_BAD_STEP = -2,   /* dt is not positive and finite */
    ROCKSTEADY_BAD_STATE = -3,  /* the state is not finite, or its side or mode is none */
    ROCKSTEADY_BAD_PARAMS = -4  /* the parameters cannot belong to a body */
};

typedef struct { /* the ground's acceleration at one instant [m/s2] */
    rocksteady_real h;
    rocksteady_real v;
} rocksteady_ground;

typedef struct { /* what happened in one interval; "coordinate" is theta or u */
    rocksteady_real used;    /* time gone [s]: less than dt only after OVERTURN or FAILURE */
    rocksteady_real highest; /* largest coordinate, true extrema included */
    rocksteady_real lowest;
    rocksteady_real t_peak;  /* time of the larger of both in size [s] */
    uint16_t impacts;
    uint16_t steps;
} rocksteady_extremes;

/* -- the rocking block: theories/housner/rocking.py, motion.py ---------------------------- */

typedef struct {
    rocksteady_real theta; /* [rad], positive towards +x */
    rocksteady_real omega; /* [rad/s] */
    rocksteady_real side;  /* +1 on the right corner, -1 on the left one, 0 at rest */
    rocksteady_real work;  /* done by the shaking ground since the start [J] */
    rocksteady_real loss;  /* in impacts since the start [J] */
} housner_state;

typedef struct { /* one corner */
    rocksteady_real alpha;         /* slenderness angle [rad] */
    rocksteady_real p;             /* frequency parameter [rad/s] */
    rocksteady_real inertia;       /* about the corner [kg m2] */
    rocksteady_real eta;           /* omega after / before, of the impact onto this corner */
    rocksteady_real weight;        /* p2 sin(alpha) [rad/s2] */
    rocksteady_real inertia_force; /* p2 cos(alpha) / g [rad/m] */
} housner_corner;

typedef struct { /* in the order of Housner().parameters(block) */
    rocksteady_real g;         /* [m/s2] */
    rocksteady_real tolerance; /* 480 times the most a step may leave out of omega [rad/s] */
    housner_corner right;
    housner_corner left;
    rocksteady_real unit; /* 1/g [s2/m] */
} housner_params;

/* Parameters of an upright rectangle with full height and width [m], mass [kg]. eta in (0, 1]; 0
 * takes Housner's own, 1 - 1.5 sin2(alpha). For other bodies copy what Python prints. */
int housner_rectangle(housner_params *params, rocksteady_real height, rocksteady_real width,
                      rocksteady_real mass, rocksteady_real eta, rocksteady_real g);

/* Whether parameters make sense: ROCKSTEADY_NOTHING or ROCKSTEADY_BAD_PARAMS. Call it once. */
int housner_check(const housner_params *params);

/* Go on by at most dt, until something happens; *used says how far it came. The ground's
 * acceleration is linear between ground0 and ground1. Returns an event, or an error < 0. It passes
 * a maximum of the lean without a stop; housner_interval finds it. */
int housner_advance(housner_state *state, const housner_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1,
                    rocksteady_real dt, rocksteady_real *used);

/* Go on by all of dt: the interval between two samples. Returns the last event, or an error < 0. */
int housner_interval(housner_state *state, const housner_params *params,
                     rocksteady_ground ground0, rocksteady_ground ground1,
                     rocksteady_real dt, rocksteady_extremes *extremes);

/* -- the masonry building: theories/masonry/ ------------------------------------------------- */

typedef struct {
    rocksteady_real u;       /* displacement relative to the ground [m] */
    rocksteady_real v;       /* [m/s] */
    rocksteady_real g;       /* slip [m] */
    rocksteady_real alpha;   /* hardening [m] */
    rocksteady_real w;       /* wear, 0 to 1 */
    rocksteady_real tau;     /* stress [N/m2] */
    rocksteady_real mode;    /* 0 adheres, +1 or -1 slips that way, 2 has collapsed */
    rocksteady_real work;    /* of the ground [J] */
    rocksteady_real loss;    /* all that is lost [J] */
    rocksteady_real viscous; /* the part of it lost in damping [J] */
} masonry_state;

typedef struct { /* the fields of rs.MasonryBuilding, in their order */
    rocksteady_real mass;            /* [kg] */
    rocksteady_real contact_area;    /* A_c [m2] */
    rocksteady_real stiffness;       /* k_a [N/m3] */
    rocksteady_real threshold;       /* tau_0 [N/m2] */
    rocksteady_real hardening_rate;  /* a [1/m] */
    rocksteady_real hardening_limit; /* A_inf [N/m2] */
    rocksteady_real wear_energy;     /* Gamma */
    rocksteady_real wear_exponent;   /* gamma [-] */
    rocksteady_real damping;         /* c [N s/m] */
} masonry_params;

typedef struct { /* the interface alone, driven by displacement */
    rocksteady_real u;
    rocksteady_real tau;
    rocksteady_real g;
    rocksteady_real alpha;
    rocksteady_real w;
    rocksteady_real mode; /* 0 adheres, +1 or -1 slips, 2 has collapsed */
    rocksteady_real work; /* done on the interface [J] */
    rocksteady_real loss; /* [J] */
} masonry_point;

int masonry_check(const masonry_params *params);

/* The accurate update of the interface to the displacement u1 [m]: the pushover step. After
 * ROCKSTEADY_MAX_STEPS it fails, and leaves the point as it was: push in smaller steps. */
int masonry_deform(masonry_point *point, const masonry_params *params, rocksteady_real u1);

/* As housner_advance and housner_interval. The building takes no vertical acceleration. */
int masonry_advance(masonry_state *state, const masonry_params *params,
                    rocksteady_ground ground0, rocksteady_ground ground1,
                    rocksteady_real dt, rocksteady_real *used);
int masonry_interval(masonry_state *state, const masonry_params *params,
                     rocksteady_ground ground0, rocksteady_ground ground1,
                     rocksteady_real dt, rocksteady_extremes *extremes);

#ifdef __cplusplus
}
#endif

#endif
