// Message components: Components V2 layouts, and the action rows that both kinds of message have.

import { button, select } from "./controls.js";
import { el } from "./dom.js";
import { colour } from "./embeds.js";
import { markdown, spoiler } from "./markdown_view.js";
import { fileCard, gallery, picture } from "./media.js";

const DRAW = {
  1: (row, ctx) => el("div.action-row", { role: "group" }, drawAll(row.components, ctx)),
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: (text, ctx) => markdown(text.content, ctx.view),
  11: (thumb) => picture(thumb.media, { alt: thumb.description, className: "thumbnail", hidden: thumb.spoiler }),
  12: (media) => gallery(media.items),
  13: drawFile,
  14: (line) =>
    el(`div.separator${line.spacing === 2 ? ".wide" : ""}${line.divider === false ? "" : ".line"}`, {
      role: "presentation",
    }),
  17: container,
};

/** Draw components in order; `ctx` contains the message, the view that shows it, and `press(component, values)`. */
export const drawAll = (list, ctx) => (list ?? []).map((item) => DRAW[item.type]?.(item, ctx) ?? unknown(item));

function section(item, ctx) {
  return el(
    "div.section",
    null,
    el("div.section-text", null, drawAll(item.components, ctx)),
    item.accessory && el("div.section-accessory", null, drawAll([item.accessory], ctx)),
  );
}

function container(item, ctx) {
  const accent =
    item.accent_color === null || item.accent_color === undefined
      ? null
      : { vars: { accent: colour(item.accent_color) } };
  const box = el(accent ? "div.container.accented" : "div.container", accent, drawAll(item.components, ctx));
  return item.spoiler ? spoiler(box) : box;
}

function drawFile(item, ctx) {
  const name = item.name ?? item.file?.url?.split("?")[0].split("/").at(-1);
  const known = ctx.message.attachments?.find((file) => file.id === item.file?.attachment_id || file.filename === name);
  const card = fileCard({ ...known, ...item.file, filename: name ?? known?.filename, size: item.size ?? known?.size });
  return item.spoiler ? spoiler(card) : card;
}

const unknown = (item) => el("div.unknown-component", null, `Component of unknown type ${item.type}`);
