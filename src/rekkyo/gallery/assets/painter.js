// Drawings out of atoms: the server draws each atom once, and here they are put on the background they share.

export class Painter {
  constructor(source, facts) {
    this.source = source;
    this.facts = facts;
    this.parts = new Map();
    document.getElementById("shared").innerHTML = `<g id="background" class="rk-auto">${facts.background}</g>`;
    document.getElementById("shared").setAttribute("class", "rk-auto");
  }

  atoms(row) {
    const { by_position, n_values } = this.facts;
    return by_position ? row.map((value, position) => position * n_values + value) : row.filter(value => value < n_values);
  }

  async load(rows) {
    const size = this.facts.atoms_in_part;
    const needed = new Set(rows.flatMap(row => this.atoms(row).map(atom => Math.floor(atom / size))));
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
    return `<svg xmlns="http://www.w3.org/2000/svg" class="rk-auto" viewBox="-2 -2 ${width + 4} ${height + 4}">${below}${body}${more}</svg>`;
  }

  thingsAt(row) {
    return new Map(this.atoms(row).flatMap(atom => this.atom(atom)[1]));
  }
}
