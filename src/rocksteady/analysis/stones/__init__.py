"""What becomes of assemblies of stones: the outcome of a run, and all that a report says."""

from rocksteady.analysis.stones.examination import Examination, examine
from rocksteady.analysis.stones.halved_step import StepError, step_error
from rocksteady.analysis.stones.outcome import Outcome, outcome

__all__ = ["Examination", "Outcome", "StepError", "examine", "outcome", "step_error"]
