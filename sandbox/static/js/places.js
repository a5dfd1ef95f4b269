// Opens channels that may not exist yet: a new channel, or the direct messages with the bot.

import { el } from "./dom.js";
import { closePopover, openPopover } from "./overlay.js";

/** Actions of one pane to open, add and find channels. */
export function placeActions(pane) {
  let awaited = null;
  // The reply may arrive before the event that adds the channel.
  const goTo = (reply) => {
    awaited = reply?.channel ?? null;
    arrived();
  };
  const arrived = () => {
    if (!awaited || !pane.view.channel(awaited)) return;
    pane.open(awaited);
    awaited = null;
  };
  return {
    arrived,
    open: (id) => pane.open(id),
    openDm: async () => goTo(await pane.attempt("open_dm")),
    addChannel(guild, anchor) {
      const input = el("input.text-input", {
        type: "text",
        maxLength: 100,
        placeholder: "second-table",
        autocomplete: "off",
        aria: { label: "Name of the channel" },
      });
      const submit = async (event) => {
        event.preventDefault();
        closePopover();
        goTo(await pane.attempt("add_channel", { guild: guild.id, name: input.value }));
      };
      openPopover(
        anchor,
        el(
          "form.person-form",
          { onsubmit: submit, aria: { label: "Add a channel" } },
          el("h2", null, "Add a channel"),
          input,
          el("button.control.button.primary", { type: "submit" }, "Add"),
        ),
      );
      input.focus();
    },
  };
}
