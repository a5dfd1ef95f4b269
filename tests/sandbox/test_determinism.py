import asyncio

from sandbox import dispatch, posting
from sandbox.clock import ManualClock, sleep
from sandbox.events import Change
from sandbox.ids import Snowflakes, moment
from sandbox.server import Sandbox
from sandbox.world import World
from tests.sandbox.conftest import settle
from tests.sandbox.toybot import Press, running


def story(world: World) -> list[tuple[str, str]]:
    published: list[tuple[str, str]] = []

    def listen(change: Change) -> None:
        published.append((change.kind, str(change.data.get("id") or change.data.get("message_id"))))

    world.subscribe(listen)
    guild = world.add_guild("Friends")
    ana = world.add_user("Ana")
    world.add_member(guild, ana)
    channel = next(iter(guild.channels.values()))
    message = posting.post(world, channel, ana, {"content": "hi"})
    posting.edit(world, message, {"content": "ho"})
    world.add_thread(channel, "T", ana)
    posting.delete(world, message)
    return published


def test_the_same_clock_gives_the_same_ids_times_and_order() -> None:
    assert story(World(ManualClock())) == story(World(ManualClock()))


def test_ids_increase_and_contain_their_time() -> None:
    clock = ManualClock()
    ids = Snowflakes(clock)
    some = [int(ids.next()) for _ in range(10_000)]
    assert some == sorted(set(some))
    assert abs(moment(str(some[0])) - clock.now()) < 0.001


async def test_a_manual_clock_runs_callbacks_in_order_of_their_deadlines() -> None:
    clock, woken = ManualClock(), []
    for seconds in (3.0, 1.0, 2.0):
        clock.call_later(seconds, lambda seconds=seconds: woken.append(seconds))  # type: ignore[misc]
    clock.call_later(1.5, lambda: woken.append(1.5))()
    await clock.advance(2.5)
    assert woken == [1.0, 2.0]
    await clock.advance(1)
    assert woken == [1.0, 2.0, 3.0]


async def test_sleeping_depends_only_on_the_manual_clock() -> None:
    clock = ManualClock()
    sleeping = asyncio.create_task(sleep(clock, 3600))
    await asyncio.sleep(0)
    await clock.advance(3599)
    assert not sleeping.done()
    await clock.advance(1)
    await sleeping


async def ids_sent_to_a_bot() -> list[int]:
    async with Sandbox(clock=ManualClock(), rate_limits=False) as sandbox:
        guild = sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana")
        heard: list[int] = []
        async with running(sandbox) as bot:

            async def on_interaction(press: Press) -> None:
                heard.append(press.id)

            bot.add_listener(on_interaction)
            channel = next(iter(guild.channels.values()))
            message = posting.post(sandbox.world, channel, sandbox.world.bot, {"content": "m"})
            data = {"custom_id": "x", "component_type": 2, "id": 1}
            for _ in range(3):
                dispatch.begin(sandbox.world, 3, ana.user, channel, data, message=message)
            await settle(lambda: len(heard) == 3)
        return heard


async def test_a_bot_receives_the_same_ids_in_the_same_order_in_every_run() -> None:
    first = await ids_sent_to_a_bot()
    assert first == sorted(first)
    assert await ids_sent_to_a_bot() == first
