// Where solutions come from: a server that answers questions, or files that are filtered here.

// An answer that says no, as against none at all.
export class Refused extends Error {}

async function fetchJson(address) {
  const answer = await fetch(address);
  const facts = await answer.json();
  if (!answer.ok) throw new Refused(facts.error || answer.statusText);
  return facts;
}

export function questionText(question) {
  const parts = [];
  if (question.where.length) parts.push("where=" + question.where.map(pair => pair.join(".")).join("_"));
  if (question.only !== "all") parts.push("only=" + question.only);
  if (question.order !== "found") parts.push("order=" + question.order);
  return parts.join("&");
}

class LiveSource {
  puzzle() { return fetchJson("api/puzzle"); }
  status() { return fetchJson("api/status"); }
  atoms(part) { return fetchJson("api/atoms/" + part); }
  rows(question, start, count) { return fetchJson(`api/rows?${questionText(question)}&from=${start}&count=${count}`); }
  solution(name) { return fetchJson("api/solution/" + name); }

  // Where a solution is in what was asked for; null if it is not there.
  async rank(question, number) { return (await fetchJson(`api/rank/${number}?${questionText(question)}`)).rank; }
}

// A page that was opened as a file may fetch nothing, but it may load scripts: each file of facts is one, which
// hands over what it has.
function loadFacts(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.rekkyoFacts ??= new Map();
    script.src = `${name}.js`;
    script.addEventListener("load", () => { script.remove(); resolve(globalThis.rekkyoFacts.get(name)); });
    script.addEventListener("error", () => reject(new Refused(`${name}.js is missing; write the gallery again`)));
    document.head.append(script);
  });
}

class StaticSource {
  async puzzle() {
    this.facts = await loadFacts("puzzle");
    return this.facts;
  }
  status() { return loadFacts("status"); }
  atoms(part) { return loadFacts(`atoms/${part}`); }

  async rows(question, start, count) {
    const numbers = await this.passing(question);
    const some = [];
    for (const rank of Array.from({ length: Math.max(0, Math.min(count, numbers.length - start)) }, (_, k) => start + k))
      some.push(numbers[rank]);
    return { count: numbers.length, numbers: some, rows: await Promise.all(some.map(number => this.row(number))) };
  }

  async rank(question, number) {
    const at = (await this.passing(question)).indexOf(number);
    return at < 0 ? null : at;
  }

  async solution(name) {
    const number = Number(name);
    const row = await this.row(number);
    const orbit = await this.orbit(row);
    const order = this.facts.group_order;
    return { number, name, row, orbit, stabilizer_order: order && orbit.length > 0 ? order / orbit.length : null, text: null };
  }

  async row(number) {
    const size = this.facts.rows_in_file;
    this.files ??= new Map();
    const file = Math.floor(number / size);
    if (!this.files.has(file)) this.files.set(file, loadFacts(`rows/${file}`));
    const row = (await this.files.get(file))[number % size];
    if (row === undefined) throw new Refused(`there is no solution ${number}`);
    return row;
  }

  async passing(question) {
    const key = questionText(question);
    this.answers ??= new Map();
    if (!this.answers.has(key)) {
      if (this.answers.size > 20) this.answers.clear();
      this.answers.set(key, this.search(question));
    }
    return this.answers.get(key);
  }

  async search(question) {
    let numbers = question.only === "representatives"
      ? await (this.representatives ??= loadFacts("representatives"))
      : Array.from({ length: this.facts.rows }, (_, k) => k);
    if (question.where.length) {
      const wanted = await Promise.all(question.where.map(pair => this.atomsWith(pair)));
      const rows = await Promise.all(numbers.map(number => this.row(number)));
      numbers = numbers.filter((_, k) => wanted.every(atoms => this.atomsOf(rows[k]).some(atom => atoms.has(atom))));
    }
    if (question.order === "reversed") numbers = numbers.slice().reverse();
    if (question.order === "shuffled") numbers = shuffled(numbers);
    if (question.order === "least") {
      const rows = new Map(await Promise.all(numbers.map(async number => [number, await this.row(number)])));
      numbers = numbers.slice().sort((a, b) => compare(rows.get(a), rows.get(b)));
    }
    return numbers;
  }

  atomsOf(row) {
    if (!this.facts.by_position) return row.filter(value => value < this.facts.n_values);
    return row.map((value, position) => position * this.facts.n_values + value);
  }

  async atomsWith([spot, thing]) {
    if (!this.index) {
      this.index = new Map();
      const size = this.facts.atoms_in_part;
      for (let part = 0; part * size < this.facts.n_atoms; part += 1)
        (await this.atoms(part)).forEach(([, pairs], k) => {
          for (const pair of pairs) {
            const key = pair.join(".");
            if (!this.index.has(key)) this.index.set(key, new Set());
            this.index.get(key).add(part * size + k);
          }
        });
    }
    return this.index.get(`${spot}.${thing}`) || new Set();
  }

  async orbit(row) {
    if (!this.facts.has_group) return [row];
    const elements = await (this.group ??= loadFacts("group"));
    const atoms = this.atomsOf(row), n = this.facts.n_values, seen = new Map();
    for (const element of elements) {
      const images = atoms.map(atom => element[atom]).sort((a, b) => a - b);
      const image = this.facts.by_position ? images.map(atom => atom % n) : [...images, ...row.slice(images.length)];
      seen.set(image.join(), image);
    }
    return [...seen.values()].sort(compare);
  }
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

export function openSource() {
  const kind = document.querySelector('meta[name="rekkyo-source"]').content;
  return kind === "static" ? new StaticSource() : new LiveSource();
}
