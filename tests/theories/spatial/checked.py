"""Checked values of bodies on polygonal bases, with their digits, and what they were found with.

The standard body is a uniform box 0.45 x 0.45 x 1.8 m under 9.81 m/s². Corners are numbered
counter-clockwise from (-, -), so that corner 2 of a box is (+, +).
"""

from __future__ import annotations

import math
from fractions import Fraction

# Let go on its edge at half of its limit, 0.122489 rad: elliptic integrals
PLANAR_IMPACTS = (0.4684628626689, 1.230888343624, 1.877815116693, 2.438799919965)

# Let go at rest on corner 2, leaning to 30 degrees by half of the diagonal's limit: SciPy with six
# freedoms and its own impacts, and event driven
RELEASE_TILT = math.atan(math.sqrt(2) / 4) / 2
RELEASE_AZIMUTH = 30.0
RELEASE_IMPACTS = (
    0.366855862405, 0.549236206861, 0.941714311493, 1.446850482353, 1.478784139071
)  # fmt: skip
RELEASE_CORNERS = (1, 0, 3, 2, 1)
RELEASE_ENERGIES = (
    0.932333204408, 0.832785480429, 0.780771488561, 0.702430576677, 0.650812920506
)  # fmt: skip
RELEASE_AXIS = (-0.11104795334, -0.02452706672, 0.99351234268)  # at 0.9 s
RELEASE_YAW = 0.069285120  # atan2(-R_xy, R_xx) at 0.9 s

# Box of half sizes 0.2, 0.3, 0.9 on corner (+, +), leaning 0.15 rad to 50 degrees, with this spin
# in its own axes, after 0.25 s: KKT, and Lagrange's equations in Euler angles
CORNER_SIZES, CORNER_TILT, CORNER_AZIMUTH = (0.2, 0.3, 0.9), 0.15, 50.0
CORNER_SPIN, CORNER_TIME = (0.1, -0.2, 0.3), 0.25
CORNER_AXIS = (0.013837710994, 0.036592001877, 0.999234478565)
CORNER_AHEAD = (0.996655024165, -0.080543656246)  # R_xx, R_xy
CORNER_SPIN_AFTER = (0.561973388862, -0.463298250952, 0.327619869001)  # in the ground's axes

# Cube of 1 m on a corner, its diagonal 0.1 rad off the vertical and precessing at 2 rad/s. Spin
# about the diagonal [rad/s], tilt of the diagonal to reach [rad], when [s], azimuth: quadrature
PRECESSION = (
    (0.0, 0.5, 0.69775343146, 0.57192754707, 2e-11),
    (4.0, 0.3, 0.5446174226, 0.6670585212, 2e-10),
)

# Square base: kinetic energy kept at an impact, by h/b
PLANAR_R = {3: Fraction(289, 400), 4: Fraction(961, 1156), 5: Fraction(2401, 2704),
            8: Fraction(16129, 16900)}  # fmt: skip
DIAGONAL_AT_ONCE = {3: Fraction(961, 1849), 4: Fraction(3481, 5041), 5: Fraction(9025, 11449),
                    8: Fraction(63001, 69169)}  # fmt: skip
DIAGONAL_ONE_FIRST = {
    3: (Fraction(1627, 1849), Fraction(2475301, 3008323)),
    4: (Fraction(4651, 5041), Fraction(21133381, 23445691)),
    5: (Fraction(10843, 11449), Fraction(116403493, 124141507)),
    8: (Fraction(67627, 69169), Fraction(4566111301, 4677691963)),
}
DIAGONAL_PRODUCT = {3: 0.724026055, 4: 0.831640418, 5: 0.888036675, 8: 0.954384768}

# Box b 0.25, h 0.8, b_y 0.2, its centre of mass 0.06 towards +x: eta of an impact right to left
ECCENTRIC_SIZES, ECCENTRICITY, ECCENTRIC_ETA = (0.25, 0.2, 0.8), 0.06, 0.84025010306445

# Box of half sizes 0.2, 0.3, 0.9: least acceleration over g that lifts it, by direction
UPLIFT = {0: 0.222222, 15: 0.230061, 30: 0.256600, 45: 0.314270, 60: 0.384900, 90: 0.333333}

# Energy over g h to lift it onto an edge or corner
WELLS = {(0.2, 0.3, 0.9): (0.0243938286, 0.0540925534, 0.0772621905),
         (0.225, 0.225, 0.9): (0.0307764064, 0.0307764064, 0.0606601718)}  # fmt: skip
