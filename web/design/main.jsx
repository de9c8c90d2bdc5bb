import { effect } from "@preact/signals";
import { render } from "preact";
import { useState } from "preact/hooks";
import { Answers } from "./answers.jsx";
import { Editor } from "./editor.jsx";
import { Figure } from "./figure.jsx";
import { Grid } from "./grid.jsx";
import { Help } from "./help.jsx";
import { Packing } from "./packing.jsx";
import { fragmentOf, textOf } from "./sharing.js";
import { begin, begun, canRedo, canUndo, change, connect, download, drawn, link, redo, said, save, schema, setValues, text, undo, values } from "./store.js";

const LATTICES = ["square", "cube", "triangle", "hexagon", "quartered", "edges", "balls"];
const FORMS = { xcc: "XCC", xmpuzzle: "BurrTools", dimacs: "DIMACS", mzn: "MiniZinc", svg: "SVG", "sheet.svg": "SVG of solutions", png: "PNG of solutions", pdf: "PDF to print" };
const EDITORS = { packing: Packing, grid: Grid, figure: Figure };
const LINKS = { connecting: "connecting …", open: "", taken: "another page has taken over; reload to go on here", closed: "the server has ended" };

function App() {
  const Drawing = drawn.value && !drawn.value.family.length ? EDITORS[drawn.value.kind] : null;
  return (
    <>
      <header>
        <h1>rekkyo design</h1>
        <New />
        <p class="tools">
          <button type="button" id="undo" disabled={!canUndo.value} onClick={undo}>Undo</button>{" "}
          <button type="button" id="redo" disabled={!canRedo.value} onClick={redo}>Redo</button>{" "}
          <Out />
        </p>
        <p id="said" role="status">{LINKS[link.value] ?? link.value} {said.value}</p>
      </header>
      <main>
        <div id="drawing">
          {drawn.value?.family.length > 0 && <Family />}
          {Drawing ? <Drawing /> : text.value.trim() ? <p>This kind of puzzle is changed in the text.</p> : <p>Begin with a new puzzle, or write one.</p>}
        </div>
        <div id="told">
          <Answers />
          <Help />
        </div>
        <section id="text" aria-labelledby="text-title">
          <h2 id="text-title">File</h2>
          <Editor />
        </section>
      </main>
    </>
  );
}

function New() {
  const [kind, setKind] = useState("packing square");
  const [size, setSize] = useState("");
  const make = (event) => {
    event.preventDefault();
    const [what, lattice] = kind.split(" ");
    const numbers = size.split(/[^0-9]+/).filter(Boolean).map(Number);
    change({ do: "new", kind: what, lattice, size: numbers.slice(0, 3) });
  };
  return (
    <form class="tools" id="new" onSubmit={make}>
      <label>
        New{" "}
        <select id="kind" value={kind} onChange={(event) => setKind(event.target.value)}>
          {LATTICES.map((lattice) => <option key={lattice} value={`packing ${lattice}`}>pieces, {lattice}</option>)}
          <option value="grid">grid with numbers</option>
          <option value="figure">figure with sums</option>
        </select>
      </label>{" "}
      <label>size <input id="size" size="7" placeholder="6x10" value={size} onInput={(event) => setSize(event.target.value)} /></label>{" "}
      <button type="submit">Create</button>
    </form>
  );
}

function Family() {
  return (
    <p class="tools">
      {drawn.value.family.map((name, n) => (
        <label key={name}>
          {name}{" "}
          <input size="6" value={values.value[n] ?? ""} onChange={(event) => { const all = drawn.value.family.map((_, k) => values.value[k] ?? ""); all[n] = event.target.value; setValues(all); }} />{" "}
        </label>
      ))}
    </p>
  );
}

function Out() {
  const [shown, setShown] = useState("");
  const choose = async (event) => {
    const form = event.target.value;
    event.target.value = "";
    begun.value = null;
    if (form === "toml") save("puzzle.toml", new Blob([text.value], { type: "application/toml" }));
    else if (form === "link") {
      const fragment = await fragmentOf(text.value);
      history.replaceState(null, "", fragment);
      setShown(`Put behind the address of any design page: ${fragment}`);
      navigator.clipboard?.writeText(fragment).catch(() => {});
    } else if (form === "gallery" || form === "run") begin(form);
    else if (form) download(form);
  };
  return (
    <>
      <label>
        Out{" "}
        <select id="out" onChange={choose}>
          <option value="">choose …</option>
          <option value="toml">TOML</option>
          {Object.entries(FORMS).map(([form, words]) => <option key={form} value={form}>{words}</option>)}
          <option value="link">as part of an address</option>
          <option value="gallery">open as a gallery</option>
          <option value="run">start as a run</option>
        </select>
      </label>{" "}
      <output id="shown">
        {begun.value?.text ?? shown}{" "}
        {begun.value?.address && <a href={begun.value.address} target="_blank" rel="noreferrer">Open the gallery</a>}
      </output>
    </>
  );
}

function keys(event) {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest?.("input, #editor")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) redo();
  else return;
  event.preventDefault();
}

// root: where the page is drawn. begin: the text to begin with. fileSchema: the JSON Schema of puzzle files.
function mount(root, openServer, begin, fileSchema) {
  text.value = begin;
  schema.value = fileSchema;
  render(<App />, root);
  connect(openServer);
}

function openSocket(onMessage, onState) {
  const address = new URL("live", location.href);
  address.protocol = "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  socket.onopen = () => onState("open");
  socket.onclose = (event) => onState(event.code === 4001 ? "taken" : event.code === 4002 ? event.reason : "closed");
  socket.onmessage = (event) => onMessage(JSON.parse(event.data));
  return (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
}

async function startPage(root) {
  document.addEventListener("keydown", keys);
  addEventListener("hashchange", async () => {
    const found = await textOf(location.hash);
    if (found !== null && found !== text.value) change({ do: "text", text: found });
  });
  effect(() => {
    if (link.value === "open") document.documentElement.dataset.ready = "";
  });
  const [start, fileSchema] = await Promise.all(["start", "assets/schema.json"].map(async (name) => (await fetch(name)).json()));
  mount(root, openSocket, (await textOf(location.hash)) ?? start.text, fileSchema);
}

const page = document.getElementById("rekkyo-design");
if (page) startPage(page);

// As a widget of a notebook (anywidget). The rules of the page are kept apart from the notebook's in a shadow root.
function renderWidget({ model, el }) {
  const root = el.attachShadow({ mode: "open" });
  const rules = new CSSStyleSheet();
  rules.replaceSync(model.get("rules"));
  root.adoptedStyleSheets = [rules];
  const place = document.createElement("div");
  place.addEventListener("keydown", keys);
  root.append(place);
  const openModel = (onMessage, onState) => {
    model.on("msg:custom", onMessage);
    queueMicrotask(() => onState("open"));
    return (message) => model.send(message);
  };
  mount(place, openModel, model.get("start"), JSON.parse(model.get("schema")));
  return () => render(null, place);
}

export default { render: renderWidget };
