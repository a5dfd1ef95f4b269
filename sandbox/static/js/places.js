// Opens channels that may not exist yet: a new channel, or the direct messages with the bot.

import { el } from "./dom.js";
import { closePopover, openPopover } from "./overlay.js";
import { LOCALES, languageName } from "./people.js";

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
    changeServer(guild, anchor) {
      const locale = el(
        "select.text-input",
        { id: "server-locale", aria: { label: "Language of the server" } },
        LOCALES.map((code) =>
          el(
            "option",
            { value: code, selected: code === guild.preferred_locale },
            `${languageName(code)} (${code})`,
          ),
        ),
      );
      const submit = async (event) => {
        event.preventDefault();
        await pane.attempt("change_server", { guild: guild.id, locale: locale.value });
        guild.preferred_locale = locale.value;
        closePopover();
      };
      openPopover(
        anchor,
        el(
          "form.person-form",
          { onsubmit: submit, aria: { label: "Language of the server" } },
          el("h2", null, "Language of the server"),
          locale,
          el("button.control.button.primary", { type: "submit" }, "Save"),
        ),
      );
      locale.focus();
    },
  };
}
