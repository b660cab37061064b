"""The thinnest arch that carries its own weight."""

import numpy as np

from rocksteady.analysis.limit_analysis import least_thickness, limit_load
from rocksteady.bodies.assembly import Assembly
from rocksteady.reproduce.assemblies.runs import NO_SLIDING, draw_mechanism
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.verdict import Effort, Result, number
from rocksteady.view import style

SECTORS = {16: 0.1072373, 32: 0.1072372, 64: 0.1073944}
POLYGONS = {16: 0.1070761, 32: 0.1071969, 64: 0.1073832}
COUSINS = "the lower end of a bisection to 1e-7 by another linear program"


def milankovitch(effort: Effort) -> Result:
    """Least thickness of round arches over the angle that they embrace."""
    angles = np.linspace(60.0, 180.0, effort.pick(25, 61))
    ratios = np.array([least_thickness(float(angle)).ratio for angle in angles])
    semicircle = least_thickness()
    counts = effort.pick((16,), (16, 32), (16, 32, 64))
    sectors = {n: least_thickness(voussoirs=n).ratio for n in counts}
    polygons = {n: least_thickness(voussoirs=n, sectors=False).ratio for n in counts}
    falling = limit_load(Assembly.arch(32, 0.1065, friction=NO_SLIDING), sliding=False)
    with sheet("Milankovitch's arch: the least thickness of a semicircle is 0.1075 R", 78) as fig:
        picture, curve = fig.subplots(1, 2, width_ratios=(1.1, 1))
        draw_mechanism(picture, falling)
        picture.set_title("A little thinner it falls: t/R = 0.1065")
        curve.semilogy(angles, ratios, color=style.BLUE, label="infinitely many voussoirs")
        curve.plot([180.0], [semicircle.ratio], "o", ms=5, mfc="white", color=style.BLUE)
        curve.annotate("0.1075", (180, semicircle.ratio), (-42, -2), textcoords="offset points")
        curve.set(xlabel="embrace [°]", ylabel="least thickness/radius [–]", xlim=(55, 185))
        curve.set_title("The least thickness")
    verdicts = [
        number("least thickness over radius", 0.1075, semicircle.ratio, 5e-5, "four digits"),
        number("the same", 0.10747803810748, semicircle.ratio, 1e-13,
               "14 digits of the line of thrust", basis="independent"),
        number("where the haunches open, from the crown", 54.4839740, semicircle.hinge_angle, 1e-6,
               "9 digits of the line of thrust", unit="°", basis="independent"),
        number("thrust over weight per area × thickness × radius", 0.6208812062, semicircle.thrust,
               6e-11, "10 digits of the line of thrust", basis="independent"),
        *(number(f"{n} voussoirs, sectors", SECTORS[n], sectors[n], 1.1e-7, COUSINS,
                 basis="independent") for n in counts),
        *(number(f"{n} voussoirs, polygons", POLYGONS[n], polygons[n], 1.1e-7, COUSINS,
                 basis="independent") for n in counts),
    ]  # fmt: skip
    note = (
        "Joints are radial and voussoirs weigh as what they are; with all weight on the centreline "
        "the ratio is 0.10743 (Cocchetti et al. 2011)."
    )
    return Result({"embrace [deg]": angles, "least t/R [-]": ratios}, fig, verdicts, note)
