"""The options of what `rocksteady motion generate` makes, one group for each kind."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

from typer import Option

_STOCHASTIC: dict[str, Any] = {"rich_help_panel": "Stochastic (rezaeian)"}
_CODE: dict[str, Any] = {"rich_help_panel": "Eurocode 8 (ec8)"}
Given = dict[str, Any]  # options by name, those that were given


@dataclass(frozen=True)
class StochasticOptions:
    """The model's six parameters, or where they come from."""

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
        float | None, Option("--frequency-rate", help="Its rate of change, Hz/s.", **_STOCHASTIC)
    ] = None
    filter_damping: Annotated[
        float | None,
        Option("--filter-damping", help="Bandwidth: damping ratio, 0 to 1.", **_STOCHASTIC),
    ] = None
    length: Annotated[
        float | None, Option("--length", help="Of the motion, s; enough for it.", **_STOCHASTIC)
    ] = None

    def given(self) -> Given:
        """Those that were given."""
        return {k: v for k, v in dataclasses.asdict(self).items() if v is not None}


@dataclass(frozen=True)
class CodeOptions:
    """The code spectrum."""

    ag: Annotated[
        float | None, Option("--ag", help="Design ground acceleration on rock, g.", **_CODE)
    ] = None
    soil: Annotated[
        str | None, Option("--soil", help="Ground type, A to E; A unless given.", **_CODE)
    ] = None
    kind: Annotated[
        int | None, Option("--type", help="Spectrum of type 1 or 2; 1 unless given.", **_CODE)
    ] = None
    damping: Annotated[
        float | None, Option("--damping", help="Of the spectrum; 0.05 unless given.", **_CODE)
    ] = None
    strong: Annotated[
        float | None, Option("--strong", help="Stationary part, s; 10 unless given.", **_CODE)
    ] = None
    period: Annotated[
        float | None,
        Option("--period", help="Check the set for a structure of this period, s.", **_CODE),
    ] = None

    def given(self) -> Given:
        """Those that were given."""
        return {k: v for k, v in dataclasses.asdict(self).items() if v is not None}
