// What the server says of the puzzle, as it comes.

import { answer, editor, problem, stop } from "./store.js";

const FEW = { none: "no solution", one: "one solution", some: "one solution so far", many: "many solutions", unknown: "no solution so far" };

export const grouped = (number) => (number === null || number === undefined ? "" : BigInt(number).toLocaleString("en"));

export function Answers() {
  const now = answer.value;
  return (
    <section id="answers" aria-labelledby="answers-title" class={now.isOld ? "old" : ""}>
      <h2 id="answers-title">Solutions</h2>
      {problem.value && <Problem />}
      <p id="count" role="status" data-id={now.id}>{counted(now)}</p>
      {now.compiling && <p id="compiling" role="status">{now.compiling.text} (only this once)</p>}
      {now.running && now.few && !now.count && !now.total && (
        <p class="tools">
          <progress max="1" value={now.progress?.done} aria-label="How far the count is" /> {now.progress && `${now.progress.found} so far`}{" "}
          <button type="button" id="stop" onClick={stop}>Stop</button>
        </p>
      )}
      {now.estimate && !now.count && !now.total && <p id="estimate">{estimated(now.estimate)}</p>}
      {!now.running && now.why && <p id="why">{now.message ?? (now.why === "stopped" ? "Stopped." : now.why === "time" ? "Stopped: it took too long." : now.why)}</p>}
      <ul id="checks">
        {(now.checks?.checks ?? []).map((check) => <li key={check.text} class={check.ok ? "" : "bad"}>{check.text}</li>)}
      </ul>
      <Pictures told={now.heat?.pictures ?? now.few?.pictures} />
      {now.heat && (
        <details id="heat">
          <summary>How often what is where</summary>
          <Drawing svg={now.heat.svg} />
        </details>
      )}
    </section>
  );
}

function Problem() {
  const { message, line, column, of_change: isOfChange } = problem.value;
  const jump = () => editor.jump(line, column);
  return (
    <p id="problem" class="bad">
      {isOfChange ? message : <><button type="button" onClick={jump}>Line {line}, column {column}</button> {message}</>}
    </p>
  );
}

function counted(now) {
  if (now.count) {
    const { total, unique, up_to: upTo, optimum } = now.count;
    const best = optimum === null ? "" : `, best value ${optimum}`;
    return `total ${grouped(total)}${unique === null ? "" : `, unique ${grouped(unique)} up to ${upTo}`}${best}`;
  }
  if (now.total) return `total ${grouped(now.total.total)}${now.running ? ", unique …" : ""}`;
  if (now.few) return FEW[now.few.few];
  if (problem.value && !problem.value.of_change) return "no puzzle yet";
  return "…";
}

function estimated({ total, unique, seconds, refused, exact }) {
  if (refused) return refused;
  const about = (value) => (value === null ? "?" : value.toLocaleString("en", { maximumSignificantDigits: 3 }));
  if (exact) return `${about(total[0])} solutions, by an estimate that met all of them`;
  const classes = unique ? `, ${about(unique[0])} up to symmetry` : "";
  return `about ${about(total[0])} solutions (${about(total[1])} to ${about(total[2])})${classes}; a full count takes about ${time(seconds[0])}`;
}

function time(seconds) {
  const units = [["years", 31557600], ["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];
  const [name, size] = units.find(([, one]) => seconds >= 2 * one) ?? ["seconds", 1];
  return `${(seconds / size).toLocaleString("en", { maximumSignificantDigits: 2 })} ${name}`;
}

function Pictures({ told }) {
  return (
    <div id="pictures">
      {(told ?? []).map((one, n) => <Drawing key={n} svg={one.svg} />)}
    </div>
  );
}

// Drawings come from our own server, whose drawing code escapes every name.
export function Drawing({ svg }) {
  return <div class="drawing" dangerouslySetInnerHTML={{ __html: svg }} />;
}
