"""The options of `rocksteady motion generate`, a group for each kind of motion."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

from rocksteady.cli.common.options import panel

_stochastic, _code = panel("Stochastic (rezaeian)"), panel("Eurocode 8 (ec8)")
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
        _stochastic(
            "N motions, each with parameters drawn from the published distributions.", metavar="N"
        ),
    ] = None
    arias: Annotated[float | None, _stochastic("Arias intensity, m/s.")] = None
    d5_95: Annotated[float | None, _stochastic("Significant duration, s.")] = None
    t_mid: Annotated[float | None, _stochastic("Middle of the strong shaking, s.")] = None
    frequency_mid: Annotated[float | None, _stochastic("Frequency at t-mid, Hz.")] = None
    frequency_rate: Annotated[
        float | None,
        _stochastic("Rate of change of the frequency, Hz/s."),
    ] = None
    filter_damping: Annotated[
        float | None,
        _stochastic("Bandwidth: damping ratio, 0 to 1."),
    ] = None
    length: Annotated[
        float | None,
        _stochastic("Length, s; by default as long as the shaking needs."),
    ] = None


@dataclass(frozen=True)
class CodeOptions(_Options):
    """The code spectrum."""

    ag: Annotated[float | None, _code("Design ground acceleration on rock, g.")] = None
    soil: Annotated[str | None, _code("Ground type, A to E; A by default.")] = None
    kind: Annotated[int | None, _code("Spectrum of type 1 or 2; 1 by default.", "--type")] = None
    damping: Annotated[
        float | None,
        _code("Damping ratio of the spectrum; 0.05 by default."),
    ] = None
    strong: Annotated[
        float | None,
        _code("Length of the strong part, s; 10 by default."),
    ] = None
    period: Annotated[
        float | None,
        _code("Check the set for a structure of this period, s."),
    ] = None
