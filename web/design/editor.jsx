// The TOML text, in a shadow root: there its styles need no inline rules, which the policy of the page forbids.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { classHighlighter } from "@lezer/highlight";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { completionsOf } from "./completion.js";
import { editor, problem, redo, schema, text, undo, write } from "./store.js";

const WAIT_MS = 60;

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--chosen)" },
  ".tok-comment": { color: "var(--faint)" },
  ".tok-string, .tok-string2": { color: "var(--string)" },
  ".tok-bool, .tok-number, .tok-atom": { color: "var(--number)" },
  ".cm-content": { fontFamily: "ui-monospace, monospace" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-problem": { backgroundColor: "rgba(213, 94, 0, 0.14)" },
  ".cm-here": { textDecoration: "underline wavy #d55e00" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--chosen)", color: "var(--paper)" },
  ".cm-completionInfo": { maxWidth: "20rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
});

const setProblem = StateEffect.define();

// Where the problem is. @codemirror/lint would draw it with images that the policy of the page forbids.
const problemMark = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const told = transaction.effects.find((one) => one.is(setProblem));
    if (told === undefined) return marks.map(transaction.changes);
    if (told.value === null) return Decoration.none;
    const { from, to, message } = told.value;
    const whole = Decoration.line({ class: "cm-problem", attributes: { title: message } }).range(transaction.state.doc.lineAt(from).from);
    return Decoration.set(to > from ? [whole, Decoration.mark({ class: "cm-here" }).range(from, to)] : [whole]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function Editor() {
  const host = useRef(null);
  useEffect(() => {
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    let timer = 0;
    let isOurs = false;
    const travel = (step) => () => {
      step();
      return true;
    };
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text.value,
        extensions: [
          lineNumbers(),
          drawSelection(),
          problemMark,
          StreamLanguage.define(toml),
          syntaxHighlighting(classHighlighter),
          looks,
          EditorView.contentAttributes.of({ "aria-label": "The puzzle as TOML" }),
          autocompletion({ override: [completionsOf(schema.value)], icons: false }),
          keymap.of([
            ...completionKeymap,
            { key: "Mod-z", run: travel(undo) },
            { key: "Mod-y", run: travel(redo) },
            { key: "Mod-Shift-z", run: travel(redo) },
            ...defaultKeymap.filter((one) => one.key !== "Mod-z"),
            { ...indentWithTab, key: "Alt-Tab" },
          ]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || isOurs) return;
            clearTimeout(timer);
            timer = setTimeout(() => write(view.state.doc.toString()), WAIT_MS);
          }),
        ],
      }),
    });
    const stopText = effect(() => {
      const wanted = text.value;
      const there = view.state.doc.toString();
      if (wanted === there || view.hasFocus && there.trimEnd() === wanted.trimEnd()) return;
      clearTimeout(timer);
      let from = 0;
      while (from < Math.min(there.length, wanted.length) && there[from] === wanted[from]) from += 1;
      let end = 0;
      while (end < Math.min(there.length, wanted.length) - from && there.at(-1 - end) === wanted.at(-1 - end)) end += 1;
      isOurs = true;
      view.dispatch({ changes: { from, to: there.length - end, insert: wanted.slice(from, wanted.length - end) } });
      isOurs = false;
    });
    const stopProblem = effect(() => {
      const found = problem.value;
      text.value;
      let mark = null;
      if (found && !found.of_change) {
        const line = view.state.doc.line(Math.min(found.line, view.state.doc.lines));
        const from = Math.min(line.from + found.column - 1, line.to);
        mark = { from, to: line.to, message: found.message };
      }
      view.dispatch({ effects: setProblem.of(mark) });
    });
    editor.jump = (line, column) => {
      const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
      const anchor = Math.min(at.from + column - 1, at.to);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    };
    return () => {
      stopText();
      stopProblem();
      view.destroy();
    };
  }, []);
  return <div id="editor" ref={host} />;
}
