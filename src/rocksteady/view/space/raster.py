"""Triangles into pixels: what is nearest to the eye in each."""

import math

import numpy as np

from rocksteady.numerics.decorators import standalone

INK = -1.0  # the tone of a line


@standalone
def fill(near, tone, places, depths, tones):  # type: ignore[no-untyped-def]
    """Draw triangles into a picture of which ``near`` holds the nearness of what is seen (one over
    the distance; 0 where there is nothing) and ``tone`` its brightness.

    ``places`` (n, 3, 2) are the columns and rows of the corners, ``depths`` (n, 3) their nearness
    and ``tones`` (n, 3) their brightness. All are linear over a triangle in the picture.
    """
    height, width = near.shape
    for i in range(len(places)):
        ax, ay = places[i, 0]
        bx, by = places[i, 1]
        cx, cy = places[i, 2]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not abs(area) > 1e-9:
            continue
        first = max(math.ceil(min(ax, bx, cx) - 0.5), 0)
        last = min(math.floor(max(ax, bx, cx) - 0.5), width - 1)
        top = max(math.ceil(min(ay, by, cy) - 0.5), 0)
        bottom = min(math.floor(max(ay, by, cy) - 0.5), height - 1)
        for row in range(top, bottom + 1):
            y = row + 0.5
            for column in range(first, last + 1):
                x = column + 0.5
                b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
                c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
                a = 1.0 - b - c
                if a < -1e-9 or b < -1e-9 or c < -1e-9:
                    continue
                here = a * depths[i, 0] + b * depths[i, 1] + c * depths[i, 2]
                if here > near[row, column]:
                    near[row, column] = here
                    tone[row, column] = a * tones[i, 0] + b * tones[i, 1] + c * tones[i, 2]


@standalone
def blended(near, tone, palette, fine):  # type: ignore[no-untyped-def]
    """(colour, cover) of pixels of ``fine`` × ``fine`` points: RGB times the cover, and the share
    of the points that show anything. ``palette`` has the colours of the tones 0 to 1 and, last,
    that of lines."""
    height, width, last = near.shape[0] // fine, near.shape[1] // fine, len(palette) - 1
    colour = np.zeros((height, width, 3), np.float32)
    cover = np.zeros((height, width, 1), np.float32)
    share = 1.0 / (fine * fine)
    for row in range(height * fine):
        for column in range(width * fine):
            if near[row, column] > 0.0:
                level = tone[row, column]
                index = last
                if level >= 0.0:
                    index = min(int(level * (last - 1) + 0.5), last - 1)
                i, j = row // fine, column // fine
                cover[i, j, 0] += share
                for channel in range(3):
                    colour[i, j, channel] += share * palette[index, channel]
    return colour, cover


@standalone
def creased(triangles, normals, angles, order, starts, sharp):  # type: ignore[no-untyped-def]
    """The normal at each corner of each triangle, (n, 3, 3): the mean of the faces around it that
    bend from this one by less than an angle with the cosine ``sharp``, each with the weight of its
    angle there (so that it does not matter how a face was cut into triangles).

    ``order`` lists the corners (3 times the triangle, plus 0, 1 or 2) by their vertex; those of
    vertex v begin at ``starts[v]``.
    """
    found = np.zeros((len(triangles), 3, 3))
    for i in range(len(triangles)):
        x, y, z = normals[i]
        for corner in range(3):
            vertex = triangles[i, corner]
            sx, sy, sz = 0.0, 0.0, 0.0
            for k in range(starts[vertex], starts[vertex + 1]):
                u, v, w = normals[order[k] // 3]
                if x * u + y * v + z * w > sharp:
                    share = angles[order[k] // 3, order[k] % 3]
                    sx, sy, sz = sx + share * u, sy + share * v, sz + share * w
            size = math.sqrt(sx * sx + sy * sy + sz * sz)
            if size > 0.0:
                found[i, corner] = (sx / size, sy / size, sz / size)
    return found
