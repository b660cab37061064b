/** The surface of a body in space. */

import { BufferAttribute, BufferGeometry } from "three";
import type { Space } from "../../types";

type Vertex = [number, number, number];

export function surface(space: Space): BufferGeometry {
  const { vertices, faces } = space.vertices && space.faces ? (space as Drawn) : upright(space);
  const places: number[] = [];
  for (const face of faces)
    for (let i = 1; i + 1 < face.length; i++)
      for (const k of [face[0]!, face[i]!, face[i + 1]!]) places.push(...vertices[k]!);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.computeVertexNormals(); // not shared between faces: flat
  return geometry;
}

interface Drawn {
  vertices: Vertex[];
  faces: number[][];
}

/** A body of which only the base is known: a prism over it. */
function upright(space: Space): Drawn {
  const base = space.radius === null ? space.base : circle(space.radius);
  const n = base.length;
  const level = (z: number) => base.map(([x, y]): Vertex => [x, y, z]);
  const around = base.map((_, i) => i);
  return {
    vertices: [...level(0), ...level(space.height)],
    faces: [
      [...around].reverse(),
      around.map((i) => n + i),
      ...around.map((i) => [i, (i + 1) % n, n + ((i + 1) % n), n + i]),
    ],
  };
}

function circle(radius: number): [number, number][] {
  return Array.from({ length: 48 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 48;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}
