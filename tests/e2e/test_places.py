"""Places where no table can be opened: a DM, and a server that has the commands but not the bot."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.common import altered, stages
from tests.e2e.harness import evening


@pytest.mark.parametrize("command", ["coyote new", "leaderboard", "house"])
async def test_a_command_for_servers_is_refused_in_a_dm(tmp_path: Path, command: str) -> None:
    async with evening(tmp_path, 1) as held:
        (ana,) = held.people
        place = held.sandbox.world.channel_json(ana.open_dm())

        def in_a_dm(event: dict[str, Any]) -> dict[str, Any]:
            """Deliver the command as one from a DM, where no client offers it."""
            kept = {key: value for key, value in event.items() if key not in ("guild", "guild_id", "member")}
            return kept | {"user": event["member"]["user"], "channel": place, "channel_id": place["id"], "context": 1}

        shown = await (await altered(held, lambda: ana.slash(command), in_a_dm))
        assert shown.failed is None
        assert "in a server only" in shown.text, shown.text
        assert stages(held) == []


async def test_a_server_without_the_bot_gets_the_link_that_invites_it(tmp_path: Path) -> None:
    async with evening(tmp_path, 2) as held:
        world = held.sandbox.world
        there = world.add_guild("Commands only", bot=False)
        room = world.add_channel(there, "games")
        for person in held.people:
            person.join(there)
        shown = await held.people[0].slash("coyote new", room)
        assert shown.failed is None
        assert "not in it myself" in shown.text
        assert shown.message is not None
        (button,) = shown.message.buttons
        assert "/oauth2/authorize?" in button["url"]
        assert f"guild_id={there.id}" in button["url"]
        assert "scope=bot+applications.commands" in button["url"]
        assert shown.message.ephemeral
        assert stages(held) == []
