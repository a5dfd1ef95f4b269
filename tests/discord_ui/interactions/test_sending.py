"""What is measured of the first answer to a press: every one, however it ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot import metrics
from bot.discord_ui.interactions import sending
from bot.discord_ui.interactions.sending import ALREADY_ANSWERED, EXPIRED, UNKNOWN_INTERACTION, AnswerSender

LOST = aiohttp.ServerDisconnectedError()


def refusal(code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.HTTPException(response, {"code": code, "message": "no"})


def counted() -> dict[str, float]:
    (family,) = metrics.ACKNOWLEDGED.collect()
    samples = [each for each in family.samples if each.name.endswith("_count") and each.labels["kind"] == "a press"]
    return {each.labels["outcome"]: each.value for each in samples}


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([None], "arrived"),
        ([LOST, None], "repeated"),
        ([LOST, ALREADY_ANSWERED], "repeated"),
        ([LOST, LOST], "lost"),
        ([UNKNOWN_INTERACTION], "lost"),
        ([EXPIRED[0]], "lost"),
        ([ValueError()], "failed"),
    ],
)
async def test_every_first_answer_is_measured(answers: list[Any], outcome: str) -> None:
    left = iter(answers)

    async def send() -> None:
        match next(left):
            case None:
                return
            case int(code):
                raise refusal(code)
            case fault:
                raise fault

    interaction: Any = SimpleNamespace(
        id=1, type=SimpleNamespace(name="a press"), response=SimpleNamespace(is_done=lambda: False)
    )
    before = counted()
    try:
        await AnswerSender(interaction, lambda: False).send_first(send)
    except ValueError:
        assert outcome == "failed"
    now = counted()
    assert {each: now[each] - before.get(each, 0) for each in now if now[each] != before.get(each, 0)} == {outcome: 1}


async def test_an_answer_that_could_only_come_too_late_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "ANSWER_WITHIN_SECONDS", -1.0)
    await test_every_first_answer_is_measured([UNKNOWN_INTERACTION], "lost")
