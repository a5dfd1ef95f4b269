// The channels a person can see: server channels with their threads, and direct messages.

import { avatar } from "./avatar.js";
import { el, fill, icon, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { compareIds } from "./time.js";
import { isThread } from "./view.js";

const CATEGORY = 4;
const order = (a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id);

/** Draw the list into `node`; `act` opens a channel, adds one, or opens the DM with the bot. */
export function drawSidebar(node, view, current, act) {
  const { open } = act;
  fill(
    node,
    view.guilds.map((guild) => [
      el(
        "h2.guild-name",
        null,
        el("span", null, guild.name),
        tool("Language of the server", ICONS.gear, (anchor) => act.changeServer(guild, anchor), ".small"),
        tool("Add a channel", ICONS.plus, (anchor) => act.addChannel(guild, anchor), ".small"),
      ),
      el(
        "ul.channels",
        null,
        guildEntries(guild, view).map((entry) => drawEntry(entry, view, current, open)),
      ),
    ]),
    el("h2.guild-name", null, "Direct messages"),
    el("ul.channels", null, directMessages(view, current, act)),
  );
}

/** Every channel in the order shown, for moving with the keyboard. */
export function channelOrder(view) {
  const inGuilds = view.guilds.flatMap((guild) => guildEntries(guild, view)).filter((entry) => entry.type !== CATEGORY);
  return [...inGuilds, ...view.dms()].map((channel) => channel.id);
}

function guildEntries(guild, view) {
  const all = [...view.channels.values()].filter((channel) => channel.guild_id === guild.id);
  const below = (parent) =>
    all
      .filter((channel) => !isThread(channel) && channel.type !== CATEGORY && (channel.parent_id ?? null) === parent)
      .sort(order);
  const withThreads = (channel) => [
    channel,
    ...all.filter((one) => isThread(one) && one.parent_id === channel.id && !one.thread_metadata?.archived).sort(order),
  ];
  const categories = all.filter((channel) => channel.type === CATEGORY).sort(order);
  return [
    ...below(null).flatMap(withThreads),
    ...categories.flatMap((category) => {
      const inside = below(category.id).flatMap(withThreads);
      return inside.length ? [category, ...inside] : [];
    }),
  ];
}

function drawEntry(channel, view, current, open) {
  if (channel.type === CATEGORY) return el("li.category", null, channel.name);
  const thread = isThread(channel);
  return entry(
    channel,
    view,
    current,
    open,
    thread ? "thread" : "",
    icon(thread ? ICONS.thread : ICONS.hash),
    channel.name,
  );
}

function directMessages(view, current, { open, openDm }) {
  const list = view.dms();
  if (!list.length)
    return el(
      "li.channels-empty",
      null,
      "None yet. ",
      el("button.as-link", { type: "button", onclick: openDm }, "Write to the bot"),
    );
  return list.map((channel) => {
    const other = channel.recipients?.find((user) => user.id !== view.id) ?? { id: channel.id, username: "?" };
    return entry(channel, view, current, open, "", avatar(other, "small"), view.channelName(channel));
  });
}

function entry(channel, view, current, open, kind, leading, name) {
  const unread = view.unread.get(channel.id);
  const here = channel.id === current;
  const classes = ["channel", kind, unread && "unread"].filter(Boolean).join(".");
  return el(
    "li",
    null,
    el(
      `button.${classes}`,
      {
        type: "button",
        aria: { current: here ? "page" : undefined },
        onclick: () => open(channel.id),
        dataset: { channel: channel.id },
      },
      leading,
      el("span.channel-name", null, name),
      unread?.pings > 0 && el("span.badge", { aria: { label: `${unread.pings} for you` } }, unread.pings),
    ),
  );
}
