"""What `/doctor` finds, in every situation."""

from collections.abc import Iterator

from bot.screens.doctor import Examined, doctor_screen, managers_only_screen
from bot.screens.layout import Screen
from tests.text.speaking import spoken

INVITE = "https://discord.com/oauth2/authorize?client_id=1"


def screens() -> Iterator[tuple[str, Screen]]:
    say = spoken()
    yield "all is well", doctor_screen(say, Examined(channel=3000, latency=0.042), INVITE)
    lacks = Examined(channel=3000, lacks=["send_messages"], server_lacks=["send_messages", "read_messages"])
    yield "the role lacks something", doctor_screen(say, lacks, INVITE)
    yield "the channel forbids it", doctor_screen(say, Examined(channel=3000, lacks=["read_messages"]), INVITE)
    threads = Examined(
        channel=3000, threads_lack=["create_public_threads"], pictures_lack=["attach_files"], rules_are_stale=True
    )
    yield "no threads, no pictures, old house rules", doctor_screen(say, threads, INVITE)
    emojis = Examined(channel=3000, emojis=(31, 92))
    yield "emojis are being uploaded", doctor_screen(say, emojis, INVITE)
    refused = Examined(channel=3000, emojis=(31, 92), emojis_refused=True)
    yield "Discord refuses emojis", doctor_screen(say, refused, INVITE)
    ill = Examined(channel=3000, store_is_well=False, latency=float("nan"))
    yield "the machine is ill", doctor_screen(say, ill, INVITE)
    yield "not a manager", managers_only_screen(say)
