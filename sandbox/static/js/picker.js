// The list that a select opens: a listbox with arrow keys, search for people, roles and channels, and several values.

import { el, fill, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { emojiOf } from "./markdown_view.js";
import { closePopover, openPopover } from "./overlay.js";

const MAX_OPTIONS_SHOWN = 200; // typing finds the others

/** Open a list beside `anchor`; `done(values)` is called once, if the choice is allowed.
 *  A single value counts at once, several as soon as one clicks elsewhere; Escape drops them. */
export function openPicker(anchor, { title, options, chosen = [], min = 1, max = 1, searchable = false, done }) {
  const picked = new Set(chosen);
  const many = max > 1;
  let active = Math.max(
    0,
    options.findIndex((option) => picked.has(option.value)),
  );
  let shown = options;

  const search = el("input.picker-search", {
    type: "text",
    placeholder: "Search",
    aria: { label: `Search: ${title}` },
  });
  const list = el("ul.picker-list", {
    role: "listbox",
    tabIndex: 0,
    aria: { label: title, multiselectable: many ? "true" : undefined },
  });
  const note = el("div.picker-note", null);
  const body = [(searchable || options.length > 10) && search, list, many && note];

  const finish = () => {
    closePopover();
    done([...picked]);
  };
  const toggle = (option) => {
    if (!many) {
      const empties = min === 0 && picked.has(option.value);
      picked.clear();
      if (!empties) picked.add(option.value);
      finish();
      return;
    }
    if (picked.has(option.value)) picked.delete(option.value);
    else if (picked.size < max) picked.add(option.value);
    draw();
  };
  const isAllowed = () => picked.size >= min && picked.size <= max;
  const closed = (outside) => {
    anchor.setAttribute("aria-expanded", "false");
    const changed = picked.size !== chosen.length || chosen.some((value) => !picked.has(value));
    if (outside && changed && isAllowed()) done([...picked]);
  };
  const draw = () => {
    fill(
      list,
      shown
        .slice(0, MAX_OPTIONS_SHOWN)
        .map((option, index) =>
          drawOption(option, index === active, picked.has(option.value), many, () => toggle(option)),
        ),
    );
    if (!shown.length) fill(list, el("li.picker-empty", null, "Nothing matches."));
    list.querySelector(".active")?.scrollIntoView({ block: "nearest" });
    list.setAttribute("aria-activedescendant", list.querySelector(".active")?.id ?? "");
    fill(
      note,
      el("span", null, min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`),
      el(
        "button.control.button.primary.small",
        { type: "button", disabled: !isAllowed(), onclick: finish },
        "Done",
      ),
    );
  };
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) active = Math.max(0, Math.min(shown.length - 1, active + step));
    else if (event.key === "Home") active = 0;
    else if (event.key === "End") active = shown.length - 1;
    else if (event.key === "Enter" || (event.key === " " && event.target === list)) {
      if (shown[active]) toggle(shown[active]);
    } else return;
    event.preventDefault();
    draw();
  };
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    shown = options.filter((option) => `${option.label} ${option.description ?? ""}`.toLowerCase().includes(wanted));
    active = 0;
    draw();
  });
  for (const node of [search, list]) node.addEventListener("keydown", keys);
  draw();
  anchor.setAttribute("aria-expanded", "true");
  openPopover(anchor, el("div.picker", null, body), { onClose: closed });
  (search.isConnected ? search : list).focus();
}

let counter = 0;

function drawOption(option, active, chosen, many, onclick) {
  counter += 1;
  return el(
    `li.picker-option${active ? ".active" : ""}`,
    {
      id: `option-${counter}`,
      role: "option",
      aria: { selected: String(chosen) },
      onclick,
      dataset: { value: option.value },
    },
    option.leading ?? emojiOf(option.emoji),
    el(
      "span.picker-text",
      null,
      el("span", null, option.label),
      option.description && el("small", null, option.description),
    ),
    chosen ? icon(ICONS.check, "icon tiny tick") : many && el("span.box", { aria: { hidden: true } }),
  );
}
