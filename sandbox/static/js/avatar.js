// Avatars drawn from an initial and a colour derived from the id, so that no images are loaded.

import { el } from "./dom.js";

const HUES = [18, 262, 152, 340, 200, 45, 285, 95, 225, 5, 175, 312];

const known = new Map();

/** Give each of the first twelve people a different hue. */
export function spreadHues(ids) {
  for (const id of ids) if (!known.has(id)) known.set(id, HUES[known.size % HUES.length]);
}

/** The hue of a user, always the same for one id. */
function hueOf(id) {
  if (known.has(id)) return known.get(id);
  let sum = 0;
  for (const digit of String(id)) sum = (sum * 31 + digit.charCodeAt(0)) >>> 0;
  return HUES[sum % HUES.length];
}

/** A round avatar; decorative, because the name is always next to it. */
export function avatar(user, size = "") {
  const name = displayName(user);
  const first = [...new Intl.Segmenter().segment(name.replace(/^[\s\p{Cf}]+/u, ""))][0]?.segment ?? "?";
  const node = el(
    `span.avatar${size && `.${size}`}`,
    { aria: { hidden: true }, vars: { hue: hueOf(user.id) } },
    first.toUpperCase(),
  );
  if (user.bot) node.classList.add("bot");
  return node;
}

/** The name that a client shows for a user. */
export const displayName = (user, member) => member?.nick || user?.global_name || user?.username || "unknown user";
