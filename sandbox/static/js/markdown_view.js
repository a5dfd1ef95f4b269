// Draws a markdown tree. `view` provides the names of users, roles and channels that this person's client knows.

import { flatten } from "./commands.js";
import { discordLink, el, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { isJumbo, parse, parseInline } from "./markdown.js";
import { timestamp } from "./time.js";

/** A message text with all markdown elements. */
export function markdown(text, view) {
  const node = el(
    "div.md",
    null,
    parse(text ?? "").map((block) => drawBlock(block, view)),
  );
  if (isJumbo(text ?? "")) node.classList.add("jumbo");
  return node;
}

/** A line of text without headers, lists or quotes. */
export const inlineMarkdown = (text, view) => parseInline(text ?? "").map((node) => drawInline(node, view));

/** The text without formatting, for previews and labels. */
export function plainText(text, view) {
  const drawn = el(
    "div",
    null,
    parse(text ?? "").map((block) => [drawBlock(block, view), " "]),
  );
  for (const image of drawn.querySelectorAll("img.emoji")) image.replaceWith(image.alt);
  return drawn.textContent.replace(/\s+/g, " ").trim();
}

function drawBlock(block, view) {
  switch (block.type) {
    case "pre":
      return el(
        "pre.code-block",
        block.language ? { dataset: { language: block.language } } : null,
        el("code", null, block.text),
      );
    // A low heading level, to keep a message's headings out of the page outline.
    case "h1":
    case "h2":
    case "h3":
      return el(
        `div.md-${block.type}`,
        { role: "heading", aria: { level: Number(block.type[1]) + 3 } },
        drawAll(block.children, view),
      );
    case "subtext":
      return el("div.subtext", null, drawAll(block.children, view));
    case "quote":
      return el(
        "blockquote",
        null,
        block.children.map((child) => drawBlock(child, view)),
      );
    case "list":
      return drawList(block, view);
    default:
      return el("p", null, drawAll(block.children, view));
  }
}

function drawList(block, view) {
  const items = block.items.map((item) =>
    el("li", null, drawAll(item.children, view), item.sub && drawList(item.sub, view)),
  );
  return block.ordered ? el("ol", { start: block.start }, items) : el("ul", null, items);
}

const drawAll = (nodes, view) => nodes.map((node) => drawInline(node, view));

function drawInline(node, view) {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return el("code.inline", null, node.text);
    case "strong":
      return el("strong", null, drawAll(node.children, view));
    case "em":
      return el("em", null, drawAll(node.children, view));
    case "underline":
      return el("u", null, drawAll(node.children, view));
    case "strike":
      return el("s", null, drawAll(node.children, view));
    case "spoiler":
      return spoiler(drawAll(node.children, view), "span");
    case "stamp":
      return timestamp(node.seconds, node.style, view.locale);
    case "link":
      return link(node, view);
    case "user":
      return userMention(node.id, view);
    case "role":
      return roleMention(node, view);
    case "channel":
      return channelMention(node.id, view);
    case "command":
      return commandMention(node, view);
    case "everyone":
      return mention(`@${node.name}`, null, false);
    case "guild":
      return mention(`#${node.name}`, null, false);
    case "emoji":
      return customEmoji(node);
    default:
      return "";
  }
}

function mention(text, props, mine) {
  return el(mine ? "span.mention.mine" : "span.mention", props, text);
}

// A press opens the person's menu, as on Discord.
function userMention(id, view) {
  const user = view.users.get(id);
  const name = `@${view.userName(id)}`;
  if (!user) return mention(name, null, false);
  const onclick = (event) => view.showUser(user, event.currentTarget);
  return el(id === view.id ? "button.mention.mine" : "button.mention", { type: "button", onclick }, name);
}

function roleMention(node, view) {
  const role = view.role(node.id);
  const chip = mention(`@${role?.name ?? "unknown role"}`, null, view.hasRole(node.id));
  if (role?.color) chip.style.setProperty("--tint", `#${role.color.toString(16).padStart(6, "0")}`);
  return chip;
}

function channelMention(id, view) {
  const channel = view.channel(id);
  if (!channel) return mention("#unknown", null, false);
  return el(
    "button.mention",
    { type: "button", onclick: () => view.open(id) },
    icon(channel.type >= 10 && channel.type <= 12 ? ICONS.thread : ICONS.hash, "icon tiny"),
    channel.name,
  );
}

// Found by its id, as the bot named it, and shown in the reader's language. Nothing to press if it is not offered here.
function commandMention(node, view) {
  const found = flatten(view.commands, view.locale).find(
    (item) => item.command.id === node.id && item.path === node.name,
  );
  if (!found) return mention(`/${node.name}`, null, false);
  return el(
    "button.mention",
    { type: "button", onclick: () => view.startCommand(node.name), title: "Use this command" },
    `/${found.shown}`,
  );
}

function link(node, view) {
  const inside = discordLink(node.url);
  const props = { title: node.title ?? node.url };
  if (inside)
    return el(
      "button.as-link",
      { type: "button", ...props, onclick: () => view.open(inside.channel, inside.message) },
      drawAll(node.children, view),
    );
  return el(
    "a",
    { ...props, href: node.url, target: "_blank", rel: "noopener noreferrer nofollow" },
    drawAll(node.children, view),
  );
}

/** A spoiler, hidden until pressed. */
export function spoiler(children, tag = "div") {
  const reveal = () => {
    node.classList.add("shown");
    node.removeAttribute("role");
    node.removeAttribute("tabindex");
    node.removeAttribute("aria-label");
  };
  const node = el(
    `${tag}.spoiler`,
    {
      role: "button",
      tabIndex: 0,
      aria: { label: "Spoiler, press to show" },
      onclick: reveal,
      onkeydown: (event) =>
        (event.key === "Enter" || event.key === " ") &&
        !node.classList.contains("shown") &&
        (event.preventDefault(), reveal()),
    },
    el("span.spoiler-inner", null, children),
  );
  return node;
}

/** A custom emoji's picture, or its name if there is none. */
function customEmoji({ id, name, animated }) {
  const image = el("img.emoji", {
    src: `/emojis/${id}.${animated ? "gif" : "png"}`,
    alt: `:${name}:`,
    title: `:${name}:`,
    draggable: false,
  });
  image.addEventListener("error", () => image.replaceWith(el("span.emoji-name", null, `:${name}:`)), { once: true });
  return image;
}

/** The emoji of a button, option or reaction, custom or Unicode. */
export const emojiOf = (emoji) =>
  emoji && (emoji.id ? customEmoji(emoji) : el("span.glyph", { aria: { hidden: true } }, emoji.name));
