"""The options of `rocksteady motion generate`, a group for each kind of motion."""

from dataclasses import dataclass
from typing import Annotated, Any

from rocksteady.cli.common.options import Options, panel

_stochastic, _code = panel("Stochastic (rezaeian)"), panel("Eurocode 8 (ec8)")
_Number = float | None
_SAMPLE = "N motions, each with parameters drawn from the published distributions."
_LENGTH = "Length, s; by default as long as the shaking needs."
Given = dict[str, Any]  # the options that were given, by name


@dataclass(frozen=True)
class StochasticOptions(Options):
    """The six parameters of the model, or how to get them."""

    sample: Annotated[int | None, _stochastic(_SAMPLE, metavar="N")] = None
    arias: Annotated[_Number, _stochastic("Arias intensity, m/s.")] = None
    d5_95: Annotated[_Number, _stochastic("Significant duration, s.")] = None
    t_mid: Annotated[_Number, _stochastic("Middle of the strong shaking, s.")] = None
    frequency_mid: Annotated[_Number, _stochastic("Frequency at t-mid, Hz.")] = None
    frequency_rate: Annotated[_Number, _stochastic("Rate of change of the frequency, Hz/s.")] = None
    filter_damping: Annotated[_Number, _stochastic("Bandwidth: damping ratio, 0 to 1.")] = None
    length: Annotated[_Number, _stochastic(_LENGTH)] = None


@dataclass(frozen=True)
class CodeOptions(Options):
    """The code spectrum."""

    ag: Annotated[_Number, _code("Design ground acceleration on rock, g.")] = None
    soil: Annotated[str | None, _code("Ground type, A to E; A by default.")] = None
    kind: Annotated[int | None, _code("Spectrum of type 1 or 2; 1 by default.", "--type")] = None
    damping: Annotated[_Number, _code("Damping ratio of the spectrum; 0.05 by default.")] = None
    strong: Annotated[_Number, _code("Length of the strong part, s; 10 by default.")] = None
    period: Annotated[_Number, _code("Check the set for a structure of this period, s.")] = None
