"""The options of `rocksteady motion generate`, a group for each kind of motion."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

from typer import Option

_STOCHASTIC: dict[str, Any] = {"rich_help_panel": "Stochastic (rezaeian)"}
_CODE: dict[str, Any] = {"rich_help_panel": "Eurocode 8 (ec8)"}
Given = dict[str, Any]  # the options that were given, by name


@dataclass(frozen=True)
class _Options:
    def given(self) -> Given:
        """The options that were given, by name."""
        return {k: v for k, v in dataclasses.asdict(self).items() if v is not None}


@dataclass(frozen=True)
class StochasticOptions(_Options):
    """The six parameters of the model, or how to get them."""

    sample: Annotated[
        int | None,
        Option(
            "--sample",
            metavar="N",
            help="N motions, each with parameters drawn from the published distributions.",
            **_STOCHASTIC,
        ),
    ] = None
    arias: Annotated[
        float | None, Option("--arias", help="Arias intensity, m/s.", **_STOCHASTIC)
    ] = None
    d5_95: Annotated[
        float | None, Option("--d5-95", help="Significant duration, s.", **_STOCHASTIC)
    ] = None
    t_mid: Annotated[
        float | None, Option("--t-mid", help="Middle of the strong shaking, s.", **_STOCHASTIC)
    ] = None
    frequency_mid: Annotated[
        float | None, Option("--frequency-mid", help="Frequency at t-mid, Hz.", **_STOCHASTIC)
    ] = None
    frequency_rate: Annotated[
        float | None,
        Option("--frequency-rate", help="Rate of change of the frequency, Hz/s.", **_STOCHASTIC),
    ] = None
    filter_damping: Annotated[
        float | None,
        Option("--filter-damping", help="Bandwidth: damping ratio, 0 to 1.", **_STOCHASTIC),
    ] = None
    length: Annotated[
        float | None,
        Option(
            "--length", help="Length, s; by default as long as the shaking needs.", **_STOCHASTIC
        ),
    ] = None


@dataclass(frozen=True)
class CodeOptions(_Options):
    """The code spectrum."""

    ag: Annotated[
        float | None, Option("--ag", help="Design ground acceleration on rock, g.", **_CODE)
    ] = None
    soil: Annotated[
        str | None, Option("--soil", help="Ground type, A to E; A by default.", **_CODE)
    ] = None
    kind: Annotated[
        int | None, Option("--type", help="Spectrum of type 1 or 2; 1 by default.", **_CODE)
    ] = None
    damping: Annotated[
        float | None,
        Option("--damping", help="Damping ratio of the spectrum; 0.05 by default.", **_CODE),
    ] = None
    strong: Annotated[
        float | None,
        Option("--strong", help="Length of the strong part, s; 10 by default.", **_CODE),
    ] = None
    period: Annotated[
        float | None,
        Option("--period", help="Check the set for a structure of this period, s.", **_CODE),
    ] = None
