"""The C++ header and its CMake package: installed, found, compiled, and the numbers of Python."""

from __future__ import annotations

import re
import subprocess
from dataclasses import astuple

import numpy as np
import pytest

import rocksteady as rs
from edge.building import EDGE, need
from rocksteady.version import VERSION

DT = 0.01


def cmake(*words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["cmake", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def build(source, folder, *settings):
    """Configure and build a project; any warning of the compiler is an error."""
    flags = "-Wall -Wextra -pedantic -Werror"
    settings += (f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
    cmake("-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *settings)
    cmake("--build", folder)


def installed(folder, *settings):
    """The package in a prefix of its own."""
    need("cmake", "make", "cc", "g++")
    build(EDGE, folder / "library", *settings)
    cmake("--install", folder / "library", "--prefix", folder / "prefix")
    return folder / "prefix"


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    return installed(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def shocks(prefix, tmp_path_factory):
    """The example as a program: what it prints, as rows of numbers, and its exit status."""
    folder = tmp_path_factory.mktemp("shocks")
    build(EDGE / "examples" / "shocks", folder, f"-DCMAKE_PREFIX_PATH={prefix}")

    def go(*words):
        done = subprocess.run(
            [folder / "shocks", *map(str, words)], capture_output=True, text=True, timeout=60
        )
        rows = [[float(x) for x in line.split()] for line in done.stdout.splitlines()]
        return np.array(rows), done.returncode, done.stderr

    return go


def noise(seed, pga):
    """12 s of filtered noise [m/s²] with an envelope."""
    t = DT * np.arange(1201)
    rough = np.random.default_rng(seed).standard_normal(len(t))
    smooth = np.convolve(rough, np.ones(5) / 5, "same") * np.sin(np.pi * t / t[-1]) ** 2
    return rs.Motion(pga * smooth / np.abs(smooth).max(), DT, name=f"S{seed}")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("motions")
    motions = [noise(seed, pga) for seed, pga in ((1, 1.5), (2, 2.0), (3, 2.5))]
    paths = [folder / f"{motion.name}.txt" for motion in motions]
    for path, motion in zip(paths, motions, strict=True):
        path.write_text("\n".join(map(repr, motion.accel.tolist())))
    return motions, paths


def test_a_sequence_has_the_bits_of_python(shocks, files):
    """Everything, work and loss included, after each of three shocks that slip and wear."""
    motions, paths = files
    rows, status, words = shocks(24e3, DT, *paths)
    response = rs.sequence(rs.MasonryBuilding.casalotti2025(24e3), motions)
    assert (status, words) == (0, "")
    wear = [shock.states[-1, 4] for shock in response.shocks]
    assert 0 < wear[0] < wear[1] < wear[2] < 0.5
    np.testing.assert_array_equal(rows, [shock.states[-1] for shock in response.shocks])


def test_settled_between_shocks_to_rounding(shocks, files):
    """x² is x·x in C++ and a power in Python."""
    motions, paths = files
    rows, status, _ = shocks("--settle", 24e3, DT, *paths)
    response = rs.sequence(rs.MasonryBuilding.casalotti2025(24e3), motions, settle=True)
    assert status == 0
    ends = np.array([shock.states[-1] for shock in response.shocks])
    np.testing.assert_allclose(rows, ends, rtol=1e-12, atol=0)
    assert not np.array_equal(rows[-1], shocks(24e3, DT, *paths)[0][-1])


def test_a_collapse_ends_it(shocks, files, tmp_path):
    motions, paths = files
    strong = motions[2].scaled(8.0)
    (tmp_path / "strong.txt").write_text("\n".join(map(repr, strong.accel.tolist())))
    rows, status, words = shocks(40e3, DT, paths[0], tmp_path / "strong.txt", paths[1])
    response = rs.sequence(rs.MasonryBuilding.casalotti2025(40e3), [motions[0], strong, motions[1]])
    assert status == 1 and words == "shocks: the building collapses in shock 2\n"
    assert len(rows) == len(response.shocks) == 2
    assert rows[-1][6] == 2.0 and response.collapse is not None
    np.testing.assert_array_equal(rows[-1][[2, 3, 4]], response.shocks[-1].states[-1][[2, 3, 4]])


def test_what_is_typed_wrong_is_refused(shocks, tmp_path):
    (tmp_path / "words.txt").write_text("0.1\nnothing\n")
    for words in ((), (24e3, DT), (24e3, -1, "x"), (-1, DT, "x"), (24e3, DT, tmp_path / "no")):
        assert shocks(*words)[1] == 2
    rows, status, said = shocks(24e3, DT, tmp_path / "words.txt")
    assert status == 2 and not len(rows) and "other than numbers" in said


USE = """
#include <cstdio>
#include "rocksteady.hpp"
int main()
{
    rocksteady::Pushover push(rocksteady::MasonryBuilding::casalotti2025().params());
    for (int i = 1; i <= 900; ++i) {
        if (push.to(0.018 * i / 900) < 0) return 1;
    }
    std::printf("%.17g %.17g\\n", push.force(), push.point().w);
    rocksteady::RockingBlock block(2.0, 0.4, 850.0);
    if (!block.valid() || rocksteady::RockingBlock(-2.0, 0.4, 850.0).valid()) return 2;
    rocksteady::Step step = block.shake(3.0, 3.0, 0.05);
    std::printf("%.17g %.17g %d\\n", block.lean(), block.state().omega, step.good());
    housner_state kept = block.state();
    if (!block.shake(0.0, 0.0, -1.0).refused() || block.lean() != kept.theta) return 3;
    return 0;
}
"""


def test_pushover_and_block(prefix, tmp_path):
    """The other two classes, compiled as C++17 against what was installed."""
    (tmp_path / "use.cpp").write_text(USE)
    library = next((prefix).rglob("librocksteady.a"))
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{prefix / 'include'}"]
    command += [tmp_path / "use.cpp", library, "-lm", "-o", tmp_path / "use"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    out = subprocess.run([tmp_path / "use"], capture_output=True, text=True, check=True).stdout
    (force, wear), (theta, omega, good) = (
        [float(x) for x in line.split()] for line in out.splitlines()
    )
    house = rs.MasonryBuilding.casalotti2025()
    curve = rs.pushover(house, 0.018 * np.arange(1, 901) / 900)
    assert (force, wear) == (curve.force[-1], curve.wear[-1])
    block = rs.Block(2.0, 0.4, mass=850.0)
    run = rs.simulate(block, rs.Motion(np.full(2, 3.0), 0.05), until="motion")
    assert good == 1 and theta < 0
    assert (theta, omega) == pytest.approx(tuple(run.states[-1, :2]), rel=1e-13)


def test_float_library_passes_its_numbers_on(tmp_path, files):
    """A program that finds a build in float is compiled in float, too."""
    prefix = installed(tmp_path, "-DROCKSTEADY_REAL=float")
    build(EDGE / "examples" / "shocks", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={prefix}")
    motions, paths = files
    done = subprocess.run(
        [tmp_path / "out" / "shocks", "24e3", str(DT), paths[0]], capture_output=True, text=True
    )
    row = [float(x) for x in done.stdout.split()]
    exact = rs.sequence(rs.MasonryBuilding.casalotti2025(24e3), motions[:1]).states[-1]
    assert row[4] != exact[4] and row[3] == pytest.approx(exact[3], rel=1e-2)


def test_the_header_has_the_building_of_python_and_the_package_its_version():
    text = (EDGE / "rocksteady.hpp").read_text(encoding="utf-8")
    numbers = [float(x) for x in re.findall(r"params\.\w+ = (?:real\()?([\d.e]+)\)?;", text)]
    house = rs.MasonryBuilding.casalotti2025()
    assert numbers == [*astuple(house)[1:8]]
    assert f"real mass = {house.mass / 1e3:g}e3" in text
    assert f"project(rocksteady VERSION {VERSION} " in (EDGE / "CMakeLists.txt").read_text()
