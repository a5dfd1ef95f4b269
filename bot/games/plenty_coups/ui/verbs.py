"""The verbs of Plenty Coups' buttons, selects and forms: each carries the id of the prompt that it answers."""

from __future__ import annotations

from enum import StrEnum


class PlentyVerb(StrEnum):
    """What can be pressed, picked or filled in only at a table of Plenty Coups."""

    MOVE = "move"
    """A select of moves, as `tokens` writes them; as a button, the move is the argument. Some moves open a form."""
    FILLED = "filled"
    """A form came back. Argument: which one, as `forms` names it."""
    UNDO = "undo"
    """Take back the last thing that the tribe did."""
