// One solution, large: its orbit, its symmetry, places to click for a filter, and another one beside it.

import { Body } from "./body.js";
import { heard, say } from "./notice.js";
import { onChoose } from "./painter.js";
import { roving } from "./roving.js";
import { onSwipe } from "./touch.js";

const $ = id => document.getElementById(id);

export class Detail {
  // go: called with what changes of the view. filter: called with a mark.
  constructor({ source, painter, favourites, go, filter, step, asksPlacement }) {
    Object.assign(this, { source, painter, favourites, go, filter, step, asksPlacement });
    this.dialog = $("detail");
    this.asked = 0;
    this.body = new Body({ painter, turn: isTurned => go({ isTurned }) });
    this.forget();
    $("close").addEventListener("click", () => this.go({ open: null }));
    this.dialog.addEventListener("close", () => {
      $("board-asking").append($("asking"));
      if (this.facts) this.go({ open: null });
    });
    this.dialog.addEventListener("click", event => { if (event.target === this.dialog) this.go({ open: null }); });
    this.dialog.addEventListener("keydown", event => {
      if (event.target.tagName === "SELECT" || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      this.step(event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
    });
    onSwipe($("large"), by => this.step(by));
    $("previous").addEventListener("click", () => this.step(-1));
    $("next").addEventListener("click", () => this.step(1));
    $("favourite").addEventListener("click", () => { this.favourites.toggle(this.facts.name); this.markFavourite(); });
    $("compare").addEventListener("click", () => this.go({ beside: this.beside === null ? this.facts.name : null }));
    roving($("actions"), "button");
    roving($("orbit"), "a");
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
        say(id, "Copied");
      } catch {
        say(id, "Not allowed");
      }
      setTimeout(() => say(id, name), 1200);
    });
  }

  // number: of the open solution, null when none is.
  forget() {
    this.facts = this.number = this.beside = null;
  }

  close() {
    this.asked += 1;
    this.forget();
    this.stop?.abort();
    this.body.close();
    this.dialog.close();
  }

  // By their names in a link, which may be numbers. beside: null for none. Gives the facts, null when it was refused.
  async open(name, beside, isTurned) {
    this.stop?.abort();
    const mine = this.asked += 1;
    try {
      const [facts, other] = await Promise.all([this.source.solution(name), beside === null ? null : this.source.solution(beside)]);
      await this.painter.load([facts.row, ...facts.orbit, ...(other ? [other.row] : [])]);
      if (mine !== this.asked) return null;
      this.facts = facts;
      this.number = facts.number;
      this.beside = beside;
      this.show(facts, other);
    } catch (problem) {
      if (mine === this.asked) this.refuse(name, problem);
      return null;
    }
    if (!this.dialog.open) this.dialog.showModal();
    await this.body.show(isTurned ? this.facts.row : null);
    $("detail-asking").append($("asking"));
    return this.facts;
  }

  refuse(name, problem) {
    this.facts = { name, row: [] };
    say("detail-title", `Solution ${name}`);
    say("facts", problem.message);
    this.body.show(null);
    for (const id of ["large", "orbit"]) $(id).replaceChildren();
    for (const id of ["row", "orbit-title", "differences"]) say(id, "");
    $("actions").hidden = $("orbit-title").hidden = true;
    if (!this.dialog.open) this.dialog.showModal();
  }

  show(facts, other) {
    const { puzzle } = this.painter.facts;
    $("actions").hidden = false;
    say("detail-title", `${puzzle}: solution ${facts.number.toLocaleString("en")}`);
    $("large").replaceChildren(this.picture(facts, "spots"));
    const here = this.painter.thingsAt(facts.row);
    $("spots").append(...this.places(here));
    roving($("spots"), ".spot");
    this.compare(facts, other, here);
    say("facts", this.symmetry(facts));
    this.showOrbit(facts);
    say("row", facts.row.join(" "));
    this.markFavourite();
  }

  picture(facts, id) {
    const figure = document.createElement("figure");
    figure.innerHTML = this.painter.markup(facts.row, `<g id="${id}"></g>`);
    figure.firstElementChild.setAttribute("role", "group");
    figure.firstElementChild.setAttribute("aria-label", `The drawing of solution ${facts.number}`);
    return figure;
  }

  places(here) {
    const { things, spots } = this.painter.facts;
    return spots.flatMap((_, spot) => {
      const [thing, atom] = here.get(spot) ?? [things.length === 1 ? 0 : undefined];
      if (thing === undefined) return [];
      const place = this.painter.place(spot, this.painter.markName([spot, thing]));
      const mark = () => (this.asksPlacement() && atom !== undefined ? [atom] : [spot, thing]);
      onChoose(place, () => this.filter(mark()));
      Object.assign(place, { thing, atom });
      return [place];
    });
  }

  compare(facts, other, here) {
    $("compare").setAttribute("aria-pressed", this.beside !== null);
    say("compare", this.beside === null ? "Compare" : "Stop comparing");
    $("large").classList.toggle("two", other !== null && other.number !== facts.number);
    say("differences", "");
    if (other === null) return;
    if (other.number === facts.number) { say("differences", "Now go to the solution to compare this one with: Next, Previous, or any of the sheet."); return; }
    $("large").append(this.picture(other, "other-spots"));
    const there = this.painter.thingsAt(other.row), { spots, things } = this.painter.facts;
    const differs = spot => {
      const [a, b] = [here.get(spot), there.get(spot)];
      return things.length === 1 ? a?.[1] !== b?.[1] : a?.[0] !== b?.[0];
    };
    const different = spots.map((_, spot) => spot).filter(differs);
    for (const figure of $("large").children) {
      const marks = figure.querySelector("g:last-of-type");
      const d = different.map(spot => spots[spot]).join("");
      marks.insertAdjacentHTML("afterbegin", `<path class="different below" d="${d}"/><path class="different" d="${d}"/>`);
      const caption = document.createElement("figcaption");
      caption.textContent = `Solution ${(figure === $("large").firstElementChild ? facts : other).number.toLocaleString("en")}`;
      figure.append(caption);
    }
    say("differences", `They differ at ${different.length} of ${spots.length} places, which are marked.`);
  }

  symmetry(facts) {
    const { group_order: order } = this.painter.facts;
    if (order === null) return "The symmetry group of this puzzle is too large to list.";
    if (order === 1) return "This puzzle has no symmetry.";
    const left = facts.stabilizer_order === 1 ? "only the identity leaves it" : `${facts.stabilizer_order} of them leave it`;
    return `One of ${facts.orbit_size} that the ${order} symmetries of the puzzle turn into each other; ${left} unchanged.`;
  }

  // The pictures become links as soon as it is known where the images are.
  async showOrbit(facts) {
    const { orbit, orbit_size: size } = facts;
    $("orbit-title").hidden = size < 2;
    say("orbit-title", size > 1 ? (size > orbit.length ? `Its orbit (the first ${orbit.length} of ${size})` : "Its orbit") : "");
    const links = size > 1 ? orbit.map((row, k) => this.orbitLink(row, k, row.join() === facts.row.join())) : [];
    $("orbit").replaceChildren(...links);
    if (!links.length) return;
    const stop = this.stop = new AbortController();
    try {
      const names = await this.source.images(facts, { signal: stop.signal });
      if (stop.signal.aborted) return;
      names.forEach((name, k) => {
        if (name === null) return;
        links[k].href = `?open=${name}`;
        links[k].addEventListener("click", event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          this.go({ open: name });
        });
        links[k].append(heard(` of ${links.length}: solution ${name}`));
      });
    } catch (problem) {
      if (!stop.signal.aborted) say("orbit-title", `Its orbit; ${problem.message}`);
    }
  }

  orbitLink(row, k, isCurrent) {
    const link = document.createElement("a");
    link.innerHTML = this.painter.markup(row);
    link.firstElementChild.setAttribute("aria-hidden", "true");
    link.setAttribute("role", "link");
    link.append(heard(`Image ${k + 1}`));
    if (isCurrent) link.setAttribute("aria-current", "true");
    return link;
  }

  markFavourite() {
    const isOne = this.favourites.names.has(this.facts.name);
    $("favourite").setAttribute("aria-pressed", isOne);
    say("favourite", isOne ? "★ Favourite" : "☆ Favourite");
  }

  remaining(text, question) {
    say("remaining", text);
    const marks = new Set(question.where.flat().map(({ mark }) => mark.join(".")));
    for (const place of document.querySelectorAll("#spots .spot")) {
      const isChosen = marks.has(`${place.dataset.spot}.${place.thing}`) || marks.has(String(place.atom));
      place.classList.toggle("chosen", isChosen);
      place.setAttribute("aria-pressed", isChosen);
    }
  }

  wholeSvg() {
    const rules = [...document.styleSheets].find(sheet => (sheet.href || "").endsWith("drawing.css"));
    const text = [...rules.cssRules].map(rule => rule.cssText).filter(rule => rule.includes("rk-auto")).join("");
    return this.painter.markup(this.facts.row, "", true).replace(/rk-(light|dark)"/, 'rk-auto"').replace(">", `><style>${text}</style>`);
  }
}
