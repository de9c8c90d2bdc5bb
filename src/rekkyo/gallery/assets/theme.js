// Light, dark, or what the reader's system asks for.

import { recall, remember } from "./kept.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };

export function themeSwitch(button, painter) {
  const apply = theme => {
    painter.theme = theme;
    document.documentElement.dataset.theme = theme;
    for (const drawn of document.querySelectorAll(".rk-auto, .rk-light, .rk-dark")) {
      drawn.classList.remove("rk-auto", "rk-light", "rk-dark");
      drawn.classList.add(`rk-${theme}`);
    }
    button.textContent = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" }[theme];
    button.dataset.theme = theme;
  };
  const kept = recall("theme", "auto");
  apply(NEXT[kept] ? kept : "auto");
  button.addEventListener("click", () => {
    apply(NEXT[button.dataset.theme]);
    remember("theme", button.dataset.theme);
  });
}
