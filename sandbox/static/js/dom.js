// The only module that creates elements. Text always becomes text nodes, so names and messages cannot inject markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: `el("a.big", { href, onclick, dataset, aria: { label } }, "text", child, …)`. */
export function el(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(props ?? {})) assign(node, name, value);
  append(node, children);
  return node;
}

function assign(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(node.dataset, value);
  else if (name === "aria") for (const [key, text] of Object.entries(value)) setAria(node, key, text);
  else if (name === "vars") for (const [key, text] of Object.entries(value)) node.style.setProperty(`--${key}`, text);
  else if (name === "href" || name === "src") {
    const url = safeUrl(value);
    if (url) node.setAttribute(name, url);
  } else if (name in node && name !== "list") node[name] = value;
  else node.setAttribute(name, value === true ? "" : value);
}

function setAria(node, key, text) {
  if (text === undefined || text === null) node.removeAttribute(`aria-${key}`);
  else node.setAttribute(`aria-${key}`, String(text));
}

/** Append children; strings become text nodes, lists are flattened, empty values are skipped. */
export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** Replace everything inside a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** Make `nodes` the children; nodes already in place are not moved, which preserves focus and scrolling. */
export function reconcile(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let cursor = parent.firstElementChild;
  for (const node of nodes) {
    if (node === cursor) cursor = cursor.nextElementSibling;
    else parent.insertBefore(node, cursor);
  }
}

/** Draw an icon from path data on a 24-unit grid. */
export function icon(path, className = "icon") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  for (const data of [path].flat()) {
    const stroke = document.createElementNS(SVG, "path");
    stroke.setAttribute("d", data);
    svg.append(stroke);
  }
  return svg;
}

/** The URL if it is safe to follow (http, https or this site), else null, as for `javascript:`. */
export function safeUrl(value) {
  try {
    const url = new URL(String(value), location.origin);
    return ["http:", "https:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** The parts of a Discord link to a message or channel, else null. */
export function discordLink(value) {
  const match =
    /^(?:https:\/\/(?:\w+\.)?discord(?:app)?\.com|discord:\/\/-?)\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?/.exec(
      String(value),
    );
  return match && { guild: match[1], channel: match[2], message: match[3] };
}

/** Announce text to screen readers. */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** A small icon button; its label is also its tooltip, and `run` gets the button as an anchor for popovers. */
export function tool(label, path, run, classes = "") {
  const onclick = (event) => run(event.currentTarget);
  return el(`button.tool${classes}`, { type: "button", title: label, aria: { label }, onclick }, icon(path));
}
