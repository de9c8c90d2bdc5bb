// What is shown, as a file: the source makes it, the browser keeps it.

import { say } from "./notice.js";

const NAMES = { csv: "CSV, all rows", npy: "NumPy, all rows", svg: "SVG, a sheet", png: "PNG, a sheet", pdf: "PDF, a sheet" };

export function downloads(select, source, question) {
  for (const form of source.forms) select.append(new Option(NAMES[form], form));
  select.addEventListener("change", async () => {
    const form = select.value;
    select.value = "";
    say("said", "Making the file …");
    try {
      const made = await source.download(question(), form, (scanned, of) => say("said", `Making the file: ${Math.floor((100 * scanned) / of)} %`));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(made);
      link.download = `solutions.${form}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      say("said", `Written: solutions.${form}`);
    } catch (problem) {
      say("said", problem.message);
    }
  });
}
