"""The names of files that are downloaded."""

import re
from pathlib import PurePosixPath
from urllib.parse import quote

from rocksteady.specs import CaseSpec

LONGEST = 60  # characters
_OTHER = re.compile(r"[^\w.-]+")


def file_name(case: CaseSpec, ending: str) -> str:
    """Such as "block-sine.py" or "body-KJM000.csv"."""
    kind = case.body.preset or case.body.kind.rpartition(":")[2].lower()
    name = _OTHER.sub("-", f"{kind}-{_motion(case)}")[:LONGEST].strip(".-_")
    return f"{name or 'case'}.{ending}"


def _motion(case: CaseSpec) -> str:
    motion = case.motion
    if motion is None:
        return "let-go"
    if motion.pulse is not None:
        return motion.pulse.removeprefix("pulse:").partition(",")[0].strip()
    if motion.stochastic is not None:
        return f"seed-{motion.stochastic.seed}"
    path = motion.file or motion.record
    own = motion.name or (motion.samples.name if motion.samples else "")
    return own or (PurePosixPath(str(path)).stem if path else "motion")


def attachment(name: str) -> str:
    """The value of Content-Disposition with which a browser saves an answer under ``name``. Plain
    letters for old readers, all of them in UTF-8 for the others; nothing in it ends the line."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
