/** The scene: floor, light, the body, and the path of its centre. */

import * as THREE from "three";
import { colour } from "../../settings";
import type { Space } from "../../types";
import type { Poses } from "./pose";
import { surface } from "./shape";

const MANY = 6000; // faces above which edges are not drawn

export interface Look {
  /** From which side [rad], from how high [rad], how near (1: all of it is seen). */
  azimuth: number;
  elevation: number;
  zoom: number;
}

export class Scene {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  private readonly body = new THREE.Group();
  private readonly path: THREE.Line;
  private poses: Poses | null = null;
  /** How far from the middle something is seen in this run [m]. */
  private reach = 1;
  private readonly size: number;
  private readonly target: THREE.Vector3;

  constructor(canvas: HTMLCanvasElement, space: Space) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    const geometry = surface(space);
    geometry.computeBoundingSphere();
    this.size = 2 * geometry.boundingSphere!.radius;
    this.target = new THREE.Vector3(space.centre[0], space.centre[1], 0.4 * space.height);
    this.camera.up.set(0, 0, 1);
    this.body.matrixAutoUpdate = false;
    this.path = new THREE.Line(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: colour("accent") }),
    );
    this.path.frustumCulled = false;
    this.addBody(geometry);
    this.addFloor();
    this.addLight();
    this.scene.add(this.body, this.path);
  }

  private addBody(geometry: THREE.BufferGeometry): void {
    const stone = new THREE.MeshStandardMaterial({ color: colour("stone"), roughness: 0.85 });
    const mesh = new THREE.Mesh(geometry, stone);
    mesh.castShadow = mesh.receiveShadow = true;
    this.body.add(mesh);
    if (geometry.getAttribute("position").count > 3 * MANY) return;
    const edges = new THREE.EdgesGeometry(geometry, 30);
    this.body.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: colour("stone-edge") })));
  }

  private addFloor(): void {
    const step = 10 ** Math.floor(Math.log10(this.size));
    const count = 2 * Math.ceil((3 * this.size) / step);
    const grid = new THREE.GridHelper(count * step, count, colour("soft"), colour("line"));
    grid.rotation.x = Math.PI / 2;
    grid.position.z = -0.001 * this.size;
    const floor = new THREE.Mesh(
      new THREE.PlaneGeometry(8 * this.size, 8 * this.size),
      new THREE.ShadowMaterial({ opacity: 0.28 }),
    );
    floor.receiveShadow = true;
    this.scene.add(grid, floor);
  }

  private addLight(): void {
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    const far = this.size;
    sun.position.set(-0.9 * far, -1.5 * far, 2.2 * far); // over the left shoulder at first
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.normalBias = 0.004 * far;
    Object.assign(sun.shadow.camera, { left: -1.6 * far, right: 1.6 * far, top: 1.6 * far, bottom: -1.6 * far, near: 0.1 * far, far: 8 * far });
    this.scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x887766, 1.1));
  }

  /** Move the body as another run says. */
  follow(poses: Poses): void {
    this.poses = poses;
    this.reach = this.size / 2;
    for (let i = 0; i < poses.path.length; i += 3) {
      const away = Math.hypot(poses.path[i]! - this.target.x, poses.path[i + 1]! - this.target.y);
      this.reach = Math.max(this.reach, away + 0.45 * this.size);
    }
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry();
    this.path.geometry.setAttribute("position", new THREE.BufferAttribute(poses.path, 3));
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  draw(time: number, look: Look): void {
    if (!this.poses) return;
    const narrow = Math.max(1, 1 / this.camera.aspect);
    const distance = (3.5 * this.reach * narrow) / look.zoom;
    const level = Math.cos(look.elevation);
    this.camera.position
      .set(Math.cos(look.azimuth) * level, Math.sin(look.azimuth) * level, Math.sin(look.elevation))
      .multiplyScalar(distance)
      .add(this.target);
    this.camera.lookAt(this.target);
    this.body.matrix.copy(this.poses.matrix(time));
    this.body.matrixWorldNeedsUpdate = true;
    this.path.geometry.setDrawRange(0, Math.floor(time / this.poses.dt) + 1);
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.scene.traverse((object) => {
      if (!(object instanceof THREE.Mesh || object instanceof THREE.Line)) return;
      object.geometry.dispose();
      for (const material of [object.material].flat()) (material as THREE.Material).dispose();
    });
    this.renderer.dispose();
  }
}

/** Whether this browser can draw in three dimensions. */
export function possible(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
