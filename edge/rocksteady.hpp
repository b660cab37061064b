/* rocksteady for C++11 and later: the kernels of rocksteady.h as classes.
 *
 * A class holds the parameters and the state of one body, so that a wrong pair of them cannot meet.
 * Nothing is allocated and nothing is thrown: each call returns what happened, and a call that is
 * refused leaves the state as it was. SI units and radians throughout.
 */
#ifndef ROCKSTEADY_HPP
#define ROCKSTEADY_HPP

#include "rocksteady.h"

namespace rocksteady {

using real = rocksteady_real;

/* What happened between two samples of the ground. */
struct Step {
    int code; /* ROCKSTEADY_NOTHING, ..., or ROCKSTEADY_BAD_SAMPLE, ...: see rocksteady.h */
    rocksteady_extremes extremes;

    bool refused() const { return code < 0; }
    bool failed() const { return code == ROCKSTEADY_FAILURE; }
    bool fell() const { return code == ROCKSTEADY_OVERTURN; } /* or collapsed */
    /* Whether the body is beyond this step and may go on to the next one. */
    bool good() const { return !refused() && !failed() && !fell(); }
};

namespace detail {

inline rocksteady_ground ground(real horizontal, real vertical)
{
    rocksteady_ground there;
    there.h = horizontal;
    there.v = vertical;
    return there;
}

} /* namespace detail */

/* A masonry building on an interface that adheres, slips, hardens and wears, under the horizontal
 * acceleration of the ground. */
class MasonryBuilding {
public:
    explicit MasonryBuilding(const masonry_params &params) : params_(params), state_() {}

    /* The building of Casalotti et al. 2025, Table 1; its mass [kg] is not given there. */
    static MasonryBuilding casalotti2025(real mass = 23e3, real damping = 0)
    {
        masonry_params params;
        params.mass = mass;
        params.contact_area = real(16.07);
        params.stiffness = real(6.438e6);
        params.threshold = 3734;
        params.hardening_rate = 500;
        params.hardening_limit = 2489;
        params.wear_energy = 4;
        params.wear_exponent = 2;
        params.damping = damping;
        return MasonryBuilding(params);
    }

    /* Whether the parameters can belong to a building. Ask once. */
    bool valid() const { return masonry_check(&params_) == ROCKSTEADY_NOTHING; }

    /* From one sample of the ground's acceleration [m/s2] to the next, dt [s] later. */
    Step shake(real before, real after, real dt)
    {
        Step step = Step();
        step.code = masonry_interval(&state_, &params_, detail::ground(before, 0),
                                     detail::ground(after, 0), dt, &step.extremes);
        return step;
    }

    /* A whole record, from its first sample to its last one; stops where a step is not good. The
     * building goes on from its state: call it again for the next shock. */
    template <typename Iterator>
    Step shake(Iterator first, Iterator last, real dt)
    {
        Step step = Step();
        if (first == last) {
            return step;
        }
        Iterator before = first;
        for (Iterator after = ++first; after != last; before = after++) {
            step = shake(*before, *after, dt);
            if (!step.good()) {
                break;
            }
        }
        return step;
    }

    /* All vibration has died out: at rest where it has slipped to (days between two shocks). */
    void settle()
    {
        masonry_state &s = state_;
        const real stretch = s.u - s.g;
        const real springs =
            params_.contact_area * params_.stiffness * (1 - s.w) * (stretch * stretch) / 2;
        const real gone = springs + params_.mass * (s.v * s.v) / 2;
        s.u = s.g;
        s.v = s.tau = s.mode = 0;
        s.loss += gone;
        s.viscous += gone;
    }

    const masonry_params &params() const { return params_; }
    const masonry_state &state() const { return state_; }
    void restore(const masonry_state &state) { state_ = state; } /* after a power cut, say */

    real displacement() const { return state_.u; } /* u [m] */
    real slip() const { return state_.g; }         /* g [m] */
    real hardening() const { return state_.alpha; } /* alpha [m] */
    real wear() const { return state_.w; }          /* w [-] */
    real force() const { return params_.contact_area * state_.tau; } /* base shear [N] */

private:
    masonry_params params_;
    masonry_state state_;
};

/* The interface of a building pushed slowly: its pushover. */
class Pushover {
public:
    explicit Pushover(const masonry_params &params) : params_(params), point_() {}

    /* Push on to the displacement u [m]. Returns an event or an error code. */
    int to(real u) { return masonry_deform(&point_, &params_, u); }

    const masonry_point &point() const { return point_; }
    real force() const { return params_.contact_area * point_.tau; } /* base shear [N] */

private:
    masonry_params params_;
    masonry_point point_;
};

/* A rigid block that rocks (Housner). */
class RockingBlock {
public:
    explicit RockingBlock(const housner_params &params) : params_(params), state_() {}

    /* An upright rectangle: height and width [m], mass [kg]; eta = 0 takes Housner's own. Ask
     * valid(): it is false for an impossible one. */
    RockingBlock(real height, real width, real mass, real eta = 0, real g = real(9.81))
        : params_(), state_()
    {
        if (housner_rectangle(&params_, height, width, mass, eta, g) != ROCKSTEADY_NOTHING) {
            params_ = housner_params();
        }
    }

    bool valid() const { return housner_check(&params_) == ROCKSTEADY_NOTHING; }

    /* From one sample of the ground's acceleration [m/s2] to the next, dt [s] later. */
    Step shake(rocksteady_ground before, rocksteady_ground after, real dt)
    {
        Step step = Step();
        step.code = housner_interval(&state_, &params_, before, after, dt, &step.extremes);
        return step;
    }

    Step shake(real before, real after, real dt)
    {
        return shake(detail::ground(before, 0), detail::ground(after, 0), dt);
    }

    const housner_params &params() const { return params_; }
    const housner_state &state() const { return state_; }
    void restore(const housner_state &state) { state_ = state; }
    real lean() const { return state_.theta; } /* theta [rad] */

private:
    housner_params params_;
    housner_state state_;
};

} /* namespace rocksteady */

#endif
