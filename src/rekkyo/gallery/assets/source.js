// Where solutions come from: a server that answers questions. `static.js` has the same for files.
//
// `more` of a question that may take long: { signal, progress }. A server that has looked at some rows only says so,
// and is asked again; who does not ask again has stopped the search.

import { questionText, Refused } from "./question.js";
import { StaticSource } from "./static.js";

async function fetchJson(address, { signal, progress } = {}) {
  for (;;) {
    const answer = await fetch(address, { signal });
    const facts = await answer.json();
    if (answer.status === 202) progress?.(facts.scanned, facts.of);
    else if (answer.ok) return facts;
    else throw new Refused(facts.error || answer.statusText);
  }
}

class LiveSource {
  forms = ["csv", "npy", "svg", "png", "pdf"];

  puzzle() { return fetchJson("api/puzzle"); }
  status() { return fetchJson("api/status"); }
  kinds() { return fetchJson("api/kinds"); }
  atoms(part) { return fetchJson(`api/atoms/${part}`); }
  look(look, part) { return fetchJson(`api/looks/${look}/${part}`); }
  rows(question, start, count, more) { return fetchJson(`api/rows?${questionText(question)}&from=${start}&count=${count}`, more); }
  heat(question, more) { return fetchJson(`api/heat?${questionText(question)}`, more); }
  solution(name) { return fetchJson(`api/solution/${name}`); }
  async images(facts, more) { return (await fetchJson(`api/solution/${facts.name}/images`, more)).names; }

  // Where a solution is in what was asked for; null if it is not there.
  async rank(question, number, more) { return (await fetchJson(`api/rank/${number}?${questionText(question)}`, more)).rank; }

  // [atom, how often] of those that have this kind at this spot.
  async placements(question, [spot, kind], more) {
    return (await fetchJson(`api/placements?${questionText(question)}&spot=${spot}&kind=${kind}`, more)).atoms;
  }

  async download(question, form, progress) {
    const address = `api/download?${questionText(question)}&format=${form}`;
    for (;;) {
      const answer = await fetch(address);
      if (answer.status === 202) { const { scanned, of } = await answer.json(); progress(scanned, of); }
      else if (answer.ok) return answer.blob();
      else throw new Refused((await answer.json()).error);
    }
  }

  async search(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Refused((await answer.json()).error);
    return address;
  }
}

export function openSource() {
  const kind = document.querySelector('meta[name="rekkyo-source"]').content;
  return kind === "static" ? new StaticSource() : new LiveSource();
}
