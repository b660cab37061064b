"""Rates and probabilities as people say them."""

import math

ALL_BUT = 0.99  # above this a probability is not told to more digits


def rounded(value: float, digits: int = 2) -> str:
    """To so many significant digits, never with an exponent above 1e-6: 0.00053, 1900."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    power = math.floor(math.log10(abs(value)))
    if power < -6:
        return f"{value:.{digits - 1}e}"
    near = round(value, digits - 1 - power)
    power = math.floor(math.log10(abs(near)))  # 0.0999 became 0.1
    return f"{near:.{max(digits - 1 - power, 0)}f}"


def percent(share: float, sign: str = " %") -> str:
    """ "2.5 %"; above 99 % "more than 99 %"."""
    if ALL_BUT < share < 1:
        return f"more than {100 * ALL_BUT:g}{sign}"
    return rounded(100 * share) + sign


def often(rate: float) -> str:
    """How often something of a yearly rate happens: "once in 1900 years"."""
    if rate > 0.5:
        return f"{rounded(rate)} times a year"
    return f"once in {rounded(1 / rate)} years"
