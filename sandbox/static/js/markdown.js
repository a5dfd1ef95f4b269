// Parses Discord's markdown into a plain tree, which markdown_view.js draws.

const INLINE = [
  ["escape", /^\\([^0-9A-Za-z\s])/],
  ["code", /^(`+)([\s\S]*?[^`])\1(?!`)/],
  ["autolink", /^<(https?:\/\/[^\s>]+)>/],
  ["stamp", /^<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/],
  ["user", /^<@!?(\d+)>/],
  ["role", /^<@&(\d+)>/],
  ["channel", /^<#(\d+)>/],
  ["command", /^<\/([^:>]{1,100}):(\d+)>/],
  ["guild", /^<id:(customize|browse|guide|linked-roles(?::\d+)?)>/],
  ["emoji", /^<(a?):(\w{2,32}):(\d+)>/],
  ["everyone", /^@(everyone|here)\b/],
  [
    "masked",
    /^\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\()]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/,
  ],
  ["url", /^https?:\/\/[^\s<]+[^<.,:;"')\]\s]/],
  ["spoiler", /^\|\|([\s\S]+?)\|\|/],
  ["strong", /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/],
  ["underline", /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/],
  ["strike", /^~~([\s\S]+?)~~(?!_)/],
  ["em", /^\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/],
  ["em", /^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/],
];
const NESTED = new Set(["spoiler", "strong", "underline", "strike", "em"]);
const SPECIAL = /[\\`<@[h|*_~]/g;
const MAX_DEPTH = 12;

/** Parse text without block elements. */
export function parseInline(text, depth = 0, previous = "") {
  const nodes = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) nodes.push({ type: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    const before = at ? text[at - 1] : previous;
    const found = depth < MAX_DEPTH ? match(text.slice(at), before) : null;
    if (!found) {
      SPECIAL.lastIndex = at + 1;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      plain += text.slice(at, next);
      at = next;
      continue;
    }
    const [type, groups] = found;
    at += groups[0].length;
    if (type === "escape") plain += groups[1];
    else {
      flush();
      nodes.push(inlineNode(type, groups, depth));
    }
  }
  flush();
  return nodes;
}

function match(rest, before) {
  for (const [type, pattern] of INLINE) {
    if (type === "em" && rest[0] === "_" && /\w/.test(before)) continue;
    if ((type === "url" || type === "everyone") && /\w/.test(before)) continue;
    const groups = pattern.exec(rest);
    if (groups) return [type, groups];
  }
  return null;
}

function inlineNode(type, groups, depth) {
  if (NESTED.has(type)) return { type, children: parseInline(groups[1], depth + 1) };
  switch (type) {
    case "code":
      return { type, text: groups[2].replace(/^ (?=`)|(?<=`) $/g, "") };
    case "autolink":
      return { type: "link", url: groups[1], children: [{ type: "text", text: groups[1] }] };
    case "url":
      return { type: "link", url: groups[0], children: [{ type: "text", text: groups[0] }] };
    case "masked":
      return masked(groups, depth);
    case "stamp":
      return { type, seconds: Number(groups[1]), style: groups[2] ?? "f" };
    case "command":
      return { type, name: groups[1], id: groups[2] };
    case "emoji":
      return { type, animated: groups[1] === "a", name: groups[2], id: groups[3] };
    case "everyone":
    case "guild":
      return { type, name: groups[1] };
    default:
      return { type, id: groups[1] };
  }
}

function masked([whole, label, url, title], depth) {
  // A label that is itself a link could show one address and open another, so Discord leaves it as text.
  if (!/^(https?:|discord:)/i.test(url) || /https?:\/\//.test(label)) return { type: "text", text: whole };
  return { type: "link", url, title, children: parseInline(label, depth + 1) };
}

const FENCE = /^```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][\s\S]*?)\n*```/i;

/** Parse a whole message: code blocks, headers, subtext, quotes, lists, and paragraphs with their line breaks. */
export function parse(text, depth = 0) {
  const blocks = [];
  let rest = text.replace(/\r\n?/g, "\n");
  let paragraph = "";
  const flush = () => {
    const body = paragraph.replace(/^\n|\n$/g, "");
    if (body) blocks.push({ type: "paragraph", children: parseInline(body) });
    paragraph = "";
  };
  while (rest) {
    const lineStart = paragraph === "" || paragraph.endsWith("\n");
    const found = block(rest, lineStart, depth);
    if (found) {
      flush();
      blocks.push(found.node);
      rest = rest.slice(found.length);
      continue;
    }
    const line = plainLine(rest);
    paragraph += line;
    rest = rest.slice(line.length);
  }
  flush();
  return blocks;
}

function plainLine(rest) {
  const fence = rest.indexOf("```", 1);
  const newline = rest.indexOf("\n");
  const end = newline < 0 ? rest.length : newline + 1;
  return rest.slice(0, fence > 0 && fence < end ? fence : end);
}

function block(rest, lineStart, depth) {
  const fence = FENCE.exec(rest);
  if (fence)
    return { node: { type: "pre", language: fence[1], text: fence[2] }, length: eatNewline(rest, fence[0].length) };
  if (!lineStart) return null;
  const header = /^(#{1,3})\s+(?!#)([^\n]+?)(?:\n|$)/.exec(rest);
  if (header)
    return { node: { type: `h${header[1].length}`, children: parseInline(header[2]) }, length: header[0].length };
  const subtext = /^-#\s+(?!-#)([^\n]+?)(?:\n|$)/.exec(rest);
  if (subtext) return { node: { type: "subtext", children: parseInline(subtext[1]) }, length: subtext[0].length };
  return (depth === 0 && quote(rest, depth)) || list(rest);
}

function quote(rest, depth) {
  const tail = /^>>> ([\s\S]+)/.exec(rest);
  if (tail) return { node: { type: "quote", children: parse(tail[1], depth + 1) }, length: rest.length };
  const lines = /^(?:> [^\n]*(?:\n|$))+/.exec(rest);
  if (!lines) return null;
  const body = lines[0].replace(/^> /gm, "").replace(/\n$/, "");
  return { node: { type: "quote", children: parse(body, depth + 1) }, length: lines[0].length };
}

const ITEM = /^( *)([*-]|\d{1,9}\.) +([^\n]*)(?:\n|$)/;

function list(rest) {
  const items = [];
  let length = 0;
  for (let found = ITEM.exec(rest); found; found = ITEM.exec(rest.slice(length))) {
    const ordered = /\d/.test(found[2]);
    if (items.length && found[1].length <= items[0].indent && ordered !== items[0].ordered) break;
    items.push({ indent: found[1].length, ordered, start: Number.parseInt(found[2], 10), text: found[3] });
    length += found[0].length;
  }
  return items.length ? { node: nest(items), length } : null;
}

function nest(items) {
  const { indent, ordered, start } = items[0];
  const node = { type: "list", ordered, start, items: [] };
  for (let at = 0; at < items.length;) {
    const item = { children: parseInline(items[at].text), sub: null };
    let next = at + 1;
    while (next < items.length && items[next].indent > indent) next += 1;
    if (next > at + 1) item.sub = nest(items.slice(at + 1, next));
    node.items.push(item);
    at = next;
  }
  return node;
}

const eatNewline = (rest, length) => (rest[length] === "\n" ? length + 1 : length);

/** True when a message is only a few emoji, which are then drawn large. */
export function isJumbo(text) {
  const bare = text.replace(/<a?:\w{2,32}:\d+>/g, "🪶").replace(/\s/g, "");
  if (!bare || bare.length > 120 || /[\w#*]/.test(bare)) return false;
  const glyphs = [...new Intl.Segmenter().segment(bare)];
  return (
    glyphs.length <= 27 &&
    glyphs.every(({ segment }) => /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment))
  );
}
