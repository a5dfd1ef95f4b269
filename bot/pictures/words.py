"""Writes numbers on pictures as they are written in texts."""

from __future__ import annotations


def number(value: int) -> str:
    """Write a number with a real minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def beginning(sentence: str, words: str) -> str:
    """Return a sentence with a capital letter if it begins with these words, which are lower-case elsewhere."""
    return sentence[:1].upper() + sentence[1:] if sentence.startswith(words) else sentence


def signed(value: int) -> str:
    """Write how much something has changed: +2, −1 or ±0."""
    return f"+{value}" if value > 0 else number(value) if value else "±0"
