"""Files of assemblies: what is written comes back, and broken files give one clear sentence."""

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.errors import InputError

ELL = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
GROUND = rs.Stone.box(-5.0, -1.0, 10.0, 1.0, name="ground", fixed=True)
RICH = rs.Assembly(
    [
        GROUND,
        rs.Stone(ELL, 'L "q" <&> é', density=2300.0, thickness=0.3),
        rs.Stone.box(1, 1, 1, 1, name="in", mass=17.0, centre=(1.4, 1.3), inertia=2.5),
    ],
    friction=0.55,
    joint_friction={("in", 1): 0.3},
    links=[
        rs.Tie(stones=("in", 0), points=((1.5, 1.5), (3, 0)), stiffness=1e6, strength=100.0),
        rs.Spring(stones=("in", 1), points=((1.5, 1.5), (0.5, 1.5)), stiffness=1.0, name="s"),
        rs.Tendon(stones=(0, 1, 2), points=((0.5, 0), (0.5, 1), (1.5, 1.5)), stiffness=1e3,
                  pretension=50.0),
    ],
    name="ell",
    g=9.80665,
)  # fmt: skip
MADE = {
    "ell": RICH,
    "drums": rs.Assembly.drums(5, 6.0, 1.0, top_width=0.7),
    "arch": rs.Assembly.arch(7, 0.15, embrace=157.5),
    "wall": rs.Assembly.wall(8, 6, 0.4, 0.2, openings=[(0.9, 0.4, 0.6, 0.6)]),
}


def drawn(assembly):
    return [(stone.name, stone.fixed, stone.parts) for stone in assembly.stones]


@pytest.mark.parametrize("name", MADE)
def test_our_own_files_keep_everything_exactly(name, tmp_path):
    path = MADE[name].save(tmp_path / "a.json")
    assert rs.read_assembly(path) == MADE[name]
    assert rs.read_assembly(path, friction=0.2, name="b").friction == 0.2


@pytest.mark.parametrize("suffix", ["compas.json", "dxf", "svg"])
@pytest.mark.parametrize("name", MADE)
def test_drawings_keep_outlines_names_and_supports_exactly(name, suffix, tmp_path):
    path = MADE[name].save(tmp_path / f"a.{suffix}")
    assert drawn(rs.read_assembly(path)) == drawn(MADE[name])
    millimetres = MADE[name].save(tmp_path / f"mm.{suffix}", scale=0.001)
    again = rs.read_assembly(millimetres)
    for one, other in zip(again.stones, MADE[name].stones, strict=True):
        assert [c for p in one.corners for c in p] == pytest.approx(
            [c for p in other.corners for c in p], abs=1e-12
        )
    assert len(again.joints) == len(MADE[name].joints)


def test_compas_files_also_keep_density_thickness_friction_and_links(tmp_path):
    read = rs.read_assembly(RICH.save(tmp_path / "a.compas.json"))
    assert read.stones[1] == RICH.stones[1]
    for field in ("friction", "joint_friction", "links", "g", "name"):
        assert getattr(read, field) == getattr(RICH, field)


@given(
    x=st.floats(-1e3, 1e3),
    width=st.floats(1e-3, 1e3),
    height=st.floats(1e-3, 1e3),
    lean=st.floats(-0.5, 0.5),
    name=st.text(st.characters(codec="utf-8", exclude_characters="[]"), min_size=1, max_size=20),
    suffix=st.sampled_from(["json", "compas.json", "dxf", "svg"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_stone_comes_back_bit_for_bit(x, width, height, lean, name, suffix, tmp_path):
    if not name.isprintable() or name != name.strip() or name == "ground":
        name = "stone"
    top = lean * height
    corners = [(x, 0.0), (x + width, 0.0), (x + width + top, height), (x + top, height)]
    try:
        made = rs.Assembly(
            [rs.Stone.box(x - 1, -1.0, width + 2, 1.0, name="ground", fixed=True),
             rs.Stone(corners, name)]
        )  # fmt: skip
    except InputError:  # too thin
        return
    assert drawn(rs.read_assembly(made.save(tmp_path / f"any.{suffix}"))) == drawn(made)


# -- what other programs write ---------------------------------------------------------------------


def test_compas_assembly_and_compas_dem(tmp_path):
    """Files of compas_assembly 0.7.1 and compas_dem 0.6.0, shortened: an arch of three voussoirs,
    and boxes, with a joint whose mesh is not a block."""

    def mesh(x, z, dtype):
        corners = [
            (x + i, 0.5 * j, z + k) for j in (0, 1) for i, k in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
        faces = [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
        vertex = {str(i): dict(zip("xyz", p, strict=True)) for i, p in enumerate(corners)}
        data = {
            "attributes": {},
            "vertex": vertex,
            "face": {str(i): f for i, f in enumerate(faces)},
        }
        return {"dtype": dtype, "data": data, "inheritance": [], "guid": "0"}

    block = "compas_assembly.datastructures/Block"
    nodes = {str(z): {"block": mesh(0, z, block), "x": 0.0, "is_support": z == 0} for z in range(3)}
    interface = {
        "dtype": "compas_assembly.datastructures/Interface",
        "data": {"mesh": mesh(5, 5, "m")},
    }
    graph = {"node": nodes, "edge": {"0": {"1": {"interfaces": [interface]}}}, "max_node": 2}
    typed = {"dtype": "compas.datastructures/Graph", "data": graph}
    assembly = {
        "dtype": "compas_assembly.datastructures/Assembly",
        "data": {"attributes": {"name": "Assembly"}, "graph": typed},
    }
    matrix = [[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    shift = {"dtype": "compas.geometry/Translation", "data": {"matrix": matrix}}
    elements = {
        f"6215583b-{z}": {
            "dtype": "compas_dem.elements/Block",
            "data": {"transformation": shift, "name": "Block", "is_support": z == 0,
                     "geometry": mesh(-3, z, "compas.datastructures/Mesh")},
        }
        for z in range(3)
    }  # fmt: skip
    model = {
        "dtype": "compas_dem.models/BlockModel",
        "data": {"elements": elements, "graph": typed_edges()},
    }
    for content in (assembly, model):
        path = tmp_path / "c.json"
        path.write_text(json.dumps(content))
        read = rs.read_assembly(path, density=1500.0)
        assert [stone.fixed for stone in read] == [True, False, False]
        assert [stone.centre for stone in read] == [(0.5, 0.5), (0.5, 1.5), (0.5, 2.5)]
        assert {(stone.thickness, stone.density) for stone in read} == {(0.5, 1500.0)}
        assert len(read.joints) == 2


def typed_edges():
    return {"dtype": "compas.datastructures/Graph", "data": {"node": {}, "edge": {"0": {}}}}


LWPOLYLINE = """0
SECTION
2
HEADER
9
$INSUNITS
70
4
0
ENDSEC
0
SECTION
2
ENTITIES
0
LINE
8
0
10
0.0
20
0.0
0
LWPOLYLINE
8
Fixed
90
4
70
1
10
-1000
20
-100
10
2000
20
-100
10
2000
20
0
10
-1000
20
0
0
LWPOLYLINE
8
walls
70
0
10
0
20
0
10
500
20
0
10
500
20
200
10
0
20
200
10
0
20
0
0
ENDSEC
0
EOF
"""


def test_a_drawing_in_millimetres(tmp_path):
    path = tmp_path / "a.DXF"
    path.write_text(LWPOLYLINE)
    read = rs.read_assembly(path)
    assert [stone.fixed for stone in read] == [True, False]
    assert read.stones[1].parts == (((0.0, 0.0), (0.5, 0.0), (0.5, 0.2), (0.0, 0.2)),)
    metres = rs.read_assembly(path, scale=1.0)
    assert metres.total_length == 500.0


SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://i" viewBox="0 0 100 100">
<defs><rect width="5" height="5"/></defs>
<g inkscape:label="Support"><rect x="0" y="80" width="100" height="10"/></g>
<g transform="translate(10,20) scale(2)">
  <polygon id="low" points="0,25 10,25 10,30 0,30"/>
  <path id="top" d="m0 20h10v5H0z"/>
</g>
<circle r="5"/>
</svg>
"""


def test_groups_transforms_and_axes_of_svg(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(SVG)
    with pytest.raises(InputError, match="no unit: give its `scale`"):
        rs.read_assembly(path)
    read = rs.read_assembly(path, scale=0.01)
    assert [(stone.name, stone.fixed) for stone in read] == [
        ("stone 1", True), ("low", False), ("top", False),
    ]  # fmt: skip
    low = read.stones[1]
    assert min(low.corners) == pytest.approx((0.1, -0.8))
    assert max(low.corners) == pytest.approx((0.3, -0.7))
    assert len(read.joints) == 2


def test_a_drawing_without_supports_may_get_a_ground(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text('<svg><rect width="1" height="2"/></svg>')
    with pytest.raises(InputError, match="No stone is fixed: give the shape of the support"):
        rs.read_assembly(path, scale=1)
    assert [s.name for s in rs.read_assembly(path, scale=1, ground=True)] == ["ground", "stone 1"]


# -- broken and hostile files ----------------------------------------------------------------------

BOMB = """<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><svg><text>&b;</text></svg>"""
BROKEN = {
    "empty.json": ("", "empty.json: It is empty."),
    "list.json": ("[1]", "but a list"),
    "truncated.json": ('{"rocksteady": "assembly", "stones": [', "It is not JSON"),
    "other.json": ('{"a": 1}', "neither ours"),
    "version.json": ('{"rocksteady": "assembly", "version": 9, "stones": []}', "version 9"),
    "none.json": ('{"rocksteady": "assembly", "version": 1, "stones": []}', "at least one stone"),
    "nan.json": ('{"rocksteady": "assembly", "stones": [{"mass": NaN}]}', "NaN"),
    "types.json": ('{"rocksteady": "assembly", "version": 1, "stones": [7]}', "Stone 1 is '7'"),
    "deep.json": ("[" * 200_000, "nested too deeply"),
    "huge.json": ('{"rocksteady": ' + "1" * 10_000 + "}", "not JSON"),
    "compas.json": ('{"dtype": "a/B", "data": {}}', "It has no stones: it should have meshes"),
    "wrong.json": ('{"dtype": 3, "data": {}}', "not COMPAS JSON"),
    "vertex.json": ('{"dtype": "a", "data": {"vertex": {"0": 1}, "face": {}}}', "no x, y and z"),
    "face.json": ('{"dtype": "a", "data": {"vertex": {}, "face": {"0": [5]}}}', "does not exist"),
    "odd.dxf": ("0\nSECTION\n2\n", "last group code has no value"),
    "text.dxf": ("hello\nworld\n", "line 1 is 'hello', not a group code"),
    "cut.dxf": (LWPOLYLINE[:300].rsplit("\n", 2)[0] + "\n", "not"),
    "nan.dxf": (LWPOLYLINE.replace("2000", "nan", 1), "not a finite number"),
    "empty.dxf": ("0\nEOF\n", "It has no stones: draw each as a closed polyline"),
    "bomb.svg": (BOMB, "defines entities"),
    "cut.svg": (SVG[:200], "not a complete XML document"),
    "html.svg": ("<html></html>", "begins with <html>"),
    "curve.svg": ('<svg><path id="p" d="M0 0C1 1 2 2 3 3Z"/></svg>', "'C', which is a curve"),
    "odd.svg": ('<svg><polygon points="1 2 3"/></svg>', "an odd number"),
    "nan.svg": ('<svg><polygon id="p" points="1 nan 3 4 5 6"/></svg>', "A point of p is 'nan'"),
    "deep.svg": ("<svg>" * 100_000, "nested more than 200 deep"),
    "transform.svg": ('<svg transform="spin(3)"/>', "transform 'spin(3)' is not understood"),
    "bare.svg": ('<svg data-scale="1"/>', "It has no stones"),
    "a.step": ("x", "must end in .json, .dxf or .svg"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_give_one_sentence_quickly(name, tmp_path):
    content, says = BROKEN[name]
    path = tmp_path / name
    path.write_text(content)
    begun = time.process_time()
    with pytest.raises(InputError, match=re.escape(says)) as error:
        rs.read_assembly(path)
    assert name in str(error.value)
    assert "\n" not in str(error.value) and len(str(error.value)) < 400
    assert time.process_time() - begun < 2.0


def test_binary_missing_and_folder(tmp_path):
    path = tmp_path / "a.dxf"
    path.write_bytes(b"AutoCAD Binary DXF\r\n\x1a\0")
    with pytest.raises(InputError, match="a binary DXF file: save it as an ASCII"):
        rs.read_assembly(path)
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(InputError, match="not a text file"):
        rs.read_assembly(path)
    with pytest.raises(InputError, match="There is no such file"):
        rs.read_assembly(tmp_path / "b.svg")
    (tmp_path / "c.svg").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        rs.read_assembly(tmp_path / "c.svg")
    with pytest.raises(InputError, match="is not a path"):
        rs.read_assembly(7)
    with pytest.raises(InputError, match=r"must end in \.json"):
        RICH.save(tmp_path / "a.obj")


def test_overlaps_in_a_file_name_file_and_stones(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(
        '<svg><rect id="a" width="2" height="2"/><rect id="b" width="1" height="1"/></svg>'
    )
    with pytest.raises(InputError, match=r"a\.svg: Stones 'a' and 'b' overlap"):
        rs.read_assembly(path, scale=1, floating=True)


SOURCES = {
    suffix: MADE["drums"].save(Path(folder, f"a.{suffix}")).read_bytes()
    for folder in [__import__("tempfile").mkdtemp()]
    for suffix in ("json", "compas.json", "dxf", "svg")
}


@pytest.mark.parametrize("suffix", SOURCES)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_damaged_files_are_read_or_refused(suffix, data, tmp_path):
    """Bytes cut, doubled, swapped or replaced: an assembly or one sentence, nothing else."""
    content = bytearray(SOURCES[suffix])
    for _ in range(data.draw(st.integers(1, 4))):
        a = data.draw(st.integers(0, len(content)))
        b = min(a + data.draw(st.integers(0, 40)), len(content))
        content[a:b] = data.draw(
            st.sampled_from(
                [b"", bytes(content[a:b]) * 2, b"-", b"1e999", b"null", b'"', b"<", b"\n0\n"]
            )
            | st.binary(max_size=6)
        )
    path = tmp_path / f"damaged.{suffix}"
    path.write_bytes(bytes(content))
    try:
        rs.read_assembly(path)
    except InputError as error:
        assert "damaged" in str(error) and len(str(error)) < 500


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["parts", "name", "mass", "centre", "stones", "kind", "points", "vertex", "face",
                 "x", "transformation", "data", "matrix", "attributes", "rocksteady", "is_support"]
            ),
            inner,
            max_size=5,
        ),
        max_leaves=25,
    ),
    where=st.sampled_from(["stones", "links", "joint_friction", "friction", "g", "name", "data"]),
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_any_json_is_read_or_refused(value, where, tmp_path):
    good = {"rocksteady": "assembly", "version": 1, **MADE["drums"].as_values()}
    if where == "data":
        good = {"dtype": "a/B"}
    path = tmp_path / "any.json"
    path.write_text(json.dumps({**good, where: value}))
    try:
        rs.read_assembly(path)
    except InputError as error:
        assert "any.json" in str(error)
