// The state of one person's client: servers, channels, names, messages. Events update it; drawing code reads it.

import { avatar, displayName } from "./avatar.js";
import { discordLink, el, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { compareIds } from "./time.js";

/** One person's view of the server; `onChange(what, detail)` is called on every change. */
export class View {
  constructor(snapshot, { onChange, onOpen, onCommand, onUser }) {
    this.onChange = onChange;
    this.open = onOpen;
    this.startCommand = onCommand;
    this.showUser = onUser;
    this.load(snapshot);
  }

  /** Load a whole snapshot, at the start and after a reconnection. */
  load({ me, guilds, dms, commands, users }) {
    this.me = me;
    this.id = me.user.id;
    this.locale = me.locale || "en-US";
    this.guilds = guilds;
    this.commands = commands;
    this.users = new Map(users.map((user) => [user.id, user]));
    this.channels = new Map();
    for (const guild of guilds)
      for (const channel of guild.channels) this.channels.set(channel.id, { ...channel, guild_id: guild.id });
    for (const channel of dms) this.channels.set(channel.id, channel);
    this.messages = new Map();
    this.complete = new Set();
    this.loaded ??= new Set(); // channels whose newest messages have been requested
    this.members = new Map(guilds.flatMap((guild) => guild.members.map((member) => [member.user.id, member])));
    this.unread ??= new Map();
    this.waiting ??= new Map();
    this.failed ??= new Map();
    this.typing ??= new Map();
  }

  channel(id) {
    return this.channels.get(id);
  }

  guildOf(channelId) {
    const guildId = this.channels.get(channelId)?.guild_id;
    return this.guilds.find((guild) => guild.id === guildId);
  }

  user(id) {
    return this.users.get(id);
  }

  userName(id) {
    return displayName(this.users.get(id), this.members.get(id));
  }

  role(id) {
    return this.guilds.flatMap((guild) => guild.roles).find((role) => role.id === id);
  }

  hasRole(id) {
    return Boolean(this.members.get(this.id)?.roles.includes(id));
  }

  /** A channel's name as this person sees it; a DM has the name of the other user. */
  channelName(channel) {
    if (channel.name) return channel.name;
    const others = (channel.recipients ?? []).filter((user) => user.id !== this.id);
    return others.map((user) => this.userName(user.id)).join(", ") || "Direct message";
  }

  dms() {
    return [...this.channels.values()]
      .filter((channel) => channel.type === 1 || channel.type === 3)
      .sort((a, b) => compareIds(b.last_message_id ?? b.id, a.last_message_id ?? a.id));
  }

  userOptions() {
    return (this.guilds[0]?.members ?? []).map(({ user, nick }) => ({
      value: user.id,
      label: displayName(user, { nick }),
      description: user.username,
      leading: avatar(user, "small"),
    }));
  }

  roleOptions() {
    const guild = this.guilds[0];
    return (guild?.roles ?? [])
      .filter((role) => role.id !== guild.id)
      .map((role) => ({ value: role.id, label: role.name, leading: icon(ICONS.role, "icon") }));
  }

  channelOptions(types) {
    return [...this.channels.values()]
      .filter((channel) => channel.guild_id && (!types?.length || types.includes(channel.type)))
      .map((channel) => ({
        value: channel.id,
        label: channel.name,
        leading: el("span.leading", null, icon(isThread(channel) ? ICONS.thread : ICONS.hash)),
      }));
  }

  /** Follow a Discord link inside this view; returns whether it was one. */
  follow(url) {
    const inside = discordLink(url);
    if (!inside || !this.channels.has(inside.channel)) return false;
    this.open(inside.channel, inside.message);
    return true;
  }

  /** Add a page of history, and sort messages oldest first. */
  addHistory(channelId, list, complete) {
    const known = this.#shelf(channelId);
    for (const message of list) known.set(message.id, message);
    this.messages.set(channelId, new Map([...known].sort(([a], [b]) => compareIds(a, b))));
    if (complete) this.complete.add(channelId);
  }

  history(channelId) {
    return [...(this.messages.get(channelId)?.values() ?? [])];
  }

  message(channelId, id) {
    return this.messages.get(channelId)?.get(id);
  }

  #shelf(channelId) {
    if (!this.messages.has(channelId)) this.messages.set(channelId, new Map());
    return this.messages.get(channelId);
  }

  /** Add a message that exists only in this client, for a command that was not answered. */
  addLocal(channelId, fields) {
    const id = String((BigInt(Date.now()) - 1420070400000n) << 22n);
    const message = {
      id,
      channel_id: channelId,
      type: 20,
      flags: 64,
      local: true,
      content: "",
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      mentions: [],
      attachments: [],
      embeds: [],
      components: [],
      ...fields,
    };
    this.receive("MESSAGE_CREATE", message);
  }

  /** Apply one Discord event. */
  receive(type, data) {
    if (type === "MESSAGE_CREATE") this.#created(data);
    else if (type === "MESSAGE_UPDATE") this.#updated(data);
    else if (type === "MESSAGE_DELETE") this.messages.get(data.channel_id)?.delete(data.id);
    else if (type === "MESSAGE_DELETE_BULK") for (const id of data.ids) this.messages.get(data.channel_id)?.delete(id);
    else if (type === "TYPING_START") this.#typed(data);
    else if (type.startsWith("MESSAGE_REACTION")) return this.onChange("reload", data);
    else return this.onChange("refresh", data);
    return this.onChange(type, data);
  }

  #created(message) {
    for (const user of [message.author, ...(message.mentions ?? [])]) if (user) this.users.set(user.id, user);
    const shelf = this.#shelf(message.channel_id);
    shelf.set(message.id, message);
    const channel = this.channels.get(message.channel_id);
    if (channel && !message.local) channel.last_message_id = message.id;
    this.typing.delete(`${message.channel_id}/${message.author?.id}`);
  }

  #updated(message) {
    const shelf = this.#shelf(message.channel_id);
    const known = shelf.get(message.id);
    if (known) shelf.set(message.id, { ...known, ...message });
  }

  #typed({ channel_id: channelId, user_id: userId }) {
    if (userId === this.id) return;
    const key = `${channelId}/${userId}`;
    clearTimeout(this.typing.get(key)?.timer);
    const timer = setTimeout(() => {
      this.typing.delete(key);
      this.onChange("TYPING_STOP", { channel_id: channelId });
    }, 10_000);
    this.typing.set(key, { channelId, userId, timer });
  }

  /** The names of people typing in a channel. */
  typingIn(channelId) {
    return [...this.typing.values()]
      .filter((one) => one.channelId === channelId)
      .map((one) => this.userName(one.userId));
  }
}

/** Whether a channel is a thread of any kind. */
export const isThread = (channel) => channel.type >= 10 && channel.type <= 12;
