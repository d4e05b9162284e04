"""The plugin of pytest: the fixture `equivalent`, and pages of all models that were compared.

The distribution pytest-tosa-converter registers it; without that, `-p tosa_converter.testing` does. Sessions that use
neither the fixture nor the option don't load numpy for it. There is no assert here to rewrite: PYTEST_DONT_REWRITE.
"""

from pathlib import Path
from typing import Any

import pytest

import tosa_converter as tc
from tosa_converter.errors import ConverterError

_OPTION = "--equivalence-report"


class Equivalent:
    """Fails unless a model and its conversion compute the same: `equivalent("model.tflite", runs=5)`.

    A model that can't be compared fails, too. Only the message is shown, and no code of this package.
    """

    def __call__(self, source: "tc.Model | tc.Source", **options: Any) -> "tc.Verification":
        """Compares a model with its conversion, and returns the report; the options are those of `verify`.

        It is the call of the pytest fixture `equivalent`.

        Raises:
            AssertionError: they differ, or can't be compared.
        """
        __tracebackhide__ = True
        from tosa_converter.testing import assert_equivalent, failure_text

        try:
            return assert_equivalent(source, **options)
        except ConverterError as error:
            text = failure_text(error.lines)
        raise AssertionError(text)

    def __repr__(self) -> str:
        """Returns the text that pytest shows for this fixture when a test that takes it fails."""
        return "<fixture of tosa-converter>"


@pytest.fixture(scope="session")
def equivalent() -> Equivalent:
    """Fails unless a model and its conversion compute the same: `equivalent("model.tflite", runs=5)`.

    It takes what `tosa_converter.verify` takes and returns its report.
    """
    return Equivalent()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option --equivalence-report to pytest's command line."""
    group = parser.getgroup("tosa-converter")
    group.addoption(_OPTION, metavar="DIR", help="Write a page for each model that is compared, and an index.")


def pytest_configure(config: pytest.Config) -> None:
    """Begins a folder of pages, if the command line asks for one."""
    option = config.getoption(_OPTION)
    if option:
        from tosa_converter import testing

        testing.begin_pages(Path(option).absolute(), is_worker=hasattr(config, "workerinput"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the index of pages, in the main process only: with pytest-xdist, workers don't."""
    if session.config.getoption(_OPTION) and not hasattr(session.config, "workerinput"):
        from tosa_converter import testing

        testing.finish_pages()
