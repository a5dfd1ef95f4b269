// The messages of one channel. Only changed messages are redrawn; the list stays at the bottom unless scrolled up.

import { el, reconcile } from "./dom.js";
import { isThread } from "./view.js";
import { continues, drawMessage } from "./message.js";

const NEAR_BOTTOM_PIXELS = 80;

/** The message list of one pane. */
export class Timeline {
  constructor({ view, actions, loadEarlier }) {
    this.view = view;
    this.actions = actions;
    this.loadEarlier = loadEarlier;
    this.drawn = new Map();
    this.inner = el("div.timeline-inner", null);
    this.node = el(
      "div.timeline",
      {
        tabIndex: 0,
        role: "log",
        aria: { label: "Messages", live: "polite", relevant: "additions" },
        onscroll: () => this.#scrolled(),
      },
      this.inner,
    );
    // Stay at the bottom when pictures and fonts load late and change heights.
    const sizes = new ResizeObserver(() => this.atBottom && this.#toBottom());
    for (const node of [this.inner, this.node]) sizes.observe(node);
    this.atBottom = true;
    this.lastTop = 0;
  }

  /** Show another channel. */
  show(channelId) {
    this.channelId = channelId;
    this.drawn.clear();
    this.inner.replaceChildren();
    this.atBottom = true;
    this.lastTop = 0;
    this.draw();
  }

  /** Bring the list up to date. */
  draw() {
    const list = this.view.history(this.channelId);
    const kept = new Map();
    const focus = focusedControl(this.inner);
    let previous = null;
    const nodes = list.map((message) => {
      const grouped = continues(message, previous);
      previous = message;
      const old = this.drawn.get(message.id);
      const entry =
        old && old.message === message && old.grouped === grouped
          ? old
          : { message, grouped, node: drawMessage(message, this.view, this.actions, grouped) };
      kept.set(message.id, entry);
      return entry.node;
    });
    const top = this.#top(list);
    this.drawn = kept;
    reconcile(this.inner, top ? [top, ...nodes] : nodes);
    restoreFocus(this.inner, focus);
    if (this.atBottom) this.#toBottom();
  }

  /** Redraw one message whose data is unchanged, because a press began or ended. */
  touch(id) {
    this.drawn.delete(id);
    this.draw();
  }

  /** Scroll to a message and highlight it briefly. */
  jump(id) {
    const node = this.drawn.get(id)?.node;
    if (!node) return;
    node.scrollIntoView({ block: "center" });
    node.classList.add("pointed");
    node.focus({ preventScroll: true });
    setTimeout(() => node.classList.remove("pointed"), 1600);
  }

  #top(list) {
    if (!this.view.complete.has(this.channelId)) return null;
    if (this.beginning?.dataset.channel === this.channelId) return this.beginning;
    const channel = this.view.channel(this.channelId);
    const name = channel ? this.view.channelName(channel) : "";
    const what = !channel?.guild_id
      ? `This is the beginning of your messages with ${name}.`
      : isThread(channel)
        ? "This is the start of the thread."
        : `This is the start of #${name}.`;
    this.beginning = el(
      "div.beginning",
      { dataset: { channel: this.channelId } },
      el("h2", null, name),
      el("p", null, what, !list.length && " Type / to see what the bot can do."),
    );
    return this.beginning;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    // Only upward scrolling counts as the reader's: a picture that loads late adds height below without scrolling.
    if (scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PIXELS) this.atBottom = true;
    else if (scrollTop < this.lastTop) this.atBottom = false;
    this.lastTop = scrollTop;
    if (scrollTop < 200 && !this.view.complete.has(this.channelId) && !this.loading) this.#earlier();
  }

  async #earlier() {
    this.loading = true;
    const before = this.node.scrollHeight - this.node.scrollTop;
    await this.loadEarlier(this.channelId);
    this.draw();
    this.node.scrollTop = this.node.scrollHeight - before;
    this.loading = false;
  }

  #toBottom() {
    this.node.scrollTop = this.node.scrollHeight;
  }
}

function focusedControl(parent) {
  const active = document.activeElement;
  if (!active || !parent.contains(active) || !active.dataset.customId) return null;
  return { id: active.closest(".message")?.dataset.id, customId: active.dataset.customId };
}

function restoreFocus(parent, focus) {
  if (!focus || parent.contains(document.activeElement)) return;
  const message = parent.querySelector(`.message[data-id="${CSS.escape(focus.id)}"]`);
  message?.querySelector(`[data-custom-id="${CSS.escape(focus.customId)}"]`)?.focus({ preventScroll: true });
}
