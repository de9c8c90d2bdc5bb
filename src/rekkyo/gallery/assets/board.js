// The empty board: a palette of kinds, how often each lies where, and places to click for a condition.

import { onChoose } from "./painter.js";
import { EVERYTHING, questionText } from "./question.js";
import { roving } from "./roving.js";
import { heard, say } from "./notice.js";

const $ = id => document.getElementById(id);
const many = number => number.toLocaleString("en");
const share = (times, of) => (of ? `${((100 * times) / of).toFixed(1)} %` : "0 %");

export class Board {
  constructor({ source, painter, filter, choose, asksPlacement }) {
    Object.assign(this, { source, painter, filter, choose, asksPlacement });
    this.kind = null;
    $("close-board").addEventListener("click", () => choose(null));
    $("heat-of").addEventListener("change", () => this.shade());
    roving($("palette"), "button");
    roving($("choices"), "button");
  }

  // The board with the heat map of a kind, the last one for a number beyond; null closes it.
  async show(kind, question) {
    this.stop?.abort();
    $("board").hidden = kind === null;
    if (kind === null) return;
    await this.build();
    this.kind = Math.min(kind, this.kinds.names.length - 1);
    for (const [k, button] of [...$("palette").children].entries()) {
      button.setAttribute("aria-pressed", k === this.kind);
      if (k === this.kind) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const asked = questionText({ ...question, order: "found" });
    if (asked !== this.asked) {
      this.question = question;
      $("choices").replaceChildren();
      const stop = this.stop = new AbortController();
      const more = { signal: stop.signal, progress: (done, of) => say("heat-said", `Counting: ${Math.floor((100 * done) / of)} %`) };
      try {
        const heats = { filtered: byPlace(await this.source.heat({ ...question, order: "found" }, more)) };
        heats.all = asked ? byPlace(await this.source.heat(EVERYTHING, more)) : heats.filtered;
        [this.heats, this.asked] = [heats, asked];
      } catch (problem) {
        if (!stop.signal.aborted) say("heat-said", problem.message);
        return;
      }
    }
    this.shade();
  }

  // More solutions have been found.
  grown(question) {
    this.asked = null;
    if (!$("board").hidden) this.show(this.kind, question);
  }

  async build() {
    if (this.places) return;
    const { spots, width, height } = this.painter.facts, kinds = await this.source.kinds();
    await this.painter.loadAtoms(kinds.examples.filter(atom => atom !== null));
    if (this.places) return;
    this.kinds = kinds;
    $("empty").innerHTML = `<svg class="rk-${this.painter.theme}" viewBox="-2 -2 ${width + 4} ${height + 4}"><use href="#background"/><g id="heat"></g></svg>`;
    this.places = spots.map((_, spot) => {
      const place = this.painter.place(spot, this.painter.facts.spot_names[spot]);
      place.setAttribute("fill-opacity", 0);
      onChoose(place, () => this.chosen(spot));
      place.addEventListener("pointerenter", () => say("heat-said", place.getAttribute("aria-label")));
      place.addEventListener("focus", () => say("heat-said", place.getAttribute("aria-label")));
      return place;
    });
    $("heat").append(...this.places);
    roving($("heat"), ".spot");
    for (const [kind, name] of kinds.names.entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(name);
      $("palette").append(button);
      if (kinds.examples[kind] !== null) this.painter.alone(kinds.examples[kind], button);
      if (button.querySelector("text")?.textContent === name) button.lastChild.replaceWith(heard(name));
      button.addEventListener("click", () => this.choose(kind));
    }
    $("palette").hidden = kinds.names.length === 1;
  }

  shade() {
    if (!this.heats) return;
    const { count, times } = this.heats[$("heat-of").value], all = this.heats.all;
    const at = (heat, spot) => heat.get(`${spot}.${this.kind}`) ?? 0, name = this.kinds.names[this.kind];
    const most = Math.max(1, ...this.places.map((_, spot) => at(times, spot)));
    for (const [spot, place] of this.places.entries()) {
      const n = at(times, spot);
      place.setAttribute("fill-opacity", n ? 0.12 + (0.8 * n) / most : 0);
      const whole = all.count === count ? "" : `; of all ${share(at(all.times, spot), all.count)}`;
      this.painter.name(place, `${name} at ${this.painter.facts.spot_names[spot]}: in ${many(n)} of ${many(count)}, ${share(n, count)}${whole}`);
      place.classList.toggle("chosen", this.question.where.some(clause => clause.some(({ mark }) => mark.length === 2 && mark[0] === spot && mark[1] === this.kind)));
    }
    say("heat-said", `Shaded: how often ${name} lies there, at most in ${share(most, count)} of ${many(count)}.`);
  }

  // With the placement asked for, those that cover the place are offered, the most frequent first.
  async chosen(spot) {
    if (!this.asksPlacement()) { this.filter([spot, this.kind]); return; }
    try {
      const found = await this.source.placements(this.question, [spot, this.kind]);
      await this.painter.loadAtoms(found.map(([atom]) => atom));
      const { width, height } = this.painter.facts;
      $("choices").replaceChildren(...found.map(([atom, times]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.innerHTML = `<svg class="rk-${this.painter.theme}" aria-hidden="true" viewBox="-2 -2 ${width + 4} ${height + 4}"><use href="#background"/>${this.painter.atom(atom)}</svg>`;
        button.append(heard(`Placement ${atom}, in `), many(times), heard(" solutions"));
        button.addEventListener("click", () => this.filter([atom]));
        return button;
      }));
      say("heat-said", found.length ? `${found.length} placements cover ${this.painter.facts.spot_names[spot]}; choose one.` : "Nothing lies there in these solutions.");
      $("choices").firstElementChild?.focus();
    } catch (problem) {
      say("heat-said", problem.message);
    }
  }
}

function byPlace({ count, places }) {
  return { count, times: new Map(places.map(([spot, kind, times]) => [`${spot}.${kind}`, times])) };
}
