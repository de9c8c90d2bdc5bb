// Cells to paint on: with mouse and finger by strokes, with keys by a cursor that the arrows move.

import { useRef, useState } from "preact/hooks";

const KEY_STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export const BOARD_SCALE = 1.3;
export const keyOf = (spot) => spot.slice(0, 3).join(",");

// shown: what the server drew. look: class, fill and text of a cell. onStroke: cells, whether they were set
// before, and whether the stroke has ended. onKey: a key at a cell; whether it was understood. onCursor: where the cursor is.
export function Painter({ shown, label, look, onStroke, onKey, onCursor, isSet, chosen, wrong, scale = BOARD_SCALE }) {
  const stroke = useRef(null);
  const [cursor, keepCursor] = useState(null);
  const [isFocused, setFocused] = useState(false);
  const [, redraw] = useState(0);
  if (!shown || !shown.cells) return <p>This is too large to be painted here; change it in the text.</p>;
  const cells = new Map(shown.cells.map((cell) => [keyOf(cell), cell]));
  const setCursor = (key) => {
    keepCursor(key);
    onCursor?.(key);
  };
  const at = (event) => {
    const element = event.currentTarget.getRootNode().elementFromPoint(event.clientX, event.clientY);
    return element && element.closest("svg") === event.currentTarget ? element.dataset.at : undefined;
  };
  const grow = (key, isLast) => {
    const now = stroke.current;
    if (key !== undefined && cells.has(key) && !now.keys.has(key)) {
      now.keys.add(key);
      onStroke([...now.keys].map((one) => one.split(",").map(Number)), now.wasSet, isLast);
      redraw((n) => n + 1);
    } else if (isLast && now.keys.size) {
      onStroke([...now.keys].map((one) => one.split(",").map(Number)), now.wasSet, true);
    }
  };
  const down = (event) => {
    const key = at(event);
    if (key === undefined || event.button > 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    stroke.current = { keys: new Set(), wasSet: isSet(key) };
    setCursor(key);
    grow(key, false);
  };
  const move = (event) => stroke.current && grow(at(event), false);
  const up = () => {
    if (!stroke.current) return;
    grow(undefined, true);
    stroke.current = null;
  };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = cursor ?? shown.cells.map(keyOf).find(isSet) ?? keyOf(shown.cells[0]);
    if (event.key in KEY_STEPS) {
      setCursor(nextCell(shown.cells, cells.get(key) ?? shown.cells[0], KEY_STEPS[event.key]));
    } else if (onKey && onKey(event.key, key.split(",").map(Number))) {
      setCursor(key);
    } else if (event.key === " " || event.key === "Enter") {
      onStroke([key.split(",").map(Number)], isSet(key), true);
      setCursor(key);
    } else {
      return;
    }
    event.preventDefault();
  };
  const here = cursor ?? keyOf(shown.cells[0]);
  return (
    <svg
      class="painter rk-auto"
      viewBox={`0 0 ${shown.width} ${shown.height}`}
      width={shown.width * scale}
      height={shown.height * scale}
      tabindex="0"
      role="application"
      aria-label={`${label}. Arrows move, space paints. At ${here}: ${isSet(here) ? "set" : "empty"}`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={press}
    >
      {shown.cells.map((cell) => {
        const key = keyOf(cell);
        const { kind, fill, word } = look(key, stroke.current?.keys.has(key) ? !stroke.current.wasSet : null);
        return (
          <g key={key}>
            <path
              class={`cell ${kind}${wrong === key ? " wrong" : ""}${chosen?.has(key) ? " chosen" : ""}${isFocused && key === cursor ? " cursor" : ""}`}
              d={cell[3]}
              fill={fill}
              data-at={key}
            />
            {word && (
              <text class="mark" x={cell[4]} y={cell[5] + 4} font-size="12">
                {word}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

// The cell that lies nearest in a direction.
function nextCell(all, from, [across, down]) {
  let best = null;
  for (const cell of all) {
    const along = (cell[4] - from[4]) * across + (cell[5] - from[5]) * down;
    const beside = Math.abs((cell[4] - from[4]) * down) + Math.abs((cell[5] - from[5]) * across);
    if (along < 3 || beside > along * 1.2) continue;
    const far = along + 3 * beside;
    if (best === null || far < best.far) best = { far, key: keyOf(cell) };
  }
  return best ? best.key : keyOf(from);
}
