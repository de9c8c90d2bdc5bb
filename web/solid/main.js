// A body of pieces that turns, comes apart, is peeled layer by layer, and is put together piece by piece.
//
// Nothing is drawn between two changes: there is no loop that keeps a processor busy.

import {
  AmbientLight, DirectionalLight, Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, PerspectiveCamera, Scene,
  Spherical, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { assembly } from "./assembly.js";
import { ballsOf, cubesOf } from "./shapes.js";

const TURN = Math.PI / 12;
const ZOOM = 1.15;
const PIECE_MS = 700;
const KEYS = {
  ArrowLeft: [-TURN, 0, 1], ArrowRight: [TURN, 0, 1], ArrowUp: [0, -TURN, 1], ArrowDown: [0, TURN, 1],
  "+": [0, 0, 1 / ZOOM], "-": [0, 0, ZOOM],
};

export { assembly };

export class SolidView {
  // canvas: where it is drawn. pieces: [{ color, cells: [[right, up, front], ...] }]. shape: "cubes" or "balls".
  constructor(canvas, pieces, shape) {
    this.canvas = canvas;
    this.pieces = pieces;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.scene = new Scene();
    this.scene.add(new AmbientLight(0xffffff, 1.6));
    for (const [x, y, z, strength] of [[2, 5, 3, 1.9], [-4, 1, 2, 0.7]]) {
      const light = new DirectionalLight(0xffffff, strength);
      light.position.set(x, y, z);
      this.scene.add(light);
    }
    const cells = pieces.flatMap(piece => piece.cells);
    const [low, high] = [Math.min, Math.max].map(end => [0, 1, 2].map(axis => end(...cells.map(cell => cell[axis]))));
    this.middle = new Vector3(...low.map((least, axis) => (least + high[axis]) / 2));
    this.levels = [...new Set(cells.map(cell => cell[1]))].sort((a, b) => a - b);
    this.radius = 0.5 + Math.hypot(...low.map((least, axis) => high[axis] - least + 1)) / 2;
    this.steps = assembly(pieces.map(piece => piece.cells), shape);
    this.groups = pieces.map(piece => this.group(piece, shape));
    this.scene.add(...this.groups);
    this.camera = new PerspectiveCamera(35, 1, 0.1, 40 * this.radius);
    this.camera.position.setFromSphericalCoords(3.6 * this.radius, 1.05, 0.6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enablePan = false;
    this.controls.minDistance = this.radius;
    this.controls.maxDistance = 12 * this.radius;
    this.controls.addEventListener("change", () => this.draw());
    canvas.addEventListener("keydown", event => this.key(event));
    this.apart = 0;
    this.peeled = 0;
    this.placed = pieces.length;
    this.watching = new ResizeObserver(() => this.fit());
    this.watching.observe(canvas.parentElement);
    this.fit();
  }

  // A piece, a part for each level, so that levels can be hidden. Its parts lie around the middle of the body.
  group({ color, cells }, shape) {
    const group = new Group(), parts = shape === "balls" ? ballsOf(cells) : cubesOf(cells);
    for (const { level, faces, edges } of parts) {
      const part = new Group();
      part.add(new Mesh(faces, new MeshLambertMaterial({ color, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 })));
      if (edges) part.add(new LineSegments(edges, new LineBasicMaterial({ color: 0x1b1b1b })));
      part.userData.level = level;
      part.position.copy(this.middle).negate();
      group.add(part);
    }
    const center = cells.reduce((sum, cell) => sum.add(new Vector3(...cell)), new Vector3()).divideScalar(cells.length);
    group.userData.away = center.sub(this.middle);
    return group;
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  // apart: 0 assembled, 1 pulled apart. peeled: levels that are taken off from above.
  show({ apart = this.apart, peeled = this.peeled, placed = this.placed }) {
    Object.assign(this, { apart, peeled, placed });
    this.draw();
  }

  // Whether the pieces can be put in one after the other, each along a straight line.
  get canBeAssembled() { return this.steps.every(({ from }) => from !== null); }

  // The first pieces of the order are in place; of the next one, how far it still is away, from 1 to 0.
  draw(coming = 0) {
    const order = this.steps.slice(0, this.placed), highest = this.levels.at(-1 - this.peeled) ?? -Infinity;
    for (const group of this.groups) group.visible = false;
    for (const [k, { piece, from }] of order.entries()) {
      const group = this.groups[piece];
      group.visible = true;
      group.position.copy(group.userData.away).multiplyScalar(this.apart);
      if (coming && k === order.length - 1) group.position.addScaledVector(new Vector3(...(from ?? [0, 1, 0])), 2 * this.radius * coming);
      for (const part of group.children) part.visible = part.userData.level <= highest;
    }
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.shown = `${order.length} ${this.peeled} ${this.apart}`;
  }

  // Put the pieces together, one after the other; ends when the signal says so. far: 0 for pieces that do not move.
  async play(signal, far, told) {
    for (let placed = 1; placed <= this.pieces.length && !signal.aborted; placed += 1) {
      this.placed = placed;
      told(placed);
      const begin = performance.now();
      for (let coming = 1; coming > 0 && !signal.aborted;) {
        this.draw(far * coming);
        const now = await new Promise(requestAnimationFrame);
        coming = 1 - (now - begin) / PIECE_MS;
      }
      this.draw();
    }
  }

  key(event) {
    if (!(event.key in KEYS) || event.ctrlKey || event.altKey || event.metaKey) return;
    const [around, down, zoom] = KEYS[event.key], place = new Spherical().setFromVector3(this.camera.position);
    place.theta += around;
    place.phi = Math.min(Math.PI - 0.05, Math.max(0.05, place.phi + down));
    place.radius = Math.min(this.controls.maxDistance, Math.max(this.controls.minDistance, place.radius * zoom));
    this.camera.position.setFromSpherical(place);
    this.controls.update();
    this.draw();
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    this.watching.disconnect();
    this.controls.dispose();
    for (const group of this.groups) group.traverse(part => { part.geometry?.dispose(); part.material?.dispose(); });
    this.renderer.dispose();
  }
}
