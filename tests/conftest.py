"""Prints the name of a test as soon as it fails: the reports come at the end, possibly minutes later."""

import pytest


class FailureNames:
    """Prints a line for each failure, with `-n` too."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            phase = "" if report.when == "call" else f" ({report.when})"
            self._terminal.write("\n")
            self._terminal.write_line(f"FAILED {report.nodeid}{phase}", red=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Registers the printing in the process with the terminal, which receives the reports of `-n`'s workers."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        session.config.pluginmanager.register(FailureNames(terminal))
