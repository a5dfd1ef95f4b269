// Rich embeds, Discord's older way to lay out a message.

import { el } from "./dom.js";
import { inlineMarkdown, markdown } from "./markdown_view.js";
import { picture } from "./media.js";
import { messageTime } from "./time.js";

/** One embed card. */
export function embed(data, view) {
  const card = el(
    "article.embed",
    data.color ? { vars: { accent: colour(data.color) } } : null,
    el(
      "div.embed-grid",
      null,
      el(
        "div.embed-body",
        null,
        data.provider?.name && el("div.embed-provider", null, data.provider.name),
        data.author && el("div.embed-author", null, linked(data.author.name, data.author.url)),
        data.title &&
          el("div.embed-title", null, data.url ? linked(data.title, data.url) : inlineMarkdown(data.title, view)),
        data.description && markdown(data.description, view),
        data.fields?.length > 0 &&
          el(
            "div.embed-fields",
            null,
            data.fields.map((field) => drawField(field, view)),
          ),
      ),
      data.thumbnail && picture(data.thumbnail, { className: "thumbnail" }),
    ),
    data.image && picture(data.image, { alt: data.image.description }),
    (data.footer || data.timestamp) &&
      el(
        "footer.embed-footer",
        null,
        [data.footer?.text, data.timestamp && messageTime(data.timestamp, view.locale)].filter(Boolean).join(" · "),
      ),
  );
  return card;
}

function drawField(field, view) {
  return el(
    field.inline ? "div.embed-field.inline" : "div.embed-field",
    null,
    el("div.embed-field-name", null, inlineMarkdown(field.name, view)),
    markdown(field.value, view),
  );
}

const linked = (text, url) =>
  url ? el("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, text) : text;

/** A CSS colour from Discord's integer. */
export const colour = (value) => `#${Number(value).toString(16).padStart(6, "0")}`;
