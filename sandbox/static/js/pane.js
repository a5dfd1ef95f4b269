// One person's client: channels at the side, channel header, messages and composer.

import { avatar, displayName } from "./avatar.js";
import { Composer } from "./composer.js";
import { announce, append, el, fill, icon, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { dots } from "./message.js";
import { messageActions } from "./message_actions.js";
import { Modals } from "./modals.js";
import { openPins } from "./pins.js";
import { placeActions } from "./places.js";
import { channelOrder, drawSidebar } from "./sidebar.js";
import { Timeline } from "./timeline.js";
import { isThread, View } from "./view.js";

const PAGE_SIZE = 50;

/** Shows the server as one person sees it; `app` provides the socket, the people and the ways to switch. */
export class Pane {
  constructor(app, personId, channelId) {
    this.app = app;
    this.personId = personId;
    this.wanted = channelId;
    this.sidebar = el("nav.sidebar", { aria: { label: "Channels" } });
    this.head = el("header.channel-head");
    this.who = el("header.pane-who");
    this.typingLine = el("div.typing", { role: "status" });
    this.main = el("div.pane-main");
    this.toasts = el("div.toasts", { role: "alert" });
    this.node = el(
      "section.pane",
      { dataset: { person: personId }, onfocusin: () => app.activate(this), onpointerdown: () => app.activate(this) },
      this.who,
      el("div.pane-columns", null, this.sidebar, el("div.scrim", { onclick: () => this.drawer(false) }), this.main),
      this.toasts,
    );
    this.modals = new Modals(this);
    this.places = placeActions(this);
  }

  /** Load this person's view and draw it; called again after a reconnection. */
  async load() {
    const snapshot = await this.ask("watch");
    if (this.view) {
      this.view.load(snapshot);
      this.view.loaded = new Set();
    } else this.#build(snapshot);
    this.drawWho();
    const candidates = [this.channelId, this.wanted, snapshot.home, channelOrder(this.view)[0]];
    await this.open(candidates.find((id) => this.view.channel(id)));
  }

  #build(snapshot) {
    this.view = new View(snapshot, {
      onChange: (what, detail) => this.#changed(what, detail),
      onOpen: (channelId, messageId) => this.open(channelId, messageId),
      onCommand: (path) => this.composer.startCommand(path),
      onUser: (user, anchor) => this.actions.userMenu(user, anchor),
    });
    this.actions = messageActions(this);
    this.timeline = new Timeline({
      view: this.view,
      actions: this.actions,
      loadEarlier: (channelId) => this.#history(channelId),
    });
    this.composer = new Composer({ view: this.view, run: this.actions.compose });
    fill(this.main, this.head, this.timeline.node, this.composer.node, this.typingLine);
  }

  ask(op, body = {}) {
    return this.app.socket.ask(op, { person: this.personId, ...body });
  }

  /** Send a request, and show the reason if it is refused. */
  async attempt(op, body) {
    try {
      return await this.ask(op, body);
    } catch (error) {
      this.toast(error.message);
      return null;
    }
  }

  /** Show a channel and, if given, jump to one of its messages. */
  async open(channelId, messageId) {
    const channel = this.view.channel(channelId);
    if (!channel) return;
    const moved = this.channelId !== channelId;
    this.channelId = channelId;
    this.refreshCommands().catch(() => {});
    this.view.unread.delete(channelId);
    this.drawer(false);
    if (!this.view.messages.has(channelId) || !this.view.loaded.has(channelId)) await this.#history(channelId);
    if (this.channelId !== channelId) return;
    this.#drawHead(channel);
    this.drawSidebar();
    if (moved || this.timeline.channelId !== channelId) {
      this.composer.show(channel, this.view.channelName(channel));
      this.timeline.show(channelId);
    } else this.timeline.draw();
    this.#drawTyping();
    if (messageId) this.timeline.jump(messageId);
    this.app.remember();
  }

  /** Reload the commands of this channel: the bot may change them at any time. */
  async refreshCommands() {
    const before = JSON.stringify(this.view.commands);
    this.view.commands = await this.ask("commands", { channel: this.channelId });
    if (JSON.stringify(this.view.commands) === before || this.timeline.channelId !== this.channelId) return;
    this.timeline.drawn.clear(); // messages that name a command
    this.timeline.draw();
  }

  async #history(channelId) {
    const before = this.view.loaded.has(channelId) ? this.view.history(channelId)[0]?.id : undefined;
    const { messages, complete } = await this.ask("history", { channel: channelId, before, limit: PAGE_SIZE });
    this.view.addHistory(channelId, messages, complete);
    this.view.loaded.add(channelId);
  }

  /** Draw the name of the pane's person, with controls to switch. */
  drawWho() {
    const person = this.app.people.get(this.personId) ?? this.view.me;
    fill(
      this.who,
      el(
        "button.who-button",
        {
          type: "button",
          title: "Be somebody else",
          aria: { haspopup: "listbox" },
          onclick: (event) => this.app.switchMenu(this, event.currentTarget),
        },
        avatar(person.user, "small"),
        el("span.who-name", null, displayName(person.user)),
        el("span.who-locale", { title: "Language" }, person.locale),
        icon(ICONS.down, "icon tiny"),
      ),
      el("span.spacer"),
      tool("Name and language", ICONS.gear, (anchor) => this.app.editPerson(this.personId, anchor)),
      this.app.panes.length < 4 &&
        tool("Show somebody beside", ICONS.beside, (anchor) => this.app.besideMenu(this, anchor)),
      this.app.panes.length > 1 && tool("Close this view", ICONS.close, () => this.app.closePane(this)),
    );
    this.node.lang = person.locale;
    this.node.setAttribute("aria-label", `As ${displayName(person.user)}`);
  }

  #drawHead(channel) {
    const name = this.view.channelName(channel);
    const dm = !channel.guild_id;
    const other = dm && channel.recipients?.find((user) => user.id !== this.view.id);
    fill(
      this.head,
      append(
        tool("Channels", ICONS.menu, () => this.drawer(true), ".menu-button"),
        [this.#otherUnread() && el("span.dot")],
      ),
      dm
        ? avatar(other ?? { id: channel.id, username: name }, "small")
        : icon(isThread(channel) ? ICONS.thread : ICONS.hash),
      el("h1.channel-title", null, name),
      channel.topic && el("span.topic", { title: channel.topic }, channel.topic),
      el("span.spacer"),
      tool("Pinned messages", ICONS.pin, (anchor) => openPins(this, anchor)),
    );
  }

  #otherUnread() {
    return [...this.view.unread].some(([id, unread]) => id !== this.channelId && unread.pings);
  }

  drawSidebar() {
    drawSidebar(this.sidebar, this.view, this.channelId, this.places);
  }

  /** Open or close the channel list when it is a drawer. */
  drawer(show) {
    const was = this.node.classList.contains("drawer");
    this.node.classList.toggle("drawer", show);
    if (show) this.sidebar.querySelector("[aria-current], button")?.focus();
    else if (was) this.head.querySelector(".menu-button")?.focus();
  }

  /** Go to the next or previous channel. */
  step(by) {
    if (!this.view) return;
    const list = channelOrder(this.view);
    const at = list.indexOf(this.channelId);
    this.open(list[(at + by + list.length) % list.length]);
  }

  #changed(what, detail) {
    const here = detail?.channel_id === this.channelId;
    if (what === "refresh") this.#refreshSoon();
    else if (what === "reload") this.#reload(detail);
    else if (what.startsWith("TYPING")) this.#drawTyping();
    else if (here) this.#drawSoon();
    if (what === "MESSAGE_CREATE" && !here) this.#count(detail);
  }

  // Several changes in one frame are drawn once. A hidden tab gets no animation frames, so it draws at once.
  #drawSoon() {
    if (this.drawing) return;
    this.drawing = true;
    const draw = () => {
      this.drawing = false;
      this.timeline.draw();
      this.#drawTyping();
    };
    if (document.hidden) draw();
    else requestAnimationFrame(draw);
  }

  #count(message) {
    if (message.author?.id === this.personId) return;
    const unread = this.view.unread.get(message.channel_id) ?? { pings: 0 };
    const direct = !this.view.channel(message.channel_id)?.guild_id;
    if (direct || message.flags & 64 || message.mentions?.some((user) => user.id === this.personId)) unread.pings += 1;
    this.view.unread.set(message.channel_id, unread);
    if (!this.view.channel(message.channel_id)) this.#refreshSoon();
    this.drawSidebar();
    this.#drawHead(this.view.channel(this.channelId));
    if (direct) announce(`New direct message for ${displayName(this.view.me.user)}`);
  }

  async #reload({ channel_id: channelId }) {
    this.view.loaded.delete(channelId);
    if (channelId !== this.channelId) return;
    await this.#history(channelId);
    this.timeline.draw();
  }

  // Changes of channels, roles, members and commands are rare, so the whole view is reloaded, once per burst.
  #refreshSoon() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => this.#refresh().catch(() => {}), 30); // fails if the person has left
  }

  async #refresh() {
    const { messages, complete, commands } = this.view;
    this.view.load(await this.ask("watch"));
    Object.assign(this.view, { messages, complete, commands });
    this.drawSidebar();
    this.drawWho();
    const channel = this.view.channel(this.channelId);
    if (!channel) return this.open(channelOrder(this.view)[0]);
    this.#drawHead(channel);
    this.timeline.drawn.clear();
    this.timeline.draw();
    return this.places.arrived();
  }

  #drawTyping() {
    const names = this.view.typingIn(this.channelId);
    const text =
      names.length > 3
        ? "Several people are typing…"
        : `${new Intl.ListFormat("en").format(names)} ${names.length > 1 ? "are" : "is"} typing…`;
    fill(this.typingLine, names.length > 0 && [dots(), text]);
  }

  /** Show a short message that disappears by itself. */
  toast(text) {
    const note = el("div.toast", null, text);
    this.toasts.append(note);
    setTimeout(() => note.remove(), 6000);
  }
}
