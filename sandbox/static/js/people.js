// The list of people at the side: press a name to become that person, edit people, add more.

import { avatar, displayName } from "./avatar.js";
import { el, fill, icon, tool } from "./dom.js";
import { ICONS } from "./icons.js";
import { closePopover, openPopover } from "./overlay.js";

const NAMES = [
  "Ana",
  "Ben",
  "Chloé",
  "Dmitri",
  "Emi",
  "Farid",
  "Greta",
  "Hugo",
  "Ines",
  "Jun",
  "Kofi",
  "Lena",
  "Mateo",
  "Noor",
  "Olga",
  "Pablo",
];
/** Discord's languages, in their own names. */
export const LOCALES = [
  "en-US",
  "en-GB",
  "de",
  "fr",
  "es-ES",
  "es-419",
  "pt-BR",
  "it",
  "nl",
  "pl",
  "sv-SE",
  "da",
  "fi",
  "no",
  "ro",
  "hu",
  "cs",
  "hr",
  "lt",
  "bg",
  "el",
  "ru",
  "uk",
  "tr",
  "ja",
  "ko",
  "zh-CN",
  "zh-TW",
  "th",
  "vi",
  "hi",
  "id",
];

/** Draw the list of people. */
export function drawPeople(node, app) {
  const people = [...app.people.values()];
  fill(
    node,
    people.map((person, index) => drawPerson(person, index, app)),
    el(
      "li",
      null,
      el(
        "button.person.add",
        {
          type: "button",
          title: "Add a person",
          aria: { label: "Add a person" },
          onclick: (event) => addForm(app, event.currentTarget),
        },
        el("span.avatar.empty", { aria: { hidden: true } }, icon(ICONS.plus)),
        el("span.person-name", null, "Add a person"),
      ),
    ),
  );
}

function drawPerson(person, index, app) {
  const shownIn = app.panes.filter((pane) => pane.personId === person.user.id);
  const active = app.active?.personId === person.user.id;
  const name = displayName(person.user);
  const hint = index < 9 ? ` (Alt+${index + 1})` : "";
  return el(
    "li.person-row",
    null,
    el(
      `button.person${active ? ".active" : ""}${shownIn.length ? ".shown" : ""}`,
      {
        type: "button",
        title: `${name}${hint}`,
        dataset: { person: person.user.id },
        aria: { current: active ? "true" : undefined, label: `Be ${name}` },
        onclick: (event) => (event.shiftKey ? app.beside(person.user.id) : app.become(person.user.id)),
      },
      avatar(person.user),
      el("span.person-name", null, name),
      el("span.who-locale.person-locale", { title: languageName(person.locale) }, person.locale),
      person.nudges > 0 && el("span.badge", { aria: { label: `${person.nudges} new` } }, person.nudges),
    ),
    tool(`Show ${name} beside`, ICONS.beside, () => app.beside(person.user.id), ".small.person-beside"),
  );
}

/** The first suggested name that is not taken. */
function freshName(people) {
  const taken = new Set([...people.values()].map((person) => displayName(person.user)));
  return NAMES.find((name) => !taken.has(name)) ?? `Guest ${taken.size + 1}`;
}

function addForm(app, anchor) {
  personForm(
    app,
    anchor,
    { title: "Add a person", name: freshName(app.people), locale: app.active?.view?.locale ?? "en-US", verb: "Add" },
    async (values) => {
      const { id } = await app.socket.ask("add_person", values);
      app.whenKnown(id, () => (app.panes.length === 1 && app.wide() ? app.beside(id) : app.become(id)));
    },
  );
}

/** Change somebody's name, language, whether the bot can write to them, or whether they have it themselves. */
export function editForm(app, personId, anchor) {
  const person = app.people.get(personId);
  const remove = () => app.socket.ask("remove_person", { person: personId });
  personForm(
    app,
    anchor,
    {
      title: "Name and language",
      name: displayName(person.user),
      locale: person.locale,
      dms: person.dms_open,
      hasApp: person.has_app,
      verb: "Save",
      remove,
    },
    (values) => app.socket.ask("change_person", { person: personId, ...values }),
  );
}

function personForm(app, anchor, { title, name, locale, dms = true, hasApp = false, verb, remove }, save) {
  const nameInput = el("input.text-input", {
    type: "text",
    id: "person-name",
    value: name,
    maxLength: 32,
    autocomplete: "off",
    required: true,
  });
  const localeInput = el(
    "select.text-input",
    { id: "person-locale" },
    LOCALES.map((code) => el("option", { value: code, selected: code === locale }, `${languageName(code)} (${code})`)),
  );
  const dmsInput = el("input", { type: "checkbox", id: "person-dms", checked: dms });
  const appInput = el("input", { type: "checkbox", id: "person-app", checked: hasApp });
  const error = el("div.modal-error", { role: "alert", hidden: true });
  const attempt = async (act) => {
    try {
      await act();
      closePopover();
    } catch (failure) {
      error.hidden = false;
      error.textContent = failure.message;
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const [dms_open, has_app] = [dmsInput.checked, appInput.checked];
    attempt(() => save({ name: nameInput.value.trim(), locale: localeInput.value, dms_open, has_app }));
  };
  openPopover(
    anchor,
    el(
      "form.person-form",
      { onsubmit: submit, aria: { label: title } },
      el("h2", null, title),
      el("label", { htmlFor: "person-name" }, "Name"),
      nameInput,
      el("label", { htmlFor: "person-locale" }, "Language"),
      localeInput,
      el("label.choice", null, dmsInput, el("span", null, "Accepts direct messages from the bot")),
      el("label.choice", null, appInput, el("span", null, "Has added the bot to their own account")),
      error,
      el(
        "div.form-buttons",
        null,
        remove &&
          el(
            "button.control.button.secondary",
            { type: "button", onclick: () => attempt(remove) },
            "Leaves the server",
          ),
        el("button.control.button.primary", { type: "submit" }, verb),
      ),
    ),
    { wide: true },
  );
  nameInput.focus();
  nameInput.select();
}

export function languageName(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code);
  } catch {
    return code;
  }
}
