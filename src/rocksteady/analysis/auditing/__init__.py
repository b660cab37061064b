"""Whether a response obeys the laws of its theory, recomputed from what is stored: `audit`."""

from rocksteady.analysis.auditing.result import Audit, Law
from rocksteady.analysis.auditing.runs import audit

__all__ = ["Audit", "Law", "audit"]
