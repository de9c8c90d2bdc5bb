// The page: what is asked for lives in its address, so that every view has a permanent link.

import { Detail } from "./detail.js";
import { Grid, PAGE } from "./grid.js";
import { Painter } from "./painter.js";
import { openSource, Refused, questionText } from "./source.js";

const $ = id => document.getElementById(id);
const many = number => number.toLocaleString("en");
const source = openSource();
const question = { where: [], only: "all", order: "found" };
let facts, status, painter, grid, detail, opened = null, rank = -1, asked = 0;

function readAddress() {
  const query = new URLSearchParams(location.search);
  question.where = (query.get("where") || "").split("_").filter(Boolean).map(word => word.split(".").map(Number));
  question.only = query.get("only") === "representatives" ? "representatives" : "all";
  question.order = query.get("order") || "found";
  opened = /^\d+(-\d+)?$/.test(query.get("open") || "") ? query.get("open") : null;
}

function writeAddress() {
  const text = [questionText(question), opened === null ? "" : `open=${opened}`].filter(Boolean).join("&");
  const address = text ? `?${text}` : location.pathname;
  if (location.search !== (text ? `?${text}` : "")) history.replaceState(null, "", address);
}

function complain(problem) {
  $("message").textContent = problem ? String(problem.message || problem) : "";
  $("message").hidden = !problem;
}

async function ask() {
  const mine = ++asked;
  writeAddress();
  showFilters();
  grid.wait();
  try {
    const page = await source.rows(question, 0, PAGE);
    await painter.load(page.rows);
    const at = detail.number === null ? null : await source.rank(question, detail.number);
    if (mine !== asked) return;
    complain(null);
    rank = at ?? -1;
    grid.reset(page.count, page);
    showCounts(page.count);
  } catch (problem) {
    if (mine !== asked) return;
    if (problem instanceof Refused) {
      complain(problem);
      grid.reset(0);
      showCounts(0);
    } else {
      complain(isAway(problem));
      setTimeout(() => { if (mine === asked) ask(); }, 1000);
    }
  }
}

function isAway(problem) {
  return `The server does not answer (${problem.message}); this page goes on when it is back.`;
}

function showCounts(count) {
  const filtered = question.where.length || question.only !== "all";
  const parts = [];
  if (status.total !== null) parts.push(`total ${many(status.total)}`);
  if (status.unique !== null) parts.push(`unique ${many(status.unique)}`);
  if (filtered) parts.push(`${many(count)} remain`);
  else if (status.rows !== status.total) parts.push(`${many(status.rows)} stored`);
  $("counts").textContent = parts.join(", ");
  detail.remaining(filtered ? `${many(count)} remain with this filter.` : "");
}

function showStatus() {
  const running = status.state !== "finished";
  $("progress").hidden = !running;
  if (!running) return;
  $("bar").value = status.shards ? status.shards_done / status.shards : 0;
  const left = status.remaining_s ? `, ${Math.round(status.remaining_s[0])} to ${Math.round(status.remaining_s[1])} s left` : "";
  $("progress-text").textContent = `${status.state}: ${many(status.shards_done)} of ${many(status.shards)} parts${status.state === "running" ? left : ""}`;
}

function showFilters() {
  $("only").value = question.only;
  $("order").value = question.order;
  $("filters").replaceChildren(...question.where.map(([spot, thing]) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "chip";
    chip.setAttribute("role", "listitem");
    chip.textContent = `${facts.things[thing] ?? "?"} at ${facts.spot_names[spot] ?? "?"} ✕`;
    chip.title = "Take this filter away";
    chip.addEventListener("click", () => toggle(spot, thing));
    return chip;
  }));
}

function toggle(spot, thing) {
  const index = question.where.findIndex(pair => pair[0] === spot && pair[1] === thing);
  if (index >= 0) question.where.splice(index, 1);
  else question.where.push([spot, thing]);
  return ask();
}

async function openSolution(name, at) {
  try {
    await detail.open(name);
    rank = at ?? await source.rank(question, detail.number) ?? -1;
  } catch (problem) {
    complain(problem);
  }
}

async function step(by) {
  if (grid.waiting || rank < 0 || rank + by < 0 || rank + by >= grid.count) return;
  rank += by;
  grid.show(rank);
  await openSolution(await grid.numberAt(rank), rank);
}

async function watch() {
  try {
    const { rows: before, version } = status;
    status = await source.status();
    showStatus();
    if (status.version !== version) {
      if (opened !== null) await detail.open(opened);
      await ask();
    } else if (status.rows !== before) {
      const page = await source.rows(question, 0, 1);
      grid.grow(page.count, question.order === "found");
      showCounts(page.count);
    } else if (status.state === "finished") showCounts(grid.count);
    complain(null);
  } catch (problem) {
    complain(isAway(problem));
  }
  if (status.state !== "finished" || !$("message").hidden) setTimeout(watch, 1000);
}

async function begin() {
  readAddress();
  [facts, status] = await Promise.all([source.puzzle(), source.status()]);
  document.title = `${facts.puzzle} – rekkyo`;
  $("title").textContent = facts.title;
  $("only-label").hidden = !facts.has_representatives;
  painter = new Painter(source, facts);
  detail = new Detail({ source, painter, question, step, filter: toggle, moved: name => { opened = name; writeAddress(); } });
  grid = new Grid({
    scroll: $("scroll"), spacer: $("spacer"), cards: $("cards"), open: openSolution, draw: row => painter.markup(row),
    fetchPage: async (start, count) => {
      try {
        const page = await source.rows(question, start, count);
        await painter.load(page.rows);
        if (!$("message").hidden) complain(null);
        return page;
      } catch (problem) {
        complain(isAway(problem));
        setTimeout(() => grid.render(), 1000);
        throw problem;
      }
    },
  });
  grid.ratio = facts.height / facts.width;
  $("only").addEventListener("change", () => { question.only = $("only").value; ask(); });
  $("order").addEventListener("change", () => { question.order = $("order").value; ask(); });
  $("size").addEventListener("click", () => {
    grid.size = { 120: 190, 190: 280, 280: 120 }[grid.size];
    $("size").textContent = grid.size === 280 ? "Smaller" : "Larger";
    grid.layout();
  });
  $("random").addEventListener("click", random);
  document.addEventListener("keydown", event => {
    if (event.key === "r" && !event.ctrlKey && !event.metaKey && !event.altKey && event.target.tagName !== "SELECT") random();
  });
  addEventListener("popstate", () => { readAddress(); ask(); });
  showStatus();
  const wanted = opened;
  await ask();
  if (wanted !== null) await openSolution(wanted);
  $("scroll").focus();
  document.documentElement.dataset.ready = "yes";
  if (status.state !== "finished") setTimeout(watch, 1000);
}

async function random() {
  if (!grid.count || grid.waiting) return;
  const at = Math.floor(Math.random() * grid.count);
  grid.show(at);
  await openSolution(await grid.numberAt(at), at);
}

begin().catch(complain);
