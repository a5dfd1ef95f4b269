// One message as its reader sees it: header, reply line, body, components, reactions and errors.

import { avatar, displayName } from "./avatar.js";
import { drawAll } from "./components.js";
import { append, el, icon, tool } from "./dom.js";
import { embed } from "./embeds.js";
import { ICONS } from "./icons.js";
import { emojiOf, markdown, plainText } from "./markdown_view.js";
import { attachments } from "./media.js";
import { messageTime, snowflakeTime } from "./time.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const COMPONENTS_V2 = 1 << 15;
const GROUP_MS = 7 * 60 * 1000;
const NOTICES = { 6: "pinned a message to this channel.", 7: "joined the server.", 18: "started a thread:" };

const isEphemeral = (message) => Boolean(message.flags & EPHEMERAL);

/** True when a message is grouped under the header of the previous one. */
export function continues(message, previous) {
  if (
    !previous ||
    message.type !== 0 ||
    previous.type in NOTICES ||
    message.interaction_metadata ||
    isEphemeral(message) !== isEphemeral(previous)
  )
    return false;
  return previous.author.id === message.author.id && snowflakeTime(message.id) - snowflakeTime(previous.id) < GROUP_MS;
}

/** Draw a message for one view; `actions` are the things its reader can do with it. */
export function drawMessage(message, view, actions, grouped) {
  const name = view.userName(message.author.id);
  const private_ = isEphemeral(message);
  const node = el(
    `article.message${grouped ? ".grouped" : ""}${private_ ? ".private" : ""}${isForMe(message, view) ? ".for-me" : ""}`,
    {
      dataset: { id: message.id },
      tabIndex: -1,
      aria: { label: `${name}, ${messageTime(message.timestamp, view.locale)}` },
    },
  );
  if (message.type in NOTICES) {
    node.classList.add("notice");
    node.append(
      el(
        "div.notice-text",
        null,
        el("strong", null, name),
        " ",
        NOTICES[message.type],
        " ",
        message.type === 18 && message.content,
      ),
    );
    return node;
  }
  const context = contextLine(message, view, actions);
  if (context) node.append(context);
  append(node, [
    grouped ? el("span.gutter", { aria: { hidden: true } }, clock(message, view)) : avatar(message.author),
    el("div.message-main", null, !grouped && head(message, view, name, actions), body(message, view, actions)),
    toolbar(message, view, actions),
  ]);
  return node;
}

const clock = (message, view) =>
  new Intl.DateTimeFormat(view.locale, { timeStyle: "short" }).format(new Date(message.timestamp));

function head(message, view, name, actions) {
  return el(
    "header.message-head",
    null,
    el(
      "button.author",
      {
        type: "button",
        title: message.author.username,
        vars: nameTint(message, view),
        onclick: (event) => actions.userMenu(message.author, event.currentTarget),
      },
      name,
    ),
    message.author.bot && el("span.app-tag", null, "APP"),
    el(
      "time.when",
      { dateTime: message.timestamp, title: new Date(message.timestamp).toLocaleString(view.locale) },
      messageTime(message.timestamp, view.locale),
    ),
    message.pinned && el("span.pin-mark", { title: "Pinned" }, icon(ICONS.pin, "icon tiny")),
  );
}

function nameTint(message, view) {
  const role = view.members
    .get(message.author.id)
    ?.roles.map((id) => view.role(id))
    .find((one) => one?.color);
  return role ? { tint: `#${role.color.toString(16).padStart(6, "0")}` } : {};
}

function isForMe(message, view) {
  return (
    message.mention_everyone ||
    (message.mentions ?? []).some((user) => user.id === view.id) ||
    (message.mention_roles ?? []).some((id) => view.hasRole(id))
  );
}

// "Ana used /help", or the message that this one replies to.
function contextLine(message, view, actions) {
  const command = message.interaction?.name ?? message.interaction_metadata?.name;
  if (command && (message.type === 20 || message.type === 23)) {
    const user = message.interaction_metadata?.user ?? message.interaction?.user;
    return el(
      "div.message-context",
      null,
      avatar(user, "tiny"),
      el("strong", null, view.userName(user.id) || displayName(user)),
      " used ",
      el("span.command-name", null, message.type === 20 ? `/${command}` : command),
    );
  }
  if (message.type !== 19) return null;
  const target = message.referenced_message ?? view.message(message.channel_id, message.message_reference?.message_id);
  if (!target) return el("div.message-context", null, el("em", null, "The original message is gone"));
  return el(
    "button.message-context",
    { type: "button", onclick: () => actions.jump(target.id), aria: { label: "Go to the original message" } },
    avatar(target.author, "tiny"),
    el("strong", null, view.userName(target.author.id)),
    " ",
    el("span.excerpt", null, excerpt(target, view)),
  );
}

/** A one-line summary of a message. */
export function excerpt(message, view) {
  const first =
    message.content || message.embeds?.[0]?.title || message.embeds?.[0]?.description || firstText(message.components);
  return plainText(first || "Press to see the message", view).slice(0, 140);
}

function firstText(components) {
  for (const item of components ?? []) {
    const text = item.content ?? firstText(item.components);
    if (text) return text;
  }
  return "";
}

function body(message, view, actions) {
  if (message.flags & LOADING) {
    return el(
      "div.thinking",
      { role: "status" },
      dots(),
      el("span", null, `${view.userName(message.author.id)} is thinking…`),
      isEphemeral(message) && privateNote(message, actions),
    );
  }
  const ctx = {
    message,
    view,
    press: (item, values, from) => actions.press(message, item, values, from),
    isWaiting: (customId) => view.waiting.has(`${message.id}/${customId}`),
  };
  const v2 = Boolean(message.flags & COMPONENTS_V2);
  const failure = view.failed.get(message.id);
  return el(
    v2 ? "div.message-body.v2" : "div.message-body",
    null,
    !v2 && message.content && contentOf(message, view),
    !v2 && attachments(message.attachments ?? []),
    (message.embeds ?? []).map((data) => embed(data, view)),
    drawAll(message.components, ctx),
    message.edited_timestamp && (v2 || !message.content) && editedMark(message, view),
    reactions(message, actions),
    threadLink(message, view),
    message.failure && el("div.failure", { role: "alert" }, message.failure),
    failure && el("div.failure", { role: "alert" }, failure),
    isEphemeral(message) && privateNote(message, actions),
  );
}

function contentOf(message, view) {
  const text = markdown(message.content, view);
  if (!message.edited_timestamp) return text;
  const last = text.lastElementChild;
  append(last?.tagName === "P" ? last : text, [" ", editedMark(message, view)]);
  return text;
}

const editedMark = (message, view) =>
  el("span.edited", { title: `Edited ${messageTime(message.edited_timestamp, view.locale)}` }, "(edited)");

function privateNote(message, actions) {
  return el(
    "div.private-note",
    null,
    icon(ICONS.eye, "icon tiny"),
    "Only you can see this · ",
    el("button.as-link", { type: "button", onclick: () => actions.dismiss(message) }, "Dismiss message"),
  );
}

function reactions(message, actions) {
  if (!message.reactions?.length) return null;
  return el(
    "div.reactions",
    null,
    message.reactions.map((one) =>
      el(
        `button.reaction${one.me ? ".mine" : ""}`,
        {
          type: "button",
          aria: { pressed: String(Boolean(one.me)), label: `${one.emoji.name}, ${one.count}` },
          onclick: () => actions.react(message, one.emoji, one.me),
        },
        emojiOf(one.emoji),
        el("span", null, one.count),
      ),
    ),
  );
}

function threadLink(message, view) {
  if (!message.thread) return null;
  return el(
    "button.thread-link",
    { type: "button", onclick: () => view.open(message.thread.id) },
    icon(ICONS.thread),
    el("strong", null, message.thread.name),
    " Open thread",
  );
}

function toolbar(message, view, actions) {
  if (message.flags & LOADING || isEphemeral(message)) return null;
  return el(
    "div.toolbar",
    { role: "toolbar", aria: { label: "Message actions" } },
    tool("Add a reaction", ICONS.smile, (anchor) => actions.pickReaction(message, anchor)),
    tool("Reply", ICONS.reply, () => actions.reply(message)),
    actions.hasContextCommands() && tool("Apps", ICONS.more, (anchor) => actions.contextMenu(message, anchor)),
    view.channel(message.channel_id)?.can_pin &&
      tool(message.pinned ? "Unpin" : "Pin", ICONS.pin, () => actions.pin(message)),
    message.author.id === view.id && tool("Delete", ICONS.trash, () => actions.remove(message)),
  );
}

/** Three pulsing dots. */
export const dots = () => el("span.dots", { aria: { hidden: true } }, el("i"), el("i"), el("i"));

/** The title of the reply bar. */
export const replyTitle = (message, view) => ["Replying to ", el("strong", null, view.userName(message.author.id))];
