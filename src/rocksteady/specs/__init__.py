"""Descriptions of inputs: a body, a motion, a floor, a theory, a case, a run, a study.

Study files, the command line, stores, saved responses and monitors use the same ones. Each is made
from plain values (``BodySpec.checked({"kind": "Block", "height": 1.8, "width": 0.5})``) or from the
thing itself (``BodySpec.of(block)``), has ``build()``, prints a summary, goes through JSON without
losing a bit, and has a JSON schema (``model_json_schema()``). Needs pydantic; nothing that computes
imports it.
"""

from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.specs.bodies import BodiesSpec
from rocksteady.specs.body import BodySpec
from rocksteady.specs.case import CaseSpec
from rocksteady.specs.codes import CodesSpec
from rocksteady.specs.floor import FloorSpec
from rocksteady.specs.hazard import HazardSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.spec import Spec
from rocksteady.specs.study import RunSpec, StudySpec
from rocksteady.specs.theory import TheorySpec

__all__ = [
    "AssessmentSpec",
    "BodiesSpec",
    "BodySpec",
    "CaseSpec",
    "CodesSpec",
    "FloorSpec",
    "HazardSpec",
    "MotionSpec",
    "RunSpec",
    "Spec",
    "StudySpec",
    "TheorySpec",
]
