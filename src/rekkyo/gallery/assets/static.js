// Solutions out of files, which are filtered here.
//
// A page that was opened as a file may fetch nothing, but it may load scripts: each file of facts is one, which
// hands over what it has. Rows are digits of base 64, read into one array for each file.

import { questionText, Refused } from "./question.js";
import { loadScript } from "./script.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));
const FILES_AT_ONCE = 8;

async function loadFacts(name) {
  globalThis.rekkyoFacts ??= new Map();
  await loadScript(`${name}.js`);
  const facts = globalThis.rekkyoFacts.get(name);
  globalThis.rekkyoFacts.delete(name);
  return facts;
}

export class StaticSource {
  forms = ["csv", "npy"];
  files = new Map();
  answers = new Map();
  kept = new Map();

  once(name) {
    if (!this.kept.has(name)) this.kept.set(name, loadFacts(name));
    return this.kept.get(name);
  }
  puzzle() { return this.once("puzzle"); }
  status() { return this.once("status"); }
  kinds() { return this.once("kinds"); }
  atoms(part) { return this.once(`atoms/${part}`); }
  look(look, part) { return this.once(`looks/${look}-${part}`); }
  async search(address) { return address; }

  async rows(question, start, count, more) {
    const numbers = await this.passing(question, more);
    const some = [...numbers.slice(start, start + count)];
    return { count: numbers.length, numbers: some, rows: await Promise.all(some.map(number => this.row(number))) };
  }

  async rank(question, number, more) {
    const at = (await this.passing(question, more)).indexOf(number);
    return at < 0 ? null : at;
  }

  async solution(name) {
    const { group_order: order } = await this.puzzle();
    const number = Number(name), row = await this.row(number);
    const orbit = await this.orbit(row);
    return {
      number, name, row, orbit: orbit.slice(0, 48), orbit_size: orbit.length,
      stabilizer_order: order ? order / orbit.length : null, text: null,
    };
  }

  async images({ orbit }, more) {
    const wanted = new Map(orbit.map((row, k) => [row.join(), k])), names = orbit.map(() => null);
    await this.eachRow(more, (row, number) => {
      const k = wanted.get(row.join());
      if (k !== undefined) names[k] = String(number);
    });
    return names;
  }

  async heat(question, more) {
    const times = await this.times(question, more), { of_atom } = await this.kinds(), found = new Map();
    for (const [key, atoms] of await this.atomsWith())
      for (const atom of atoms) {
        const [spot, thing] = key.split("."), place = `${spot}.${of_atom?.[atom] ?? thing}`;
        if (times[atom]) found.set(place, (found.get(place) ?? 0) + times[atom]);
      }
    const places = [...found].map(([place, n]) => [...place.split(".").map(Number), n]);
    return { count: (await this.passing({ ...question, order: "found" })).length, places };
  }

  async placements(question, [spot, kind], more) {
    const times = await this.times(question, more), { of_atom } = await this.kinds();
    const there = (await this.atomsWith()).get(`${spot}.${of_atom ? 0 : kind}`) ?? [];
    const atoms = [...there].filter(atom => times[atom] && (!of_atom || of_atom[atom] === kind));
    return atoms.map(atom => [atom, times[atom]]).sort((a, b) => b[1] - a[1]).slice(0, 200);
  }

  async times(question, more) {
    const key = `times ${questionText({ ...question, order: "found" })}`;
    if (!this.answers.has(key)) {
      const { n_atoms } = await this.puzzle();
      const times = new Float64Array(n_atoms);
      const passes = new Set(await this.passing({ ...question, order: "found" }, more));
      const atomsOf = await this.atomsOf();
      await this.eachRow(more, (row, number) => { if (passes.has(number)) for (const atom of atomsOf(row)) times[atom] += 1; });
      this.answers.set(key, times);
    }
    return this.answers.get(key);
  }

  async download(question, form, progress) {
    const { row_length, n_values, by_position } = await this.puzzle();
    const passes = new Set(await this.passing({ ...question, order: "found" }, { progress }));
    const parts = [], wide = new Uint32Array(row_length);
    if (form === "csv") parts.push(Array.from(wide, (_, k) => `${by_position ? "p" : "o"}${k}`).join() + "\n");
    else parts.push(npyHeader(passes.size, row_length));
    await this.eachRow({ progress }, (row, number) => {
      if (!passes.has(number)) return;
      if (form === "csv") parts.push(row.map(value => (value < n_values || by_position ? value : "")).join() + "\n");
      else parts.push(Uint32Array.from(row));
    });
    return new Blob(parts);
  }

  async row(number) {
    const { rows, rows_in_file, row_length } = await this.puzzle();
    if (!(number < rows)) throw new Refused(`there is no solution ${number}; they go from 0 to ${rows - 1}`);
    const values = await this.file(Math.floor(number / rows_in_file)), start = (number % rows_in_file) * row_length;
    return [...values.subarray(start, start + row_length)];
  }

  async file(number) {
    const { n_digits } = await this.puzzle();
    if (!this.files.has(number)) this.files.set(number, loadFacts(`rows/${number}`).then(text => decoded(text, n_digits)));
    return this.files.get(number);
  }

  // Calls with every row and its number, file by file. The row is an array of plain numbers.
  async eachRow({ signal, progress } = {}, look) {
    const { rows, rows_in_file, row_length } = await this.puzzle();
    for (let start = 0; start < rows; start += rows_in_file) {
      signal?.throwIfAborted();
      const file = start / rows_in_file;
      for (let ahead = file; ahead < Math.min(file + FILES_AT_ONCE, Math.ceil(rows / rows_in_file)); ahead += 1) this.file(ahead);
      const values = await this.file(file);
      for (let k = 0; k * row_length < values.length; k += 1) look([...values.subarray(k * row_length, (k + 1) * row_length)], start + k);
      if (file % 4 === 3) {
        progress?.(start, rows);
        await new Promise(resolve => { setTimeout(resolve); });
      }
    }
  }

  async passing(question, more) {
    const key = questionText(question);
    if (!this.answers.has(key)) {
      if (this.answers.size > 40) this.answers.clear();
      this.answers.set(key, await this.inOrder(question, more));
    }
    return this.answers.get(key);
  }

  async inOrder(question, more) {
    if (question.order === "found") return this.found(question, more);
    const numbers = await this.passing({ ...question, order: "found" }, more);
    if (question.order === "reversed") return numbers.slice().reverse();
    if (question.order === "shuffled") return shuffled(numbers);
    const rows = new Map();
    for (const number of numbers) rows.set(number, await this.row(number));
    return numbers.slice().sort((a, b) => compare(rows.get(a), rows.get(b)));
  }

  async found(question, more) {
    const { rows, has_representatives, has_symmetry } = await this.puzzle();
    let numbers = Uint32Array.from({ length: rows }, (_, k) => k);
    for (const [kind, isThere] of [["representatives", has_representatives], ["symmetric", has_symmetry]]) {
      if (!question.only.includes(kind)) continue;
      if (!isThere) throw new Refused("this gallery has no such choice");
      const some = new Set(await this.once(kind));
      numbers = numbers.filter(number => some.has(number));
    }
    if (question.among) {
      const wrong = question.among.find(name => !(Number(name) < rows));
      if (wrong !== undefined) throw new Refused(`there is no solution ${wrong}; they go from 0 to ${rows - 1}`);
      const some = new Set(question.among.map(Number));
      numbers = numbers.filter(number => some.has(number));
    }
    if (!question.where.length) return numbers;
    const clauses = await Promise.all(question.where.map(clause => Promise.all(clause.map(literal => this.test(literal)))));
    const left = new Set(numbers), passing = [], atomsOf = await this.atomsOf();
    await this.eachRow(more, (row, number) => {
      if (!left.has(number)) return;
      const atoms = atomsOf(row);
      if (clauses.every(tests => tests.some(test => test(atoms)))) passing.push(number);
    });
    return Uint32Array.from(passing);
  }

  async test({ mark, not }) {
    const { n_atoms } = await this.puzzle();
    if (mark.length === 1 && mark[0] >= n_atoms) throw new Refused(`there is no placement ${mark[0]}; they go from 0 to ${n_atoms - 1}`);
    const wanted = mark.length === 1 ? new Set(mark) : (await this.atomsWith()).get(mark.join("."));
    if (!wanted) throw new Refused(`no solution can have thing ${mark[1]} at spot ${mark[0]}`);
    return atoms => atoms.some(atom => wanted.has(atom)) !== not;
  }

  async atomsOf() {
    const { by_position, n_values } = await this.puzzle();
    return row => (by_position ? row.map((value, position) => position * n_values + value) : row.filter(value => value < n_values));
  }

  // Keys "spot.thing".
  async atomsWith() {
    this.index ??= (async () => {
      const { n_atoms, atoms_in_part: size } = await this.puzzle(), index = new Map();
      for (let part = 0; part * size < n_atoms; part += 1)
        (await this.atoms(part)).forEach(([, pairs], k) => {
          for (const pair of pairs) index.set(pair.join("."), (index.get(pair.join(".")) ?? new Set()).add(part * size + k));
        });
      return index;
    })();
    return this.index;
  }

  async orbit(row) {
    const { has_group, by_position, n_values: n } = await this.puzzle();
    if (!has_group) return [row];
    const atoms = (await this.atomsOf())(row), seen = new Map();
    for (const element of await this.once("group")) {
      const images = atoms.map(atom => element[atom]).sort((a, b) => a - b);
      const image = by_position ? images.map(atom => atom % n) : [...images, ...row.slice(images.length)];
      seen.set(image.join(), image);
    }
    return [...seen.values()].sort(compare);
  }
}

function decoded(text, nDigits) {
  const values = new Uint32Array(text.length / nDigits);
  for (let k = 0; k < text.length; k += 1) {
    const at = Math.floor(k / nDigits);
    values[at] = values[at] * 64 + VALUES.get(text.charCodeAt(k));
  }
  return values;
}

function npyHeader(nRows, length) {
  const facts = `{'descr': '<u4', 'fortran_order': False, 'shape': (${nRows}, ${length}), }`;
  const size = Math.ceil((facts.length + 11) / 64) * 64 - 10;
  return Uint8Array.from([0x93, ..."NUMPY"].map(c => (typeof c === "string" ? c.charCodeAt(0) : c))
    .concat([1, 0, size & 255, size >> 8], [...(facts.padEnd(size - 1) + "\n")].map(c => c.charCodeAt(0))));
}

function compare(a, b) {
  for (let k = 0; k < a.length; k += 1) if (a[k] !== b[k]) return a[k] - b[k];
  return 0;
}

function shuffled(numbers) {
  const n = numbers.length;
  let step = Math.max(1, Math.round(n * 0.6180339887));
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  while (divisor(step, n) > 1) step += 1;
  return numbers.map((_, k) => numbers[(k * step + Math.floor(n / 3)) % n]);
}
