"""Commands in texts can be clicked, because the bot knows the ids that Discord gave them, even after a restart."""

import json
import re
from pathlib import Path

from sandbox.people import Person
from tests.e2e.common import database, meta
from tests.e2e.harness import Evening, evening

MENTION = re.compile(r"</([-\w]+(?: [-\w]+)*):(\d+)>")


def ids(held: Evening) -> dict[str, str]:
    """Return the ids of the slash commands, as Discord has them."""
    return {each["name"]: each["id"] for each in held.sandbox.world.commands.all() if each["type"] == 1}


async def check_mentions(held: Evening, reader: Person) -> None:
    """Check that answers name commands by their English names, each with its id."""
    known = ids(held)
    texts = [(await reader.slash("help")).text, (await reader.slash("coyote look")).text]
    for text in texts:
        named = MENTION.findall(text)
        assert named
        assert all(known[name.split()[0]] == id_ for name, id_ in named), text
    assert "coyote new" in dict(MENTION.findall(texts[1])), "there is no table, and this command opens one"


def syncs(held: Evening) -> int:
    """Count how often the bot has registered its commands."""
    return sum(each.method == "PUT" and each.path.endswith("/commands") for each in held.sandbox.requests)


async def test_commands_can_be_clicked_even_after_a_restart_without_a_sync(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        await check_mentions(held, ana)
        help_page = (await ana.slash("help")).message
        assert help_page is not None
        shown = await ana.select(help_page, "All commands, one by one…", "Coyote")
        assert "</coyote ai fill:" in shown.text
        assert syncs(held) == 1
        await held.bot.restart()
        await check_mentions(held, ana)
        assert syncs(held) == 1, "the ids were stored"


async def test_the_ids_are_learned_if_an_earlier_version_did_not_store_them(tmp_path: Path) -> None:
    async with evening(tmp_path, 1) as held:
        stored = json.loads(meta(held, "commands") or "")
        assert {name: str(id_) for name, id_ in stored["ids"].items()} == ids(held)
        await held.bot.stop()
        with database(held) as found:
            found.execute("UPDATE meta SET value = ? WHERE key = 'commands'", (stored["fingerprint"],))
        await held.bot.start()
        await check_mentions(held, held.people[0])
        assert syncs(held) == 2
