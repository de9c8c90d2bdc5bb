// A script that is loaded when it is needed; a page that was opened as a file may load nothing else.

import { Refused } from "./question.js";

export function loadScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => { script.remove(); resolve(); });
    script.addEventListener("error", () => reject(new Refused(`${address} is missing; write the gallery again`)));
    document.head.append(script);
  });
}
