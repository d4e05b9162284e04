"""What `zoo verify` prints of its reports: each model in lines of 80 columns, and what all come to."""

from tosa_converter.cli.printing import plain
from tosa_converter.cli.zoo import _table
from tosa_converter.proof.results import ModelReport


def output(mismatches: int, max_abs: float | None, reference_max: float, rule: str = "fp32") -> dict[str, object]:
    return {
        "mismatches": mismatches,
        "elements": 10,
        "rule": rule,
        "max_abs": max_abs,
        "reference_max": reference_max,
    }


def report(name: str, outcome: str, verdict: bool = True, *errors: str, **comparison: object) -> ModelReport:
    verification = {"comparisons": [comparison] if comparison else [], "needs": "PRO-FP"} if not errors else None
    return ModelReport(name, "", "", outcome, "equal", verdict, 1.25, errors, verification)


def test_lines_of_a_zoo() -> None:
    equal = report("a", "equal", engine="executor", outputs=[output(0, 0.0, 1.0), output(0, 0.0, 2.0, "exact")])
    near = report("longer", "equal", engine="vulkan", outputs=[output(3, 0.5, 2.0), output(2, 0.5, 4.0)])
    far = report("far", "differs", False, engine="iree", outputs=[output(1, None, 2.0)])
    zero = report("zero", "equal", engine="iree", outputs=[output(1, 0.5, 0.0)])
    refused = report("none", "refused", False, "first", "second", "third")
    assert list(map(plain, _table([equal, near, far, zero, refused]))) == [
        "PASS  a       equal        1.2 s  executor: 0 of 20 differ (exact, fp32); needs",
        "      PRO-FP",
        "PASS  longer  equal        1.2 s  vulkan: 5 of 20 differ, max |d|/max|ref| 0.25",
        "      (fp32); needs PRO-FP",
        "FAIL  far     differs      1.2 s  iree: 1 of 10 differ, max |d|/max|ref| inf",
        "      (fp32); needs PRO-FP",
        "PASS  zero    equal        1.2 s  iree: 1 of 10 differ, max |d|/max|ref| 0.5",
        "      (fp32); needs PRO-FP",
        "FAIL  none    refused      1.2 s  first; second",
        "5 models: 3 equal, 1 differs, 1 refused; 2 not as expected",
    ]
    hostile = report("\x1b[2J\n" + "n" * 90, "refused", False, "e" * 90)
    lines = list(map(plain, _table([hostile, refused])))
    assert lines[0] == rf"FAIL  \x1b[2J\n{'n' * 90}  refused      1.2 s  {'e' * 90}"
    assert lines[1] == "FAIL  none  refused      1.2 s  first; second"
    assert list(_table([equal]))[-1] == "1 model: 1 equal; all as expected"
