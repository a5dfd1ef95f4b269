// Attachments, pictures and files. Only pictures from the sandbox are loaded; it never contacts other hosts.

import { el, icon, safeUrl } from "./dom.js";
import { ICONS } from "./icons.js";
import { spoiler } from "./markdown_view.js";
import { openLightbox, openPopover } from "./overlay.js";

const IS_SPOILER = 1 << 3;
const IMAGE = /\.(png|jpe?g|gif|webp|avif)(\?|$)/i;

/** True when a URL points to the sandbox. */
function isLocal(url) {
  const safe = safeUrl(url);
  return Boolean(safe) && new URL(safe).origin === location.origin;
}

// A URL may have another loopback name than the browser uses, or the port of an earlier run.
function localise(url) {
  const safe = safeUrl(url);
  if (!safe) return null;
  const parsed = new URL(safe);
  const ours =
    ["127.0.0.1", "localhost", "[::1]"].includes(parsed.hostname) && /^\/(attachments|emojis)\//.test(parsed.pathname);
  return ours ? location.origin + parsed.pathname + parsed.search : safe;
}

/** One picture with its alt text and a badge that shows it; pictures from other hosts are replaced by a note. */
export function picture(media, { alt, className = "picture", hidden = false } = {}) {
  const url = localise(media?.url ?? media?.proxy_url ?? "");
  const text = alt || media?.description || "";
  if (!url || !isLocal(url)) return missing(text || hostOf(media?.url));
  const image = el("img", { src: url, alt: text, loading: "lazy", decoding: "async", draggable: false });
  if (media.width && media.height) {
    image.width = media.width;
    image.height = media.height;
  }
  const open = el(
    "button.picture-open",
    {
      type: "button",
      title: text,
      aria: { label: text ? `Picture: ${text}. Open` : "Picture without alt text. Open" },
      onclick: () => openLightbox(url, text, open),
    },
    image,
  );
  const frame = el(`div.${className}`, null, open, text && altBadge(text));
  image.addEventListener("error", () => frame.replaceWith(missing(text || "picture")), { once: true });
  return hidden ? spoiler(frame) : frame;
}

function altBadge(text) {
  const show = () => {
    badge.setAttribute("aria-expanded", "true");
    openPopover(badge, el("p.alt-text", null, text), { onClose: () => badge.setAttribute("aria-expanded", "false") });
  };
  const badge = el(
    "button.alt-mark",
    { type: "button", title: text, aria: { label: "Show the alt text", expanded: "false" }, onclick: show },
    "ALT",
  );
  return badge;
}

function missing(text) {
  return el(
    "div.picture-missing",
    null,
    icon(ICONS.file),
    el("span", null, text || "picture"),
    el("small", null, "not loaded in the sandbox"),
  );
}

function hostOf(url) {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}

/** The attachments of a message: pictures in a grid, the rest as files. */
export function attachments(list) {
  const pictures = list.filter(isPicture);
  const files = list.filter((file) => !isPicture(file));
  return [
    pictures.length > 0 &&
      gallery(
        pictures.map((file) => ({
          media: file,
          description: file.description,
          spoiler: isSpoiler(file),
        })),
      ),
    files.map((file) => (isSpoiler(file) ? spoiler(fileCard(file)) : fileCard(file))),
  ];
}

const isSpoiler = (file) => Boolean(file.flags & IS_SPOILER);

const isPicture = (file) =>
  file.content_type ? /^image\/(png|jpeg|gif|webp|avif)/.test(file.content_type) : IMAGE.test(file.filename ?? "");

/** Up to ten pictures: one as large as it is, several as a mosaic of Discord's pattern. */
export function gallery(items) {
  return el(
    "div.gallery",
    { dataset: { count: Math.min(items.length, 10) } },
    items.map((item) =>
      picture(item.media, { alt: item.description ?? item.media?.description, hidden: item.spoiler }),
    ),
  );
}

/** A file to download. */
export function fileCard(file) {
  const url = localise(file.url ?? file.proxy_url ?? "");
  const name = file.filename ?? file.name ?? url?.split("/").pop() ?? "file";
  return el(
    "div.file-card",
    null,
    icon(ICONS.file, "icon large"),
    el(
      "div",
      null,
      url && isLocal(url)
        ? el("a", { href: url, download: name, target: "_blank", rel: "noopener" }, name)
        : el("span", null, name),
      file.size !== undefined && el("small", null, readableSize(file.size)),
    ),
  );
}

function readableSize(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}
