import json
from pathlib import Path

from sandbox import posting, reacting, saving, scenes
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
    loaded = People(fresh)
    saving.load(json.loads(json.dumps(saving.dump(world, people))), fresh, loaded)
    return fresh, loaded


def test_everybody_sees_the_same_in_a_saved_world() -> None:
    world, people = furnished()
    fresh, loaded = reloaded(world, people)
    assert [each.user for each in loaded] == [each.user for each in people]
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


def test_ids_keep_growing_after_a_restart() -> None:
    world, people = furnished()
    fresh, _ = reloaded(world, people)
    assert int(fresh.ids.next()) > max(int(key) for key in world.channels)


def test_saving_a_loaded_world_gives_the_same_file() -> None:
    world, people = furnished()
    fresh, loaded = reloaded(world, people)
    first, second = saving.dump(world, people), saving.dump(fresh, loaded)
    first.pop("last_id")
    second.pop("last_id")
    assert json.dumps(first) == json.dumps(second)


async def test_a_world_is_saved_to_a_folder_and_loaded_from_it(tmp_path: Path) -> None:
    world, people = furnished()
    saving.Saver(tmp_path, world, people).save()
    fresh = World()
    loaded = People(fresh)
    assert saving.Saver(tmp_path, fresh, loaded).load()
    assert loaded["Ana"].dms()[0].content == "a DM"
    assert not saving.Saver(tmp_path / "nowhere", fresh, loaded).load()
