"""Where the page places a body in space: where films place it."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.view.space.track import Track

WEB = Path(__file__).parents[2] / "web"
CHECK = """
import { readFileSync } from "node:fs";
import { Vector3 } from "three";
import { posesOf } from "SOURCE";
const { run, centre, corners, times } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const poses = posesOf(run, centre);
const placed = times.map((time) => {
  const matrix = poses.matrix(time);
  return corners.map((corner) => new Vector3(...corner).applyMatrix4(matrix).toArray());
});
console.log(JSON.stringify(placed));
"""
BUILD = """
import { build } from "vite";
const [root, entry] = process.argv.slice(2);
await build({ configFile: false, logLevel: "error", root, ssr: { noExternal: true },
  build: { ssr: entry, outDir: `${entry}.out`,
    rollupOptions: { output: { entryFileNames: "check.mjs" } } } });
"""


@pytest.fixture(scope="module")
def run():
    """An asymmetric, turned box that rocks, rolls over its corners and falls."""
    body = rs.Body.box(0.4, 0.5, 1.5, offset=(0.05, 0.02)).turned(20)
    time = 0.02 * np.arange(400)
    motion = rs.Motion(6 * np.sin(5 * time), dt=0.02, transverse=4 * np.cos(4 * time))
    return rs.simulate(body, motion)


def test_the_page_places_a_body_where_films_do(run, tmp_path):
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules" / "vite").exists():
        pytest.skip("the page's sources cannot be built here: make page")
    times = np.linspace(0, run.time[-1], 57)
    corners = np.array(run.system.shape.vertices)
    histories = dict(zip(run.columns, run.states.T.tolist(), strict=True))
    histories |= {name: values.tolist() for name, values in run.derived.items()}
    case = {
        "run": {"dt": run.motion.dt, "columns": histories},
        "centre": run.system.centre,
        "corners": corners.tolist(),
        "times": times.tolist(),
    }
    (tmp_path / "case.json").write_text(json.dumps(case))
    entry = tmp_path / "check.ts"
    source = (WEB / "src" / "bench" / "space" / "pose.ts").as_posix()
    entry.write_text(CHECK.replace("SOURCE", source))
    (tmp_path / "node_modules").symlink_to((WEB / "node_modules").resolve())
    (tmp_path / "build.mjs").write_text(BUILD)
    subprocess.run([node, "build.mjs", str(WEB), str(entry)], cwd=tmp_path, check=True)
    done = subprocess.run(
        [node, f"{entry}.out/check.mjs", "case.json"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    placed = np.array(json.loads(done.stdout))
    track = Track.of(run, times)
    expected = [track.place(corners - run.system.centre, k) for k in range(len(times))]
    np.testing.assert_allclose(placed, expected, rtol=0, atol=1e-12)
