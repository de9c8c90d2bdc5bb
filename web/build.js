// Builds each bundle into one file, with the licenses of what is in it above.
//
//   npm ci && npm run build            into the package, which is committed
//   npm run build -- FOLDER            into another folder, to compare with what is committed

import { readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const elsewhere = process.argv[2];

// name: the script. entry: its source. folder: where the package keeps it. form: a classic script for pages that are
// opened as files, which may load no modules; a module where a notebook imports it.
const BUNDLES = [
  { name: "solid", entry: "solid/main.js", form: "iife", folder: "../src/rekkyo/gallery/assets/built" },
  { name: "design", entry: "design/main.jsx", form: "es", folder: "../src/rekkyo/designer/assets/built" },
];

for (const { name, entry, form, folder } of BUNDLES) {
  const outDir = elsewhere ? resolve(elsewhere, name) : resolve(here, folder);
  await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir,
      emptyOutDir: false,
      license: { fileName: `${name}.license.md` },
      target: "es2022",
      rolldownOptions: { output: { minify: true } },
      lib: { entry: resolve(here, entry), name: `rekkyo_${name}`, formats: [form], fileName: () => `${name}.js` },
    },
  });
  const [script, licenses] = ["js", "license.md"].map(kind => resolve(outDir, `${name}.${kind}`));
  const known = (await readFile(licenses, "utf8")).replaceAll("*/", "* /");
  await writeFile(script, `/*!\n${known.trim()}\n*/\n${await readFile(script, "utf8")}`);
  await rm(licenses);
}
