"""Declares how a request to Discord can fail."""

from __future__ import annotations


class TemporaryFailure(Exception):
    """Raised if a request failed but may work soon; it may even have been carried out."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class RequestRefused(Exception):
    """Raised if Discord refused a request, with an error code."""

    def __init__(self, code: int, status: int) -> None:
        super().__init__(f"Discord answered {status} with code {code}")
        self.code = code
        self.status = status


class HandedOver(Exception):
    """Raised if a request was not made, because another process looks after the table now."""


class LeftOut(Exception):
    """Raised if a request that people can do without was not made, because too many others are waiting."""
