"""Our executor as a system under test for tosa-tools' own runner.

PYTHONPATH=tests tosa_verif_run_tests --sut-module conformance.tosa_converter_sut -r -t FOLDER
"""

from typing import Any

from conformance.system import execute, load, save
from runner.tosa_test_runner import TosaTestRunner

from tosa_converter.errors import ConverterError, UnpredictableError

_Result = TosaTestRunner.TosaGraphResult


class TosaSUTRunner(TosaTestRunner):  # type: ignore[misc]  # untyped; the name that the runner looks for
    """Runs one test folder; the runner compares the files that it writes."""

    def runTestGraph(self) -> tuple[Any, str | None]:  # noqa: N802  # the runner's name
        """Returns the result of a graph, and a message."""
        try:
            outputs = execute(load(self.testDirPath, self.testDesc), self.testDirPath, self.testDesc)
        except UnpredictableError as error:
            return _Result.TOSA_UNPREDICTABLE, str(error)
        except ConverterError as error:
            return _Result.TOSA_ERROR, str(error)
        for name, output in zip(self.testDesc["ofm_file"], outputs, strict=True):
            save(self.testDirPath / name, output)
        return _Result.TOSA_VALID, None
