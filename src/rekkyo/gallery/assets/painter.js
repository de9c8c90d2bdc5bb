// Drawings out of atoms: the server draws each atom once, and here they are put on the background they share.

const SVG = "http://www.w3.org/2000/svg";

export class Painter {
  theme = "auto";
  parts = new Map();

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

  load(rows) { return this.loadAtoms(rows.flatMap(row => this.atoms(row))); }

  async loadAtoms(atoms) {
    const needed = new Set(atoms.map(atom => Math.floor(atom / this.facts.atoms_in_part)));
    await Promise.all([...needed].map(async part => {
      if (!this.parts.has(part)) this.parts.set(part, await this.source.atoms(part));
    }));
  }

  atom(atom) {
    const size = this.facts.atoms_in_part;
    return this.parts.get(Math.floor(atom / size))[atom % size];
  }

  markup(row, more = "", whole = false) {
    const { width, height, background } = this.facts;
    const below = whole ? background : '<use href="#background"/>';
    const body = this.atoms(row).map(atom => this.atom(atom)[0]).join("");
    return `<svg xmlns="${SVG}" class="rk-${this.theme}" viewBox="-2 -2 ${width + 4} ${height + 4}">${below}${body}${more}</svg>`;
  }

  // One atom alone, as large as it is; it must be in the page to be measured.
  alone(atom, parent) {
    parent.insertAdjacentHTML("afterbegin", `<svg class="rk-${this.theme}" aria-hidden="true">${this.atom(atom)[0]}</svg>`);
    const box = parent.firstElementChild.getBBox();
    if (box.width) parent.firstElementChild.setAttribute("viewBox", `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`);
  }

  // By spot: [thing, atom].
  thingsAt(row) {
    return new Map(this.atoms(row).flatMap(atom => this.atom(atom)[1].map(([spot, thing]) => [spot, [thing, atom]])));
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

// Whether a click or a key chooses a place that is no HTML button.
export function onChoose(place, choose) {
  place.addEventListener("click", choose);
  place.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
}
