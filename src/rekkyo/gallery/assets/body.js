// A solution in space that can be turned, pulled apart, peeled and put together. three.js is loaded when it is first shown.

import { say } from "./notice.js";
import { loadScript } from "./script.js";

const $ = id => document.getElementById(id);
const RANGES = ["apart", "peeled", "placed"];

async function loadSolid() {
  if (!globalThis.rekkyo_solid) await loadScript("assets/solid.js");
  return globalThis.rekkyo_solid;
}

export class Body {
  // turn: called when the reader wants the body instead of the picture, or the picture again.
  constructor({ painter, turn }) {
    this.painter = painter;
    this.view = null;
    $("turn").hidden = !painter.facts.body;
    $("turn").addEventListener("click", () => turn($("turn").getAttribute("aria-pressed") !== "true"));
    for (const id of RANGES) $(id).addEventListener("input", () => { this.stop?.abort(); this.change(); });
    $("assemble").addEventListener("click", () => this.assemble());
    // The arrows of a slider move it, not to another solution.
    $("body-tools").addEventListener("keydown", event => event.stopPropagation());
  }

  // row: of the solution, null for its picture.
  async show(row) {
    this.close();
    const mine = this.asked = Symbol("asked"), isTurned = row !== null && Boolean(this.painter.facts.body);
    $("turn").setAttribute("aria-pressed", isTurned);
    say("turn", isTurned ? "Show the picture" : "Turn it in space");
    $("body-view").hidden = !isTurned;
    $("large").hidden = isTurned;
    say("body-said", "");
    if (!isTurned) return;
    try {
      const { SolidView } = await loadSolid();
      if (mine !== this.asked) return;
      const { shape } = this.painter.facts.body;
      this.view = new SolidView($("canvas"), this.pieces(row), shape);
    } catch (problem) {
      say("body-said", `It cannot be drawn here: ${problem.message}`);
      return;
    }
    const { levels, pieces, canBeAssembled } = this.view;
    $("peeled").max = levels.length - 1;
    $("placed").max = pieces.length;
    $("placed").value = pieces.length;
    $("assemble").disabled = pieces.length < 2;
    this.change();
    say("body-said", canBeAssembled ? "Every piece can be put in along a straight line." : "Not every piece can be put in along a straight line.");
  }

  pieces(row) {
    const { colors, body } = this.painter.facts, looks = this.painter.looksOf(row);
    return this.painter.atoms(row).map((atom, k) => {
      const pairs = this.painter.pairs(atom);
      return { color: colors[pairs[0][1]][looks[k]], cells: pairs.map(([spot]) => body.middles[spot]) };
    });
  }

  change() {
    const [apart, peeled, placed] = RANGES.map(id => Number($(id).value));
    this.view?.show({ apart: apart / 100, peeled, placed });
  }

  async assemble() {
    this.stop?.abort();
    const stop = this.stop = new AbortController(), total = this.view.pieces.length;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    await this.view.play(stop.signal, isStill ? 0 : 1, placed => {
      $("placed").value = placed;
      say("body-said", `${placed} of ${total} pieces`);
    });
  }

  close() {
    this.stop?.abort();
    this.view?.close();
    this.view = null;
  }
}
