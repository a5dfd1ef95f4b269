// Actions on messages, as calls to the server.

import { contextCommands, localised } from "./commands.js";
import { el } from "./dom.js";
import { closePopover, openPopover } from "./overlay.js";

const REACTIONS = ["👍", "❤️", "😂", "😮", "😢", "🐺", "🪶", "🎉", "🤔", "👀", "🔥", "✅"];
const TYPING_INTERVAL_MS = 8000;

/** The actions of one pane. */
export function messageActions(pane) {
  let typedAt = 0;
  return {
    press: (message, item, values) => pane.modals.press(message, item, values),
    dismiss(message) {
      if (message.local) pane.view.receive("MESSAGE_DELETE", message);
      else pane.attempt("dismiss", { channel: message.channel_id, message: message.id });
    },
    jump: (id) => pane.timeline.jump(id),
    reply: (message) => pane.composer.reply(message),
    remove: (message) => pane.attempt("delete", { channel: message.channel_id, message: message.id }),
    pin: (message) => pane.attempt("pin", { channel: message.channel_id, message: message.id }),
    react: (message, emoji, mine) =>
      pane.attempt(mine ? "unreact" : "react", { channel: message.channel_id, message: message.id, emoji }),
    hasContextCommands: () => contextCommands(pane.view.commands, 3).length > 0,
    pickReaction(message, anchor) {
      const pick = (name) => {
        closePopover();
        this.react(message, { id: null, name }, false);
      };
      openPopover(
        anchor,
        el(
          "div.reaction-picker",
          null,
          REACTIONS.map((name) =>
            el("button", { type: "button", aria: { label: `React with ${name}` }, onclick: () => pick(name) }, name),
          ),
        ),
      );
    },
    contextMenu(message, anchor) {
      openPopover(anchor, el("div.menu", { role: "menu" }, menuItems(pane, 3, { target: message.id })));
    },
    userMenu(user, anchor) {
      openPopover(
        anchor,
        el(
          "div.menu",
          { role: "menu" },
          el(
            "div.menu-title",
            null,
            el("strong", null, pane.view.userName(user.id)),
            el("small", null, user.username),
            el("small", null, user.id),
          ),
          menuItems(pane, 2, { user: user.id }),
        ),
      );
    },
    compose: {
      refreshCommands: () => pane.refreshCommands().catch(() => {}),
      say: (content, replyTo) => pane.attempt("say", { channel: pane.channelId, content, reply_to: replyTo?.id }),
      typing() {
        if (Date.now() - typedAt < TYPING_INTERVAL_MS) return;
        typedAt = Date.now();
        pane.ask("typing", { channel: pane.channelId }).catch(() => {});
      },
      async slash(item, options) {
        pane.main.classList.add("busy");
        const failure = await pane.modals.run("slash", { channel: pane.channelId, command: item.path, options });
        pane.main.classList.remove("busy");
        if (!failure) return;
        const { user } = pane.view.me;
        pane.view.addLocal(pane.channelId, {
          author: item.command.owner,
          failure,
          interaction: { name: item.path, user },
        });
      },
      autocomplete: (item, option, values) =>
        pane.ask("autocomplete", { channel: pane.channelId, command: item.path, option, options: values }),
    },
  };
}

function menuItems(pane, type, target) {
  const run = async (command) => {
    closePopover();
    const failure = await pane.modals.run("context", { channel: pane.channelId, name: command.name, ...target });
    if (failure) pane.toast(`${command.name}: ${failure}`);
  };
  return contextCommands(pane.view.commands, type).map((command) =>
    el(
      "button",
      {
        type: "button",
        role: "menuitem",
        onclick: () => run(command),
      },
      localised(command, "name", pane.view.locale),
    ),
  );
}
