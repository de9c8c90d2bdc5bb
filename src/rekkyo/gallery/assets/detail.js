// One solution, large: its orbit, its symmetry, and places to click for a filter.

const $ = id => document.getElementById(id);

export class Detail {
  constructor({ source, painter, question, filter, moved, step }) {
    Object.assign(this, { source, painter, question, filter, moved, step });
    this.dialog = $("detail");
    this.number = null;
    $("close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => { this.number = null; this.moved(null); });
    this.dialog.addEventListener("click", event => { if (event.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener("keydown", event => {
      if (event.key === "ArrowLeft") this.step(-1);
      else if (event.key === "ArrowRight") this.step(1);
      else return;
      event.preventDefault();
    });
    $("previous").addEventListener("click", () => this.step(-1));
    $("next").addEventListener("click", () => this.step(1));
    this.copies("copy-row", () => this.facts.row.join(" "));
    this.copies("copy-text", () => this.facts.text ?? this.facts.row.join(" "));
    this.copies("copy-svg", () => this.wholeSvg());
    this.copies("copy-link", () => location.href);
  }

  copies(id, text) {
    const name = $(id).textContent;
    $(id).addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
        $(id).textContent = "Copied";
      } catch {
        $(id).textContent = "Not allowed";
      }
      setTimeout(() => { $(id).textContent = name; }, 1200);
    });
  }

  // By its name in a link, which may be its number.
  async open(name) {
    const facts = await this.source.solution(name);
    const shown = facts.orbit.slice(0, 48);
    await this.painter.load([facts.row, ...shown]);
    this.facts = facts;
    const number = this.number = facts.number;
    const { things, spots, spot_names, puzzle, group_order } = this.painter.facts;
    $("detail-title").textContent = `${puzzle}: solution ${number.toLocaleString("en")}`;
    $("large").innerHTML = this.painter.markup(facts.row, `<g id="spots"></g>`);
    const here = this.painter.thingsAt(facts.row);
    spots.forEach((d, spot) => {
      const thing = here.get(spot) ?? (things.length === 1 ? 0 : undefined);
      if (thing === undefined) return;
      const place = document.createElementNS("http://www.w3.org/2000/svg", "path");
      place.setAttribute("d", d);
      place.setAttribute("class", "spot");
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", `${things[thing]} at ${spot_names[spot]}`);
      place.dataset.spot = spot;
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = `${things[thing]} at ${spot_names[spot]}`;
      place.append(title);
      const choose = () => this.filter(spot, thing);
      place.addEventListener("click", choose);
      place.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { choose(); event.preventDefault(); } });
      $("spots").append(place);
    });
    this.markChosen();
    const many = facts.orbit.length;
    $("facts").textContent = group_order === null ? "The symmetry group of this puzzle is too large to list."
      : group_order === 1 ? "This puzzle has no symmetry."
      : `One of ${many} that the ${group_order} symmetries of the puzzle turn into each other; ${facts.stabilizer_order === 1 ? "only the identity leaves it" : `${facts.stabilizer_order} of them leave it`} unchanged.`;
    $("orbit-title").textContent = many > 1 ? (many > shown.length ? `Its orbit (the first ${shown.length} of ${many})` : "Its orbit") : "";
    $("orbit").innerHTML = many > 1 ? shown.map(row => this.painter.markup(row)).join("") : "";
    $("row").textContent = facts.row.join(" ");
    if (!this.dialog.open) this.dialog.showModal();
    this.moved(facts.name);
  }

  remaining(text) {
    $("remaining").textContent = text;
    this.markChosen();
  }

  markChosen() {
    const chosen = new Set(this.question.where.map(([spot]) => String(spot)));
    for (const place of document.querySelectorAll("#spots .spot")) {
      place.classList.toggle("chosen", chosen.has(place.dataset.spot));
      place.setAttribute("aria-pressed", chosen.has(place.dataset.spot));
    }
  }

  wholeSvg() {
    const rules = [...document.styleSheets].find(sheet => (sheet.href || "").endsWith("drawing.css"));
    const text = [...rules.cssRules].map(rule => rule.cssText).filter(rule => rule.includes("rk-auto")).join("");
    return this.painter.markup(this.facts.row, "", true).replace(">", `><style>${text}</style>`);
  }
}
