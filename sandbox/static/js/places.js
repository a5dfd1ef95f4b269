// Going to places that are not there yet: a new channel, the direct messages with the bot.

import { el } from "./dom.js";
import { closePopover, openPopover } from "./overlay.js";

/** The ways of one pane to open, add and find channels. */
export function placeActions(pane) {
  let awaited = null;
  // The answer may come before the event that tells of the channel.
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
