import pytest

from tests.needs import skipped


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report at the end which tests were skipped, and what to install to run them."""
    places = (report.longrepr for report in terminalreporter.stats.get("skipped", ()))
    line = skipped(place[2].removeprefix("Skipped: ") for place in places if isinstance(place, tuple))
    if line:
        terminalreporter.write_line(line)
