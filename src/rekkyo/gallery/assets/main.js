// The page: what is seen lives in its address, so that every view has a permanent link and the browser's buttons
// go back and forth between views.

import { PLAIN, readView, SIZES, write } from "./address.js";
import { Board } from "./board.js";
import { Detail } from "./detail.js";
import { downloads } from "./downloads.js";
import { Filters } from "./filters.js";
import { Grid, PAGE } from "./grid.js";
import { Favourites } from "./kept.js";
import { Notice, say } from "./notice.js";
import { Painter } from "./painter.js";
import { EVERYTHING, isFiltered, questionText, Refused, toggled } from "./question.js";
import { roving } from "./roving.js";
import { openSource } from "./source.js";
import { themeSwitch } from "./theme.js";
import { onPinch } from "./touch.js";

const $ = id => document.getElementById(id);
const many = number => number.toLocaleString("en");
const source = openSource(), notice = new Notice();
let view = PLAIN, facts, status, painter, grid, detail, board, filters, favourites;
let rank = -1, asked = 0, shown = null, stop = null, known = null, loading = null;

// Another view: what changes of it. kind: "push", "replace", or "none" for one that the browser went to.
function go(change, kind = "push") {
  const before = view;
  if (change.question && questionText(change.question) !== questionText(view.question)) change = { at: 0, ...change };
  view = { ...view, ...change };
  if (kind !== "none") write(view, kind);
  return apply(before);
}

function ask(change) { return go({ question: { ...view.question, ...change } }); }

async function apply(before) {
  const text = questionText(view.question);
  if (view.size !== grid.size) resize();
  const isNew = text !== questionText(before.question), jobs = [];
  if (isNew || shown === null) jobs.push(load());
  else if (view.at !== before.at && grid.count) grid.toRank(view.at);
  if (view.open === null) detail.close();
  else if (view.open !== before.open || view.beside !== before.beside || view.isTurned !== before.isTurned || !detail.facts) jobs.push(openSolution());
  if (isNew || view.board !== before.board) jobs.push(board.show(view.board, view.question));
  $("board-switch").setAttribute("aria-pressed", view.board !== null);
  await Promise.all(jobs);
}

function resize() {
  grid.size = view.size;
  grid.layout();
  $("larger").disabled = view.size === SIZES.at(-1);
  $("smaller").disabled = view.size === SIZES[0];
}

// The sheet for what is asked for. first: an answer that is under way already.
function load(first = null) {
  known = null;
  return loading = loadNow(first);
}

async function loadNow(first) {
  const mine = ++asked, question = view.question, at = Math.floor(view.at / PAGE);
  if (!first) {
    stop?.abort();
    stop = new AbortController();
  }
  const more = { signal: stop.signal, progress: (scanned, of) => { if (mine === asked) notice.progress(scanned, of, () => stop.abort()); } };
  shown = question;
  showControls();
  grid.wait();
  try {
    const page = await (first ?? source.rows(question, at * PAGE, PAGE, more));
    await painter.load(page.rows);
    const here = detail.number === null ? null : await source.rank(question, detail.number, more);
    if (mine !== asked) return;
    away(null);
    notice.hide();
    rank = here ?? -1;
    grid.reset(page.count, at, page, view.at);
    showCounts(page.count);
    if (!page.count) nothing();
  } catch (problem) {
    if (mine !== asked) return;
    if (stop.signal.aborted) stopped();
    else if (problem instanceof Refused) refuse(problem);
    else {
      away(problem);
      setTimeout(() => { if (mine === asked) load(); }, 1000);
    }
  }
}

function refuse(problem) {
  grid.reset(0);
  showCounts(null);
  notice.show(problem.message, waysBack());
}

function stopped() {
  grid.reset(0);
  showCounts(null);
  notice.show("Stopped. The search goes on from there when it is asked for again.", [["Go on", () => load()], ...waysBack()]);
}

function nothing() {
  notice.show(isFiltered(view.question) ? "No solution passes this filter." : status.state === "finished" ? "There is no solution." : "No solution has been found yet.", waysBack());
}

function waysBack() {
  const { where, order, among } = view.question, ways = [];
  if (order === "least") ways.push(["Show them as found", () => ask({ order: "found" })]);
  if (among) ways.push(["Show not only favourites", () => ask({ among: null })]);
  if (where.length) ways.push(["Take the last condition away", () => ask({ where: where.slice(0, -1) })]);
  ways.push(["Show everything", () => go({ ...PLAIN, question: EVERYTHING, size: view.size })]);
  return ways;
}

// A server that does not answer is waited for.
function away(problem) {
  say("message", problem ? `The server does not answer (${problem.message}); this page goes on when it is back.` : "");
  $("message").hidden = !problem;
}

// count: null while it is not known.
function showCounts(count) {
  const filtered = isFiltered(view.question), parts = [];
  if (status.total !== null) parts.push(`total ${many(status.total)}`);
  if (status.unique !== null) parts.push(`unique ${many(status.unique)}`);
  if (filtered && count !== null) parts.push(`${many(count)} remain`);
  else if (status.rows !== status.total) parts.push(`${many(status.rows)} stored`);
  say("counts", parts.join(", "));
  detail.remaining(filtered && count !== null ? `${many(count)} remain with this filter.` : "", view.question);
}

function showStatus() {
  const running = status.state !== "finished";
  $("progress").hidden = !running;
  if (!running) return;
  $("bar").value = status.shards ? status.shards_done / status.shards : 0;
  const left = status.remaining_s ? `, ${Math.round(status.remaining_s[0])} to ${Math.round(status.remaining_s[1])} s left` : "";
  say("progress-text", `${status.state}: ${many(status.shards_done)} of ${many(status.shards)} parts${status.state === "running" ? left : ""}`);
}

function showControls() {
  $("only").value = view.question.only;
  $("order").value = view.question.order;
  filters.show(view.question);
  showFavourites();
}

function showFavourites() {
  say("favourites", `★ ${favourites.names.size}`);
  $("favourites").setAttribute("aria-label", `Favourites: ${favourites.names.size}`);
  $("favourites").disabled = !favourites.names.size && !view.question.among;
  $("favourites").setAttribute("aria-pressed", view.question.among !== null);
}

const filter = mark => go({ question: toggled(view.question, mark, $("mode").value) });
const asksPlacement = () => $("what").value === "placement";

async function openSolution() {
  const wanted = view.open;
  const found = await detail.open(wanted, view.beside, view.isTurned);
  if (!found || view.open !== wanted) return;
  if (found.name !== wanted) go({ open: found.name }, "replace");
  try {
    rank = (known?.name === wanted ? known.at : undefined) ?? await source.rank(view.question, found.number) ?? -1;
    if (rank >= 0 && !grid.waiting) grid.mark(rank);
  } catch {
    rank = -1;
  }
  showCounts(isFiltered(view.question) ? grid.count : null);
}

// at: its rank, where it is known.
async function openNumber(number, at) {
  if (number === undefined) return;
  const name = status.state === "finished" ? String(number) : (await source.solution(number)).name;
  known = { name, at };
  rank = at ?? -1;
  await go({ open: name });
}

async function step(by) {
  await loading;
  if (grid.waiting || rank < 0 || rank + by < 0 || rank + by >= grid.count) return;
  rank += by;
  grid.show(rank);
  await openNumber(await grid.numberAt(rank), rank);
}

async function random() {
  if (!grid.count || grid.waiting) return;
  const at = Math.floor(Math.random() * grid.count);
  grid.show(at);
  await openNumber(await grid.numberAt(at), at);
}

async function goTo(word) {
  if (!/^\d{1,15}$/.test(word)) { say("said", "The number of a solution is a whole number from 0."); return; }
  try {
    const at = await source.rank(view.question, Number(word));
    if (at === null) say("said", Number(word) < status.rows ? `Solution ${word} does not pass this filter.` : `There is no solution ${word}; they go from 0 to ${many(status.rows - 1)}.`);
    else {
      say("said", "");
      grid.show(at);
      $("scroll").focus();
    }
  } catch (problem) {
    say("said", problem.message);
  }
}

async function watch() {
  try {
    const { rows: before, version } = status;
    status = await source.status();
    showStatus();
    if (status.version !== version) {
      known = null;
      if (view.open !== null) await openSolution();
      await load();
      board.grown(view.question);
    } else if (status.rows !== before && notice.isHidden) {
      const page = await source.rows(view.question, 0, 1);
      if (grid.count === 0 && page.count) await load();
      grid.grow(page.count, view.question.order === "found");
      showCounts(page.count);
      board.grown(view.question);
    } else if (status.rows !== before && !stop.signal.aborted) await load();
    away(null);
  } catch (problem) {
    if (!(problem instanceof Refused)) away(problem);
  }
  if (status.state !== "finished" || !$("message").hidden) setTimeout(watch, 1000);
}

async function fetchPage(start, count) {
  try {
    const page = await source.rows(shown, start, count, { signal: stop.signal });
    await painter.load(page.rows);
    if (!$("message").hidden) away(null);
    return page;
  } catch (problem) {
    if (problem instanceof Refused) refuse(problem);
    else if (!stop.signal.aborted) {
      away(problem);
      setTimeout(() => grid.render(), 1000);
    }
    throw problem;
  }
}

function listen() {
  $("only").addEventListener("change", () => ask({ only: $("only").value }));
  $("order").addEventListener("change", () => ask({ order: $("order").value }));
  $("larger").addEventListener("click", () => scale(1));
  $("smaller").addEventListener("click", () => scale(-1));
  onPinch($("scroll"), scale);
  $("random").addEventListener("click", random);
  $("favourites").addEventListener("click", () => ask({ among: view.question.among ? null : [...favourites.names] }));
  $("board-switch").addEventListener("click", () => go({ board: view.board === null ? 0 : null }));
  $("goto").addEventListener("submit", event => { event.preventDefault(); goTo($("number").value.trim()); });
  $("search").addEventListener("click", async () => {
    try {
      location.assign(await source.search(facts.search));
    } catch (problem) {
      say("said", problem.message);
    }
  });
  $("gallery").addEventListener("change", () => location.assign(`../${$("gallery").value}/`));
  document.addEventListener("keydown", event => {
    if (event.key === "r" && !event.ctrlKey && !event.metaKey && !event.altKey && !["SELECT", "INPUT"].includes(event.target.tagName)) random();
  });
  addEventListener("popstate", () => {
    try {
      go({ ...readView(location.search) }, "none");
    } catch (problem) {
      refuse(problem);
    }
  });
}

function scale(by) {
  const next = SIZES[SIZES.indexOf(view.size) + by];
  if (next) go({ size: next }, "replace");
}

function showPuzzle() {
  document.title = `${facts.puzzle} – rekkyo`;
  say("title", facts.title);
  for (const option of [...$("only").options])
    if ((option.value.includes("representatives") && !facts.has_representatives) || (option.value.includes("symmetric") && !facts.has_symmetry)) option.remove();
  $("only-label").hidden = $("only").options.length < 2;
  $("gallery-label").hidden = facts.galleries.length < 2;
  $("gallery").replaceChildren(...facts.galleries.map((name, k) => new Option(name, k, k === facts.gallery, k === facts.gallery)));
  $("search").hidden = !facts.search;
}

// With one kind of piece, what lies at a place says nothing: which placement it is is what is asked.
async function showPlacements() {
  const { has_placements } = await source.kinds();
  $("what-label").hidden = !has_placements;
  if (has_placements && facts.things.length === 1) $("what").value = "placement";
}

async function begin() {
  let problem = null;
  try {
    view = readView(location.search);
  } catch (found) {
    problem = found;
  }
  const begun = stop = new AbortController();
  const progress = (scanned, of) => { if (stop === begun) notice.progress(scanned, of, () => stop.abort()); };
  const first = problem ? null : source.rows(view.question, Math.floor(view.at / PAGE) * PAGE, PAGE, { signal: stop.signal, progress });
  first?.catch(() => {});
  [facts, status] = await Promise.all([source.puzzle(), source.status()]);
  showPuzzle();
  painter = new Painter(source, facts);
  themeSwitch($("theme"), painter);
  favourites = new Favourites(facts.key, () => { showFavourites(); grid.star(favourites.names); });
  detail = new Detail({ source, painter, favourites, go, filter, step, asksPlacement });
  board = new Board({ source, painter, filter, asksPlacement, choose: thing => go({ board: thing }) });
  filters = new Filters({ place: $("filters"), painter, change: ask });
  let late;
  grid = new Grid({
    scroll: $("scroll"), spacer: $("spacer"), cards: $("cards"), open: openNumber, draw: row => painter.markup(row), fetchPage,
    moved: at => {
      clearTimeout(late);
      late = setTimeout(() => { if (!grid.waiting && grid.count && at !== view.at) { view = { ...view, at }; write(view, "replace"); } }, 300);
    },
  });
  grid.ratio = facts.height / facts.width;
  grid.stars = favourites.names;
  listen();
  roving($("tools"), "button");
  downloads($("download"), source, () => view.question);
  showStatus();
  resize();
  if (problem) {
    showControls();
    refuse(problem);
  } else {
    await load(first);
    if (view.board !== null) board.show(view.board, view.question);
    $("board-switch").setAttribute("aria-pressed", view.board !== null);
    if (view.open !== null) await openSolution();
  }
  await showPlacements();
  if (view.open === null) $("scroll").focus();
  document.documentElement.dataset.ready = "yes";
  if (status.state !== "finished") setTimeout(watch, 1000);
}

begin().catch(away);
