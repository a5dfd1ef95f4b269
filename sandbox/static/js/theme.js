// Light, dark or system theme; remembered in this browser.

import { el, fill, icon } from "./dom.js";
import { ICONS } from "./icons.js";

const ORDER = ["auto", "light", "dark"];
const LABEL = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
const ICON = { auto: ICONS.auto, light: ICONS.sun, dark: ICONS.moon };

/** A button that cycles through the three themes. */
export function themeButton() {
  let theme = ORDER.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto";
  const button = el("button.tool", {
    type: "button",
    onclick: () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      localStorage.setItem("theme", theme);
      apply();
    },
  });
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    fill(button, icon(ICON[theme]));
    button.title = LABEL[theme];
    button.setAttribute("aria-label", LABEL[theme]);
  };
  apply();
  return button;
}
