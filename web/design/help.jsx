// Help in designing: clues, changes, difficulty. Every proposal is a change that a click makes.

import { grouped } from "./answers.jsx";
import { askHelp, change, help, stop } from "./store.js";

const KINDS = { clues: "Clues", what_if: "What if", fewest: "Fewest clues", difficulty: "Difficulty" };

export function Help() {
  const { what, rows = [], running, message, why, compiling } = help.value;
  return (
    <section id="help" aria-labelledby="help-title">
      <h2 id="help-title">Help</h2>
      <p class="tools">
        {Object.entries(KINDS).map(([name, words]) => (
          <button key={name} type="button" data-help={name} aria-pressed={what === name} onClick={() => askHelp(name)}>{words}</button>
        ))}{" "}
        {running && <button type="button" onClick={stop}>Stop</button>}
      </p>
      <div id="help-rows" aria-live="polite" data-running={running ? "yes" : "no"}>
        {running && !rows.length && <p>{compiling ?? "Working …"}</p>}
        {what === "clues" && <Clues rows={rows} />}
        {what === "what_if" && <WhatIf rows={rows} />}
        {what === "fewest" && rows.length > 0 && <Fewest {...rows.at(-1)} />}
        {what === "difficulty" && <Difficulty rows={rows} />}
        {!running && (message || why) && <p class="bad">{message ?? "Stopped."}</p>}
      </div>
    </section>
  );
}

function Proposal({ one, words }) {
  if (!one.change) return <span>{one.words}</span>;
  return <button type="button" class="proposal" onClick={() => change(one.change)}>{words ?? one.words}</button>;
}

function Clues({ rows }) {
  const told = rows.find((row) => row.stage === "clues");
  const given = rows.filter((row) => row.stage === "given");
  if (!told) return null;
  return (
    <>
      <p>{told.n_in_all} are in every solution, {told.n_in_none} in none.</p>
      {told.size === 0 && <p>There is one solution.</p>}
      {told.size === null && told.total !== "0" && <p>No {told.looked_at || "few"} clues make it unique.</p>}
      {told.size > 0 && (
        <>
          <p>{grouped(told.n_smallest)} {told.n_smallest === "1" ? "set" : "sets"} of {told.size} make it unique:</p>
          <ul id="smallest">
            {told.smallest.map((set, n) => <li key={n}>{set.map((one) => <Proposal key={one.words} one={one} words={`Give ${one.words}`} />)}</li>)}
          </ul>
        </>
      )}
      {given.length > 0 && (
        <>
          <p>What is given:</p>
          <ul id="given">
            {given.map((row) => <li key={row.words}>{row.words}: {row.needed ? "needed" : <>not needed <Proposal one={row} words="Remove" /></>}</li>)}
          </ul>
        </>
      )}
    </>
  );
}

function WhatIf({ rows }) {
  return (
    <table id="what-if">
      <thead><tr><th>change</th><th>total</th><th>unique</th><th>make it</th></tr></thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}><td>{row.words}</td><td title={row.why ?? ""}>{grouped(row.total)}</td><td>{grouped(row.unique)}</td><td><Proposal one={row} words={`Do it`} /></td></tr>
        ))}
      </tbody>
    </table>
  );
}

function Fewest({ kept, dropped, exact }) {
  return (
    <>
      <p>{kept.length} of {kept.length + dropped.length} clues are enough, and {exact ? "no fewer are" : "none of them can be left out; looking for a smaller set …"}:</p>
      <ul id="kept">{kept.map((words) => <li key={words}>{words}</li>)}</ul>
      {dropped.length > 0 && <p><button type="button" id="drop" onClick={() => dropped.forEach((one) => change(one.change))}>Remove the other {dropped.length}</button></p>}
    </>
  );
}

function Difficulty({ rows }) {
  const played = rows.find((row) => row.stage === "played");
  return (
    <>
      <ul id="difficulty">
        {rows.filter((row) => row.stage === "difficulty").map((row) => (
          <li key={row.way}>{row.way}: {row.exact ? "" : "about "}{row.nodes.toLocaleString("en", { maximumSignificantDigits: row.exact ? 21 : 2 })} decisions</li>
        ))}
      </ul>
      {played && (played.ready ? <p><a href={pageOf(played)} target="_blank" rel="noreferrer">Watch the search</a></p> : <p>{played.why}</p>)}
    </>
  );
}

// Where the page that plays the search is: the server has it, or it came along.
const pageOf = ({ html }) => (html ? URL.createObjectURL(new Blob([html], { type: "text/html" })) : "search");
