"""How each of many models came out, kept in a file as it comes, so that a run that was ended goes on from there."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from zlib import crc32

from tosa_converter.display import Summarized
from tosa_converter.errors import FormatError, UsageError
from tosa_converter.figures import as_json, finite
from tosa_converter.formats.storage import FilePath, make_folder, map_file, write_atomically
from tosa_converter.proof.runner import DONE, FAILED, Attempt
from tosa_converter.proof.zoo import DIFFERS, EQUAL, REFUSED, ZooModel
from tosa_converter.rules.target import Target

TOLERATED = "tolerated"


@dataclass(frozen=True, slots=True, repr=False)
class ModelReport(Summarized):
    """The result of verifying one model of many, and whether it is the expected one."""

    name: str
    file: str
    key: str  # a hash of the file, the settings and this package's version
    outcome: str  # equal, tolerated, differs, refused, unjudged; failed, crashed, timeout
    expected: str  # one of the first five
    verdict: bool  # whether it came out as expected
    seconds: float
    errors: tuple[str, ...] = ()
    verification: Mapping[str, Any] | None = None  # figures of a `Verification`; of what is unjudged its "needs" alone
    identifier: str = ""  # of the error that ended it
    reused: bool = field(default=False, compare=False)  # from the results of an earlier run

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data."""
        return {**asdict(self), "identifier": self.identifier or None}


def report_of_job(model: ZooModel, file: str, key: str, attempt: Attempt) -> ModelReport:
    """Returns the report of a job whose value is (outcome, figures, errors), compared with what the zoo expects."""
    outcome, figures, errors = attempt.value if attempt.ended == DONE else (attempt.ended, None, attempt.lines)
    figures = finite(figures)
    # 3 is the exit status of files that are damaged or illegal, 4 that of models that can't be converted.
    if attempt.ended == FAILED and attempt.status in (3, 4):
        outcome = REFUSED
    if outcome == DIFFERS and model.tolerance and _is_tolerable(figures, model.tolerance):
        outcome = TOLERATED
    verdict = outcome == model.expect or (outcome, model.expect) == (TOLERATED, EQUAL)
    if not verdict and model.expect != EQUAL:
        errors = (*errors, f"expected {model.expect}, found {outcome}")
    if model.needs and figures and figures["needs"] != (needs := str(Target.parse(model.needs))):
        verdict, errors = False, (*errors, f"expected needs {needs}, found {figures['needs']}")
    about = model.name, file, key, outcome, model.expect, verdict, attempt.seconds
    return ModelReport(*about, tuple(errors), figures, attempt.identifier)


def _is_tolerable(figures: Mapping[str, Any], tolerance: float) -> bool:
    """Returns whether the figures of a verification differ in float outputs only, all within a relative tolerance.

    `tolerance` is relative to an output's largest value. Every operator must comply with its precision clause.
    """
    outputs = [output for comparison in figures["comparisons"] for output in comparison["outputs"]]
    layers = all(layer["compliant"] for layer in figures["layers"])
    return layers and all(output["verdict"] or _is_within(output, tolerance) for output in outputs)


def _is_within(output: Mapping[str, Any], tolerance: float) -> bool:
    """Returns whether a float output differs by at most `tolerance` of its largest value; False for integers."""
    worst, scale = output["max_abs"], output["reference_max"]
    return bool(output["tolerance"]) and worst is not None and worst <= tolerance * scale


class Results:
    """A file of reports, one JSON line each, which an interrupted run reads again to go on."""

    def __init__(self, path: FilePath, *, resume: bool = False) -> None:
        """Creates a file for the reports of a run over many models, or with `resume` keeps those that it holds.

        Raises:
            UsageError: the file can't be read or written to.
            FormatError: it holds something else.
        """
        self.path = os.fspath(path)
        self.kept = (
            {report.key: report for report in _read_reports(self.path)} if resume and os.path.exists(path) else {}
        )
        make_folder(os.path.dirname(os.path.abspath(self.path)))
        write_atomically(path, [_encode_line(report) for report in self.kept.values()])

    def add(self, report: ModelReport) -> None:
        """Appends a report to the file.

        Raises:
            UsageError: the file can't be written to.
        """
        try:
            with open(self.path, "ab") as file:
                file.write(_encode_line(report))
        except OSError as error:
            raise UsageError(f"{self.path}: can't write: {error.strerror}") from None


def _encode_line(report: ModelReport) -> bytes:
    """Returns a report as a line of JSON with its checksum."""
    text = as_json(report.figures())
    # {"name": "a"} becomes {"name": "a", "crc32": N} by its last brace. The reader takes the entry off and writes the
    # rest again, whose bytes are those that N is of, because JSON objects keep their order.
    return f'{text[:-1]}, "crc32": {crc32(text.encode())}}}\n'.encode()


def _read_reports(path: str) -> Iterator[ModelReport]:
    """Yields the reports of a file, one in each line with a checksum; an unfinished last line is ignored.

    Raises FormatError for any other line that isn't a whole report.
    """
    for i, line in enumerate(bytes(map_file(path)).split(b"\n")[:-1]):
        try:
            row = json.loads(line)
            if row.pop("crc32") != crc32(as_json(row).encode()):
                raise ValueError
            texts = {"errors": tuple(row["errors"]), "identifier": row.get("identifier") or ""}
            yield ModelReport(**{**row, **texts})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise FormatError(
                "expected the report of a model",
                "next: leave out --resume, or name another file with --results",
                file=path,
                path=f"line {i + 1}",
            ) from None
