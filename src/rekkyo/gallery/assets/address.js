// The view that an address names: what is asked for, where the sheet stands, which solutions are open.

import { EVERYTHING, NAME, questionText, readQuestion, Refused } from "./question.js";

export const SIZES = [80, 120, 190, 280, 420];
export const PLAIN = { question: EVERYTHING, at: 0, size: 190, open: null, beside: null, board: null, isTurned: false };

// view: at: the first rank in view; open, beside: names of solutions; board: the thing whose heat map is shown;
// isTurned: whether a solid is shown in space.
export function readView(search) {
  const query = new URLSearchParams(search);
  const size = number(query, "size", 190);
  return {
    question: readQuestion(query),
    at: number(query, "at", 0),
    size: SIZES.includes(size) ? size : 190,
    open: name(query, "open"),
    beside: name(query, "beside"),
    board: number(query, "board", null),
    isTurned: query.get("turned") === "yes",
  };
}

function number(query, key, otherwise) {
  const word = query.get(key);
  if (word === null) return otherwise;
  if (!/^\d{1,15}$/.test(word)) throw new Refused(`${key} is a whole number from 0, not "${word.slice(0, 40)}"`);
  return Number(word);
}

function name(query, key) {
  const word = query.get(key);
  if (word !== null && !NAME.test(word)) throw new Refused(`"${word.slice(0, 40)}" is not the name of a solution`);
  return word;
}

export function viewText(view) {
  const parts = [questionText(view.question)];
  if (view.at) parts.push(`at=${view.at}`);
  if (view.size !== 190) parts.push(`size=${view.size}`);
  if (view.open !== null) parts.push(`open=${view.open}`);
  if (view.beside !== null) parts.push(`beside=${view.beside}`);
  if (view.board !== null) parts.push(`board=${view.board}`);
  if (view.isTurned) parts.push("turned=yes");
  return parts.filter(Boolean).join("&");
}

export function write(view, kind) {
  const text = viewText(view), address = text ? `?${text}` : location.pathname;
  if (location.search === (text ? `?${text}` : "")) return;
  history[kind === "replace" ? "replaceState" : "pushState"](null, "", address);
}
