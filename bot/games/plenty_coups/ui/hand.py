"""What one player sees: their cards, what each can do, and everything they can do now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.core import Prompt
from bot.games.plenty_coups.rules.actions import Decline, End, Prove, StrikeCoup
from bot.games.plenty_coups.rules.cards import STICK
from bot.games.plenty_coups.rules.view import CampView, Phase, PlentyCoupsView
from bot.games.plenty_coups.ui.buttons import decline_button, end_button, undo_button
from bot.games.plenty_coups.ui.camps import SENDER, THREATENED, camp_lines, raid_line, raid_lines, wealth
from bot.games.plenty_coups.ui.move_words import MoveWords
from bot.games.plenty_coups.ui.moves import menu
from bot.games.plenty_coups.ui.replay import camp_with_hand, middle_lines
from bot.games.plenty_coups.ui.since import gift_lines, proposal_lines, since_lines
from bot.games.plenty_coups.ui.status import asked_line, offer_lines, to_take
from bot.games.plenty_coups.ui.supplies import discard_lines
from bot.games.plenty_coups.ui.uses import uses
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import OpenView, PrivateView, PublicView, camp_of, is_nobodys, own_camps, raid_on
from bot.games.plenty_coups.ui.words import heading, player, shown_card, tribe
from bot.host.model import Table
from bot.screens.custom_ids import CustomId
from bot.screens.layout import ASH, EMBER, Item, PrivateScreen, box, option, pick, row, rule, text
from bot.screens.look import back_row, where_line
from bot.text.catalogue import Catalogue


def hand_screen(
    say: Catalogue,
    table: Table,
    view: PrivateView,
    *,
    message: int | None,
    moves: bool,
    entries: Sequence[MoveWords] | None = None,
) -> PrivateScreen:
    """Show a player their hand. `message` is the id of the table's message, for the link back to it.

    `moves` adds what they can do now: right for an answer, which is read at once, but not for a DM, which may be read
    many moves later. `entries` is a shorter list of moves to choose from.
    """
    prompt = view.prompt if moves and table.pause is None and table.next_deal is None else None
    return PrivateScreen(
        box(
            EMBER,
            text(say("plenty.hand.title", number=view.round)),
            *[text(*_camp(say, table, view, camp, prompt)) for camp in own_camps(view)],
            rule(),
            text(*_now(say, table, view, prompt)) if moves else None,
            text(*[f"-# {line}" for line in discard_lines(say, view)], where_line(say, table)),
            None if prompt is None else _moves_row(say, table, view, prompt, entries),
            back_row(say, table, message, *_turn_buttons(say, table, view, prompt), again=moves),
        )
    )


def in_play_items(say: Catalogue, table: Table, view: PrivateView) -> list[Item | None]:
    """Show what a lesson needs of the hand: the camp, its cards, what is to be decided, and the moves."""
    prompt = view.prompt
    return [
        *[text(*_camp(say, table, view, camp, prompt)) for camp in own_camps(view)],
        rule(),
        text(*_now(say, table, view, prompt)),
        None if prompt is None else _moves_row(say, table, view, prompt, None),
        row(*_turn_buttons(say, table, view, prompt, undo=False)),
    ]


def _camp(say: Catalogue, table: Table, view: PrivateView, camp: CampView, prompt: Prompt | None) -> Iterator[str]:
    """Yield the lines about a camp that the viewer decides for: what it has, who raids it or is raided, its cards."""
    yield (
        heading(say, table, camp.tribe)
        if camp.owner is not None
        else say("plenty.hand.third", camp=heading(say, table, camp.tribe))
    )
    yield f"-# {wealth(say, camp)}"
    raid = raid_on(view, camp.tribe)
    if raid is not None:
        yield raid_line(say, table, view, raid, "" if camp.owner is None else THREATENED)
    for sent in view.raids:
        if sent.raider == camp.tribe:
            yield raid_line(say, table, view, sent, "" if camp.owner is None else SENDER)
    if camp.owner is not None:
        yield from since_lines(say, table, view, camp)
    yield from gift_lines(say, table, view, camp)
    yield from proposal_lines(say, table, view, camp)
    hand = camp.hand or ()
    for card, good_for in uses(say, table, view, camp, prompt).items():
        key = "plenty.hand.card" if hand.count(card) == 1 else "plenty.hand.cards"
        yield say(key, card=shown_card(say, card), uses=good_for, count=hand.count(card))
    if not hand:
        yield say("plenty.hand.empty")


def _now(say: Catalogue, table: Table, view: PrivateView, prompt: Prompt | None) -> list[str]:
    """Say what the viewer must decide, or whom the table waits for."""
    if table.pause is not None:
        return [say("look.paused")]
    if view.turn is None or view.actor is None:
        return [say("plenty.table.shuffling")]
    turn = player(say, table, view.turn)
    if prompt is None:
        return [_awaited(say, table, view, turn)]
    whose = [say("plenty.hand.decides", name=player(say, table, view.actor))] if is_nobodys(view) else []
    match view.phase:
        case Phase.TAKE:
            return [*whose, say("plenty.hand.take"), *offer_lines(say, view)[:1]]
        case Phase.HUNT:
            return [*whose, say("plenty.hand.hunt")]
        case Phase.GIFT:
            return [*whose, say("plenty.hand.gift", name=turn)]
        case Phase.DISDAIN:
            proof = "proof" if any(choice.verb is Prove for choice in prompt.choices) else "none"
            case = proof if camp_of(view, view.actor).prestige else f"{proof}_zero"
            return [*whose, say(f"plenty.hand.disdain_{case}", name=turn)]
        case _:
            left = asked_line(say, table, view)
            return [*whose, say("plenty.hand.act", left=left), *_coup(say, view, prompt)]


def _awaited(say: Catalogue, table: Table, view: PrivateView, turn: str) -> str:
    """Say whom the table waits for, to a player who is not asked."""
    if view.turn is None or view.actor is None or view.phase not in (Phase.GIFT, Phase.DISDAIN):
        return say("plenty.hand.their_turn", name=turn)
    waiter = "waits" if camp_of(view, view.turn).owner == view.viewer else "their"
    return say(f"plenty.hand.{waiter}_{view.phase}", turn=turn, name=player(say, table, view.actor))


def _coup(say: Catalogue, view: PrivateView, prompt: Prompt) -> list[str]:
    """Say that a coup can be struck now, or that only a stick is missing for it."""
    now = "return" if view.coups_open else "defence"
    if any(choice.verb is StrikeCoup for choice in prompt.choices):
        return [say(f"plenty.hand.coup_{now}")]
    stick = view.turn is not None and STICK in (camp_of(view, view.turn).hand or ())
    return [say("plenty.hand.coup_return_none")] if view.coups_open and view.actions_left and not stick else []


def _moves_row(
    say: Catalogue, table: Table, view: PrivateView, prompt: Prompt, entries: Sequence[MoveWords] | None
) -> Item | None:
    """Make the select of everything that the viewer can do; what is a button instead is not in it."""
    listed = entries or menu(say, table, view, prompt)
    options = [option(each.label, each.token, each.about or None, emoji=each.emoji) for each in listed]
    custom_id = CustomId(PlentyVerb.MOVE, table.id, prompt.id)
    return row(pick(_placeholder(say, view), custom_id, options)) if options else None


def _turn_buttons(
    say: Catalogue, table: Table, view: PrivateView, prompt: Prompt | None, *, undo: bool = True
) -> list[Item]:
    """Make the buttons that decline, end the turn and, with `undo`, take the last thing back, where possible."""
    if prompt is None:
        return []
    verbs = [choice.verb for choice in prompt.choices]
    buttons: list[Item] = [decline_button(say, table, view, prompt.id)] if Decline in verbs else []
    buttons += [end_button(say, table, view, prompt.id)] if End in verbs else []
    return [*buttons, undo_button(say, table, prompt.id)] if undo and view.may_undo else buttons


def _placeholder(say: Catalogue, view: PrivateView) -> str:
    match view.phase:
        case Phase.TAKE:
            return say("plenty.button.take", count=to_take(view))
        case Phase.HUNT | Phase.GIFT | Phase.DISDAIN:
            return say(f"plenty.hand.pick_{view.phase}")
        case _ if view.actor is not None and is_nobodys(view):
            return say("plenty.hand.pick_third", name=tribe(say, view.actor))
        case _:
            return say("plenty.hand.pick")


def bystander_screen(
    say: Catalogue, table: Table, view: PublicView | PrivateView, *, message: int | None
) -> PrivateScreen:
    """Show what is public to somebody who does not play, or no longer does, and say why there is no hand."""
    why = say("plenty.hand.bystander_why")
    return PrivateScreen(
        box(
            ASH,
            text(say("plenty.hand.bystander", number=view.round), why, *_whose_turn(say, table, view)),
            text(*camp_lines(say, table, view)),
            text(*raid_lines(say, table, view)),
            text(*offer_lines(say, view), *[f"-# {line}" for line in discard_lines(say, view)], where_line(say, table)),
            back_row(say, table, message, again=True),
        )
    )


def open_screen(
    say: Catalogue, table: Table, view: OpenView, *, message: int | None, is_out: bool = False
) -> PrivateScreen:
    """Show all hands to somebody who watches AI players among themselves, or who is out."""
    why = say("plenty.hand.laid_open_out_why") if is_out else say("plenty.hand.laid_open_why")
    return PrivateScreen(
        box(
            ASH,
            text(say("look.laid_open", number=view.round), why, *_whose_turn(say, table, view)),
            text(*[line for camp in view.camps for line in camp_with_hand(say, table, view, camp)]),
            text(
                *middle_lines(say, table, view),
                *[f"-# {line}" for line in discard_lines(say, view)],
                where_line(say, table),
            ),
            back_row(say, table, message, again=True),
        )
    )


def _whose_turn(say: Catalogue, table: Table, view: PlentyCoupsView) -> list[str]:
    if table.pause is not None:
        return [say("look.paused")]
    return [] if view.turn is None else [say("plenty.hand.their_turn", name=player(say, table, view.turn))]
