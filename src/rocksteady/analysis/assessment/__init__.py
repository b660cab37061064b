"""One object assessed: how often it falls here, by which checks it passes, what would help."""

from rocksteady.analysis.assessment.build import Assessment, assess, example, read_assessment

__all__ = ["Assessment", "assess", "example", "read_assessment"]
