"""Laws of the time step that have a name: the paper's, and those fitted here by the same campaign
(`analysis/timestep`) to the bodies and integration rules of `rocksteady.NumericalDissipation`.
"""

from collections.abc import Mapping

from rocksteady.errors import InputError
from rocksteady.theories.dissipation.law import Range, Rows, Table, TimeStepLaw
from rocksteady.theories.dissipation.rule import Rule


def law_named(law: str | TimeStepLaw) -> TimeStepLaw:
    """The law of this name; a law itself is handed back."""
    if isinstance(law, TimeStepLaw):
        return law
    if not isinstance(law, str) or law not in LAWS:
        raise InputError(f"law = {law!r} is not known: choose from {', '.join(LAWS)}.")
    return LAWS[law]


def law_for(rule: Rule) -> TimeStepLaw | None:
    """The law fitted to an integration rule: the paper's for the paper's; None where nobody
    determined one."""
    return next((law for law in LAWS.values() if law.fits(rule)), None)


def known_alphas() -> list[float]:
    """α of the integration rules that have a law, the paper's first."""
    return list(dict.fromkeys(law.alpha_hht for law in LAWS.values()))


# -- coefficients from regressions, errors from free rocking at their steps ------------------------
# A row for each h/b, first with r = 0.85, then with 0.95; a column for each k_n. For the elastic
# body (E = 30 GPa) every second r was measured.

_PAPER_RIGID = (
    (0.0094, 0.0121, 0.0199, 0.0337),
    (0.0146, 0.0130, 0.0169, 0.0195),
    (0.0096, 0.0091, 0.0136, 0.0171),
    (0.0061, 0.0130, 0.0217, 0.0398),
    (0.0038, 0.0024, 0.0027, 0.0035),
    (0.0030, 0.0024, 0.0020, 0.0025),
)
_PAPER_ELASTIC = (
    (0.0094, 0.0127, 0.0199, 0.0341),
    (0.0152, 0.0139, 0.0203, 0.0244),
    (0.0100, 0.0071, 0.0129, 0.0201),
    (0.0056, 0.0123, 0.0201, 0.0364),
    (0.0047, 0.0033, 0.0036, 0.0041),
    (0.0030, 0.0019, 0.0013, 0.0051),
)
_OWN_RIGID = (
    (0.0104, 0.0101, 0.0172, 0.0273),
    (0.0152, 0.0176, 0.0218, 0.0283),
    (0.0104, 0.0098, 0.0125, 0.0203),
    (0.0056, 0.0113, 0.0187, 0.0341),
    (0.0045, 0.0035, 0.0046, 0.0056),
    (0.0030, 0.0024, 0.0022, 0.0051),
)
_OWN_ELASTIC = (
    (0.0107, 0.0106, 0.0154, 0.0246),
    (0.0151, 0.0150, 0.0208, 0.0253),
    (0.0099, 0.0089, 0.0088, 0.0193),
    (0.0051, 0.0101, 0.0169, 0.0331),
    (0.0049, 0.0040, 0.0050, 0.0067),
    (0.0034, 0.0021, 0.0021, 0.0059),
)

# Rules that damp less, fitted to steps of 1 to 80 ms. Some runs show no r at all (88 of 800 with
# α = −0.1, 290 with −0.05, nearly all at small r): the errors are those of the others.
_HHT_03 = (
    (0.0136, 0.0161, 0.0188, 0.0343),
    (0.0219, 0.0235, 0.0335, 0.0288),
    (0.0135, 0.0155, 0.0193, 0.0286),
    (0.0054, 0.0115, 0.0202, 0.0357),
    (0.0057, 0.0048, 0.0060, 0.0049),
    (0.0038, 0.0033, 0.0035, 0.0064),
)
_HHT_02 = (
    (0.0227, 0.0183, 0.0230, 0.0336),
    (0.0369, 0.0311, 0.0393, 0.0515),
    (0.0303, 0.0286, 0.0401, 0.0489),
    (0.0047, 0.0095, 0.0177, 0.0327),
    (0.0091, 0.0089, 0.0107, 0.0097),
    (0.0065, 0.0072, 0.0083, 0.0121),
)
_HHT_01 = (
    (0.0479, 0.0393, 0.0292, 0.0490),
    (0.0644, 0.0600, 0.0605, 0.0738),
    (0.0507, 0.0541, 0.0541, 0.0663),
    (0.0110, 0.0106, 0.0109, 0.0277),
    (0.0187, 0.0186, 0.0192, 0.0191),
    (0.0151, 0.0143, 0.0186, 0.0226),
)
_HHT_005 = (  # offered above r = 0.95 only: the rows of that half twice
    (0.0190, 0.0195, 0.0130, 0.0131),
    (0.0236, 0.0214, 0.0247, 0.0274),
    (0.0204, 0.0228, 0.0304, 0.0264),
    (0.0190, 0.0195, 0.0130, 0.0131),
    (0.0236, 0.0214, 0.0247, 0.0274),
    (0.0204, 0.0228, 0.0304, 0.0264),
)


def _errors(**bodies: Rows) -> dict[str, Table]:
    """The tables of errors; a row for each h/b, first with r = 0.85, then with 0.95."""
    return {body: (rows[:3], rows[3:]) for body, rows in bodies.items()}


_LAWS = (  # name, A1, A2, A3, body, spacing [m], R², α
    TimeStepLaw(
        *("daltri2024", 2.238, 0.629, -0.205, "elastic", 0.1, 0.970),
        errors=_errors(rigid=_PAPER_RIGID, elastic=_PAPER_ELASTIC),
    ),
    TimeStepLaw(
        *("rocksteady-rigid", 3.9837, 0.63464, -0.23610, "rigid", 0.1, 0.9553),
        errors=_errors(rigid=_OWN_RIGID),
    ),
    TimeStepLaw(
        *("rocksteady-elastic", 3.0866, 0.65179, -0.22499, "elastic", 0.1, 0.9553),
        errors=_errors(elastic=_OWN_ELASTIC),
    ),
    TimeStepLaw(
        *("hht-0.3", 5.1150, 0.63752, -0.23443, "rigid", 0.1, 0.9644, -0.3),
        errors=_errors(rigid=_HHT_03),
    ),
    TimeStepLaw(
        *("hht-0.2", 14.012, 0.64241, -0.27022, "rigid", 0.1, 0.9198, -0.2),
        errors=_errors(rigid=_HHT_02),
    ),
    # below these r some blocks show no r at all: the form of the law no longer fits
    TimeStepLaw(
        *("hht-0.1", 34.165, 0.75919, -0.30850, "rigid", 0.1, 0.7910, -0.1),
        r=Range(0.90, 0.99),
        errors=_errors(rigid=_HHT_01),
    ),
    TimeStepLaw(
        *("hht-0.05", 125.79, 0.91976, -0.38025, "rigid", 0.1, 0.6627, -0.05),
        r=Range(0.95, 0.99),
        errors=_errors(rigid=_HHT_005),
    ),
)
LAWS: Mapping[str, TimeStepLaw] = {law.name: law for law in _LAWS}
