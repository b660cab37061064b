"""Fragility: how likely a body lifts off, leans or falls, by the strength of the shaking."""

from rocksteady.analysis.fragilities.cloud import Cloud, cloud
from rocksteady.analysis.fragilities.curve import Curve
from rocksteady.analysis.fragilities.first_falls import FirstFalls, first_falls
from rocksteady.analysis.fragilities.fragility import Fragility, LimitState, fragility
from rocksteady.analysis.fragilities.measures import compare_measures
from rocksteady.analysis.fragilities.shares import Shares, shares
from rocksteady.analysis.fragilities.two_measures import two_measures
from rocksteady.analysis.fragilities.uncertainty import uncertainty

__all__ = [
    "Cloud",
    "Curve",
    "FirstFalls",
    "Fragility",
    "LimitState",
    "Shares",
    "cloud",
    "compare_measures",
    "first_falls",
    "fragility",
    "shares",
    "two_measures",
    "uncertainty",
]
