// Board and pieces, on any lattice.

import { useState } from "preact/hooks";
import { BOARD_SCALE, Painter, keyOf } from "./painter.jsx";
import { boardCursor, change, draw, drawn, problem } from "./store.js";

export function Packing() {
  const { board, given, pieces, lattice, reflections, filled, n_pieces: nPieces } = drawn.value;
  const [tool, setTool] = useState("#");
  const marks = new Map((board?.marks ?? []).map((mark) => [keyOf(mark), mark[3]]));
  const placed = new Map(given.map((mark) => [keyOf(mark), mark[3]]));
  const colors = new Map(pieces.map((piece) => [piece.name, piece.color]));
  const isGiven = tool.length > 1;
  const letter = isGiven ? tool.slice(1) : tool;
  const isSet = (key) => (isGiven ? placed.get(key) === letter : tool === "?" ? marks.get(key) === "?" : marks.has(key) && marks.get(key) !== "?");
  const look = (key, painted) => {
    let mark = marks.get(key);
    let lies = placed.get(key);
    if (painted !== null && isGiven) lies = painted ? letter : undefined;
    if (painted !== null && !isGiven) mark = painted ? letter : undefined;
    const kind = mark === undefined ? "none" : mark === "?" ? "optional" : "there";
    return { kind: lies ? "given" : kind, fill: lies && colors.get(lies), word: lies ?? (mark === "?" ? "?" : "") };
  };
  const onStroke = (spots, wasSet, isLast) =>
    draw({ do: "paint", of: isGiven ? "given" : "board", spots, mark: wasSet ? null : letter }, isLast);
  return (
    <>
      <section aria-labelledby="board-title">
        <h2 id="board-title">Board</h2>
        <p class="tools">
          <label>
            A stroke paints{" "}
            <select id="tool" value={tool} onChange={(event) => setTool(event.target.value)}>
              <option value="#">cells</option>
              <option value="?">cells that may stay empty</option>
              {pieces.filter(({ name }) => name.length === 1).map(({ name }) => (
                <option key={name} value={`=${name}`}>
                  piece {name}, given
                </option>
              ))}
            </select>
          </label>{" "}
          <label>
            <input type="checkbox" id="filled" checked={filled} onChange={(event) => change({ do: "set", path: ["filled"], value: event.target.checked ? null : false })} />{" "}
            every cell is covered
          </label>{" "}
          <label>
            <input type="checkbox" id="reflections" checked={reflections} onChange={(event) => change({ do: "set", path: ["reflections"], value: event.target.checked })} />{" "}
            pieces may be turned over
          </label>
        </p>
        <div class="scrolls" id="board">
          <Painter shown={board} label={`Board, ${lattice} lattice`} look={look} onStroke={onStroke} isSet={isSet} onCursor={(key) => { boardCursor.value = key; }} wrong={lattice === "cube" ? null : problem.value?.spot?.join(",")} />
        </div>
      </section>
      <section aria-labelledby="pieces-title">
        <h2 id="pieces-title">Pieces</h2>
        <p class="tools">
          <button type="button" id="add-piece" onClick={() => change({ do: "piece", spots: firstSpots(board) })}>
            Add a piece
          </button>{" "}
          {nPieces > pieces.length && `${nPieces - pieces.length} more are in the text`}
        </p>
        <ul id="pieces">
          {pieces.map((piece) => (
            <Piece key={piece.name} piece={piece} />
          ))}
        </ul>
      </section>
    </>
  );
}

const firstSpots = (board) => (board?.cells?.length ? [board.cells.find((cell) => cell[1] >= 0 && cell[2] >= 0).slice(0, 3)] : [[0, 0, 0]]);

function Piece({ piece }) {
  const lattice3 = ["cube", "balls"].includes(drawn.value.lattice);
  const [turns, setTurns] = useState(0);
  const marks = new Set((piece.marks ?? []).map(keyOf));
  const isSet = (key) => marks.has(key);
  const look = (key, painted) => {
    const there = painted ?? marks.has(key);
    return { kind: there ? "piece" : "none", fill: there ? piece.color : undefined };
  };
  const onStroke = (spots, wasSet, isLast) => {
    const left = new Map((piece.marks ?? []).map((mark) => [keyOf(mark), mark.slice(0, 3)]));
    for (const spot of spots) wasSet ? left.delete(keyOf(spot)) : left.set(keyOf(spot), spot);
    if (left.size || isLast) draw({ do: "piece", name: piece.name, spots: [...left.values()] }, isLast);
  };
  const turn = (how) => {
    change({ do: "turn", name: piece.name, how, number: how === "turn" ? 1 + (turns % 23) : 0 });
    setTurns(turns + 1);
  };
  const times = (event) => {
    const found = event.target.value.trim();
    const [low, high] = found.split("-").map((part) => part.trim());
    const number = (part) => (/^[0-9]{1,4}$/.test(part) ? Number(part) : "any");
    change({ do: "times", name: piece.name, value: found === "1" ? null : high === undefined ? number(low) : [number(low), number(high)] });
  };
  const shownTimes = piece.high === null ? (piece.low ? `${piece.low}-any` : "any") : piece.low === piece.high ? `${piece.low}` : `${piece.low}-${piece.high}`;
  return (
    <li data-piece={piece.name}>
      <Painter shown={piece} label={`Piece ${piece.name}`} scale={lattice3 ? 0.6 : 0.75} look={look} onStroke={onStroke} isSet={isSet} />
      <span class="name">{piece.name}</span> {piece.name.length === 1 && <Handle piece={piece} />}{" "}
      <label>
        times <input class="times" size="5" value={shownTimes} onChange={times} />
      </label>{" "}
      <button type="button" class="turn" aria-label={`Turn piece ${piece.name}`} onClick={() => turn("turn")}>↻</button>{" "}
      <button type="button" class="flip" aria-label={`Turn piece ${piece.name} over`} onClick={() => turn("flip")}>⇋</button>{" "}
      <button type="button" class="remove" aria-label={`Remove piece ${piece.name}`} onClick={() => change({ do: "piece", name: piece.name, spots: [] })}>✕</button>
    </li>
  );
}

// Lays a piece on the board: dragged there, or by a key under the cursor of the board.
function Handle({ piece }) {
  const [drag, setDrag] = useState(null);
  const own = piece.marks?.[0];
  if (!own || !piece.cells) return null;
  const painted = new Set(piece.marks.map(keyOf));
  const [, , , , x, y] = piece.cells.find((cell) => keyOf(cell) === keyOf(own));
  const lay = (key) => key && change({ do: "place", name: piece.name, spots: [own.slice(0, 3), key.split(",").map(Number)] });
  const nearTo = (event) => [event.offsetX - x * BOARD_SCALE, event.offsetY - y * BOARD_SCALE];
  const down = (event) => {
    if (event.button > 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag(nearTo(event));
  };
  const move = (event) => drag && setDrag(nearTo(event));
  const up = (event) => {
    if (!drag) return;
    setDrag(null);
    lay(event.currentTarget.getRootNode().elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-at]")?.dataset.at);
  };
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    lay(boardCursor.value ?? firstSpots(drawn.value.board)[0].join(","));
  };
  return (
    <span class="handle">
      <button type="button" class="lay" aria-label={`Lay piece ${piece.name} on the board: drag it, or press Enter to lay it at the cursor`} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={() => setDrag(null)} onKeyDown={press}>✥</button>
      {drag && (
        <svg class="ghost" width={piece.width * BOARD_SCALE} height={piece.height * BOARD_SCALE} viewBox={`0 0 ${piece.width} ${piece.height}`} style={{ left: `${drag[0]}px`, top: `${drag[1]}px` }}>
          {piece.cells.filter((cell) => painted.has(keyOf(cell))).map((cell) => <path key={keyOf(cell)} d={cell[3]} fill={piece.color} />)}
        </svg>
      )}
    </span>
  );
}
