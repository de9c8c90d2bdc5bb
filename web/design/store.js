// What the page knows: the text is what is true; everything else is the server's answer to it.

import { batch, signal } from "@preact/signals";

export const text = signal("");
export const schema = signal({ oneOf: [], $defs: {} });
export const values = signal([]);
export const drawn = signal(null);
export const problem = signal(null);
export const boardCursor = signal(null);
export const answer = signal({});
export const help = signal({});
export const link = signal("connecting");
export const said = signal("");
export const begun = signal(null);
export const canUndo = signal(false);
export const canRedo = signal(false);

let server = null;
let lastNumber = 0; // of a message; answers carry it
let newest = 0;
let helping = 0;
let changes = [];
let stroke = null; // while a stroke is drawn: the changes before it
let waiting = null; // what is drawn, when the stroke has ended
const past = [];
const future = [];
let isTravelling = false;
const files = new Map();

// What the editor of the text can do for others: `jump(line, column)`.
export const editor = {};

// openServer: given what hears messages, and what hears that the server is there, or not any more; gives what sends.
export function connect(openServer) {
  server = openServer(hear, (state) => {
    link.value = state;
    if (state === "open") ask();
  });
}

function send(message) {
  server?.(message);
}

function ask(base = text.value, all = changes) {
  newest = lastNumber += 1;
  performance.clearMarks();
  for (const stage of Object.keys(document.documentElement.dataset)) if (stage !== "ready") delete document.documentElement.dataset[stage];
  performance.mark(`ask-${newest}`);
  answer.value = { ...answer.value, isOld: true };
  send({ do: "ask", id: newest, text: base, changes: all, values: values.value });
  const last = all.at(-1);
  if (last?.do !== "paint" || !drawn.value) return;
  drawn.value = painted(drawn.value, last);
  measure("painted", newest);
}

// What a change paints is shown at once; the server's drawing replaces it.
function painted(shown, { of, spots, mark }) {
  const isGrid = shown.kind === "grid";
  const isGone = mark === null || (isGrid && of === "given" && mark === ".");
  const gone = new Set(spots.map((spot) => spot.join(",")));
  const repaint = (marks) => [
    ...marks.filter((one) => !gone.has(one.slice(0, 3).join(","))),
    ...(isGone ? [] : spots.map((spot) => [...spot, mark])),
  ];
  const { board, given } = shown;
  if (of === "given" && !isGrid) return { ...shown, given: repaint(given) };
  const key = of === "given" ? "given" : "marks";
  return board?.[key] ? { ...shown, board: { ...board, [key]: repaint(board[key]) } } : shown;
}

// One change, made at once by the server; several may be under way.
export function change(one) {
  changes = [...changes, one];
  ask();
}

// A stroke grows while the pointer moves: always the whole of it, on the text before it.
export function draw(one, isLast) {
  stroke ??= { before: changes };
  const whole = JSON.stringify(one);
  changes = [...stroke.before, one];
  if (stroke.sent !== whole) ask();
  stroke.sent = whole;
  if (isLast) {
    stroke = null;
    if (waiting !== null && waiting.id === newest) take(waiting);
  }
}

export function write(whole) {
  if (whole === text.value && changes.length === 0) return;
  changes = [];
  ask(whole, []);
}

export function setValues(all) {
  values.value = all;
  ask();
}

export function stop() {
  send({ do: "stop", id: newest });
}

export function askHelp(what) {
  helping = lastNumber += 1;
  help.value = { what, id: helping, rows: [], running: true };
  send({ do: "help", id: helping, what, text: text.value, values: values.value });
}

export function download(form) {
  helping = lastNumber += 1;
  files.set(helping, form);
  send({ do: "export", id: helping, form, text: text.value, values: values.value });
}

// A gallery or a run of the puzzle, as a command beside this page.
export function begin(what) {
  lastNumber += 1;
  begun.value = { text: "Starting …" };
  send({ do: "begin", id: lastNumber, what, text: text.value, values: values.value });
}

export function undo() {
  travel(past, future);
}

export function redo() {
  travel(future, past);
}

function travel(from, to) {
  if (!from.length) return;
  to.push(text.value);
  isTravelling = true;
  changes = [];
  ask(from.pop(), []);
}

function take(told) {
  if (stroke !== null) {
    waiting = told;
    problem.value = told.problem;
    return;
  }
  waiting = null;
  if (told.text !== text.value && !isTravelling && text.value) {
    past.push(text.value);
    future.length = 0;
  }
  isTravelling = false;
  changes = [];
  batch(() => {
    text.value = told.text;
    if (told.drawn !== null) drawn.value = told.drawn;
    problem.value = told.problem;
    canUndo.value = past.length > 0;
    canRedo.value = future.length > 0;
    said.value = told.problem ? told.problem.message : "";
  });
}

function hear(told) {
  if (["clues", "given", "what_if", "difficulty", "played", "fewest", "file"].includes(told.stage)) return hearHelp(told);
  if (told.stage === "begun" || told.stage === "over") {
    begun.value = told;
    return;
  }
  if (told.stage === "end" && (told.id === helping || files.has(told.id)) && told.aside) return endHelp(told);
  if (told.stage === "compiling" && told.id === help.value.id) help.value = { ...help.value, compiling: told.text };
  if (told.id !== newest) return;
  if (told.stage === "read") {
    answer.value = { id: told.id, running: true, old: answer.value };
    take(told);
    measure("read", told.id);
  } else if (told.stage === "end") {
    answer.value = { ...answer.value, running: false, why: told.why, message: told.message };
  } else {
    answer.value = { ...answer.value, compiling: null, [told.stage]: told };
    measure(told.stage, told.id);
  }
}

// How long a stage took from the question to the next picture on screen, for `benchmarks/design.py`.
function measure(stage, id) {
  const before = performance.getEntriesByName(`ask-${id}`)[0];
  if (!before) return;
  requestAnimationFrame(() => {
    document.documentElement.dataset[stage] ??= String(performance.now() - before.startTime);
  });
}

function hearHelp(told) {
  if (told.stage === "file") {
    const raw = Uint8Array.from(atob(told.base64), (mark) => mark.charCodeAt(0));
    save(told.name, new Blob([raw], { type: told.kind }));
    return;
  }
  if (told.id !== help.value.id) return;
  help.value = { ...help.value, compiling: null, rows: [...help.value.rows, told] };
}

function endHelp(told) {
  if (files.has(told.id)) {
    files.delete(told.id);
    if (told.why) said.value = told.message ?? told.why;
    return;
  }
  help.value = { ...help.value, running: false, why: told.why, message: told.message };
}

export function save(name, blob) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}
