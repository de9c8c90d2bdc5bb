// The looks of the atoms of a solution: copies of one piece that touch have different ones, as few as possible.
//
// The same algorithm as `rekkyo.render.touching`, on what the page knows: which spots touch, and which atom is on a spot.

const MAX_EXACT = 300;
const MAX_STEPS = 20_000;
const MAX_BITS = 31;

// pairs: of each atom, its [spot, thing]. near: of each spot, those that touch it. nLooks: of each thing.
export function looksTogether(pairs, near, nLooks) {
  const things = pairs.map(([first]) => first?.[1]), owner = new Map(), touching = pairs.map(() => new Set());
  for (const [k, places] of pairs.entries()) for (const [spot] of places) owner.set(spot, k);
  for (const [spot, k] of owner) {
    if (nLooks[things[k]] === 1) continue;
    for (const beside of near[spot]) {
      const other = owner.get(beside) ?? k;
      if (other !== k && things[other] === things[k]) touching[k].add(other);
    }
  }
  return fewColors(touching.map(others => [...others])).map((color, k) => color % (nLooks[things[k]] ?? 1));
}

// near: of each vertex, its neighbours.
function fewColors(near) {
  const first = firstFree(near), most = Math.max(0, ...first);
  if (near.length > MAX_EXACT || most >= MAX_BITS) return first;
  for (let nColors = 1; nColors <= most; nColors += 1) {
    const found = new Search(near, nColors).run();
    if (found) return found;
  }
  return first;
}

function firstFree(near) {
  const colors = near.map(() => -1);
  for (const [vertex, around] of near.entries()) {
    const taken = new Set(around.map(other => colors[other]));
    colors[vertex] = 0;
    while (taken.has(colors[vertex])) colors[vertex] += 1;
  }
  return colors;
}

// By D. Brélaz's rule. Sets of colours are bits: this runs for every solution in view.
class Search {
  constructor(near, nColors) {
    Object.assign(this, { near, nColors, steps: 0 });
    this.colors = near.map(() => -1);
  }

  // Null when there are none, or the search was stopped.
  run() { return this.goesOn(0, this.near.length) ? this.colors : null; }

  goesOn(nUsed, nLeft) {
    if (!nLeft) return true;
    this.steps += 1;
    const vertex = this.next(), taken = this.taken(vertex);
    for (let color = 0; color < Math.min(nUsed + 1, this.nColors); color += 1) {
      if (taken >> color & 1 || this.steps >= MAX_STEPS) continue;
      this.colors[vertex] = color;
      if (this.goesOn(Math.max(nUsed, color + 1), nLeft - 1)) return true;
    }
    this.colors[vertex] = -1;
    return false;
  }

  // The vertex whose neighbours have most colours, then the one with most neighbours, then the first.
  next() {
    let best = -1, most = -1;
    for (let vertex = 0; vertex < this.near.length; vertex += 1) {
      if (this.colors[vertex] >= 0) continue;
      const worth = bits(this.taken(vertex)) * this.near.length + this.near[vertex].length;
      if (worth > most) [best, most] = [vertex, worth];
    }
    return best;
  }

  taken(vertex) {
    let found = 0;
    for (const other of this.near[vertex]) if (this.colors[other] >= 0) found |= 1 << this.colors[other];
    return found;
  }
}

function bits(word) {
  let found = 0;
  for (let left = word; left; left &= left - 1) found += 1;
  return found;
}
