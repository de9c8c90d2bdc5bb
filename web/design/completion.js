// What the JSON Schema of puzzle files offers where the cursor is: keys at the beginning of a line, and values behind "=".

const HEADER = /^\s*\[{1,2}\s*([\w-]+)\s*\]{1,2}/;
const KEY = /^\s*\[{0,2}([\w-]*)$/;
const VALUE = /^\s*([\w-]+)\s*=\s*("?)([\w-]*)$/;

// A source for CodeMirror's completion.
export function completionsOf(schema) {
  const kinds = new Map(schema.oneOf.map((one) => [one.properties.kind.const, one]));
  const alternatives = (node) => {
    if (node?.$ref) return alternatives(schema.$defs[node.$ref.split("/").at(-1)]);
    const inner = [...(node?.oneOf ?? []), ...(node?.anyOf ?? []), ...(node?.items ? [node.items] : [])];
    return node ? [node, ...inner.flatMap(alternatives)] : [];
  };
  const propertiesOf = (node) => Object.assign({}, ...alternatives(node).map((one) => one.properties ?? {}));
  const keysIn = (kind, table) => {
    const keys = kinds.has(kind) ? kinds.get(kind).properties : { kind: {} };
    return table === null ? keys : propertiesOf(keys[table]);
  };
  const described = (node) => alternatives(node).find((one) => one.description)?.description;
  const valuesOf = (name, node) => {
    if (name === "kind") return [...kinds.keys()].map((kind) => `"${kind}"`);
    const all = alternatives(node).flatMap((one) => one.enum ?? (one.type === "boolean" ? [true, false] : "const" in one ? [one.const] : []));
    return [...new Set(all.map((one) => JSON.stringify(one)))];
  };
  return (context) => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const above = doc.sliceString(0, line.from);
    if ([...above.matchAll(/'''|"""/g)].length % 2) return null; // inside a drawing
    const kind = /^\s*kind\s*=\s*"([\w-]+)"/m.exec(doc.toString())?.[1];
    const table = HEADER.exec(above.split("\n").findLast((one) => HEADER.test(one)) ?? "")?.[1] ?? null;
    const value = VALUE.exec(before);
    if (value) {
      const [, name, quote, begun] = value;
      const options = valuesOf(name, keysIn(kind, table)[name]).map((label) => ({ label, type: "enum" }));
      return options.length ? { from: context.pos - begun.length - quote.length, options, validFor: /^"?[\w-]*"?$/ } : null;
    }
    const key = KEY.exec(before);
    if (!key || (!key[1] && !context.explicit)) return null;
    const options = Object.entries(before.includes("[") ? keysIn(kind, null) : keysIn(kind, table)).map(([label, node]) => ({
      label, type: "property", info: described(node), apply: before.includes("[") ? label : `${label} = `,
    }));
    return { from: context.pos - key[1].length, options, validFor: /^[\w-]*$/ };
  };
}
