"""The fields and types that request bodies may have. Lengths and counts are checked in `limits`.

To add a request, describe its body in the module of its resource and list its route in `BODIES`. A route that is not
listed takes no body.
"""

import functools
from typing import Any, Final

import jsonschema_rs

from sandbox.bodies import answers, commands, messages, places
from sandbox.bodies.kinds import Json, fields
from sandbox.findings import find
from sandbox.problems import Problem

NOTHING: Final = fields()

_CHANNEL: Final = "/channels/{channel_id}"
_MESSAGE: Final = f"{_CHANNEL}/messages/{{message_id}}"
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_APPLICATION: Final = "/applications/{application_id}"
_SERVER: Final = "/guilds/{guild_id}"

BODIES: Final[dict[str, Json]] = {
    f"POST {_CHANNEL}/messages": messages.NEW,
    f"PATCH {_MESSAGE}": messages.EDIT,
    f"POST {_CHANNEL}/messages/bulk-delete": places.DELETED_MESSAGES,
    "POST /interactions/{interaction_id}/{interaction_token}/callback": answers.CALLBACK,
    f"POST {_WEBHOOK}": messages.FOLLOW_UP,
    f"PATCH {_WEBHOOK}/messages/@original": messages.EDIT,
    f"PATCH {_WEBHOOK}/messages/{{message_id}}": messages.EDIT,
    "POST /users/@me/channels": places.DM,
    f"POST {_CHANNEL}/threads": places.THREAD,
    f"POST {_MESSAGE}/threads": places.THREAD_ON_MESSAGE,
    f"PATCH {_CHANNEL}": places.CHANNEL,
    f"PUT {_CHANNEL}/permissions/{{overwrite_id}}": places.OVERWRITE,
    f"POST {_SERVER}/channels": places.NEW_CHANNEL,
    f"POST {_SERVER}/roles": places.ROLE,
    f"PATCH {_SERVER}/roles/{{role_id}}": places.ROLE,
    f"POST {_APPLICATION}/emojis": places.NEW_EMOJI,
    f"PATCH {_APPLICATION}/emojis/{{emoji_id}}": places.EMOJI,
    **{
        f"{method} {_APPLICATION}{scope}/commands{which}": body
        for scope in ("", "/guilds/{guild_id}")
        for method, which, body in (
            ("PUT", "", commands.ALL),
            ("POST", "", commands.NEW),
            ("PATCH", "/{command_id}", commands.EDIT),
        )
    },
}


def check(route: str, body: Any) -> list[Problem]:
    """Return the problems in the fields of a request body. A missing body counts as an empty one."""
    return find(_compiled(route), {} if body is None else body)


@functools.cache
def _compiled(route: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(BODIES.get(route, NOTHING))
