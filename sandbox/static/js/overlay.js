// Overlays: popovers, which close on Escape or a click elsewhere, and the lightbox.

import { el } from "./dom.js";

let open = null;

/** Show `content` as a popover beside `anchor`; returns a function that closes it.
 *  `onClose(outside)` tells whether it was closed by a click outside. */
export function openPopover(anchor, content, { onClose, wide = false } = {}) {
  closePopover();
  const pane = anchor.closest(".pane, dialog") ?? document.body;
  const sheet = el(wide ? "div.popover.wide" : "div.popover", null, content);
  pane.append(sheet);
  place(sheet, anchor, pane);
  const state = { sheet, anchor, onClose };
  open = state;
  const close = (how) => open === state && closePopover(how);
  state.stop = listen(sheet, anchor, close);
  return close;
}

/** Close the open popover; returns whether there was one. */
export function closePopover({ refocus = true, outside = false } = {}) {
  if (!open) return false;
  const { sheet, anchor, onClose, stop } = open;
  open = null;
  stop();
  const hadFocus = sheet.contains(document.activeElement);
  sheet.remove();
  if (refocus && hadFocus && anchor.isConnected) anchor.focus();
  onClose?.(outside);
  return true;
}

function listen(sheet, anchor, close) {
  const outside = (event) => !sheet.contains(event.target) && !anchor.contains(event.target) && close({ outside: true });
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  document.addEventListener("pointerdown", outside, true);
  document.addEventListener("keydown", escape, true);
  return () => {
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("keydown", escape, true);
  };
}

// Placed below the anchor if there is room, else above; always inside the pane.
function place(sheet, anchor, pane) {
  const frame = pane.getBoundingClientRect();
  const box = anchor.getBoundingClientRect();
  const gap = 6;
  const below = frame.bottom - box.bottom - gap * 2;
  const above = box.top - frame.top - gap * 2;
  const up = below < Math.min(sheet.scrollHeight, 320) && above > below;
  sheet.style.maxHeight = `${Math.max(140, Math.min(420, up ? above : below))}px`;
  const width = Math.min(Math.max(box.width, sheet.offsetWidth), frame.width - gap * 2);
  sheet.style.width = `${width}px`;
  sheet.style.left = `${Math.max(gap, Math.min(box.left - frame.left, frame.width - width - gap))}px`;
  if (up) sheet.style.bottom = `${frame.bottom - box.top + gap}px`;
  else sheet.style.top = `${box.bottom - frame.top + gap}px`;
}

/** A picture at full size, with its alt text below. */
export function openLightbox(url, alt, from) {
  const box = el(
    "dialog.lightbox",
    {
      onclick: () => box.close(),
      aria: { label: alt || "Picture" },
      onclose: () => {
        box.remove();
        from?.focus();
      },
    },
    el("figure", null, el("img", { src: url, alt }), el("figcaption", null, alt || "No alt text")),
  );
  document.body.append(box);
  box.showModal();
}
