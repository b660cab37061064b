"""Bodies from 3D scans: against closed forms, as scanners deliver them, and from hostile files."""

import json
import math
import pickle
import struct
import tracemalloc
import warnings

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.meshes import files
from rocksteady.bodies.meshes.moments import enclosed
from rocksteady.bodies.meshes.surface import closed

trimesh = pytest.importorskip("trimesh")


def stl(path, vertices, faces):
    """A binary STL, written here rather than by the library that reads it."""
    data = np.zeros(len(faces), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    data["v"] = np.asarray(vertices)[np.asarray(faces)]
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + data.tobytes())
    return path


def revolved(profile, count=200, sweep=2 * np.pi):
    """Rings of a profile of (radius, height) around z, closed along the profile and, unless swept
    all around, by the profile itself at both ends."""
    whole = sweep == 2 * np.pi
    angles = np.linspace(0, sweep, count, endpoint=not whole)
    r, z = np.asarray(profile, float).T
    points = np.stack([np.outer(np.cos(angles), r), np.outer(np.sin(angles), r),
                       np.broadcast_to(z, (count, len(r)))], axis=-1)  # fmt: skip
    n, faces = len(r), []
    for i in range(count if whole else count - 1):
        k = (i + 1) % count
        for j in range(n):
            m = (j + 1) % n
            faces += [(i * n + j, k * n + j, k * n + m), (i * n + j, k * n + m, i * n + m)]
    if not whole:
        for j in range(1, n - 1):
            faces += [(0, j, j + 1), ((count - 1) * n, (count - 1) * n + j + 1,
                                      (count - 1) * n + j)]  # fmt: skip
    return points.reshape(-1, 3), np.array(faces)


def box(x=0.45, y=0.6, z=1.8, cells=1):
    """A box whose sides are divided into cells."""
    sides = trimesh.creation.box((x, y, z))
    for _ in range(cells - 1):
        sides = sides.subdivide()
    return sides.vertices + np.array([0, 0, z / 2]), np.array(sides.faces)


def statue(count=48):
    """A round figure on a square plinth, in one piece: a lathe whose rings turn square below."""
    rings = [(0.0, 1.0), (0.3, 1.0), (0.31, 0.8), (0.5, 0.0), (1.0, 0.0), (1.6, 0.0), (1.8, 0.0)]
    sizes = [0.3, 0.3, 0.22, 0.16, 0.2, 0.12, 0.05]
    angles = 2 * np.pi * (np.arange(count) + 0.5) / count
    square = 1 / np.maximum(abs(np.cos(angles)), abs(np.sin(angles)))
    points = []
    for (height, share), size in zip(rings, sizes, strict=True):
        radius = size * (share * square + 1 - share)
        points.append(np.stack([radius * np.cos(angles), radius * np.sin(angles),
                                np.full(count, height)], axis=-1))  # fmt: skip
    points = np.concatenate([*points, [[0, 0, 0], [0, 0, 1.8]]])
    faces, last = [], len(points) - 1
    for ring in range(len(rings) - 1):
        for j in range(count):
            a, b = ring * count + j, ring * count + (j + 1) % count
            faces += [(a, b, b + count), (a, b + count, a + count)]
    for j in range(count):
        k = (j + 1) % count
        top = (len(rings) - 1) * count
        faces += [(k, j, last - 1), (top + j, top + k, last)]
    return points, np.array(faces)


def read(path, **options):
    """The body, and what was said about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        body = rs.Body.from_mesh(path, **options)
    return body, " | ".join(str(one.message) for one in caught)


def close(body, other, rel):
    assert body.mass == pytest.approx(other.mass, rel=rel)
    assert body.centre == pytest.approx(other.centre, rel=rel, abs=rel * other.height)
    size = np.max(other.inertia)
    assert np.array(body.inertia) == pytest.approx(np.array(other.inertia), abs=rel * size)
    assert body.height == pytest.approx(other.height, rel=rel)


# -- closed forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", files.FORMATS)
def test_a_box_in_every_format(tmp_path, kind):
    vertices, faces = box()
    if kind == "glb":  # y is up there
        vertices = vertices @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    path = tmp_path / f"box.{kind}"
    trimesh.Trimesh(vertices, faces, process=False).export(path)
    body, _ = read(path, unit="m")
    close(body, rs.Body.box(0.45, 0.6, 1.8), 1e-6)
    corners = sorted(rs.Body.box(0.45, 0.6, 1.8).base)
    assert np.array(sorted(body.base)) == pytest.approx(np.array(corners), abs=1e-6)


def test_a_cone(tmp_path):
    path = stl(tmp_path / "cone.stl", *revolved([(0, 0), (0.3, 0), (0, 1.0)], 400))
    body, _ = read(path, unit="m")
    close(body, rs.Body.cone(0.6, 1.0), 1e-3)


def test_a_round_base_is_told_to_be_a_polygon(tmp_path):
    path = stl(tmp_path / "drum.stl", *revolved([(0, 0), (0.3, 0), (0.3, 1.0), (0, 1.0)], 60))
    with pytest.warns(rs.RocksteadyWarning, match=r"its base is round, 0\.6 m across"):
        rs.Body.from_mesh(path, unit="m")
    square = stl(tmp_path / "box.stl", *box())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.Body.from_mesh(square, unit="m")


def test_a_torus_segment():
    """Half a torus: ring radius R, tube radius a. Volume π² R a² (half of 2 π² R a²), centre at
    (4R² + a²)/(2πR) from the axis, moments about the axes of the whole ring halved."""
    R, a = 0.5, 0.15
    around = 2 * np.pi * np.arange(300) / 300
    profile = np.stack([R + a * np.cos(around), a * np.sin(around)], axis=-1)
    surface = closed(*revolved(profile, 300, np.pi))
    assert not surface.holes
    solid = enclosed(surface.vertices, surface.faces)
    volume = np.pi**2 * R * a**2
    assert solid.volume == pytest.approx(volume, rel=1e-3)
    middle = (4 * R**2 + a**2) / (2 * np.pi * R)
    assert solid.centre == pytest.approx((0.0, middle, 0.0), abs=1e-3 * R)
    spin, across = volume * (R**2 + 3 * a**2 / 4), volume * (4 * R**2 + 5 * a**2) / 8
    expected = [across - volume * middle**2, across, spin - volume * middle**2]
    assert np.diag(solid.inertia) == pytest.approx(expected, rel=1e-3)
    assert np.abs(np.array(solid.inertia) - np.diag(np.diag(solid.inertia))).max() < 1e-6 * spin


# -- as scanners deliver them ----------------------------------------------------------------------


def test_a_statue_in_millimetres_upside_down_with_holes(tmp_path):
    vertices, faces = statue()
    whole, said = read(stl(tmp_path / "whole.stl", vertices, faces), unit="m")
    assert said == "" and whole.weakest % 90 == pytest.approx(0, abs=1e-3)
    assert whole.block(whole.weakest).width == pytest.approx(0.6, rel=1e-3)
    keep = np.ones(len(faces), bool)
    keep[150:156] = False  # a hole in the figure
    turned = vertices * [1000, -1000, -1000] + [40, 7, 2500]
    body, said = read(stl(tmp_path / "statue.stl", turned, faces[keep]))
    assert "taken for mm" in said and "1 hole" in said and "upside down" in said
    assert body.height == pytest.approx(whole.height, rel=1e-6)
    assert body.mass == pytest.approx(whole.mass, rel=0.01)
    assert body.centre == pytest.approx(whole.centre, abs=0.01)
    stated = float(said.split("uncertain by about ")[1].split(" %")[0]) / 100
    assert abs(body.mass / whole.mass - 1) <= stated < 0.02


def test_an_open_underside_is_closed_exactly(tmp_path):
    vertices, faces = statue()
    bottom = (vertices[faces][:, :, 2] == 0).all(axis=1)
    whole, _ = read(stl(tmp_path / "whole.stl", vertices, faces), unit="m")
    body, said = read(stl(tmp_path / "open.stl", vertices, faces[~bottom]), unit="m")
    assert "underside is open" in said and "hole" not in said
    close(body, whole, 1e-6)


def test_faces_inside_out_are_turned(tmp_path):
    vertices, faces = statue()
    whole, _ = read(stl(tmp_path / "whole.stl", vertices, faces), unit="m")
    some = faces.copy()
    some[::3] = some[::3, ::-1]
    for i, wrong in enumerate((faces[:, ::-1], some)):
        body, said = read(stl(tmp_path / f"wrong{i}.stl", vertices, wrong), unit="m")
        assert "inside out" in said
        close(body, whole, 1e-9)


def test_a_cavity_is_empty_and_crumbs_are_left_out(tmp_path):
    vertices, faces = box(1.0, 1.0, 2.0)
    inner = vertices * [0.5, 0.5, 0.5] + [0, 0, 0.5]
    crumb = vertices * 0.01 + [0, 0, -0.4]
    n = len(vertices)
    every = np.concatenate([vertices, inner, crumb])
    hollow = np.concatenate([faces, faces[:, ::-1] + n, faces + 2 * n])
    body, said = read(stl(tmp_path / "hollow.stl", every, hollow), unit="m", density=1000)
    assert "2 separate pieces, computed as one rigid body" in said and "1 loose crumbs" in said
    assert body.mass == pytest.approx(1000 * (2.0 - 0.25), rel=1e-6)
    assert body.height == pytest.approx(2.0)


def test_faces_that_are_there_twice_count_once(tmp_path):
    vertices, faces = statue()
    whole, _ = read(stl(tmp_path / "whole.stl", vertices, faces), unit="m")
    twice = np.concatenate([faces, faces[::-1, [1, 2, 0]]])
    body, said = read(stl(tmp_path / "twice.stl", vertices, twice), unit="m")
    assert f"{len(faces)} faces were there twice" in said
    close(body, whole, 1e-12)


def test_a_scan_that_was_not_level_is_set_level(tmp_path):
    vertices, faces = statue()
    whole, _ = read(stl(tmp_path / "whole.stl", vertices, faces), unit="m")
    lean = np.radians(6.0)
    turn = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    body, said = read(stl(tmp_path / "tilted.stl", vertices @ turn.T, faces), unit="m")
    assert "flat face" in said
    close(body, whole, 1e-5)


def test_up_and_turn(tmp_path):
    path = stl(tmp_path / "box.stl", *box())
    lying, said = read(path, unit="m", up="x")
    assert said == "" and lying.height == pytest.approx(0.45)
    turned, _ = read(path, unit="m", turn=30)
    assert turned.weakest == pytest.approx(30, abs=1e-4)
    assert turned.mass == pytest.approx(1263.6)


def test_comments_in_any_alphabet_and_faces_counted_backwards(tmp_path):
    vertices, faces = box()
    data = trimesh.Trimesh(vertices, faces, process=False).export(file_type="ply")
    head, rest = data.split(b"\n", 1)
    (tmp_path / "old.ply").write_bytes(head + b"\ncomment Cr\xe9\xe9 par\n" + rest)
    lines = [b"# \xe9t\xe9", b"mtllib \xe9.mtl", *(b"v %f %f %f" % tuple(v) for v in vertices)]
    lines += [b"f %d %d %d" % tuple(face - len(vertices)) for face in faces]
    (tmp_path / "back.obj").write_bytes(b"\r\n".join(lines) + b"\r\n")
    text = trimesh.Trimesh(vertices, faces, process=False).export(file_type="stl_ascii")
    (tmp_path / "text.stl").write_bytes(text.encode().replace(b"solid", b"solid \xe9", 1))
    for name in ("old.ply", "back.obj", "text.stl"):
        close(read(tmp_path / name, unit="m")[0], rs.Body.box(0.45, 0.6, 1.8), 1e-6)


def test_feet_are_a_base(tmp_path):
    """A table on four legs stands on their hull, as it is in the file."""
    legs = []
    for i, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        vertices, faces = box(0.05, 0.05, 0.7)
        legs.append((vertices + np.array([x, y, 0]), faces + i * len(vertices)))
    top, faces = box(1.2, 1.2, 0.05)
    legs.append((top + np.array([0.5, 0.5, 0.7]), faces + 4 * len(top)))
    vertices, faces = (np.concatenate(part) for part in zip(*legs, strict=True))
    body, said = read(stl(tmp_path / "table.stl", vertices, faces), unit="m")
    assert body.height == pytest.approx(0.75) and "in places only" in said
    assert body.base_x == pytest.approx(1.05) and len(body.base) == 4


def test_it_stays_light(tmp_path):
    body, _ = read(
        stl(tmp_path / "fine.stl", *revolved([(0, 0), (0.3, 0), (0.2, 1), (0, 1)], 4000))
    )
    assert len(body.shape.faces) <= 2000 and len(body.base) <= 32
    again = pickle.loads(pickle.dumps(body))
    assert again == body and hash(again) == hash(body) and again.shape == body.shape
    assert len(pickle.dumps(body)) < 200_000


def test_a_file_is_read_once(tmp_path, monkeypatch):
    path = stl(tmp_path / "box.stl", *box())
    heavy, _ = read(path, unit="m", density=2600)
    monkeypatch.setattr("rocksteady.bodies.meshes.scan.read_triangles", None)
    light, _ = read(path, unit="m", density=1300)
    assert light.mass == pytest.approx(heavy.mass / 2)


def test_without_trimesh(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    with pytest.raises(rs.InputError, match=r'pip install "rocksteady\[mesh\]"'):
        rs.Body.from_mesh(stl(tmp_path / "other.stl", *box()))


# -- broken and hostile files ----------------------------------------------------------------------


def ply(counts, body=b"", form="binary_little_endian", extra=""):
    vertices, faces = counts
    return (
        f"ply\nformat {form} 1.0\n{extra}element vertex {vertices}\nproperty float x\n"
        f"property float y\nproperty float z\nelement face {faces}\n"
        "property list uchar int vertex_indices\nend_header\n"
    ).encode() + body


def glb(about, data=b"", length=None):
    text = about if isinstance(about, bytes) else json.dumps(about).encode()
    text += b" " * (-len(text) % 4)
    chunk = struct.pack("<II", len(data) if length is None else length, 0x004E4942) + data
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(chunk), len(text),
                       0x4E4F534A) + text + chunk  # fmt: skip


def gltf(count=3, **changes):
    about = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36}],
    }
    return about | changes


TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
FACET = b"facet normal 0 0 1\nouter loop\n%s\nendloop\nendfacet\n"
TEXT = b"solid a\n" + FACET % b"vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0" + b"endsolid a\n"
ONE = struct.pack("<12fH", *[0.0] * 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
HOSTILE = {
    "empty.stl": b"",
    "four_billion.stl": b"\0" * 80 + struct.pack("<I", 2**32 - 1) + ONE,
    "truncated.stl": b"\0" * 80 + struct.pack("<I", 12) + ONE * 5 + ONE[:20],
    "no_faces.stl": b"\0" * 80 + struct.pack("<I", 0),
    "nan.stl": b"\0" * 80
    + struct.pack("<I", 4)
    + ONE * 3
    + struct.pack("<12fH", *[0.0] * 3, np.nan, 0, 0, 1, 0, 0, 0, 1, 0, 0),
    "huge.stl": b"\0" * 80
    + struct.pack("<I", 4)
    + ONE * 3
    + struct.pack("<12fH", *[0.0] * 3, 3e38, 0, 0, -3e38, 0, 0, 0, 3e38, 0, 0),
    "flat.stl": b"\0" * 80 + struct.pack("<I", 2) + ONE * 2,
    "garbage.stl": bytes(range(256)) * 40,
    "cut_text.stl": TEXT[:60],
    "solid_only.stl": b"solid nothing here at all\nendsolid\n" + b" " * 100,
    "words.stl": b"solid a\n" + FACET % b"vertex one two three\nvertex 1\nvertex" + b"endsolid a\n",
    "a_point.stl": b"\0" * 80 + struct.pack("<I", 4) + struct.pack("<12fH", *[1.0] * 12, 0) * 4,
    "garbage.obj": b"\0\1\2" * 100,
    "prose.obj": b"this is not a mesh\n" * 20,
    "only_points.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "out_of_range.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n",
    "elsewhere.obj": b"mtllib ../../../etc/passwd\ncall /etc/passwd\nv 0 0 0\nf 1 1 1\n",
    "absurd.ply": ply((4_000_000_000, 4_000_000_000)),
    "many_vertices.ply": ply((999_999_999, 1), b"\0" * 64),
    "negative.ply": ply((-5, 1), b"\0" * 64),
    "ascii.ply": ply((10**12, 3), b"0 0 0\n", "ascii"),
    "texture.ply": ply((3, 1), TRIANGLE, extra="comment TextureFile /etc/passwd\n"),
    "list_of_bytes.ply": ply((3, 1), TRIANGLE + b"\xff" + b"\0" * 4),
    "many_nothings.ply": ply((3, 1), TRIANGLE, extra="element nothing 4000000000\n"),
    "no_header.ply": b"ply\nformat ascii 1.0\n",
    "not_glb.glb": b"PK\3\4" + b"\0" * 100,
    "long_json.glb": struct.pack("<4sIIII", b"glTF", 2, 40, 2**31, 0x4E4F534A) + b"{}" * 10,
    "deep_json.glb": glb(b"[" * 100_000),
    "wrong_json.glb": glb(b"[1, 2]"),
    "bomb.glb": glb(gltf(4_000_000_000), TRIANGLE),
    "no_data.glb": glb(gltf(accessors=[{"componentType": 5126, "count": 10**9, "type": "VEC3"}])),
    "outside.glb": glb(gltf(buffers=[{"byteLength": 36, "uri": "../../etc/passwd"}]), TRIANGLE),
    "laughs.glb": glb(
        gltf(nodes=[*({"children": [i + 1, i + 1]} for i in range(40)), {"mesh": 0}])
    ),
    "compressed.glb": glb(gltf(extensionsRequired=["KHR_draco_mesh_compression"]), TRIANGLE),
    "one_triangle.glb": glb(gltf(), TRIANGLE),
    "loop.glb": glb(gltf(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}]), TRIANGLE),
    "statue.step": b"ISO-10303-21;",
    "no_suffix": b"solid",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_file_gives_one_sentence(tmp_path, name, monkeypatch):
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    opened = []
    monkeypatch.setattr(type(path), "read_bytes", lambda self: opened.append(self))
    tracemalloc.start()
    try:
        with pytest.raises(rs.InputError) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rs.Body.from_mesh(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    text = str(caught.value)
    assert name in text and "\n" not in text and len(text) < 400 and "Traceback" not in text
    assert peak < 60e6 and not opened


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(rs.InputError, match="There is no file"):
        rs.Body.from_mesh(tmp_path / "none.stl")
    (tmp_path / "folder.stl").mkdir()
    with pytest.raises(rs.InputError, match="is a folder"):
        rs.Body.from_mesh(tmp_path / "folder.stl")
    with pytest.raises(rs.InputError, match="3D file"):
        rs.Body.from_mesh(3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"unit": "parsec"}, "one of m, cm, mm"),
        ({"up": "w"}, "not an axis"),
        ({"tolerance": -1}, "tolerance = -1"),
        ({"tolerance": 2.0}, "2 m is more than 5 % of the height, 0.4 m.* 2 mm is 0.002"),
        ({"tolerance": 0.0201}, "more than 5 % of the height"),
        ({"tolerance": 0.0101, "up": "x"}, "more than 5 % of the height, 0.2 m"),
        ({"density": 0}, "density = 0"),
        ({"mass": np.nan}, "mass = nan"),
        ({"unit": "mm"}, "unit of the file"),
    ],
)
def test_wrong_options(tmp_path, options, says):
    path = stl(tmp_path / "box.stl", *box(0.2, 0.2, 0.4))
    with pytest.raises(rs.InputError, match=says):
        rs.Body.from_mesh(path, **({"unit": "m"} | options))


def test_a_tolerance_within_five_percent_of_the_height(tmp_path):
    path = stl(tmp_path / "box.stl", *box(0.2, 0.2, 0.4))
    assert rs.Body.from_mesh(path, unit="m", tolerance=0.0199).base_x == pytest.approx(0.2)


def test_a_text_shorter_than_the_header_of_an_stl(tmp_path):
    path = tmp_path / "text.stl"
    path.write_bytes(b"this is not an object")
    with pytest.raises(rs.InputError, match="it has 21 bytes, less than the header of an STL file"):
        rs.Body.from_mesh(path)


def test_a_ball_has_no_face_to_stand_on(tmp_path):
    ball = trimesh.creation.icosphere(4, 0.5)
    path = stl(tmp_path / "ball.stl", ball.vertices, ball.faces)
    with pytest.raises(rs.InputError, match="which way is up"):
        rs.Body.from_mesh(path, unit="m")
    body, _ = read(path, unit="m", up="z", tolerance=0.02)
    assert 0 < body.alpha < 0.4


def uneven(tmp_path):
    """A box whose underside swells to a small triangle, off its middle."""
    half, feet = 0.2, [(-0.06, -0.05, 0.0), (0.12, -0.05, 0.0), (0.0, 0.1, 0.0)]
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (0.004, 1.0)]
    hull = trimesh.convex.convex_hull(np.array([*corners, *feet]))
    return stl(tmp_path / "rock.stl", hull.vertices, hull.faces), hull.center_mass, np.array(feet)


def test_an_uneven_body_is_never_made_safer_by_advice(tmp_path):
    """By hand: the least distance of the centre from an edge of the triangle, over its height."""
    path, (x, y, z), feet = uneven(tmp_path)
    normals = [np.cross([0, 0, 1], feet[i] - feet[i - 2]) for i in range(3)]
    inside = [abs((np.array([x, y, 0]) - feet[i]) @ n) / np.linalg.norm(n)
              for i, n in enumerate(normals)]  # fmt: skip
    alpha = math.atan(min(inside) / z)
    body, _ = read(path, unit="m", up="rest")
    assert body.alpha == pytest.approx(alpha, rel=1e-5) and len(body.base) == 3
    assert read(path, unit="m", up="z", tolerance=1e-4)[1] == ""  # the same three points
    wide, said = read(path, unit="m", up="z", tolerance=0.01)
    assert wide.alpha == pytest.approx(math.atan((0.2 - max(abs(x), abs(y))) / z), rel=1e-5)
    assert f"beyond {wide.alpha:.3g} rad with that base of 1.6e+03 cm²" in said
    assert f"beyond {alpha:.3g} rad on the 3 points that it comes to rest on, 135 cm²" in said


def test_a_rough_rock_is_told_how_it_comes_to_rest(tmp_path):
    rng, ball = np.random.default_rng(1), trimesh.creation.icosphere(3)
    rough = np.clip(1.6 * ball.vertices, -1, 1) * [0.18, 0.15, 0.45]
    rough *= 1 + 0.05 * rng.standard_normal((len(rough), 1))
    path = stl(tmp_path / "rock.stl", rough, ball.faces)
    body, _ = read(path, unit="m", up="rest")
    with pytest.raises(rs.InputError, match=f"from which it falls beyond {body.alpha:.3g} rad"):
        rs.Body.from_mesh(path, unit="m")
    with pytest.raises(rs.InputError) as error:
        rs.Body.from_mesh(path, unit="m", up="z")
    assert 'up="rest"' in str(error.value) and "tolerance" not in str(error.value)
    # it lies on a face of its hull: no vertex below, and three on the floor
    z = np.sort([vertex[2] for vertex in body.shape.vertices])
    assert z[0] == pytest.approx(0, abs=1e-6)
    larger, said = read(path, unit="m", up="rest", tolerance=0.01)
    assert larger.alpha > body.alpha and "makes it seem safer" in said


def test_a_leaning_tower_falls_over(tmp_path):
    vertices, faces = box(0.2, 0.2, 1.0)
    path = stl(tmp_path / "tower.stl", vertices + vertices[:, 2:] * [0.5, 0, 0], faces)
    with pytest.raises(rs.InputError, match="falls over"):
        rs.Body.from_mesh(path, unit="m", up="z")
