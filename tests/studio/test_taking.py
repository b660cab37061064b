"""What is downloaded has the numbers of the page, which are those of `rs.simulate`."""

import contextlib
import csv
import io
import runpy
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from typer.main import get_command

import rocksteady as rs
from rocksteady.cli import app
from rocksteady.specs import CaseSpec, StudySpec
from rocksteady.studio.jobs.kinds import film
from rocksteady.studio.taking.names import attachment, file_name
from rocksteady.studio.taking.study import study_toml

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = {"pulse": "sine,a=0.4g,T=0.8"}
SEED = {"stochastic": {"count": 1, "seed": 5}, "pga": 0.5}
BOX = {"kind": "Body", "base_x": 0.45, "base_y": 0.6, "height": 1.8}
CASES: dict[str, dict[str, Any]] = {
    "Housner": {"body": STATUE, "motion": PULSE, "theories": [{"name": "housner", "r": 0.85}]},
    "several theories": {
        "body": STATUE,
        "motion": {"pulse": "sine,a=1.9gtana,w=3p"},
        "theories": [{"name": "housner"}, {"name": "nonsmooth", "friction": 0.6}],
    },
    "floor": {"body": STATUE, "motion": PULSE, "floor": {"period": 0.45, "storeys": 4, "level": 3}},
    "by seed": {"body": STATUE, "motion": SEED},
    "traced, one of many": {
        "body": {"outline": "[[-0.3, 0], [0.31, 0], [0.2, 1.9], [0, 2.3], [-0.2, 1.9]]"},
        "motion": {"stochastic": {"count": 20, "seed": 5, "only": 7}, "pga": 0.6},
    },
    "in space": {
        "body": BOX,
        "motion": {"stochastic": {"count": 1, "seed": 5, "components": 3}, "pga": 0.4},
        "until": 6.0,
    },
    "building": {
        "body": {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 4e4},
        "motion": PULSE,
    },
}


def ran(text: str, folder: Path) -> list[dict[str, Any]]:
    """The script as Python runs it in this folder: what it printed, and what it computed."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    runs: list[rs.Response] = []
    simulate = rs.simulate

    def kept(*given: Any, **named: Any) -> rs.Response:
        runs.append(simulate(*given, **named))
        return runs[-1]

    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.chdir(folder)
        patch.setattr(rs, "simulate", kept)
        runpy.run_path("script.py", run_name="__main__")
    shown = printed.getvalue()
    return [{"states": r.states.tolist(), "peak": r.peak, "shown": shown} for r in runs]


def test_the_script_is_a_program_of_its_own(client: httpx.Client, tmp_path: Path) -> None:
    """What it prints in a process that knows nothing of the studio is what it prints here."""
    text = client.post("/api/take/script", json=CASES["floor"]).text
    (made,) = ran(text, tmp_path)
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == made["shown"] and str(made["peak"]) in done.stdout


@pytest.mark.parametrize("name", CASES)
def test_the_script_gives_the_numbers_of_the_page(
    name: str, client: httpx.Client, tmp_path: Path
) -> None:
    answer = client.post("/api/take/script", json=CASES[name])
    assert answer.status_code == 200, answer.text
    on_page = client.post("/api/simulate", json=CASES[name]).json()["runs"]
    direct = [rs.simulate(**asked) for asked in CaseSpec.checked(CASES[name]).build()]
    scripted = ran(answer.text, tmp_path)
    assert len(on_page) == len(direct) == len(scripted)
    for shown, own, made in zip(on_page, direct, scripted, strict=True):
        assert made["states"] == own.states.tolist()
        columns = list(shown["columns"].values())[: own.states.shape[1]]
        assert np.array_equal(np.array(columns, float).T, own.states, equal_nan=True)
        assert made["peak"] == own.peak == shown["peak"]
        assert f"= {own.peak}\n" in made["shown"]


def test_an_uploaded_record_lies_beside_the_script(
    studio: Any, client: httpx.Client, tmp_path: Path
) -> None:
    motion = rs.stochastic.ensemble(1, seed=2)[0].scaled_to(pga=4.0)
    name = 'my "best" record\'s è.csv'
    place = studio.folder / "uploads" / ("ab" * 8)
    place.mkdir(parents=True)
    for folder in (place, tmp_path):
        rs.write_motion(motion, folder / "motion.csv")
        (folder / "motion.csv").rename(folder / name)
    case = {"body": STATUE, "motion": {"file": f"uploads/{'ab' * 8}/{name}", "scale": 1.1}}
    text = client.post("/api/take/script", json=case).text
    assert "uploads" not in text
    (made,) = ran(text, tmp_path)
    assert made["peak"] == client.post("/api/simulate", json=case).json()["runs"][0]["peak"]
    study = client.post("/api/take/study", json=case).text
    assert peaks_of(study, tmp_path) == [made["peak"]]


def test_an_uploaded_scan_lies_beside_the_script(client: httpx.Client, tmp_path: Path) -> None:
    content = box_stl(450.0, 600.0, 1800.0).encode()
    sent = client.post("/api/uploads", params={"name": "statue à.stl"}, content=content).json()
    case = {"body": sent["body"] | {"unit": "mm"}, "theta0": 0.05, "direction": 30.0, "until": 1.0}
    text = client.post("/api/take/script", json=case).text
    assert "rs.Body.from_mesh(" in text and "uploads" not in text
    (tmp_path / Path(sent["body"]["mesh"]).name).write_bytes(content)
    (made,) = ran(text, tmp_path)
    shown = client.post("/api/simulate", json=case).json()["runs"][0]
    assert made["peak"] == shown["peak"] > 0
    first = next(iter(shown["columns"].values()))
    assert [row[0] for row in made["states"]] == first


def box_stl(x: float, y: float, z: float) -> str:
    """A box as a text STL."""
    corners = np.array([(i, j, k) for i in (0, x) for j in (0, y) for k in (0, z)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))]
    loops = ("\n".join("vertex {} {} {}".format(*corners[k]) for k in face) for face in faces)
    parts = [f"facet normal 0 0 0\nouter loop\n{loop}\nendloop\nendfacet" for loop in loops]
    return "\n".join(["solid box", *parts, "endsolid box"])


def peaks_of(study: str, folder: Path) -> list[float]:
    """What ``rocksteady ensemble study.toml`` finds in this folder."""
    (folder / "study.toml").write_text(study, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.chdir(folder)
        get_command(app).main(["ensemble", "study.toml", "--runs", "runs.csv"])
    assert not stop.value.code
    with (folder / "runs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [float(value) for row in rows for name, value in row.items() if name[:6] == "peak ["]


@pytest.mark.parametrize("name", CASES)
def test_the_study_gives_the_same_numbers(name: str, client: httpx.Client, tmp_path: Path) -> None:
    answer = client.post("/api/take/study", json=CASES[name])
    assert answer.status_code == 200, answer.text
    expected = rs.simulate(**CaseSpec.checked(CASES[name]).build()[0])
    assert peaks_of(answer.text, tmp_path) == [expected.peak]
    others = CASES[name].get("theories", [])[1:]
    assert all(f'# formulation = {{ name = "{one["name"]}"' in answer.text.replace("#   ", "# ")
               for one in others)  # fmt: skip


def test_a_study_cannot_begin_from_a_lean(client: httpx.Client) -> None:
    for case in ({"theta0": 0.1}, {"theta0": 0.1, "motion": PULSE}):
        answer = client.post("/api/take/study", json={"body": STATUE, **case})
        assert answer.status_code == 422 and "Python script instead" in answer.json()["error"]


def test_tables_and_figures(client: httpx.Client, tmp_path: Path) -> None:
    case = CASES["Housner"]
    own = rs.simulate(**CaseSpec.checked(case).build()[0])
    begin = {"csv": b"# ", "nc": b"", "png": b"\x89PNG", "svg": b"<?xml"}
    for what, first in begin.items():
        answer = client.post(f"/api/take/{what}", json=case)
        assert answer.status_code == 200 and answer.content.startswith(first), answer.text[:200]
        told = answer.headers["content-disposition"]
        assert told.startswith(f'attachment; filename="block-sine.{what}"')
        if what in ("csv", "nc"):
            (tmp_path / f"run.{what}").write_bytes(answer.content)
            assert np.array_equal(rs.Response.load(tmp_path / f"run.{what}").states, own.states)


def test_several_theories_come_in_an_archive(client: httpx.Client) -> None:
    answer = client.post("/api/take/csv", json=CASES["several theories"])
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["1-Housner.csv", "2-Nonsmooth.csv"]
        assert archive.testzip() is None


def test_what_cannot_be_taken_is_said(client: httpx.Client) -> None:
    case = {"body": STATUE, "motion": PULSE}
    assert client.post("/api/take/exe", json=case).status_code == 422
    other = {"body": STATUE, "motion": {"file": "/etc/passwd"}}
    answer = client.post("/api/take/script", json=other)
    assert answer.status_code == 422 and "uploaded" in answer.json()["error"]


def test_a_film_is_a_job(client: httpx.Client) -> None:
    case = CASES["several theories"] | {"until": 1.0}
    asked = {"kind": "film", "case": case, "theory": 1, "width": 240}
    job = client.post("/api/jobs", json=asked).json()
    deadline = time.monotonic() + 90
    while job["state"] in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(0.1)
        job = client.get(f"/api/jobs/{job['id']}").json()
    assert job["state"] == "done" and job["files"] == ["block-sine.gif"], job
    film = client.get(f"/api/jobs/{job['id']}/files/block-sine.gif")
    image = Image.open(io.BytesIO(film.content))
    assert image.format == "GIF" and image.size[0] == 240
    expected = rs.simulate(**CaseSpec.checked(case).build()[1])
    assert job["result"]["peak"] == expected.peak


OSCILLATOR = {
    "kind": "FlexibleOscillator",
    "height": 4.0,
    "width": 1.0,
    "top_mass": 1000.0,
    "base_mass": 200.0,
    "column_mass": 100.0,
    "natural_frequency": 30.0,
}


def test_a_film_that_cannot_be_made_is_refused(client: httpx.Client) -> None:
    asked = {"kind": "film", "case": CASES["Housner"], "theory": 1}
    answer = client.post("/api/jobs", json=asked)
    assert answer.status_code == 422 and "the case has 1" in answer.json()["error"]


def test_a_body_that_cannot_be_drawn_has_no_film(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(rs.FlexibleOscillator, "filmed", False)
    with pytest.raises(rs.InputError, match="There is no film of a 4 × 1 m flexible oscillator"):
        film.check(tmp_path, {"case": {"body": OSCILLATOR, "motion": PULSE}})


# -- names that mean harm -------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ['"\r\nSet-Cookie: a=b', "../../etc/passwd", '"""', '"\n[run]\nstore = "x', "%0d%0a", "…\x7f"]
)


@given(TEXT)
def test_headers_hold_any_name(name: str) -> None:
    case = CaseSpec.checked({"body": STATUE, "motion": {**PULSE, "name": name}})
    told = attachment(file_name(case, "py"))
    assert told.isascii() and told.isprintable() and told.count('"') == 2
    assert ".." not in told.split('"')[1] and "/" not in told.split('"')[1]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXT, TEXT)
def test_studies_hold_any_name(name: str, inner: str) -> None:
    samples = {"accel": [0.0, 0.1, 1 / 3], "dt": 0.01, "name": inner}
    motion = {"samples": samples, "name": name, "scale": 0.3}
    case = CaseSpec.checked({"body": STATUE, "motion": motion, "floor": {"period": 0.3}})
    values = tomllib.loads(study_toml(case, Path()))
    assert [*values] == ["systems", "motions", "floor"]
    study = StudySpec.checked(values)
    assert study.motions == [case.motion] and study.floor == case.floor
    assert study.systems.parameters == {"height": 1.8, "width": 0.5}
