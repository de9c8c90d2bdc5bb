// Drawings out of atoms: the server draws each atom once in each look, and here they are put on the background they share.

import { looksTogether } from "./touching.js";

const LIKELY_LOOKS = [1, 2];
const SVG = "http://www.w3.org/2000/svg";

export class Painter {
  theme = "auto";
  parts = new Map();
  coming = new Map();
  looks = new WeakMap();

  constructor(source, facts) {
    this.source = source;
    this.facts = facts;
    const shared = document.getElementById("shared");
    shared.innerHTML = `<g id="background" class="rk-auto">${facts.background}</g>`;
    shared.setAttribute("class", "rk-auto");
  }

  atoms(row) {
    const { by_position, n_values } = this.facts;
    return by_position ? row.map((value, position) => position * n_values + value) : row.filter(value => value < n_values);
  }

  // Most solutions need some looks of copies that touch, so these are asked for before it is known which.
  async load(rows) {
    const all = rows.flatMap(row => this.atoms(row)), likely = this.facts.near ? LIKELY_LOOKS : [];
    await Promise.all([this.loadAtoms(all), this.loadParts(likely.flatMap(look => all.map(atom => [look, atom])))]);
    const looks = rows.flatMap(row => this.looksOf(row).map((look, k) => [look, this.atoms(row)[k]]));
    await this.loadParts(looks.filter(([look]) => look > 0));
  }

  loadAtoms(atoms) { return this.loadParts(atoms.map(atom => [0, atom])); }

  async loadParts(atoms) {
    const needed = new Map(atoms.map(([look, atom]) => this.partOf(atom, look)).map(part => [part.join("/"), part]));
    await Promise.all([...needed].map(async ([name, [look, part]]) => {
      if (this.parts.has(name)) return;
      if (!this.coming.has(name)) this.coming.set(name, look ? this.source.look(look, part) : this.source.atoms(part));
      try {
        this.parts.set(name, await this.coming.get(name));
      } finally {
        this.coming.delete(name);
      }
    }));
  }

  partOf(atom, look) { return [look, Math.floor(atom / this.facts.atoms_in_part)]; }

  inPart(atom, look) { return this.parts.get(this.partOf(atom, look).join("/"))[atom % this.facts.atoms_in_part]; }

  pairs(atom) { return this.inPart(atom, 0)[1]; }

  // [depth, markup] of each layer.
  layers(atom, look) {
    const drawn = look ? this.inPart(atom, look) : this.inPart(atom, 0)[0];
    return typeof drawn === "string" ? [[0, drawn]] : drawn;
  }

  atom(atom) { return this.layers(atom, 0).map(([, drawn]) => drawn).join(""); }

  // Of every atom of a row; look 0 of them is loaded.
  looksOf(row) {
    if (!this.looks.has(row)) {
      const atoms = this.atoms(row), { near, colors } = this.facts;
      this.looks.set(row, near ? looksTogether(atoms.map(atom => this.pairs(atom)), near, colors.map(some => some.length)) : atoms.map(() => 0));
    }
    return this.looks.get(row);
  }

  markup(row, more = "", whole = false) {
    const { width, height, background } = this.facts;
    const below = whole ? background : '<use href="#background"/>', looks = this.looksOf(row);
    const layers = this.atoms(row).flatMap((atom, k) => this.layers(atom, looks[k]));
    const body = layers.sort(([a], [b]) => a - b).map(([, drawn]) => drawn).join("");
    return `<svg xmlns="${SVG}" class="rk-${this.theme}" viewBox="-2 -2 ${width + 4} ${height + 4}">${below}${body}${more}</svg>`;
  }

  // One atom alone, as large as it is; it must be in the page to be measured.
  alone(atom, parent) {
    parent.insertAdjacentHTML("afterbegin", `<svg class="rk-${this.theme}" aria-hidden="true">${this.atom(atom)}</svg>`);
    const box = parent.firstElementChild.getBBox();
    if (box.width) parent.firstElementChild.setAttribute("viewBox", `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`);
  }

  // By spot: [thing, atom].
  thingsAt(row) {
    return new Map(this.atoms(row).flatMap(atom => this.pairs(atom).map(([spot, thing]) => [spot, [thing, atom]])));
  }

  // A place of the drawing that one can point at.
  place(spot, label) {
    const place = document.createElementNS(SVG, "path");
    place.setAttribute("d", this.facts.spots[spot]);
    place.setAttribute("class", "spot");
    place.setAttribute("role", "button");
    place.setAttribute("tabindex", "-1");
    place.dataset.spot = spot;
    place.append(document.createElementNS(SVG, "title"));
    this.name(place, label);
    return place;
  }

  name(place, label) {
    place.setAttribute("aria-label", label);
    place.firstElementChild.textContent = label;
  }

  markName(mark) {
    const { things, spot_names } = this.facts;
    return mark.length === 1 ? `placement ${mark[0]}` : `${things[mark[1]] ?? "?"} at ${spot_names[mark[0]] ?? "?"}`;
  }
}

// Whether a click or a key chooses a place that is not an HTML button.
export function onChoose(place, choose) {
  place.addEventListener("click", choose);
  place.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
}
