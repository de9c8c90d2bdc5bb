// The conditions as chips: each says what is asked for, can be turned into its contrary, and taken away.

import { roving } from "./roving.js";

export class Filters {
  constructor({ place, painter, change }) {
    Object.assign(this, { place, painter, change });
    roving(place, "button");
  }

  show(question) {
    this.place.hidden = !question.where.length;
    const chips = question.where.map((clause, k) => this.chip(question, clause, k));
    this.place.replaceChildren(...chips);
  }

  chip(question, clause, k) {
    const replaced = (...others) => this.change({ where: question.where.toSpliced(k, 1, ...others) });
    const chip = document.createElement("span");
    chip.className = "chip";
    chip.setAttribute("role", "group");
    const words = clause.map((literal, at) => {
      const name = this.painter.markName(literal.mark);
      const turned = clause.toSpliced(at, 1, { ...literal, not: !literal.not });
      const text = literal.not ? `not ${name}` : name;
      const word = button(text, `${text}; turn into the contrary`, () => replaced(turned));
      word.setAttribute("aria-pressed", literal.not);
      return at ? [" or ", word] : [word];
    });
    const said = clause.map(({ mark, not }) => `${not ? "not " : ""}${this.painter.markName(mark)}`).join(" or ");
    chip.setAttribute("aria-label", said);
    chip.append(...words.flat(), button("✕", `✕ Take away: ${said}`, () => replaced()));
    return chip;
  }
}

function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}
