// A board with values: numbers, cages, orders of neighbours, and where cells are.

import { useState } from "preact/hooks";
import { Painter, keyOf } from "./painter.jsx";
import { change, draw, drawn, problem } from "./store.js";

const REGIONS = ["rows", "columns", "boxes 2x2", "boxes 2x3", "boxes 3x3", "diagonals"];
const TOOLS = { numbers: "numbers", cages: "cages", orders: "orders", cells: "cells of the board" };

export function Grid() {
  const { board, values, different, cages } = drawn.value;
  const [tool, setTool] = useState("numbers");
  const [chosen, setChosen] = useState(new Set());
  const [rule, setRule] = useState("");
  const marks = new Map((board?.marks ?? []).map((mark) => [keyOf(mark), mark[3]]));
  for (const mark of board?.given ?? []) marks.set(keyOf(mark), mark[3]);
  const cageOf = new Map(cages.flatMap((cage, n) => cage.cells.map((cell) => [`0,${cell}`, n])));
  const first = new Set(cages.map((cage) => `0,${cage.cells[0]}`));
  const isSet = (key) => (tool === "cages" ? chosen.has(key) : marks.has(key));
  const look = (key, painted) => {
    const isThere = tool === "cells" && painted !== null ? painted : marks.has(key);
    const mark = marks.get(key) ?? ".";
    const cage = cageOf.get(key);
    const word = mark !== "." ? mark : first.has(key) && cages[cage].rule.length < 8 ? cages[cage].rule.replace("sum ", "") : "";
    return { kind: !isThere ? "none" : cage === undefined ? "there" : `there cage-${cage % 6}`, word };
  };
  const onStroke = (spots, wasSet, isLast) => {
    if (tool === "cells") {
      draw({ do: "paint", of: "board", spots, mark: wasSet ? null : "." }, isLast);
    } else if (tool === "orders" && isLast) {
      const key = keyOf(spots.at(-1));
      const [other] = chosen;
      if (spots.length > 1 || (other && other !== key)) {
        const from = spots.length > 1 ? keyOf(spots[0]) : other;
        change({ do: "compare", line: `${from.slice(2)} < ${key.slice(2)}` });
        setChosen(new Set());
      } else {
        setChosen(new Set([key]));
      }
    } else if (tool === "cages") {
      const all = new Set(chosen);
      for (const key of spots.map(keyOf)) if (marks.has(key)) wasSet ? all.delete(key) : all.add(key);
      setChosen(all);
    } else if (tool === "numbers") {
      setChosen(new Set([keyOf(spots.at(-1))]));
    }
  };
  const onKey = (key, spot) => {
    if (tool !== "numbers" || !marks.has(keyOf(spot))) return false;
    const isGone = ["Backspace", "Delete", "."].includes(key);
    if (!isGone && (key.length !== 1 || key === " ")) return false;
    change({ do: "paint", of: drawn.value.board.given.length ? "given" : "board", spots: [spot], mark: isGone ? "." : key });
    return true;
  };
  const spotsOf = () => [...chosen].map((key) => key.split(",").map(Number));
  const cage = (event) => {
    event.preventDefault();
    if (chosen.size && rule.trim()) change({ do: "cage", spots: spotsOf(), rule: /^[0-9]+$/.test(rule.trim()) ? `sum ${rule.trim()}` : rule.trim() });
    setChosen(new Set());
    setRule("");
  };
  return (
    <section aria-labelledby="board-title">
      <h2 id="board-title">Board</h2>
      <p class="tools">
        <label>
          Edit{" "}
          <select id="tool" value={tool} onChange={(event) => { setTool(event.target.value); setChosen(new Set()); }}>
            {Object.entries(TOOLS).map(([name, words]) => <option key={name} value={name}>{words}</option>)}
          </select>
        </label>{" "}
        <label>
          values <input id="values" size="8" value={Array.isArray(values) ? values.join(" ") : values} onChange={(event) => change({ do: "set", path: ["values"], value: event.target.value })} />
        </label>
      </p>
      {tool === "cages" && (
        <form class="tools" onSubmit={cage}>
          <label>
            Cage of the chosen cells <input id="rule" size="14" placeholder="12, or product 6" value={rule} onInput={(event) => setRule(event.target.value)} />
          </label>{" "}
          <button type="submit">Add cage</button>{" "}
          <button type="button" onClick={() => { change({ do: "cage", spots: spotsOf() }); setChosen(new Set()); }}>Remove cages</button>
        </form>
      )}
      {tool === "orders" && <p class="tools">From the smaller cell to the greater one: a stroke, or one click on each.</p>}
      <div class="scrolls" id="board">
        <Painter shown={board} label="Board" look={look} onStroke={onStroke} onKey={onKey} isSet={isSet} chosen={chosen} wrong={problem.value?.spot?.join(",")} />
      </div>
      <fieldset class="tools">
        <legend>Different in each</legend>
        {[...new Set([...REGIONS, ...different.filter((name) => !name.includes("\n"))])].map((name) => (
          <label key={name}>
            <input type="checkbox" name={name} checked={different.includes(name)} onChange={() => change({ do: "different", name })} /> {name}{" "}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
