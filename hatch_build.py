"""Put the commit into what is built: a package without git knows which code it is."""

import json
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOMES = {"wheel": "rocksteady", "sdist": "src/rocksteady"}


class Commit(BuildHookInterface):
    """Adds ``commit.json`` to wheels and source archives. An editable install asks git itself, and
    what is built of a source archive has the file of that."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        program = runpy.run_path(str(root / "src" / "rocksteady" / "version.py"))
        found = program["commit_in"](root)
        if found is not None:
            found["digest"] = program["digest_of"](root / "src" / "rocksteady")
            self.folder = tempfile.TemporaryDirectory()
            file = Path(self.folder.name, program["COMMIT"])
            file.write_text(json.dumps(found) + "\n", encoding="utf-8")
            build_data["force_include"][str(file)] = f"{HOMES[self.target_name]}/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()
