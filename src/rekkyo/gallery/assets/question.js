// What is asked for, as it stands in an address; question.py reads the same.
//
// question: { where, only, order, among }; where: clauses that all must hold, each a list of literals of which one
// must; literal: { mark, not }; mark: [spot, thing] or [atom].

// A refusal, as opposed to a missing answer. It is reported and not tried again.
export class Refused extends Error {}

export const ORDERS = ["found", "reversed", "least", "shuffled"];
export const ONLY = ["all", "representatives", "symmetric", "symmetric-representatives"];
export const EVERYTHING = { where: [], only: "all", order: "found", among: null };
const LITERAL = /^(!?)(?:(\d{1,15})\.(\d{1,15})|a(\d{1,15}))$/;
export const NAME = /^\d{1,15}(-\d{1,15})?$/;

export function readQuestion(query) {
  const only = query.get("only") ?? "all", order = query.get("order") ?? "found", among = query.get("among");
  if (!ORDERS.includes(order)) throw new Refused(`no order "${order.slice(0, 40)}"; there are ${ORDERS.join(", ")}`);
  if (!ONLY.includes(only)) throw new Refused(`no kind of solutions "${only.slice(0, 40)}"; there are ${ONLY.join(", ")}`);
  const names = among === null ? null : among.split("_").filter(Boolean);
  for (const name of names ?? []) if (!NAME.test(name)) throw new Refused(`"${name.slice(0, 40)}" is not the name of a solution`);
  const where = (query.get("where") ?? "").split("_").filter(Boolean).map(clause => clause.split("~").map(readLiteral));
  return { where, only, order, among: names };
}

function readLiteral(word) {
  const found = LITERAL.exec(word);
  if (!found) throw new Refused(`"${word.slice(0, 40)}" is not a condition; one is written SPOT.THING or aPLACEMENT, such as 3.0`);
  const mark = (found[4] === undefined ? [found[2], found[3]] : [found[4]]).map(Number);
  return { mark, not: found[1] === "!" };
}

export function literalText({ mark, not }) {
  return (not ? "!" : "") + (mark.length === 1 ? `a${mark[0]}` : mark.join("."));
}

export function questionText(question) {
  const parts = [];
  if (question.where.length) parts.push("where=" + question.where.map(clause => clause.map(literalText).join("~")).join("_"));
  if (question.only !== "all") parts.push("only=" + question.only);
  if (question.order !== "found") parts.push("order=" + question.order);
  if (question.among) parts.push("among=" + question.among.join("_"));
  return parts.join("&");
}

export function isFiltered(question) {
  return question.where.length > 0 || question.only !== "all" || question.among !== null;
}

// The question with one literal more, or without it when it stands alone already. mode: "and", "not" or "or".
export function toggled(question, mark, mode) {
  const text = literalText({ mark, not: mode === "not" });
  const left = question.where.filter(clause => !(clause.length === 1 && literalText(clause[0]) === text));
  if (left.length < question.where.length) return { ...question, where: left };
  const literal = { mark, not: mode === "not" };
  if (mode === "or" && left.length) return { ...question, where: [...left.slice(0, -1), [...left.at(-1), literal]] };
  return { ...question, where: [...left, [literal]] };
}
