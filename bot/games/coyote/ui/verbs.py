"""The verbs of Coyote's buttons, selects and forms: each carries the id of the prompt that it answers."""

from __future__ import annotations

from enum import StrEnum


class CoyoteVerb(StrEnum):
    """What can be pressed, picked or filled in only at a Coyote table."""

    BID = "bid"
    """Argument: the number, perhaps with an announcement and its target (`15`, `15.double`, `15.next.3`)."""
    BID_ANYWAY = "sure"
    """The same, after the player confirmed that they mean such a high bid."""
    FORM = "form"
    """Open the form for a bid. Argument: nothing, or an announcement (`double`, `next.3`)."""
    CALL = "call"
    ACT = "act"
    """A select of special actions; see `acts.Act`. As a button, the value is the argument (`peek`, `coyote_card`)."""
    BET = "bet"
    """Argument: the seat that is bet on."""
    NUMBER = "number"
    """The form for a bid was submitted. Argument: nothing, or an announcement (`double`, `next`, `next.3`)."""
    GUESS = "guess"
    """The form for a guess at one's own feather was submitted."""
