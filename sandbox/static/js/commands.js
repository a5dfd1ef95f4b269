// The slash commands a person may use, flattened to the typed form: "/coyote new".

const SUBCOMMAND = 1;
const GROUP = 2;

/** Every runnable command, named in the person's language. */
export function flatten(commands, locale) {
  return commands
    .filter((command) => (command.type ?? 1) === 1)
    .flatMap((command) => leaves(command, command, [], [], locale))
    .sort((a, b) => a.shown.localeCompare(b.shown));
}

function leaves(command, node, path, shown, locale) {
  const nextPath = [...path, node.name];
  const nextShown = [...shown, localised(node, "name", locale)];
  const below = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (below.length) return below.flatMap((option) => leaves(command, option, nextPath, nextShown, locale));
  return [
    {
      command,
      path: nextPath.join(" "),
      shown: nextShown.join(" "),
      description: localised(node, "description", locale),
      options: (node.options ?? []).map((option) => ({
        ...option,
        shown: localised(option, "name", locale),
        help: localised(option, "description", locale),
      })),
    },
  ];
}

/** A command's name or description in the person's language, else as the bot wrote it. */
export const localised = (node, field, locale) => node[`${field}_localizations`]?.[locale] ?? node[field] ?? "";

/** Commands for a message (type 3) or a user (type 2), found in the Apps menu. */
export const contextCommands = (commands, type) => commands.filter((command) => command.type === type);

/** The commands that match the typed text, best first. */
export function search(list, typed) {
  const wanted = typed.toLowerCase().trim();
  if (!wanted) return list;
  const score = (item) => {
    const names = [item.shown.toLowerCase(), item.path.toLowerCase()];
    if (names.some((name) => name.startsWith(wanted))) return 0;
    if (names.some((name) => name.split(" ").some((word) => word.startsWith(wanted)))) return 1;
    if (names.some((name) => name.includes(wanted))) return 2;
    return item.description.toLowerCase().includes(wanted) ? 3 : 9;
  };
  return list
    .map((item) => [score(item), item])
    .filter(([value]) => value < 9)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Check one typed option as a client would; returns `{ value }` or `{ error }`. */
export function readOption(option, text, picked) {
  if (picked !== undefined) return { value: picked };
  if (text === "") return option.required ? { error: `${option.shown} is required.` } : {};
  if (option.choices?.length) {
    const names = (one) => [one.name, String(one.value), ...Object.values(one.name_localizations ?? {})];
    const choice = option.choices.find((one) => names(one).includes(text));
    return choice ? { value: choice.value } : { error: `${option.shown}: choose one of the list.` };
  }
  switch (option.type) {
    case 3:
      return textOption(option, text);
    case 4:
    case 10:
      return numberOption(option, text);
    case 5:
      return /^(true|yes)$/i.test(text)
        ? { value: true }
        : /^(false|no)$/i.test(text)
          ? { value: false }
          : { error: `${option.shown}: true or false.` };
    default:
      return { error: `${option.shown}: choose one of the list.` };
  }
}

function textOption(option, text) {
  if (option.min_length && text.length < option.min_length)
    return { error: `${option.shown}: at least ${option.min_length} characters.` };
  if (option.max_length && text.length > option.max_length)
    return { error: `${option.shown}: at most ${option.max_length} characters.` };
  return { value: text };
}

function numberOption(option, text) {
  const number = Number(text.replace("−", "-"));
  const whole = option.type === 4;
  if (!Number.isFinite(number) || (whole && !Number.isInteger(number)))
    return { error: `${option.shown}: ${whole ? "a whole number" : "a number"}.` };
  if (option.min_value !== undefined && number < option.min_value)
    return { error: `${option.shown}: at least ${option.min_value}.` };
  if (option.max_value !== undefined && number > option.max_value)
    return { error: `${option.shown}: at most ${option.max_value}.` };
  return { value: number };
}
