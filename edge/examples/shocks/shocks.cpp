/* A masonry building through a sequence of shocks: what `rocksteady masonry shake` does.
 *
 *     shocks MASS DT FILE...             [kg] [s]; one ground acceleration [m/s2] per line
 *     shocks --settle MASS DT FILE...    the building comes to rest before each next shock
 *
 * After each file the ground is still for 10 s. Prints the state after it, a line per shock:
 * u v g alpha w tau mode work loss viscous, in SI units.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "rocksteady.hpp"

namespace {

const double GAP = 10.0; /* s */

/* A file's numbers [m/s2]; none if it cannot be read or holds something else. */
std::vector<rocksteady::real> samples(const char *path)
{
    std::vector<rocksteady::real> found;
    std::ifstream file(path);
    double value;
    while (file >> value) {
        found.push_back(static_cast<rocksteady::real>(value));
    }
    if (!file.eof()) {
        found.clear();
    }
    return found;
}

void print(const masonry_state &s)
{
    std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", double(s.u),
                double(s.v), double(s.g), double(s.alpha), double(s.w), double(s.tau),
                double(s.mode), double(s.work), double(s.loss), double(s.viscous));
}

int use(const char *why)
{
    std::fprintf(stderr, "shocks: %s. Use: shocks [--settle] MASS DT FILE...\n", why);
    return 2;
}

} /* namespace */

int main(int count, char **words)
{
    const bool settles = count > 1 && std::strcmp(words[1], "--settle") == 0;
    const int first = settles ? 2 : 1;
    if (count < first + 3) {
        return use("a mass, a time step and a file are needed");
    }
    const rocksteady::real mass = static_cast<rocksteady::real>(std::atof(words[first]));
    const rocksteady::real dt = static_cast<rocksteady::real>(std::atof(words[first + 1]));
    rocksteady::MasonryBuilding building = rocksteady::MasonryBuilding::casalotti2025(mass);
    if (!building.valid() || !(dt > 0)) {
        return use("mass and time step must be positive");
    }
    const std::size_t quiet = static_cast<std::size_t>(std::lround(GAP / double(dt)));
    rocksteady::real last = 0; /* the ground at the end of the shock before */
    for (int i = first + 2; i < count; ++i) {
        std::vector<rocksteady::real> ground = samples(words[i]);
        if (ground.empty()) {
            return use("a file holds something other than numbers, or nothing");
        }
        if (i > first + 2) {
            if (settles) {
                building.settle();
            } else {
                ground.insert(ground.begin(), last);
            }
        }
        ground.insert(ground.end(), quiet, 0);
        const rocksteady::Step step = building.shake(ground.begin(), ground.end(), dt);
        print(building.state());
        if (!step.good()) {
            std::fprintf(stderr, "shocks: %s in shock %d\n",
                         step.fell() ? "the building collapses" : "no solution", i - first - 1);
            return 1;
        }
        last = ground.back();
    }
    return 0;
}
