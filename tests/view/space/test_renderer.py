"""The renderer by itself: areas, hidden parts, light; against hulls and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import rocksteady as rs
from rocksteady.view.space import coarsen, paint, raster
from rocksteady.view.space.camera import Camera
from rocksteady.view.space.mesh import ROUND, mesh_from, mesh_of, prism

SIZE = (320, 320)
BOX = rs.Body.box(0.45, 0.6, 1.8)
VIEW = (0.1, 0.9, 0.1, 0.9)


def pixels_of(camera):
    def pixels(points):
        places = SIZE[0] * camera.project(points)
        return np.stack([places[:, 0], SIZE[1] - places[:, 1]], 1)

    return pixels


def picture_of(mesh, camera):
    """RGB on white, and the cover of the body."""
    picture = np.full((*SIZE[::-1], 3), 255, np.uint8)
    light = paint.light_for(camera)
    patch = paint.painted(mesh, mesh.vertices, np.eye(3), camera, light, pixels_of(camera), SIZE)
    patch.over(picture)
    cover = np.zeros(SIZE[::-1])
    cover[patch.rows, patch.columns] = patch.cover[..., 0]
    return picture, cover


def camera_on(mesh, azimuth=-62.0, elevation=18.0):
    return Camera.towards(np.zeros(3), 2.0, azimuth, elevation).fitted(mesh.vertices, VIEW)


# -- camera ---------------------------------------------------------------------------------------


def test_from_the_front_x_is_right_and_z_up_and_y_away():
    camera = Camera.towards(np.zeros(3), 1.0, azimuth=-90, elevation=10)
    o, x, y, z = camera.project(np.vstack([np.zeros(3), 0.1 * np.eye(3)]))
    assert x[0] > o[0] and x[1] == pytest.approx(o[1])
    assert z[1] > o[1] and z[0] == pytest.approx(o[0])
    depth = camera.depth(np.array([[0, 0, 0], [0, 0.1, 0]]))
    assert depth[1] > depth[0] and y[1] > o[1]  # seen from above, what is behind is higher


def test_a_point_of_the_floor_is_found_again():
    rng = np.random.default_rng(1)
    camera = Camera.towards(np.array([0.3, -0.2, 0.9]), 1.5, 40, 25).fitted(
        rng.normal(size=(50, 3)), VIEW
    )
    floor = rng.uniform(-2, 2, (200, 2))
    places = camera.project(np.column_stack([floor, np.zeros(200)]))
    np.testing.assert_allclose(camera.on_floor(places), floor, atol=1e-12)
    assert np.isnan(camera.on_floor(np.array([0.5, 50.0]))).all()  # the sky


def test_the_view_holds_all_points_and_touches_its_frame():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(300, 3))
    places = Camera.towards(np.zeros(3), 4.0, 10, 30).fitted(points, (0.2, 0.8, 0.1, 0.4))
    seen = places.project(points)
    low, high = seen.min(axis=0), seen.max(axis=0)
    assert low[0] > 0.2 - 1e-12 and high[0] < 0.8 + 1e-12
    assert low[1] == pytest.approx(0.1) and high[1] < 0.4 + 1e-12


# -- surfaces -------------------------------------------------------------------------------------


def test_a_box_has_twelve_triangles_and_twelve_edges():
    mesh = mesh_of(BOX)
    assert len(mesh.triangles) == len(mesh.edges) == 12
    np.testing.assert_allclose(mesh.vertices.min(axis=0), [-0.225, -0.3, -0.9])
    np.testing.assert_allclose(np.abs(mesh.normals).max(axis=2), 1)  # no rounded corners
    lengths = np.linalg.norm(np.diff(mesh.vertices[mesh.edges], axis=1)[:, 0], axis=1)
    assert sorted(np.round(lengths, 9)) == [0.45] * 4 + [0.6] * 4 + [1.8] * 4


@pytest.mark.parametrize("shape", [None, "its own"])
def test_a_cylinder_is_smooth_but_for_its_two_rims(shape):
    body = rs.Body.cylinder(0.5, 1.2)
    if shape is None:
        body = rs.Body(body.mass, body.inertia, body.centre, body.height, radius=body.radius)
    mesh = mesh_of(body)
    assert (shape is None) == (len(mesh.edges) == 2 * ROUND)
    side = np.abs(mesh.normals[:, :, 2]).max(axis=1) < 0.5
    points = mesh.vertices[mesh.triangles[side]]
    outward = points * [1, 1, 0] / np.linalg.norm(points[..., :2], axis=2, keepdims=True)
    np.testing.assert_allclose(mesh.normals[side], outward, atol=1e-12)


def test_a_surface_turned_inside_out_is_put_right():
    vertices, faces = prism([(-1, -1), (1, -1), (1, 1), (-1, 1)], 2.0)
    right, wrong = mesh_from(vertices, faces), mesh_from(vertices, [face[::-1] for face in faces])
    for mesh in (right, wrong):
        middle = mesh.vertices[mesh.triangles].mean(axis=1) - [0, 0, 1]
        assert (np.einsum("ij,ij->i", middle, mesh.normals[:, 0]) > 0).all()


def test_vertices_that_are_given_twice_are_one():
    """As a file of triangles has them."""
    mesh = mesh_of(BOX)
    soup = mesh.vertices[mesh.triangles].reshape(-1, 3)
    again = mesh_from(soup, np.arange(len(soup)).reshape(-1, 3))
    assert len(again.vertices) == 8 and len(again.edges) == 12


def sphere(rings, sectors):
    a = np.linspace(0, np.pi, rings)[:, None]
    b = np.linspace(0, 2 * np.pi, sectors, endpoint=False)
    points = np.stack(
        [np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a) + 0 * b], axis=-1
    ).reshape(-1, 3)
    i = np.arange((rings - 1) * sectors).reshape(rings - 1, sectors)
    j = np.roll(i, -1, axis=1)
    return points, np.stack([i, i + sectors, j + sectors, j], -1).reshape(-1, 4)


def test_a_fine_scan_is_made_coarser_and_keeps_its_form():
    points, faces = sphere(300, 600)
    mesh = mesh_from(points, faces.tolist())
    assert coarsen.MOST / 8 < len(mesh.triangles) <= coarsen.MOST < 2 * len(faces)
    radius = np.linalg.norm(mesh.vertices, axis=1)
    assert radius.min() > 0.98 and radius.max() < 1 + 1e-9
    assert len(mesh.edges) == 0  # no lines over it


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        ([[0, 0], [1, 0], [0, 1]], [(0, 1, 2)], "three finite numbers"),
        ([[0, 0, 0], [1, 0, math.nan], [0, 1, 0]], [(0, 1, 2)], "three finite numbers"),
        (np.eye(3), [(0, 1, 3)], "0 to 2"),
        (np.eye(3), [], "0 to 2"),
    ],
)
def test_no_surface_is_made_of_nonsense(vertices, faces, words):
    with pytest.raises(rs.InputError, match=words):
        mesh_from(vertices, faces)


# -- pixels ---------------------------------------------------------------------------------------


def test_the_nearer_of_two_triangles_that_cross_is_seen_everywhere():
    near, tone = np.zeros((60, 60)), np.zeros((60, 60))
    places = np.array([[[0, 0], [60, 0], [0, 60]]] * 2, float)
    depths = np.array([[1.0, 2.0, 1.0], [1.5, 1.5, 1.5]])
    raster.fill(near, tone, places, depths, np.array([[0.2] * 3, [0.8] * 3]))
    columns = np.broadcast_to(np.arange(60) + 0.5, (60, 60))
    inside = columns + np.arange(60)[:, None] + 0.5 < 60 - 1e-6
    first = 1 + columns / 60 > 1.5
    np.testing.assert_allclose(tone[inside & first], 0.2)
    np.testing.assert_allclose(tone[inside & ~first], 0.8)
    outside = columns + np.arange(60)[:, None] + 0.5 > 60 + 1e-6
    assert (near[inside] > 0).all() and (near[outside] == 0).all()


@pytest.mark.parametrize("azimuth", [-62.0, 10.0, 135.0])
@pytest.mark.parametrize(
    "body", [BOX, rs.Body.cylinder(0.5, 1.2), rs.Body.cone(0.8, 1.0)], ids=["box", "drum", "cone"]
)
def test_the_area_of_a_convex_body_is_that_of_its_outline(body, azimuth):
    mesh = mesh_of(body)
    bare = mesh._replace(edges=mesh.edges[:0])  # lines reach beyond it
    camera = camera_on(mesh, azimuth)
    outline = ConvexHull(pixels_of(camera)(mesh.vertices)).volume
    assert picture_of(bare, camera)[1].sum() == pytest.approx(outline, rel=2e-3)


def test_what_is_hidden_is_not_seen():
    """A small box behind a large one changes no pixel; in front of it, it does."""
    large = prism([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 1.0)
    mesh = mesh_from(*large)
    camera = camera_on(mesh, azimuth=-90, elevation=5)

    def with_small(y):
        points, faces = prism([(-0.2, y), (0.2, y), (0.2, y + 0.1), (-0.2, y + 0.1)], 0.3)
        moved = [tuple(8 + i for i in face) for face in faces]
        return mesh_from(np.concatenate([large[0], points]), [*large[1], *moved])

    alone = picture_of(mesh, camera)[0]
    assert np.array_equal(picture_of(with_small(0.8), camera)[0], alone)
    assert not np.array_equal(picture_of(with_small(-0.8), camera)[0], alone)


def test_a_shadow_has_the_area_of_the_outline_that_the_light_sees():
    mesh = mesh_of(BOX)
    points = mesh.vertices + np.array([0, 0, 0.9])
    camera = Camera.towards(np.zeros(3), 2.0, -62, 30)
    light = paint.light_for(camera)
    fallen = points - points[:, 2:] / light[2] * light
    camera = camera.fitted(np.concatenate([points, fallen]), VIEW)
    dark = paint.shadow(mesh, points, light, pixels_of(camera), SIZE)
    outline = ConvexHull(pixels_of(camera)(fallen)).volume
    assert dark.sum() / paint.DARK == pytest.approx(outline, rel=0.01)
    assert dark.max() == pytest.approx(paint.DARK, rel=0.02)


def test_faces_are_the_lighter_the_more_they_face_the_light():
    """A cylinder's side goes from light to dark and back only once around it."""
    mesh = mesh_of(rs.Body.cylinder(0.5, 1.2))
    camera = camera_on(mesh, elevation=5)
    picture, cover = picture_of(mesh._replace(edges=mesh.edges[:0]), camera)
    row = picture[SIZE[1] // 2].astype(float).sum(axis=1)[cover[SIZE[1] // 2] == 1]
    steps = np.diff(row)
    assert (steps[: np.argmax(row)] >= -3).all() and (steps[np.argmax(row) :] <= 3).all()
    assert np.argmax(row) < 0.4 * len(row)  # the light comes from the left


def test_a_body_outside_the_picture_is_left_out():
    mesh = mesh_of(BOX)
    camera = camera_on(mesh)

    def beside(points):
        return pixels_of(camera)(points) + np.array([2000, 0])

    light = paint.light_for(camera)
    assert paint.painted(mesh, mesh.vertices, np.eye(3), camera, light, beside, SIZE) is None
