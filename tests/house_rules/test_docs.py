"""The page about house rules is generated from the settings."""

import os
from pathlib import Path

from bot.house_rules.game_settings import all_settings
from bot.text.catalogue import catalogue
from tests.house_rules.docs_page import page

PAGE = Path(__file__).parents[2] / "docs" / "house-rules.md"


def test_golden_page_is_up_to_date() -> None:
    written = page(catalogue())
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(written, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == written, "run `make golden`"
    assert all(f"`{setting.full_key}`" in written for setting in all_settings())
