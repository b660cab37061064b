"""What an assessment computes, before anything is said about it."""

from dataclasses import dataclass, field

from rocksteady.analysis import codes
from rocksteady.analysis.assessment.motions import MotionRow
from rocksteady.analysis.fragilities import Fragility
from rocksteady.analysis.fragilities.uncertainty import Uncertainty
from rocksteady.analysis.hazard import Hazard, Risk
from rocksteady.analysis.hazard.measured import Measures
from rocksteady.analysis.stripes import Stripes
from rocksteady.bodies import Block
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.theories import Formulation
from rocksteady.version import environment


@dataclass(frozen=True, eq=False)
class Findings:
    """What was computed for one object."""

    said: AssessmentSpec
    text: str
    """The file as it was read."""
    block: Block
    floor: Floor | None
    hazard: Hazard | None
    formulation: Formulation
    motions: tuple[Motion, ...]
    skipped: dict[str, str]
    """Files that could not be read, with the reasons."""
    verticals: tuple[str, ...]
    """Vertical components that were left out."""
    fragility: Fragility
    risk: Risk | None
    measures: Measures
    at_round: Stripes
    """The same body at round strengths, for the table."""
    uncertainty: Uncertainty | None
    why_not_uncertain: str
    """Why there is none, if so."""
    codes: codes.Comparison | None
    matched: bool
    """Whether the motions of the checks were scaled to the code's spectrum."""
    files: list[tuple[str, str]]
    """Name and SHA-256 of each file that was read."""
    motion_rows: list[MotionRow]
    """What identifies each motion."""
    digest: str
    """SHA-256 of all inputs: the description, the motions, the files, the version."""
    command: str
    warned: tuple[str, ...] = ()
    """What was warned of since the file was read."""
    environment: dict[str, str] = field(default_factory=environment)
    """What computed it: version, commit, Python, NumPy, Numba, processor."""

    @property
    def stripes(self) -> Stripes:
        return self.fragility.stripes
