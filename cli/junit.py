"""Results as JUnit XML, which CI systems show."""

from collections.abc import Sequence
from xml.etree import ElementTree

from tosa_converter.errors import printable
from tosa_converter.formats.storage import write_atomically
from tosa_converter.proof.results import ModelReport
from tosa_converter.proof.runner import CRASHED, FAILED, TIMEOUT

_ERRORS = (CRASHED, FAILED, TIMEOUT)  # which JUnit tells from failures


def save_junit(path: str, reports: Sequence[ModelReport]) -> None:
    """Writes a test suite with a case for each model; characters that XML can't hold are escaped.

    Raises:
        UsageError: the file can't be written.
    """
    failed = [report for report in reports if not report.verdict]
    errors = sum(report.outcome in _ERRORS for report in failed)
    suite = _element(
        "testsuite",
        name="tflite-to-tosa zoo verify",
        tests=len(reports),
        failures=len(failed) - errors,
        errors=errors,
        time=f"{sum(report.seconds for report in reports):.3f}",
    )
    suite.extend(map(_case, reports))
    write_atomically(path, [ElementTree.tostring(suite, "utf-8", xml_declaration=True)])


def _case(report: ModelReport) -> ElementTree.Element:
    """Returns the test case of a model, with an error or failure if its result isn't as expected."""
    case = _element("testcase", classname="zoo", name=report.name, time=f"{report.seconds:.3f}")
    if not report.verdict:
        lines = [printable(line) for line in report.errors] or [f"{report.outcome}, expected {report.expected}"]
        kind = "error" if report.outcome in _ERRORS else "failure"
        problem = _element(kind, type=report.outcome, message=lines[0])
        problem.text = "\n".join(lines)
        case.append(problem)
    return case


def _element(tag: str, **attributes: object) -> ElementTree.Element:
    """Returns an XML element whose attributes have only visible characters."""
    return ElementTree.Element(tag, {name: printable(str(value)) for name, value in attributes.items()})
