"""The figures of a report, as SVG."""

from typing import Any

from matplotlib.figure import Figure

from rocksteady.view.drawing import plot_object
from rocksteady.view.report.svg import inline_svg


def figures(assessment: Any) -> dict[str, str]:
    """An ``<svg>`` element for each figure, by the name that the template uses."""
    drawn: dict[str, tuple[Figure, str]] = {"object": (_object(assessment), "The body to scale")}
    drawn["fragility"] = assessment.fragility.plot(), "Share of motions that overturn the body"
    if assessment.risk is not None:
        drawn["risk"] = assessment.risk.plot(), "Hazard, shares and contributions to the rate"
    drawn["measures"] = assessment.measures.plot(), "Rate over width, centre of mass and plinth"
    if assessment.uncertainty is not None:
        drawn["uncertainty"] = assessment.uncertainty.plot(), "Sobol indices of what is uncertain"
    if assessment.codes is not None:
        curves = [check for check in assessment.codes.checks if check.capacity is not None]
        if curves:
            drawn["codes"] = curves[0].plot(), "Capacity curve and demand"
    return {name: inline_svg(fig, name, words) for name, (fig, words) in drawn.items()}


def _object(assessment: Any) -> Figure:
    floor = assessment.floor
    if floor is None or floor.given:
        return plot_object(assessment.block)
    return plot_object(assessment.block, storeys=floor.storeys, level=floor.height)
