"""House rules: reading them, the form, and changing them. Who may change is asked at every single press."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bot.discord_ui.interactions.context import Asking
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


def is_manager(asking: Asking) -> bool:
    """Tell whether the person has Manage Server, now and here: Discord says so with every interaction."""
    return asking.interaction.permissions.manage_guild


def managers_only(asking: Asking) -> None:
    """Refuse whoever may not change the rules, or may not any more."""
    if not is_manager(asking):
        raise Rejected(Misfit.MANAGERS_ONLY)


def server_of(asking: Asking) -> int:
    """Return the server; in a DM there are no house rules."""
    guild = asking.interaction.guild_id
    if guild is None:
        raise Rejected(HostReason.NO_TABLE)
    return guild


async def rules_of(asking: Asking) -> ServerRules:
    """Return the rules of the server."""
    return await asking.bot.house.rules_for(server_of(asking))


def existing(asking: Asking) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """Return the channels and roles that the server has; None if we were not told."""
    guild = asking.interaction.guild
    if guild is None or guild.unavailable:
        return None, None
    return frozenset(each.id for each in guild.channels), frozenset(each.id for each in guild.roles)


def ground_of(asking: Asking, rules: ServerRules) -> Ground:
    """Return what new values are judged upon."""
    channels, roles = existing(asking)
    return rules.ground(channels=channels, roles=roles)


def missing_of(asking: Asking, rules: ServerRules) -> Missing:
    """Find out what the rules name and the server no longer has."""
    channels, roles = existing(asking)
    gone = [each for each in rules.channels if channels is not None and each not in channels]
    return Missing(
        len(gone),
        bool(gone) and len(gone) == len(rules.channels),
        rules.role is not None and roles is not None and rules.role not in roles,
    )


async def show(asking: Asking) -> None:
    """Show what is in force, to anyone."""
    rules = await rules_of(asking)
    missing = missing_of(asking, rules)
    await asking.tell(house.overview_screen(asking.say, rules, missing, manager=is_manager(asking)))


async def page(asking: Asking, press: Press) -> None:
    """Show a page, to anyone; only managers find something to press on it."""
    shown = next((page for page in Page if page == press.picked), FIRST)
    await show_page(asking, await rules_of(asking), shown)


async def show_page(asking: Asking, rules: ServerRules, shown: Page, done: str | None = None) -> None:
    """Show a page, with what has just been done on top."""
    missing, manager = missing_of(asking, rules), is_manager(asking)
    await asking.change(house.page_screen(asking.say, rules, shown, missing, manager=manager, done=done))


async def pick(asking: Asking, press: Press) -> None:
    """Show one setting."""
    managers_only(asking)
    await show_setting(asking, setting_of(press.picked or ""))


async def show_setting(asking: Asking, setting: Setting) -> None:
    """Show one setting with its choices."""
    rules = await rules_of(asking)
    if rules.edition not in setting.editions:
        raise Rejected(Misfit.OTHER_EDITION, option=setting.key, edition=rules.edition, editions=setting.editions)
    channels, roles = existing(asking)
    known = (channels or frozenset()) | (roles or frozenset())
    await asking.change(setting_screen(asking.say, rules, setting, known))


async def choose(asking: Asking, press: Press) -> None:
    """Take what was picked in a setting's list."""
    managers_only(asking)
    setting, picked = setting_of(press.id.argument or ""), press.values or ()
    match setting.kind:
        case Actions():
            value: Any = list(picked)
        case Channels():
            value = [_id(each) for each in picked]
        case Role():
            value = _id(picked[0]) if picked else None
        case _:
            await set_typed(asking, setting, picked[0] if picked else "")
            return
    await set_values(asking, setting, lambda rules, ground: changing.change(rules, {setting.key: value}, ground))


def _id(picked: str) -> Any:
    return int(picked) if picked.isascii() and picked.isdigit() and len(picked) < 20 else picked


async def set_typed(asking: Asking, setting: Setting, typed: str) -> None:
    """Set what somebody typed. A deck may be written out behind its name and a colon; nothing behind it deletes it."""
    managers_only(asking)
    name, colon, cards = typed.partition(":")
    if isinstance(setting.kind, SavedDeck) and colon:
        await (_save_deck(asking, setting, name, cards) if cards.strip() else _drop_deck(asking, name.strip()))
        return

    def edit(rules: ServerRules, ground: Ground) -> Changed:
        # A new edition is judged upon by itself, everything else upon the one in force.
        return changing.change(rules, {setting.key: setting.read(meant(asking.say, setting, typed), ground)}, ground)

    await set_values(asking, setting, edit)


async def _save_deck(asking: Asking, setting: Setting, name: str, cards: str) -> None:
    deck = read_deck(cards)
    await set_values(asking, setting, lambda rules, ground: changing.save_deck(rules, name, deck, use=True))


async def set_values(
    asking: Asking, setting: Setting, edit: Callable[[ServerRules, Ground], Changed], *, usual: bool = False
) -> None:
    """Change a setting and show its page, with what came of it on top."""
    changed = await _changed(asking, lambda rules: edit(rules, ground_of(asking, rules)))
    await show_page(asking, changed.rules, setting.page, _told(asking, setting, changed, usual=usual))


async def _changed(asking: Asking, edit: Callable[[ServerRules], Changed]) -> Changed:
    managers_only(asking)
    return await asking.bot.house.change(server_of(asking), asking.user, edit)


def _told(asking: Asking, setting: Setting, changed: Changed, *, usual: bool) -> str:
    say, rules = asking.say, changed.rules
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


async def ask(asking: Asking, press: Press) -> None:
    """Open the window in which a value is typed."""
    managers_only(asking)
    await asking.ask(house_forms.value_form(asking.say, await rules_of(asking), setting_of(press.id.argument or "")))


async def filled(asking: Asking, press: Press) -> None:
    """Take what was typed in the window."""
    setting, fields = setting_of(press.id.argument or ""), press.fields
    if isinstance(setting.kind, Coins):
        # A line for each coin, read as a whole: one that holds something else is refused by name.
        await set_typed(asking, setting, ",".join(f"{coin} {typed.strip()}" for coin, typed in fields.items()))
    elif isinstance(setting.kind, SavedDeck):
        managers_only(asking)
        await _save_deck(asking, setting, fields.get(house_forms.NAME, ""), fields.get(house_forms.CARDS, ""))
    else:
        await set_typed(asking, setting, fields.get(house_forms.VALUE, ""))


async def drop(asking: Asking, press: Press) -> None:
    """Delete a saved deck."""
    await _drop_deck(asking, press.picked or "")


async def _drop_deck(asking: Asking, name: str) -> None:
    changed = await _changed(asking, lambda rules: changing.drop_deck(rules, name))
    await show_page(asking, changed.rules, Page.CARDS, asking.say("house.done.deck_dropped", name=name))


async def reset(asking: Asking, press: Press) -> None:
    """Put a setting back, or all of them after a question."""
    managers_only(asking)
    what = press.id.argument or ALL
    if what == f"{ALL}.{YES}":
        changed = await _changed(asking, changing.reset_all)
        done = asking.say("house.done.reset", count=len(changed.changes))
        await show_page(asking, changed.rules, FIRST, done)
    elif what == ALL:
        await ask_reset(asking)
    else:
        await reset_one(asking, setting_of(what))


async def ask_reset(asking: Asking) -> None:
    """Ask whether all settings are to be as usual."""
    managers_only(asking)
    count = len((await rules_of(asking)).values)
    if count:
        await asking.change(house.reset_screen(asking.say, count))
    else:
        await asking.tell(asking.say("house.done.nothing_to_reset"))


async def reset_one(asking: Asking, setting: Setting) -> None:
    """Put one setting back."""
    wanted: Mapping[str, Any] = {setting.key: UNSET}
    await set_values(asking, setting, lambda rules, ground: changing.change(rules, wanted, ground), usual=True)


async def preset(asking: Asking, press: Press) -> None:
    """Show the sets of rules; of a chosen one what it would change; once confirmed, use it."""
    managers_only(asking)
    name, _, sure = (press.picked or "").partition(".")
    if not name:
        await asking.change(house.presets_screen(asking.say))
    elif sure == YES:
        changed = await _changed(asking, lambda rules: presets.preset(rules, name))
        done = asking.say("house.done.preset", preset=asking.say(f"preset.{name}.name"))
        await show_page(asking, changed.rules, FIRST, done)
    else:
        await propose(asking, name)


async def propose(asking: Asking, name: str) -> None:
    """Show what a set of rules would change."""
    managers_only(asking)
    changed = presets.preset(await rules_of(asking), name)
    await asking.change(house.preset_screen(asking.say, name, changed.changes, changed.rules.edition))
