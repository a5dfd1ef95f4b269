"""Checks requests and answers against Discord's own OpenAPI file, which is not part of this project."""

import functools
import json
import os
from pathlib import Path as File
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from sandbox.errors import WrongSetting
from sandbox.findings import find
from sandbox.problems import Problem

Json = dict[str, Any]

ROOT = "urn:discord"


def find_file() -> File | None:
    """Return the file that `DISCORD_OPENAPI` names; None if it is not set."""
    named = os.environ.get("DISCORD_OPENAPI")
    return File(named) if named else None


class Schema:
    """Schema validators, one per route and direction, compiled on first use."""

    def __init__(self, file: File) -> None:
        text = file.read_text(encoding="utf-8")
        document, lenient = json.loads(text), json.loads(text)
        self._paths: Json = document["paths"]
        _allow_false_alarms(lenient)
        # The file defines the codes in an error tree as numbers; Discord's documentation shows strings.
        inner = {"type": "object", "required": ["code", "message"], "properties": {"code": {"type": "string"}}}
        document["components"]["schemas"]["InnerErrors"]["properties"]["_errors"]["items"] = inner
        self._requests = jsonschema_rs.Registry([(ROOT, lenient)])
        self._answers = jsonschema_rs.Registry([(ROOT, document)])
        self._compiled: dict[tuple[str, ...], Any] = {}

    @classmethod
    def load(cls) -> "Schema | None":
        """Return the checks; None if `DISCORD_OPENAPI` is not set. Raise `WrongSetting` if it cannot be read."""
        file = find_file()
        if file is None:
            return None
        try:
            return _load(file)
        except (ValueError, LookupError, TypeError, OSError):
            message = (
                f"DISCORD_OPENAPI is {str(file)!r}, which cannot be read; write the path of Discord's openapi.json"
            )
            raise WrongSetting(message) from None

    def check_request(self, method: str, template: str, body: Any) -> list[Problem]:
        """Return the problems of a request's JSON body; none for routes that the file does not describe."""
        validator = self._validator("request", method, template, "")
        return [] if validator is None else find(validator, body)

    def check_answer(self, method: str, template: str, status: int, body: Any) -> list[Problem]:
        """Return the problems of one of the sandbox's own answers."""
        validator = self._validator("answer", method, template, str(status))
        return [] if validator is None else find(validator, body)

    def knows(self, method: str, template: str) -> bool:
        """Whether the file describes this route."""
        return method.lower() in self._paths.get(template, {})

    def _validator(self, direction: str, method: str, template: str, status: str) -> Any:
        key = (direction, method, template, status)
        if key not in self._compiled:
            pointer = self._pointer(*key)
            registry = self._requests if direction == "request" else self._answers
            self._compiled[key] = pointer and jsonschema_rs.Draft202012Validator(
                {"$ref": f"{ROOT}#{quote(pointer, safe='/~@')}"},
                registry=registry,
                validate_formats=direction == "answer",
            )
        return self._compiled[key]

    def _pointer(self, direction: str, method: str, template: str, status: str) -> str | None:
        operation = self._paths.get(template, {}).get(method.lower())
        if operation is None:
            return None
        base = f"/paths/{template.replace('~', '~0').replace('/', '~1')}/{method.lower()}"
        if direction == "request":
            return f"{base}/requestBody/content/application~1json/schema" if "requestBody" in operation else None
        answers = operation["responses"]
        found = status if status in answers else f"{status[0]}XX"
        if found not in answers:
            return None
        if "$ref" in answers[found]:
            return str(answers[found]["$ref"]).removeprefix("#") + "/content/application~1json/schema"
        return f"{base}/responses/{found}/content/application~1json/schema" if "content" in answers[found] else None


@functools.cache
def _load(file: File) -> Schema:
    return Schema(file)


def _allow_false_alarms(document: Json) -> None:
    # discord.py sends snowflakes as integers and permissions as strings. Discord accepts both forms, the file only one.
    schemas = document["components"]["schemas"]
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
    bodies = [*schemas.values()]
    for operations in document["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict):
                bodies += [each["schema"] for each in operation.get("requestBody", {}).get("content", {}).values()]
    for body in bodies:
        for name, field in body.get("properties", {}).items():
            if name in ("permissions", "allow", "deny", "default_member_permissions") and _is_integer(field):
                body["properties"][name] = {"anyOf": [field, {"type": "string", "pattern": "^[0-9]+$"}]}


def _is_integer(field: Json) -> bool:
    kind = field.get("type")
    return kind == "integer" or (isinstance(kind, list) and "integer" in kind)
