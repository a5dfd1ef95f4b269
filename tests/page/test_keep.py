import json
from pathlib import Path

from sandbox import keep, posting, reacting, scenes
from sandbox.files import Upload
from sandbox.people import People
from sandbox.permissions import Permission
from sandbox.world import World


def furnished() -> tuple[World, People]:
    world = World()
    people = People(world)
    games = scenes.furnish(world, people, "Ana", "<img src=x onerror=alert(1)>")
    ana = people["Ana"]
    guild = next(iter(world.guilds.values()))
    world.grant(guild, ana.user, world.add_role(guild, "Dealer", int(Permission.MANAGE_MESSAGES)))
    world.set_overwrite(games, ana.user, deny=int(Permission.ADD_REACTIONS))
    public = posting.post(
        world, games, world.bot, {"content": "hello"}, [Upload(0, "a.txt", "text/plain", b"\x00feather")]
    )
    posting.post(world, games, world.bot, {"content": "only for Ana"}, only=ana.id)
    posting.post(world, games, world.bot, {}, loading=True)
    posting.post(world, ana.open_dm(), world.bot, {"content": "a DM"})
    posting.post(world, world.add_thread(games, "aside", ana.user), ana.user, {"content": "in the thread"})
    reacting.add(world, public, ana.user, "🐺")
    reacting.pin(world, public, ana.user)
    world.commands.replace_all(world.bot.id, [{"name": "help", "description": "What I can do"}])
    return world, people


def reloaded(world: World, people: People) -> tuple[World, People]:
    fresh = World()
    company = People(fresh)
    keep.load(json.loads(json.dumps(keep.dump(world, people))), fresh, company)
    return fresh, company


def test_a_kept_world_is_the_same_to_everybody() -> None:
    world, people = furnished()
    fresh, company = reloaded(world, people)
    assert [each.user for each in company] == [each.user for each in people]
    for person in people:
        seen = list(world.visible_channels(person.id))
        assert [each.id for each in fresh.visible_channels(person.id)] == [each.id for each in seen]
        for channel in seen:
            before = [m.for_viewer(person.id) for m in world.messages(person.id, channel) if not m.thinking]
            after = [m.for_viewer(person.id) for m in fresh.messages(person.id, fresh.channels[channel.id])]
            assert after == before
            assert fresh.permissions(person.id, fresh.channels[channel.id]) == world.permissions(person.id, channel)
    assert fresh.commands.all() == world.commands.all()
    assert fresh.uploads.files == world.uploads.files


def test_ids_go_on_growing_after_a_restart() -> None:
    world, people = furnished()
    fresh, _ = reloaded(world, people)
    assert int(fresh.ids.next()) > max(int(key) for key in world.channels)


def test_a_second_dump_is_the_first() -> None:
    world, people = furnished()
    fresh, company = reloaded(world, people)
    first, second = keep.dump(world, people), keep.dump(fresh, company)
    first.pop("last_id")
    second.pop("last_id")
    assert json.dumps(first) == json.dumps(second)


async def test_the_keeper_writes_and_finds_it_again(tmp_path: Path) -> None:
    world, people = furnished()
    keep.Keeper(tmp_path, world, people).save()
    fresh = World()
    company = People(fresh)
    assert keep.Keeper(tmp_path, fresh, company).load()
    assert company["Ana"].dms()[0].content == "a DM"
    assert not keep.Keeper(tmp_path / "nowhere", fresh, company).load()
