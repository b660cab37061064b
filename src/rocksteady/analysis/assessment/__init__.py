"""One object assessed: how often it falls here, by which checks it passes, what would help."""

from rocksteady.analysis.assessment.build import assess
from rocksteady.analysis.assessment.description import example, read_assessment
from rocksteady.analysis.assessment.words import Assessment

__all__ = ["Assessment", "assess", "example", "read_assessment"]
