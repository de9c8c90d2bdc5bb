// Cells with different numbers, and lines with sums.

import { useState } from "preact/hooks";
import { change, drawn } from "./store.js";

const ACROSS = 14;
const DOWN = 28;

export function Figure() {
  const { cells, lines } = drawn.value;
  const [tool, setTool] = useState("cells");
  const [line, setLine] = useState([]);
  const [sum, setSum] = useState("");
  const at = new Map(cells.map(([name, row, column]) => [`${row},${column}`, name]));
  const places = new Map(cells.map(([name, row, column]) => [name, [column * ACROSS + 20, row * DOWN + 20]]));
  const rows = Math.max(8, ...cells.map(([, row]) => row + 5));
  const columns = Math.max(16, ...cells.map(([, , column]) => column + 7));
  const spots = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 2) if (!at.has(`${row},${column}`) && !at.has(`${row},${column + 1}`)) spots.push([row, column]);
  }
  const click = (row, column, name) => {
    if (tool === "cells") change({ do: "cell", at: [row, column] });
    else if (name) setLine(line.includes(name) ? line.filter((one) => one !== name) : [...line, name]);
  };
  const add = (event) => {
    event.preventDefault();
    if (line.length) change({ do: "line", line: line.join(" ") + (sum.trim() ? ` = ${sum.trim()}` : "") });
    setLine([]);
  };
  const press = (row, column, name) => (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    click(row, column, name);
  };
  return (
    <section aria-labelledby="board-title">
      <h2 id="board-title">Figure</h2>
      <form class="tools" onSubmit={add}>
        <label>
          A click{" "}
          <select id="tool" value={tool} onChange={(event) => setTool(event.target.value)}>
            <option value="cells">adds or removes a cell</option>
            <option value="lines">takes a cell into a line</option>
          </select>
        </label>{" "}
        {tool === "lines" && (
          <>
            <label>sum <input id="sum" size="5" placeholder="common" value={sum} onInput={(event) => setSum(event.target.value)} /></label>{" "}
            <button type="submit">Add line {line.join(" ")}</button>
          </>
        )}
      </form>
      <div class="scrolls" id="board">
        <svg class="figure rk-auto" viewBox={`0 0 ${columns * ACROSS + 20} ${rows * DOWN + 20}`} width={columns * ACROSS + 20} height={rows * DOWN + 20} role="group" aria-label="Cells of the figure">
          {lines.map((one) => {
            const corners = one.split("=")[0].split(/[\s<]+/).map((name) => places.get(name)).filter(Boolean);
            return <polyline key={one} class="line" points={corners.map((corner) => corner.join(",")).join(" ")} />;
          })}
          {tool === "cells" && spots.map(([row, column]) => (
            <circle key={`${row},${column}`} class="spot" role="button" tabindex="-1" aria-label={`empty, line ${row}, column ${column}`} data-at={`${row},${column}`} cx={column * ACROSS + 20} cy={row * DOWN + 20} r="5" onClick={() => click(row, column)} />
          ))}
          {cells.map(([name, row, column]) => (
            <g key={name} class={`node${line.includes(name) ? " chosen" : ""}`} role="button" tabindex="0" aria-label={`cell ${name}`} data-cell={name} onClick={() => click(row, column, name)} onKeyDown={press(row, column, name)}>
              <circle cx={column * ACROSS + 20} cy={row * DOWN + 20} r="11" />
              <text class="mark" x={column * ACROSS + 20} y={row * DOWN + 24} font-size="12">{name}</text>
            </g>
          ))}
        </svg>
      </div>
      <h3>Lines</h3>
      <ul id="lines">
        {lines.map((one) => (
          <li key={one}>
            <code>{one}</code> <button type="button" aria-label={`Remove the line ${one}`} onClick={() => change({ do: "line", line: one })}>✕</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
