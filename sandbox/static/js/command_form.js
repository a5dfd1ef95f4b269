// The form of a chosen command in the composer: one small field per option, with help and suggestions above.

import { readOption } from "./commands.js";
import { el } from "./dom.js";

const SUGGEST_DELAY_MS = 120;

/** The form for the options of one command. */
export class CommandForm {
  constructor({ item, view, palette, run, close }) {
    Object.assign(this, { item, view, palette, run, close });
    this.fields = new Map();
    this.node = el(
      "div.command-form",
      { role: "group", aria: { label: `Command ${item.shown}` } },
      el("span.command-name", null, `/${item.shown}`),
    );
    this.more = el("span.more-options");
    this.node.append(this.more);
    for (const option of item.options) if (option.required) this.#addField(option);
    if (!this.fields.size && item.options.length) this.#addField(item.options[0]);
    this.#drawMore();
  }

  focus() {
    [...this.fields.values()].find((field) => !field.input.value)?.input.focus();
    if (!this.node.contains(document.activeElement)) [...this.fields.values()].at(-1)?.input.focus();
  }

  #addField(option) {
    const input = el("input.option-input", {
      type: "text",
      size: 6,
      spellcheck: false,
      autocomplete: "off",
      role: "combobox",
      inputMode: option.type === 4 ? "numeric" : undefined,
      aria: { label: `${option.shown}: ${option.help}${option.required ? " (required)" : ""}`, autocomplete: "list" },
      onfocus: () => this.#suggest(option),
      onblur: () => this.palette.hide(),
      oninput: () => {
        field.picked = undefined;
        this.#size(input);
        this.#suggest(option);
      },
      onkeydown: (event) => this.#key(event, option),
    });
    const field = { option, input, picked: undefined };
    this.fields.set(option.name, field);
    field.node = el("label.option", null, el("span.option-name", null, option.shown), input);
    this.more.before(field.node);
    this.#drawMore();
    return field;
  }

  #size(input) {
    input.size = Math.max(6, Math.min(40, input.value.length + 1));
  }

  #drawMore() {
    const left = this.item.options.filter((option) => !this.fields.has(option.name));
    this.more.replaceChildren(
      ...left.map((option) =>
        el(
          "button.option-add",
          {
            type: "button",
            title: option.help,
            onclick: () => this.#addField(option).input.focus(),
          },
          `+ ${option.shown}`,
        ),
      ),
    );
  }

  async #suggest(option) {
    const field = this.fields.get(option.name);
    const title = el(
      "span.option-help",
      null,
      el("strong", null, option.shown),
      " ",
      option.help,
      el("em", null, option.required ? "required" : "optional"),
    );
    const list = await this.#candidates(option, field);
    if (document.activeElement !== field.input) return;
    const typed = field.picked === undefined ? field.input.value.trim().toLowerCase() : "";
    const fits = option.autocomplete ? list : list.filter((one) => one.label.toLowerCase().includes(typed));
    this.palette.show(
      title,
      fits.slice(0, 25).map((one) => ({ ...one, pick: () => this.#pick(field, one) })),
    );
    this.palette.describe(field.input);
  }

  async #candidates(option, field) {
    if (option.autocomplete) return this.#autocomplete(option, field);
    if (option.choices?.length)
      return option.choices.map((choice) => ({
        label: choice.name_localizations?.[this.view.locale] ?? choice.name,
        value: choice.value,
      }));
    const lists = {
      5: () => [
        { label: "True", value: true },
        { label: "False", value: false },
      ],
      6: () => this.view.userOptions(),
      7: () => this.view.channelOptions(option.channel_types),
      8: () => this.view.roleOptions(),
      9: () => [...this.view.userOptions(), ...this.view.roleOptions()],
    };
    return (lists[option.type]?.() ?? []).map((one) => ({
      label: one.label,
      detail: one.description,
      leading: one.leading,
      value: one.value,
    }));
  }

  async #autocomplete(option, field) {
    this.round = (this.round ?? 0) + 1;
    const round = this.round;
    await new Promise((resolve) => setTimeout(resolve, field.asked ? SUGGEST_DELAY_MS : 0));
    if (round !== this.round) return [];
    field.asked = true;
    try {
      const choices = await this.run.autocomplete(this.item, option.name, this.#rawValues());
      return round === this.round
        ? choices.map((choice) => ({
            label: choice.name_localizations?.[this.view.locale] ?? choice.name,
            value: choice.value,
          }))
        : [];
    } catch (error) {
      return [{ label: `No suggestions: ${error.message}`, value: field.input.value }];
    }
  }

  #rawValues() {
    const values = {};
    for (const { option, input, picked } of this.fields.values())
      if (picked !== undefined || input.value !== "") values[option.name] = picked ?? input.value;
    return values;
  }

  #pick(field, one) {
    field.input.value = one.label;
    field.picked = one.value;
    this.#size(field.input);
    const next = [...this.fields.values()].find((other) => !other.input.value);
    if (next) next.input.focus();
    else this.palette.hide();
  }

  #key(event, option) {
    const field = this.fields.get(option.name);
    // While a list is open, Enter picks from it only if the option still needs a value; otherwise it sends the command.
    const settled = field.picked !== undefined || !this.palette.items.length;
    const optionalAndEmpty = !option.required && field.input.value === "";
    if (!(event.key === "Enter" && (settled || optionalAndEmpty)) && event.key !== "Tab" && this.palette.key(event)) {
      this.palette.describe(field.input);
    } else if (
      event.key === "Tab" &&
      !event.shiftKey &&
      this.palette.items.length &&
      field.picked === undefined &&
      field.input.value
    )
      this.palette.key(event);
    else if (event.key === "Enter") {
      event.preventDefault();
      this.submit();
    } else if (
      event.key === "Escape" ||
      (event.key === "Backspace" && field.input.value === "" && event.target.selectionStart === 0)
    ) {
      event.preventDefault();
      event.stopPropagation();
      this.#leave(field, event.key);
    }
  }

  // Backspace in an empty optional field removes that field. Any other leaving key closes the command.
  #leave(field, key) {
    if (key === "Backspace" && !field.option.required && this.fields.size > 1) {
      this.fields.delete(field.option.name);
      field.node.remove();
      this.#drawMore();
      [...this.fields.values()].at(-1).input.focus();
    } else this.close();
  }

  /** Check every option and run the command. */
  submit() {
    const values = {};
    for (const { option, input, picked } of this.fields.values()) {
      const { value, error } = readOption(option, input.value.trim(), picked);
      if (error) {
        input.focus();
        input.setAttribute("aria-invalid", "true");
        this.palette.show(el("span.option-error", { role: "alert" }, error), this.palette.items);
        return;
      }
      input.removeAttribute("aria-invalid");
      if (value !== undefined) values[option.name] = value;
    }
    this.run.slash(this.item, values);
    this.close();
  }
}
