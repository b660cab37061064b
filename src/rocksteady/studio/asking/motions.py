"""The generated motions, kept in the studio's folder: to make 300 takes seconds, to read them not
a tenth of one."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np

from rocksteady.digests import BLANK, check_file, sealed
from rocksteady.files import write_whole
from rocksteady.motion import Motion
from rocksteady.motion.collection import Motions
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.motion_sources import Tell, kept_meta, restored_meta
from rocksteady.version import version


def kept_motions(source: MotionSpec, folder: Path, tell: Tell) -> Motions:
    """The motions of a description without files, from ``folder`` if they were made before."""
    asked = f"{version()}\n{source.model_dump_json(exclude_defaults=True)}"
    path = folder / f"{hashlib.sha256(asked.encode()).hexdigest()[:16]}.npz"
    try:
        return _read(path)
    except (OSError, ValueError, KeyError):  # not made yet, or of no use
        made = source.motions(tell=tell)
        write_whole(path, _written(made))
        return made


def _written(motions: Motions) -> bytes:
    about = [[name, one.dt, kept_meta(one)] for name, one in motions.items()]
    samples = {f"motion {i}": one.accel for i, one in enumerate(motions.values())}
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, about=np.array(json.dumps(about)), **samples)
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = BLANK.encode()
    return sealed(file.getvalue())


def _read(path: Path) -> Motions:
    check_file(path)
    with np.load(path, allow_pickle=False) as kept:
        about = json.loads(str(kept["about"]))
        return Motions(
            {
                name: Motion(kept[f"motion {i}"], dt, name=name, meta=restored_meta(meta))
                for i, (name, dt, meta) in enumerate(about)
            }
        )
