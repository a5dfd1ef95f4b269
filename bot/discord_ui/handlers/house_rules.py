"""House rules: reading them, the form, and changing them. Who may change is asked at every single press."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.house_rules import changes as changing
from bot.house_rules import presets
from bot.house_rules.changes import UNSET, Changed
from bot.house_rules.kinds import Ground
from bot.house_rules.list_kinds import Actions, Channels, Coins, Role, SavedDeck, read_deck
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Page, Setting, setting_of
from bot.screens.house import forms as house_forms
from bot.screens.house import overview as house
from bot.screens.house.overview import ALL, FIRST, YES, Missing
from bot.screens.house.setting import setting_screen
from bot.screens.house.words import book_note, edition_name, meant, name_of, value_of

if TYPE_CHECKING:
    from bot.discord_ui.interactions.router import Press


def is_manager(context: Context) -> bool:
    """Tell whether the person has Manage Server, now and here: Discord says so with every interaction."""
    return context.interaction.permissions.manage_guild


def managers_only(context: Context) -> None:
    """Refuse whoever may not change the rules, or may not any more."""
    if not is_manager(context):
        raise Rejected(Misfit.MANAGERS_ONLY)


def server_of(context: Context) -> int:
    """Return the server; in a DM there are no house rules."""
    guild = context.interaction.guild_id
    if guild is None:
        raise Rejected(HostReason.NO_TABLE)
    return guild


async def rules_of(context: Context) -> ServerRules:
    """Return the rules of the server."""
    return await context.bot.house.rules_for(server_of(context))


def existing(context: Context) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """Return the channels and roles that the server has; None if we were not told."""
    guild = context.interaction.guild
    if guild is None or guild.unavailable:
        return None, None
    return frozenset(each.id for each in guild.channels), frozenset(each.id for each in guild.roles)


def ground_of(context: Context, rules: ServerRules) -> Ground:
    """Return what new values are judged upon."""
    channels, roles = existing(context)
    return rules.ground(channels=channels, roles=roles)


def missing_of(context: Context, rules: ServerRules) -> Missing:
    """Find out what the rules name and the server no longer has."""
    channels, roles = existing(context)
    gone = [each for each in rules.channels if channels is not None and each not in channels]
    return Missing(
        len(gone),
        bool(gone) and len(gone) == len(rules.channels),
        rules.role is not None and roles is not None and rules.role not in roles,
    )


async def show(context: Context) -> None:
    """Show what is in force, to anyone."""
    rules = await rules_of(context)
    missing = missing_of(context, rules)
    await context.tell(house.overview_screen(context.say, rules, missing, manager=is_manager(context)))


async def page(context: Context, press: Press) -> None:
    """Show a page, to anyone; only managers find something to press on it."""
    shown = next((page for page in Page if page == press.picked), FIRST)
    await show_page(context, await rules_of(context), shown)


async def show_page(context: Context, rules: ServerRules, shown: Page, done: str | None = None) -> None:
    """Show a page, with what has just been done on top."""
    missing, manager = missing_of(context, rules), is_manager(context)
    await context.change(house.page_screen(context.say, rules, shown, missing, manager=manager, done=done))


async def pick(context: Context, press: Press) -> None:
    """Show one setting."""
    managers_only(context)
    await show_setting(context, setting_of(press.picked or ""))


async def show_setting(context: Context, setting: Setting) -> None:
    """Show one setting with its choices."""
    rules = await rules_of(context)
    if rules.edition not in setting.editions:
        raise Rejected(Misfit.OTHER_EDITION, option=setting.key, edition=rules.edition, editions=setting.editions)
    channels, roles = existing(context)
    known = (channels or frozenset()) | (roles or frozenset())
    await context.change(setting_screen(context.say, rules, setting, known))


async def choose(context: Context, press: Press) -> None:
    """Take what was picked in a setting's list."""
    managers_only(context)
    setting, picked = setting_of(press.id.argument or ""), press.values or ()
    match setting.kind:
        case Actions():
            value: Any = list(picked)
        case Channels():
            value = [_id(each) for each in picked]
        case Role():
            value = _id(picked[0]) if picked else None
        case _:
            await set_typed(context, setting, picked[0] if picked else "")
            return
    await set_values(context, setting, lambda rules, ground: changing.change(rules, {setting.key: value}, ground))


def _id(picked: str) -> Any:
    return int(picked) if picked.isascii() and picked.isdigit() and len(picked) < 20 else picked


async def set_typed(context: Context, setting: Setting, typed: str) -> None:
    """Set what somebody typed. A deck may be written out behind its name and a colon; nothing behind it deletes it."""
    managers_only(context)
    name, colon, cards = typed.partition(":")
    if isinstance(setting.kind, SavedDeck) and colon:
        await (_save_deck(context, setting, name, cards) if cards.strip() else _drop_deck(context, name.strip()))
        return

    def edit(rules: ServerRules, ground: Ground) -> Changed:
        # A new edition is judged upon by itself, everything else upon the one in force.
        return changing.change(rules, {setting.key: setting.read(meant(context.say, setting, typed), ground)}, ground)

    await set_values(context, setting, edit)


async def _save_deck(context: Context, setting: Setting, name: str, cards: str) -> None:
    deck = read_deck(cards)
    await set_values(context, setting, lambda rules, ground: changing.save_deck(rules, name, deck, use=True))


async def set_values(
    context: Context, setting: Setting, edit: Callable[[ServerRules, Ground], Changed], *, usual: bool = False
) -> None:
    """Change a setting and show its page, with what came of it on top."""
    changed = await _changed(context, lambda rules: edit(rules, ground_of(context, rules)))
    await show_page(context, changed.rules, setting.page, _told(context, setting, changed, usual=usual))


async def _changed(context: Context, edit: Callable[[ServerRules], Changed]) -> Changed:
    managers_only(context)
    return await context.bot.house.change(server_of(context), context.user, edit)


def _told(context: Context, setting: Setting, changed: Changed, *, usual: bool) -> str:
    say, rules = context.say, changed.rules
    slots = {
        "name": name_of(say, setting, rules.edition),
        "value": value_of(say, setting, rules.value(setting), rules.edition),
    }
    keys = [change.key for change in changed.changes]
    if not keys:
        return say("house.done.same", **slots)
    lines = [say("house.done.usual", **slots) if usual else say("house.done.set", **slots)]
    also = [name_of(say, setting_of(key), rules.edition) for key in keys if key not in (setting.key, changing.DECKS)]
    if also:
        lines.append(say("house.done.also", edition=edition_name(say, rules.edition), names=say.listing(also)))
    note = book_note(say, setting, rules.edition)
    return "\n".join([*lines, *([f"-# {note}"] if note else [])])


async def ask(context: Context, press: Press) -> None:
    """Open the window in which a value is typed."""
    managers_only(context)
    await context.ask(house_forms.value_form(context.say, await rules_of(context), setting_of(press.id.argument or "")))


async def filled(context: Context, press: Press) -> None:
    """Take what was typed in the window."""
    setting, fields = setting_of(press.id.argument or ""), press.fields
    if isinstance(setting.kind, Coins):
        # A line for each coin, read as a whole: one that holds something else is refused by name.
        await set_typed(context, setting, ",".join(f"{coin} {typed.strip()}" for coin, typed in fields.items()))
    elif isinstance(setting.kind, SavedDeck):
        managers_only(context)
        await _save_deck(context, setting, fields.get(house_forms.NAME, ""), fields.get(house_forms.CARDS, ""))
    else:
        await set_typed(context, setting, fields.get(house_forms.VALUE, ""))


async def drop(context: Context, press: Press) -> None:
    """Delete a saved deck."""
    await _drop_deck(context, press.picked or "")


async def _drop_deck(context: Context, name: str) -> None:
    changed = await _changed(context, lambda rules: changing.drop_deck(rules, name))
    await show_page(context, changed.rules, Page.CARDS, context.say("house.done.deck_dropped", name=name))


async def reset(context: Context, press: Press) -> None:
    """Put a setting back, or all of them after a question."""
    managers_only(context)
    what = press.id.argument or ALL
    if what == f"{ALL}.{YES}":
        changed = await _changed(context, changing.reset_all)
        done = context.say("house.done.reset", count=len(changed.changes))
        await show_page(context, changed.rules, FIRST, done)
    elif what == ALL:
        await ask_reset(context)
    else:
        await reset_one(context, setting_of(what))


async def ask_reset(context: Context) -> None:
    """Ask whether all settings are to be as usual."""
    managers_only(context)
    count = len((await rules_of(context)).values)
    if count:
        await context.change(house.reset_screen(context.say, count))
    else:
        await context.tell(context.say("house.done.nothing_to_reset"))


async def reset_one(context: Context, setting: Setting) -> None:
    """Put one setting back."""
    wanted: Mapping[str, Any] = {setting.key: UNSET}
    await set_values(context, setting, lambda rules, ground: changing.change(rules, wanted, ground), usual=True)


async def preset(context: Context, press: Press) -> None:
    """Show the sets of rules; of a chosen one what it would change; once confirmed, use it."""
    managers_only(context)
    name, _, sure = (press.picked or "").partition(".")
    if not name:
        await context.change(house.presets_screen(context.say))
    elif sure == YES:
        changed = await _changed(context, lambda rules: presets.preset(rules, name))
        done = context.say("house.done.preset", preset=context.say(f"preset.{name}.name"))
        await show_page(context, changed.rules, FIRST, done)
    else:
        await propose(context, name)


async def propose(context: Context, name: str) -> None:
    """Show what a set of rules would change."""
    managers_only(context)
    changed = presets.preset(await rules_of(context), name)
    await context.change(house.preset_screen(context.say, name, changed.changes, changed.rules.edition))
