// An order in which pieces can be put together: the order in which they can be taken away, backwards.
//
// A piece can be taken away along a line when nothing that is left lies on its way. Upwards is tried first, and the
// highest piece, so that a body grows from below. Where no piece is free the highest one goes, and nothing is said of how.

const CUBE_WAYS = [[0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0]];
const CLOSE = 1 - 1e-6;

// pieces: the cells of each. Gives [{ piece, from }]: from is where it comes from, null when it is not known.
export function assembly(pieces, shape) {
  const left = new Set(pieces.keys()), away = [];
  const height = piece => pieces[piece].reduce((sum, cell) => sum + cell[1], 0) / pieces[piece].length;
  while (left.size) {
    const highest = [...left].sort((a, b) => height(b) - height(a) || b - a);
    const others = piece => [...left].filter(other => other !== piece).flatMap(other => pieces[other]);
    let found = null;
    for (const way of CUBE_WAYS) {
      const free = highest.find(piece => isFree(pieces[piece], others(piece), way, shape));
      if (free !== undefined) { found = { piece: free, from: way }; break; }
    }
    found ??= { piece: highest[0], from: null };
    left.delete(found.piece);
    away.push(found);
  }
  return away.reverse();
}

// Cubes collide when they overlap in the two other axes, balls when the line passes nearer than two radii.
function isFree(cells, others, way, shape) {
  const axis = way.findIndex(part => part !== 0), [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const overlaps = shape === "balls"
    ? (a, b) => Math.hypot(a[u] - b[u], a[v] - b[v]) < CLOSE
    : (a, b) => Math.max(Math.abs(a[u] - b[u]), Math.abs(a[v] - b[v])) < CLOSE;
  return cells.every(cell => others.every(other => (other[axis] - cell[axis]) * way[axis] <= 0 || !overlaps(cell, other)));
}
