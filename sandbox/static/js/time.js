// Discord timestamps such as `<t:1700000000:R>`, in all styles, updated while they are on the page.

import { el } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** An absolute time in the reader's language. */
function formatTime(seconds, style, locale) {
  const when = new Date(seconds * 1000);
  if (Number.isNaN(when.getTime())) return "Invalid date";
  return new Intl.DateTimeFormat(locale, STYLES[style] ?? STYLES.f).format(when);
}

/** "in 48 seconds", "2 minutes ago". */
function formatRelative(seconds, locale, now = Date.now()) {
  const distance = seconds - now / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "always" }).format(Math.round(distance / size), unit);
}

/** The element of one timestamp; relative ones update by themselves. */
export function timestamp(seconds, style, locale) {
  const relative = style === "R";
  const node = el(
    "time.stamp",
    {
      title: formatTime(seconds, "F", locale),
      dataset: relative ? { relative: seconds, locale } : {},
    },
    relative ? formatRelative(seconds, locale) : formatTime(seconds, style, locale),
  );
  const when = new Date(seconds * 1000);
  if (!Number.isNaN(when.getTime())) node.dateTime = when.toISOString();
  return node;
}

/** Start the page's clock, which updates only text that has changed. */
export function startClock() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-relative]")) {
      const text = formatRelative(Number(node.dataset.relative), node.dataset.locale);
      if (node.textContent !== text) node.textContent = text;
    }
  }, 500);
}

/** The creation time of a snowflake, in milliseconds since 1970. */
export const snowflakeTime = (id) => Number((BigInt(id) >> 22n) + 1420070400000n);

/** Compare two snowflakes as strings, without losing digits. */
export const compareIds = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** "Today at 20:15" or a date, for message headers. */
export function messageTime(iso, locale) {
  const when = new Date(iso);
  const today = when.toDateString() === new Date().toDateString();
  const options = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" };
  return new Intl.DateTimeFormat(locale, options).format(when);
}
