// The pinned messages of a channel, in a popover.

import { el } from "./dom.js";
import { excerpt } from "./message.js";
import { closePopover, openPopover } from "./overlay.js";

/** Show the pinned messages of this pane's channel. */
export async function openPins(pane, anchor) {
  const pins = (await pane.attempt("pins", { channel: pane.channelId })) ?? [];
  const go = (message) => {
    closePopover();
    pane.timeline.jump(message.id);
  };
  openPopover(
    anchor,
    el(
      "div.pins",
      { role: "dialog", aria: { label: "Pinned messages" } },
      el("h2", null, "Pinned messages"),
      pins.length
        ? pins.map((message) =>
            el(
              "button.pin",
              { type: "button", onclick: () => go(message) },
              el("strong", null, pane.view.userName(message.author.id)),
              el("span", null, excerpt(message, pane.view)),
            ),
          )
        : el("p", null, "Nothing is pinned here."),
    ),
    { wide: true },
  );
}
