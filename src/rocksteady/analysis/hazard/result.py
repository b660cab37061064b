"""What `risk` found, in numbers and in sentences."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rocksteady.analysis.fragilities.curve import Curve
from rocksteady.analysis.hazard.curve import Hazard, poe_of_rate
from rocksteady.analysis.hazard.integrals import shares_at
from rocksteady.analysis.hazard.words import ALL_BUT, often, percent, rounded
from rocksteady.analysis.stripes import LIFTS, OVERTURNED, Limit, Stripes
from rocksteady.ensembles.labels import PGV
from rocksteady.numerics.types import Array
from rocksteady.registry import imported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORTH_TELLING = 0.01  # of the rate: what less would add is not told
TALL = 1.0  # m: from about here on peak velocity says more than acceleration
OPEN = 1.0  # of the rate: where more than this may lie beyond the curve, the answer says so first
COMES_FROM = 0.8  # share of the rate whose range of levels is told


class Unknown(NamedTuple):
    """An end of the hazard curve or of the body's levels, and what lies beyond it."""

    what: str
    """A sentence that says which."""
    adds: float | None
    """What a continued power law would add to the rate [1/year]; None where that is no help."""
    at_most: float | None
    """What it could add at the most [1/year]; None where there is no bound."""


class Contributions(NamedTuple):
    """Which shaking the rate comes from."""

    edges: Array
    """(M+1,) levels at equal ratios, in the measure's unit."""
    rates: Array
    """(M,) what the shaking between two edges adds to the yearly rate [1/year]."""
    beyond: float
    """What all shaking stronger than the last edge adds [1/year]."""
    low: float
    """A tenth of the rate comes from below this level; nan where the rate is zero."""
    high: float
    """A tenth comes from above this one; inf where it is above the last edge."""

    @property
    def most(self) -> tuple[float, float, float]:
        """The interval of levels that adds most: its ends, and what it adds [1/year]."""
        i = int(self.rates.argmax())
        if self.beyond > self.rates[i]:
            return float(self.edges[-1]), math.inf, self.beyond
        return float(self.edges[i]), float(self.edges[i + 1]), float(self.rates[i])


@dataclass(frozen=True, eq=False)
class Risk:
    """How often a body gets beyond a limit state at a site; see `risk`."""

    stripes: Stripes
    hazard: Hazard
    limit: Limit
    years: float
    level: float
    """Confidence of the bands."""
    rate: float
    """Yearly rate [1/year] as far as the hazard curve and the runs go, from the shares; 0 where
    nothing within them gets it that far: then only `rate_at_most` is known."""
    band: tuple[float, float]
    """Of the rate [1/year]: what another set of as many motions could have given."""
    nodes: Array
    """Levels between which the share is taken as linear in ln x, lift-off included."""
    shares: Array
    """Share of the motions that get beyond the limit at each node."""
    intervals: Array
    """(2, J) low and high end of each share, exact for independent motions."""
    contributions: Contributions
    unknowns: tuple[Unknown, ...]
    fallen: int
    """Independent motions that get beyond the limit at some level."""
    curve: Curve | None
    """The lognormal curve fitted to the shares, zero below lift-off; None where there is none."""
    lognormal: float | None
    """The rate by that curve [1/year]."""

    @property
    def probability(self) -> float:
        """That it gets beyond the limit at least once in `years` years."""
        return float(poe_of_rate(self.rate, self.years))

    @property
    def probability_band(self) -> tuple[float, float]:
        low, high = poe_of_rate(self.band, self.years)
        return float(low), float(high)

    @property
    def rate_at_most(self) -> float:
        """The upper end of the band, and all that may lie beyond the hazard curve and the runs, as
        far as that has a bound [1/year]."""
        return self.band[1] + sum(unknown.at_most or 0.0 for unknown in self.unknowns)

    @property
    def return_period(self) -> float:
        """Mean time between such earthquakes [years]; inf where none was found."""
        return 1 / self.rate if self.rate > 0 else math.inf

    @property
    def draws(self) -> int:
        """Independent motions."""
        return self.stripes.draws

    def share(self, level: Any) -> Any:
        """The share of the motions that get beyond the limit at a level: linear in its logarithm
        between the nodes, zero below the first, held above the last."""
        return shares_at(level, self.nodes, self.shares)

    # -- words -------------------------------------------------------------------------------------

    @property
    def event(self) -> str:
        """What happens to it: "falls"."""
        return happens(self.limit)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        when = f"In {self.years:g} years it {self.event}"
        if self._ends_before:
            last, rate = self.hazard.levels[-1], float(self.hazard.rates[-1])
            return (
                f"The hazard curve ends at {self.hazard.told(last)}, before it can lift off at "
                f"{self.hazard.told(self.nodes[0])}, and stronger shaking comes at most "
                f"{often(rate)}: in {self.years:g} years it {self.event} with a probability of "
                f"{self._at_most(rate)}."
            )
        if self.rate == 0:
            where = "at the levels that were run"
            if self._ends_within:
                where = f"up to {self.hazard.told(self.hazard.levels[-1])}, where the hazard ends"
            return (
                f"No motion gets it that far {where}, so in {self.years:g} years it {self.event} "
                f"with a probability of {self._at_most(self.rate_at_most)}."
            )
        if self.rate_at_most - self.band[1] > OPEN * self.rate:
            return self._open
        return f"{when} with a probability of {self._with_band}; on average {often(self.rate)}."

    @property
    def _with_band(self) -> str:
        low, high = map(percent, self.probability_band)
        band = f" ({low.removesuffix(' %')} to {high})" if low != high else ""
        return f"{percent(self.probability)}{band}"

    @property
    def _open(self) -> str:
        """The answer where more may lie beyond the hazard curve or the runs than within them."""
        within = f"in {self.years:g} years it {self.event} with a probability of {self._with_band}"
        bound = self._at_most(self.rate_at_most)
        last, rate = self.hazard.levels[-1], float(self.hazard.rates[-1])
        if self._ends_within:
            return (
                f"Counting no shaking as stronger than {self.hazard.told(last)}, where the hazard "
                f"curve ends, {within}. Stronger shaking comes {often(rate)}, and how strong it "
                f"is, is not known: with it the probability is {bound}."
            )
        return (
            f"As far as the body was run, up to {self.hazard.told(self.nodes[-1])}, {within}. With "
            f"stronger shaking the probability is {bound}."
        )

    def _at_most(self, rate: float) -> str:
        """The bound of a probability: "at most 1.3 %"."""
        bound = float(poe_of_rate(rate, self.years))
        return f"at most {percent(bound)}" if bound <= ALL_BUT else "anything up to 100 %"

    @property
    def _ends_before(self) -> bool:
        """Whether the hazard curve ends before anything can happen."""
        ends = not self.hazard.continued and bool(self.hazard.levels[-1] <= self.nodes[0])
        return ends and math.isfinite(self.stripes.gate)

    @property
    def _ends_within(self) -> bool:
        """Whether the hazard curve ends below levels at which the body was run."""
        return not self.hazard.continued and bool(self.hazard.levels[-1] < self.nodes[-1])

    @property
    def sentences(self) -> list[str]:
        """The answer, how well it is known, where it comes from, and what is not in it."""
        n, draws = len(self.stripes.motions), self.draws
        motions = f"{n}" if n == draws else f"{n}, which count as {draws} independent ones"
        said = [self.sentence]
        if not self._ends_before:  # else there is no band
            said.append(
                f"The band ({100 * self.level:g} %) says what as many other motions ({motions}) "
                "could have given; it holds neither the uncertainty of the hazard curve nor that "
                "of the body."
            )
        told = self._from_where, self._suits, self._curve, self._failed
        said += [text for tell in told if (text := tell())]
        said += [self._told(unknown) for unknown in self.unknowns if self._matters(unknown)]
        return said + list(self.hazard.notes)

    def _from_where(self) -> str:
        if self.rate == 0:
            return ""
        parts, measure = self.contributions, self.hazard.measure
        first, last, most = parts.most
        share = f"contributes most ({percent(most / self.rate)} of the rate)"
        said = f"{measure.short} {_span(first, last)} {measure.unit} {share}"
        if parts.low == math.inf:
            return f"{said}."
        span = _span(parts.low, parts.high)
        return f"{said}; {percent(COMES_FROM)} of it comes from {span} {measure.unit}."

    def _suits(self) -> str:
        if self.hazard.measure == PGV or self.limit == LIFTS or self.rate == 0:
            return ""
        said = (
            f"{self.hazard.measure.short} alone does not tell whether it falls, so the motions "
            "must suit the site in this range"
        )
        if getattr(self.stripes.system, "height", 0.0) < TALL:
            return f"{said}."
        return f"{said}; by peak velocity the answer would depend on them less."

    def _curve(self) -> str:
        if self.lognormal is None or self.rate == 0:
            return ""
        differs = self.lognormal / self.rate - 1
        if abs(differs) < WORTH_TELLING:
            return "The fitted lognormal curve, zero below lift-off, gives the same within 1 %."
        much = f"{percent(abs(differs))} {'more' if differs > 0 else 'less'}"
        if differs > 1:
            much = f"{rounded(1 + differs)} times that rate and should not be used"
        return f"The fitted lognormal curve, zero below lift-off, gives {much}."

    def _failed(self) -> str:
        lost = int((~self.stripes.known).sum())
        if not lost:
            return ""
        return f"{lost} of {self.stripes.known.size} runs gave no answer and are left out."

    def _matters(self, unknown: Unknown) -> bool:
        parts = [part for part in (unknown.adds, unknown.at_most) if part is not None]
        return not parts or max(parts) > WORTH_TELLING * self.rate

    def _told(self, unknown: Unknown) -> str:
        said = []
        if unknown.adds is not None:
            said.append(
                f"a curve continued in a straight line would add {self._part(unknown.adds)}"
            )
        if unknown.at_most is not None:
            said.append(f"at most it could add {self._part(unknown.at_most)}")
        return f"{unknown.what}{': ' if said else ''}{', and '.join(said)}."

    def _part(self, rate: float) -> str:
        """A rate beside ours: "3 %" of it, or in years where ours is zero."""
        if self.rate > 0 and rate < 10 * self.rate:
            return f"{percent(rate / self.rate)} to the rate"
        return f"{rounded(rate)} 1/year"

    # -- for programs and figures ------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """Plain numbers, units in the keys."""
        first, last, most = self.contributions.most
        low, high = (None, None) if self._ends_before else self.probability_band
        rate_low, rate_high = (None, None) if self._ends_before else self.band
        unit = self.hazard.measure.unit
        return {
            "limit": self.limit,
            "years": self.years,
            "level": self.level,
            "probability": self.probability if self.rate > 0 else None,
            "probability_low": low,
            "probability_high": high,
            "probability_at_most": float(poe_of_rate(self.rate_at_most, self.years)),
            "rate_per_year": self.rate if self.rate > 0 else None,
            "rate_low_per_year": rate_low,
            "rate_high_per_year": rate_high,
            "rate_at_most_per_year": self.rate_at_most,
            "return_period_years": self.return_period if self.rate > 0 else None,
            "rate_by_lognormal_per_year": self.lognormal if self.rate > 0 else None,
            "motions": len(self.stripes.motions),
            "independent_motions": self.draws,
            "independent_motions_beyond": self.fallen,
            "runs_without_answer": int((~self.stripes.known).sum()),
            "measure": self.hazard.measure.short,
            "unit": unit,
            "lift_off": self.stripes.gate if math.isfinite(self.stripes.gate) else None,
            "contributes_most_from": first if self.rate > 0 else None,
            "contributes_most_to": last if self.rate > 0 and math.isfinite(last) else None,
            "contributes_most_per_year": most,
            "levels": self.nodes.tolist(),
            "shares": self.shares.tolist(),
            "hazard": self.hazard.name,
            "hazard_levels": self.hazard.levels.tolist(),
            "hazard_rates_per_year": self.hazard.rates.tolist(),
            "not_counted": [
                {"what": part.what, "adds_per_year": part.adds, "at_most_per_year": part.at_most}
                for part in self.unknowns
            ],
            "sentences": self.sentences,
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """The hazard curve, the shares, and which shaking the rate comes from, in one figure."""
        figure: Figure = imported("rocksteady.view.risk:plot_risk")(self, path)
        return figure

    def __repr__(self) -> str:
        return f"<Risk: {self.sentence}>"


def happens(limit: Limit) -> str:
    """What happens to a body beyond a limit state: "falls"."""
    if limit == OVERTURNED:
        return "falls"
    return "lifts off" if limit == LIFTS else f"leans beyond {limit:g} α"


def _span(low: float, high: float) -> str:
    return f"{low:.3g} to {high:.3g}" if high < math.inf else f"above {low:.3g}"
