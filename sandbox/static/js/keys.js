// The page's keyboard shortcuts, and the sheet that lists them.

import { el } from "./dom.js";
import { closePopover } from "./overlay.js";

const SHEET = [
  ["/", "Commands of the bot"],
  ["Alt + 1 … 9", "Be person 1 … 9"],
  ["Shift + Alt + 1 … 9", "Show person 1 … 9 beside"],
  ["Alt + ↑ ↓", "Previous or next channel"],
  ["F6", "Next view, when people are side by side"],
  ["Alt + N", "Add a person"],
  ["Alt + I", "Inspector"],
  ["Esc", "Close what is open; go to the composer"],
  ["?", "This list"],
];

/** Install the shortcuts on the page. */
export function bindKeys(app) {
  document.addEventListener("keydown", (event) => {
    const run = shortcut(event, app);
    if (!run) return;
    event.preventDefault();
    run();
  });
}

function shortcut(event, app) {
  const typing = event.target.closest?.("input, textarea, select");
  // Compares the code, not the key: with Alt, some keyboards produce another character.
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (event.altKey && !event.ctrlKey && digit) {
    const person = [...app.people.keys()][Number(digit) - 1];
    return person && (() => (event.shiftKey ? app.beside(person) : app.become(person)));
  }
  if (event.altKey && !event.ctrlKey)
    return {
      ArrowUp: () => app.active?.step(-1),
      ArrowDown: () => app.active?.step(1),
      KeyI: () => app.inspector.toggle(),
      KeyN: () => app.addPerson(),
    }[event.code];
  if (event.key === "F6") return () => app.nextPane(event.shiftKey ? -1 : 1);
  if (typing || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return null;
  if (event.key === "/") return () => app.active?.composer?.openPalette();
  if (event.key === "?") return openSheet;
  if (event.key === "Escape")
    return () =>
      closePopover() ||
      (app.active?.node.classList.contains("drawer") ? app.active.drawer(false) : app.active?.composer?.input.focus());
  return null;
}

/** Show the list of shortcuts. */
export function openSheet() {
  const sheet = el(
    "dialog.sheet",
    {
      aria: { label: "Keyboard shortcuts" },
      onclose: () => sheet.remove(),
      onclick: (event) => event.target === sheet && sheet.close(),
    },
    el(
      "div.sheet-inner",
      null,
      el("h2", null, "Keyboard shortcuts"),
      el(
        "dl",
        null,
        SHEET.map(([keys, what]) => [el("dt", null, el("kbd", null, keys)), el("dd", null, what)]),
      ),
      el("button.control.button.secondary", { type: "button", onclick: () => sheet.close() }, "Close"),
    ),
  );
  document.body.append(sheet);
  sheet.showModal();
}
