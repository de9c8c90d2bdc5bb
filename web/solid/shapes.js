// What a piece looks like: cubes without the faces between them and with lines where its surface bends, or balls that are joined.

import { BufferGeometry, CylinderGeometry, Float32BufferAttribute, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const GAP = 0.012;
const BALL = 0.5;
const JOINT = 0.2;
const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const plus = (a, b, times = 1) => a.map((part, axis) => part + times * b[axis]);

// By level: faces and edges of unit cubes around whole numbers.
export function cubesOf(cells) {
  const own = new Set(cells.map(String)), has = cell => own.has(String(cell));
  const levels = [...new Set(cells.map(cell => cell[1]))];
  return levels.map(level => {
    const corners = [], normals = [], lines = [];
    for (const cell of cells.filter(some => some[1] === level)) addCube(cell, has, corners, normals, lines);
    return { level, faces: triangles(corners, normals), edges: new BufferGeometry().setAttribute("position", new Float32BufferAttribute(lines, 3)) };
  });
}

// A level that is seen from above when those on it are peeled off has all its faces.
function addCube(cell, has, corners, normals, lines) {
  for (const [axis, along] of AXES.entries())
    for (const sign of [-1, 1]) {
      const beside = plus(cell, along, sign);
      if (axis !== 1 && has(beside)) continue;
      const [u, v] = [AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]];
      const at = (a, b) => {
        const corner = plus(plus(plus(cell, along, sign / 2), u, a / 2), v, b / 2);
        return plus(corner, along, has(beside) ? 0 : -sign * GAP);
      };
      const quad = sign > 0 ? [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)] : [at(-1, -1), at(-1, 1), at(1, 1), at(1, -1)];
      corners.push(...[0, 1, 2, 0, 2, 3].flatMap(k => quad[k]));
      for (let k = 0; k < 6; k += 1) normals.push(...along.map(part => sign * part));
      if (has(beside)) continue;
      for (const [step, ends] of [[u, [at(1, -1), at(1, 1)]], [plus([0, 0, 0], u, -1), [at(-1, -1), at(-1, 1)]], [v, [at(-1, 1), at(1, 1)]], [plus([0, 0, 0], v, -1), [at(-1, -1), at(1, -1)]]])
        if (!has(plus(cell, step)) || has(plus(beside, step))) lines.push(...ends.flat());
    }
}

function triangles(corners, normals) {
  return new BufferGeometry()
    .setAttribute("position", new Float32BufferAttribute(corners, 3))
    .setAttribute("normal", new Float32BufferAttribute(normals, 3));
}

// By level: balls of radius one half, joined where they touch; a joint belongs to the higher level.
export function ballsOf(cells) {
  const touches = (a, b) => Math.abs(Math.hypot(...plus(a, b, -1)) - 2 * BALL) < 1e-6;
  const levels = [...new Set(cells.map(cell => cell[1]))];
  return levels.map(level => {
    const here = cells.filter(cell => cell[1] === level);
    const parts = here.map(cell => new SphereGeometry(BALL - 2 * GAP, 32, 20).translate(...cell));
    for (const cell of here)
      for (const other of cells)
        if (touches(cell, other) && (other[1] < level || (other[1] === level && String(other) > String(cell)))) parts.push(joint(cell, other));
    return { level, faces: mergeGeometries(parts), edges: null };
  });
}

function joint(cell, other) {
  const made = new CylinderGeometry(JOINT, JOINT, 1, 16, 1);
  const [a, b] = [new Vector3(...cell), new Vector3(...other)];
  made.translate(0, 0.5, 0).rotateX(Math.PI / 2).lookAt(b.clone().sub(a));
  return made.translate(...cell);
}
