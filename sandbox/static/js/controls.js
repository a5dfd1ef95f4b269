// Buttons and selects, each ready, waiting or disabled.

import { el, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { emojiOf } from "./markdown_view.js";
import { openPicker } from "./picker.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "secondary" };

/** A button in any of Discord's styles. */
export function button(item, ctx) {
  const content = [emojiOf(item.emoji), item.label && el("span.label", null, item.label)];
  const name = item.label || item.emoji?.name || "Button";
  if (item.style === 5) return linkButton(item, ctx, content, name);
  const node = el(
    `button.control.button.${STYLES[item.style] ?? "secondary"}`,
    {
      type: "button",
      disabled: Boolean(item.disabled),
      dataset: { customId: item.custom_id ?? "" },
      aria: { label: name },
      onclick: () => ctx.press(item, undefined, node),
    },
    content,
  );
  markWaiting(node, ctx, item);
  return node;
}

function linkButton(item, ctx, content, name) {
  const follow = (event) => {
    if (!ctx.view.follow(item.url)) return;
    event.preventDefault();
  };
  return el(
    "a.control.button.link",
    {
      href: item.disabled ? undefined : item.url,
      target: "_blank",
      rel: "noopener noreferrer nofollow",
      title: item.url,
      aria: { label: name, disabled: item.disabled ? "true" : undefined },
      onclick: follow,
    },
    content,
    icon(ICONS.link, "icon tiny"),
  );
}

function markWaiting(node, ctx, item) {
  if (!ctx.isWaiting?.(item.custom_id)) return;
  node.classList.add("waiting");
  node.setAttribute("aria-busy", "true");
}

/** A select of any kind; its list opens in a picker. */
export function select(item, ctx) {
  const known = candidates(item, ctx.view);
  const chosen = initialValues(item);
  const node = el(
    "button.control.select",
    {
      type: "button",
      disabled: Boolean(item.disabled),
      dataset: { customId: item.custom_id ?? "" },
      aria: { haspopup: "listbox", expanded: "false", label: item.placeholder || "Make a selection" },
      onclick: () =>
        openPicker(node, {
          title: item.placeholder || "Make a selection",
          options: candidates(item, ctx.view),
          chosen,
          min: item.min_values ?? 1,
          max: item.max_values ?? 1,
          searchable: item.type !== 3,
          done: (values) => ctx.press(item, values, node),
        }),
    },
    selectLabel(
      known.filter((option) => chosen.includes(option.value)),
      item.placeholder,
    ),
    icon(ICONS.down, "icon tiny"),
  );
  markWaiting(node, ctx, item);
  return node;
}

/** The content of a closed select. */
export function selectLabel(chosen, placeholder) {
  if (!chosen.length) return el("span.placeholder", null, placeholder || "Make a selection");
  return el(
    "span.chosen",
    null,
    chosen.map((option) => el("span.chosen-one", null, emojiOf(option.emoji), option.label)),
  );
}

/** The initial values of a select. */
export function initialValues(item) {
  if (item.type === 3) return (item.options ?? []).filter((option) => option.default).map((option) => option.value);
  return (item.default_values ?? []).map((value) => value.id);
}

/** The options that a select offers to this person. */
export function candidates(item, view) {
  switch (item.type) {
    case 3:
      return item.options ?? [];
    case 5:
      return view.userOptions();
    case 6:
      return view.roleOptions();
    case 7:
      return [...view.userOptions(), ...view.roleOptions()];
    case 8:
      return view.channelOptions(item.channel_types);
    default:
      return [];
  }
}
