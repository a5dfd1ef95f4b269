// Runs the interactions of a pane: shows that they wait, a failure under the message, or a modal to fill in.

import { openModal } from "./modal.js";

const FAILED = "This interaction failed";

/** Runs interactions for one pane. */
export class Modals {
  constructor(pane) {
    this.pane = pane;
  }

  /** Press a component; the control is busy until the bot has answered. */
  async press(message, item, values) {
    const { pane } = this;
    const key = `${message.id}/${item.custom_id}`;
    if (pane.view.waiting.has(key)) return;
    pane.view.waiting.set(key, true);
    pane.view.failed.delete(message.id);
    pane.timeline.touch(message.id);
    const body = { channel: message.channel_id, message: message.id, custom_id: item.custom_id };
    const failure = await this.run(
      values === undefined ? "click" : "select",
      values === undefined ? body : { ...body, values },
    );
    pane.view.waiting.delete(key);
    if (failure) pane.view.failed.set(message.id, failure);
    pane.timeline.touch(message.id);
  }

  /** Carry out an interaction; returns an error message if it failed, else null. */
  async run(op, body) {
    try {
      const { outcome, modal, reason } = await this.pane.ask(op, body);
      if (outcome === "modal") this.#show(modal, body.channel);
      return outcome === "failed" ? (reason ?? FAILED) : null;
    } catch (error) {
      return error.message;
    }
  }

  #show(modal, channel) {
    this.close?.();
    this.close = openModal(this.pane.node, modal, this.pane.view, {
      submit: async (values) => {
        const failure = await this.run("submit", { channel, modal: modal.id, values });
        return failure && (failure === FAILED ? "Something went wrong. Try again." : failure);
      },
      cancel: () => {
        this.close = null;
      },
    });
  }
}
