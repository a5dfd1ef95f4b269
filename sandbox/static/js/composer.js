// The message input: plain text, or "/" for commands, which open a small form.

import { CommandForm } from "./command_form.js";
import { flatten, search } from "./commands.js";
import { el, fill, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { replyTitle } from "./message.js";
import { Palette } from "./palette.js";

/** The composer of one pane; `run` sends the message or command. */
export class Composer {
  constructor({ view, run }) {
    this.view = view;
    this.run = run;
    this.palette = new Palette();
    this.input = el("textarea.composer-input", {
      rows: 1,
      maxLength: 2000,
      spellcheck: false,
      role: "combobox",
      aria: { label: "Message", autocomplete: "list" },
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#key(event),
      onblur: () => this.palette.hide(),
    });
    this.replyBar = el("div.reply-bar", { hidden: true });
    this.box = el(
      "div.composer-box",
      null,
      tool("Commands", ICONS.slash, () => this.openPalette()),
      this.input,
      tool("Send", ICONS.send, () => this.#send()),
    );
    this.node = el("div.composer", null, this.palette.node, this.replyBar, this.box);
  }

  /** Switch to a channel. */
  show(channel, name) {
    const silent = channel.can_send === false;
    this.input.disabled = silent;
    this.input.placeholder = silent ? "You cannot write here" : `Message ${channel.guild_id ? "#" : "@"}${name}`;
    this.input.setAttribute("aria-label", this.input.placeholder);
    this.#closeForm();
    this.reply(null);
  }

  /** Begin a reply; null cancels it. */
  reply(message) {
    this.replyTo = message;
    this.replyBar.hidden = !message;
    if (!message) return;
    fill(
      this.replyBar,
      el("span", null, replyTitle(message, this.view)),
      tool("Cancel the reply", ICONS.close, () => this.reply(null), ".small"),
    );
    this.input.focus();
  }

  /** Open the command list, as the "/" shortcut does. */
  openPalette() {
    if (this.form) {
      this.form.focus();
      return;
    }
    this.input.focus();
    if (!this.input.value.startsWith("/")) this.input.value = "/";
    this.#typed();
  }

  /** Open the form of the command with this typed name. */
  startCommand(path) {
    const found = flatten(this.view.commands, this.view.locale).find(
      (item) => item.path === path || item.shown === path,
    );
    if (found) this.#openForm(found);
    else {
      this.input.value = `/${path}`;
      this.input.focus();
      this.#typed();
    }
  }

  #typed() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 180)}px`;
    const text = this.input.value;
    if (text.startsWith("/") && text.endsWith(" ") && this.#wholeCommand(text)) return;
    if (text.startsWith("/") && !text.includes("\n")) {
      this.#suggest(text.slice(1));
      if (text === "/")
        this.run
          .refreshCommands()
          .then(() => this.input.value.startsWith("/") && !this.form && this.#suggest(this.input.value.slice(1)));
    } else {
      this.palette.hide();
      if (text) this.run.typing();
    }
    this.palette.describe(this.input);
  }

  // After "/bid " the command is complete; further text belongs to its first option.
  #wholeCommand(text) {
    const words = text.slice(1).trim().toLowerCase();
    const found = flatten(this.view.commands, this.view.locale).find(
      (item) => item.path === words || item.shown === words,
    );
    if (!found?.options.length) return false;
    this.#openForm(found);
    return true;
  }

  #suggest(typed) {
    const found = search(flatten(this.view.commands, this.view.locale), typed);
    const items = found.slice(0, 50).map((item) => ({
      label: `/${item.shown}`,
      detail: item.description,
      user: item.command.owner,
      hint: item.options.map((option) => (option.required ? option.shown : `${option.shown}?`)).join("  "),
      pick: () => this.#openForm(item),
    }));
    this.palette.show(
      items.length
        ? "Commands"
        : this.view.commands.length
          ? "No command matches."
          : "The bot has no commands here (yet).",
      items,
      { keep: true },
    );
  }

  #key(event) {
    if (this.palette.key(event)) {
      this.palette.describe(this.input);
      return;
    }
    if (event.key === "Escape" && this.palette.open) {
      this.palette.hide();
      event.stopPropagation();
    } else if (event.key === "Escape" && this.replyTo) this.reply(null);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.#send();
    }
  }

  #send() {
    if (this.form) {
      this.form.submit();
      return;
    }
    const text = this.input.value.trim();
    if (!text) return;
    this.run.say(text, this.replyTo);
    this.input.value = "";
    this.reply(null);
    this.#typed();
  }

  #openForm(item) {
    this.#closeForm();
    this.input.value = "";
    if (!item.options.length) {
      this.palette.hide();
      this.input.style.height = "auto";
      this.run.slash(item, {});
      this.input.focus();
      return;
    }
    this.input.hidden = true;
    this.form = new CommandForm({
      item,
      view: this.view,
      palette: this.palette,
      run: this.run,
      close: () => {
        this.#closeForm();
        this.input.focus();
      },
    });
    this.input.before(this.form.node);
    this.form.focus();
  }

  #closeForm() {
    this.form?.node.remove();
    this.form = null;
    this.input.hidden = false;
    this.palette.hide();
  }
}
