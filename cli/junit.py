"""Results as JUnit XML, which CI systems show."""

from collections.abc import Sequence
from xml.etree import ElementTree

from tosa_converter.errors import printable
from tosa_converter.formats.storage import write_atomically
from tosa_converter.proof.results import ModelReport
from tosa_converter.proof.runner import CRASHED, FAILED, TIMEOUT

_ERRORS = (CRASHED, FAILED, TIMEOUT)  # which JUnit tells from failures


def save_junit(path: str, reports: Sequence[ModelReport]) -> None:
    """Write a test suite with a case for each model; what XML can't hold is escaped.

    Raises:
        UsageError: the file can't be written.
    """
    failed = [one for one in reports if not one.verdict]
    errors = sum(one.outcome in _ERRORS for one in failed)
    suite = _element(
        "testsuite",
        name="tflite-to-tosa zoo verify",
        tests=len(reports),
        failures=len(failed) - errors,
        errors=errors,
        time=f"{sum(one.seconds for one in reports):.3f}",
    )
    suite.extend(map(_case, reports))
    write_atomically(path, [ElementTree.tostring(suite, "utf-8", xml_declaration=True)])


def _case(one: ModelReport) -> ElementTree.Element:
    case = _element("testcase", classname="zoo", name=one.name, time=f"{one.seconds:.3f}")
    if not one.verdict:
        lines = [printable(line) for line in one.errors] or [f"{one.outcome}, expected {one.expected}"]
        kind = "error" if one.outcome in _ERRORS else "failure"
        problem = _element(kind, type=one.outcome, message=lines[0])
        problem.text = "\n".join(lines)
        case.append(problem)
    return case


def _element(tag: str, **attributes: object) -> ElementTree.Element:
    return ElementTree.Element(tag, {name: printable(str(value)) for name, value in attributes.items()})
