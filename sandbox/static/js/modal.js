// A modal opened by the bot, over the pane of the person who sees it.

import { candidates, initialValues, selectLabel } from "./controls.js";
import { el, fill, icon, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { markdown } from "./markdown_view.js";
import { openPicker } from "./picker.js";

const MAX_UPLOAD_BYTES = 500_000; // what fits into a message of the page's socket
let counter = 0;

/** Show a modal over `pane`; `submit(values)` resolves once the bot has answered, `cancel()` is called on Escape. */
export function openModal(pane, modal, view, { submit, cancel }) {
  const fields = [];
  const before = document.activeElement;
  const error = el("div.modal-error", { role: "alert", hidden: true });
  const send = el("button.control.button.primary", { type: "submit" }, "Submit");
  const close = () => {
    layer.remove();
    for (const child of pane.children) child.inert = false;
    if (before?.isConnected) before.focus();
  };
  const leave = () => {
    close();
    cancel();
  };
  const form = el(
    "form.modal",
    {
      role: "dialog",
      aria: { modal: "true", label: modal.title },
      noValidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const problem = fields.map((field) => field.check()).find(Boolean);
        if (problem) return complain(problem);
        send.disabled = true;
        send.classList.add("waiting");
        const values = await Promise.all(fields.map(async (field) => [field.customId, await field.value()]));
        const failure = await submit(Object.fromEntries(values));
        if (!failure) return close();
        send.disabled = false;
        send.classList.remove("waiting");
        return complain(failure);
      },
    },
    el("header.modal-head", null, el("h2", null, modal.title), tool("Close", ICONS.close, leave)),
    el(
      "div.modal-fields",
      null,
      modal.components.map((item) => drawTop(item, view, fields)),
    ),
    error,
    el("footer.modal-foot", null, el("button.control.button.link", { type: "button", onclick: leave }, "Cancel"), send),
  );
  const complain = (text) => {
    error.hidden = false;
    error.textContent = text;
  };
  const layer = el(
    "div.modal-layer",
    {
      onpointerdown: (event) => event.target === layer && leave(),
      onkeydown: (event) => keepInside(event, form, leave),
    },
    form,
  );
  for (const child of pane.children) child.inert = true;
  pane.append(layer);
  (form.querySelector(".modal-fields input, .modal-fields textarea, .modal-fields button") ?? send).focus();
  return close;
}

function keepInside(event, form, leave) {
  if (event.key === "Escape") {
    event.stopPropagation();
    leave();
  }
  if (event.key !== "Tab") return;
  const stops = [...form.querySelectorAll("button, input, textarea, a[href], [tabindex='0']")].filter(
    (node) => !node.disabled,
  );
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0]).focus();
}

function drawTop(item, view, fields) {
  if (item.type === 10) return markdown(item.content, view);
  if (item.type === 1)
    return item.components.map((child) =>
      labelled({ label: child.label, required: child.required ?? true }, child, view, fields),
    );
  if (item.type === 18)
    return labelled(
      { label: item.label, description: item.description, required: item.component.required ?? true },
      item.component,
      view,
      fields,
    );
  return el("div.unknown-component", null, `Component of unknown type ${item.type}`);
}

function labelled({ label, description, required }, item, view, fields) {
  counter += 1;
  const id = `field-${counter}`;
  const field = (FIELDS[item.type] ?? unsupported)(item, { id, view, required, label: label ?? "" });
  fields.push({ customId: item.custom_id, ...field });
  if (item.type === 23)
    return el("label.choice", null, field.node, el("span", null, label, description && el("small", null, description)));
  return el(
    "div.field",
    null,
    el(
      "label.field-label",
      { htmlFor: id, id: `${id}-label` },
      label,
      required && el("span.required", { aria: { hidden: true } }, " *"),
    ),
    description && el("div.field-description", { id: `${id}-help` }, description),
    field.node,
  );
}

const FIELDS = {
  3: selectField,
  5: selectField,
  6: selectField,
  7: selectField,
  8: selectField,
  4: textField,
  19: fileField,
  21: radioField,
  22: checkboxesField,
  23: checkboxField,
};

function textField(item, { id, required, label }) {
  const long = item.style === 2;
  const input = el(long ? "textarea" : "input", {
    id,
    className: "text-input",
    placeholder: item.placeholder ?? "",
    value: item.value ?? "",
    maxLength: item.max_length ?? 4000,
    required,
    rows: long ? 4 : undefined,
    autocomplete: "off",
    aria: { describedby: `${id}-help` },
  });
  const check = () => {
    const length = input.value.length;
    if (required && !length) return `${label} is required.`;
    return length && length < (item.min_length ?? 0) ? `${label}: at least ${item.min_length} characters.` : null;
  };
  return { node: input, value: () => input.value, check };
}

function selectField(item, { id, view, required, label }) {
  let values = initialValues(item);
  const min = required ? (item.min_values ?? 1) : 0;
  const node = el("button.control.select", {
    id,
    type: "button",
    aria: { haspopup: "listbox", labelledby: `${id}-label ${id}` },
    onclick: () =>
      openPicker(node, {
        title: label,
        options: candidates(item, view),
        chosen: values,
        min,
        max: item.max_values ?? 1,
        searchable: item.type !== 3,
        done: (chosen) => {
          values = chosen;
          draw();
        },
      }),
  });
  const draw = () =>
    fill(
      node,
      selectLabel(
        candidates(item, view).filter((option) => values.includes(option.value)),
        item.placeholder,
      ),
      icon(ICONS.down, "icon tiny"),
    );
  draw();
  return { node, value: () => values, check: () => (values.length < min ? `${label}: choose at least ${min}.` : null) };
}

function choices(item, type, id) {
  return (item.options ?? []).map((option) => {
    const input = el("input", { type, name: id, value: option.value, checked: Boolean(option.default) });
    return {
      input,
      node: el(
        "label.choice",
        null,
        input,
        el("span", null, option.label, option.description && el("small", null, option.description)),
      ),
    };
  });
}

function radioField(item, { id, required, label }) {
  const list = choices(item, "radio", id);
  const chosen = () => list.find(({ input }) => input.checked)?.input.value ?? null;
  return {
    node: el(
      "div.choices",
      { id, role: "radiogroup" },
      list.map((one) => one.node),
    ),
    value: chosen,
    check: () => (required && !chosen() ? `${label}: choose one.` : null),
  };
}

function checkboxesField(item, { id, required, label }) {
  const list = choices(item, "checkbox", id);
  const chosen = () => list.filter(({ input }) => input.checked).map(({ input }) => input.value);
  const min = required ? (item.min_values ?? 1) : 0;
  const max = item.max_values ?? list.length;
  const check = () =>
    chosen().length < min
      ? `${label}: choose at least ${min}.`
      : chosen().length > max
        ? `${label}: choose at most ${max}.`
        : null;
  return {
    node: el(
      "div.choices",
      { id, role: "group" },
      list.map((one) => one.node),
    ),
    value: chosen,
    check,
  };
}

function checkboxField(item, { id }) {
  const input = el("input", { type: "checkbox", id, checked: Boolean(item.default) });
  return { node: input, value: () => input.checked, check: () => null };
}

function fileField(item, { id, required, label }) {
  const min = required ? (item.min_values ?? 1) : 0;
  const max = item.max_values ?? 1;
  const input = el("input.text-input", { id, type: "file", multiple: max > 1, aria: { describedby: `${id}-help` } });
  const check = () => {
    const files = [...input.files];
    if (files.length < min) return `${label}: choose at least ${min}.`;
    if (files.length > max) return `${label}: choose at most ${max}.`;
    if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UPLOAD_BYTES)
      return `${label}: at most ${MAX_UPLOAD_BYTES / 1000} kB in the sandbox.`;
    return null;
  };
  const read = async (file) => ({ name: file.name, type: file.type, data: await base64(file) });
  return { node: input, value: () => Promise.all([...input.files].map(read)), check };
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}

function unsupported(item) {
  return {
    node: el("div.unknown-component", null, `Component of unknown type ${item.type}`),
    value: () => null,
    check: () => null,
  };
}
