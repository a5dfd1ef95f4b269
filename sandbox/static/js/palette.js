// The list above the composer: commands after "/", then help and suggestions for the current option.

import { avatar } from "./avatar.js";
import { el, fill } from "./dom.js";

let counter = 0;

/** A list of suggestions controlled from an input: arrows move, Enter or Tab picks. */
export class Palette {
  constructor() {
    counter += 1;
    this.id = `palette-${counter}`;
    this.list = el("ul.palette-list", { role: "listbox", id: this.id, aria: { label: "Suggestions" } });
    this.title = el("div.palette-title");
    this.node = el("div.palette", { hidden: true }, this.title, this.list);
    this.items = [];
    this.active = 0;
  }

  get open() {
    return !this.node.hidden;
  }

  /** Show items `{ label, detail, hint, user, pick }` under a title. */
  show(title, items, { keep = false } = {}) {
    this.items = items;
    this.active = keep ? Math.min(this.active, Math.max(0, items.length - 1)) : 0;
    fill(this.title, title);
    this.node.hidden = false;
    this.#draw();
  }

  hide() {
    this.node.hidden = true;
    this.items = [];
  }

  /** Handle a key of the input that owns this list; returns whether it was used. */
  key(event) {
    if (!this.open || !this.items.length) return false;
    if (event.key === "ArrowDown") this.active = (this.active + 1) % this.items.length;
    else if (event.key === "ArrowUp") this.active = (this.active + this.items.length - 1) % this.items.length;
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      event.preventDefault();
      this.items[this.active].pick();
      return true;
    } else return false;
    event.preventDefault();
    this.#draw();
    return true;
  }

  /** Link an input to this list for screen readers. */
  describe(input) {
    input.setAttribute("aria-controls", this.id);
    input.setAttribute("aria-expanded", String(this.open && this.items.length > 0));
    if (this.open && this.items.length) input.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    else input.removeAttribute("aria-activedescendant");
  }

  #draw() {
    fill(
      this.list,
      this.items.map((item, index) =>
        el(
          `li.palette-item${index === this.active ? ".active" : ""}`,
          {
            id: `${this.id}-${index}`,
            role: "option",
            aria: { selected: String(index === this.active) },
            onmousedown: (event) => event.preventDefault(), // the input keeps its focus
            onclick: () => item.pick(),
          },
          item.leading,
          el(
            "span.palette-text",
            null,
            el("span.palette-label", null, item.label, item.hint && el("span.palette-hint", null, item.hint)),
            item.detail && el("small", null, item.detail),
          ),
          item.user && el("span.palette-owner", null, avatar(item.user, "tiny"), item.user.username),
        ),
      ),
    );
    this.list.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }
}
