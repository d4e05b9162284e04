"""`tflite-to-tosa opt`: passes from TOSA to TOSA alone."""

from dataclasses import asdict, dataclass
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.conversion import check_output
from tosa_converter.cli.output_flags import DebugInfo
from tosa_converter.cli.sources import PIPE, read_model, require_other_file, write_model


@dataclass(frozen=True, slots=True)
class Optimization:
    """The operators of a file before and after passes, by name and without constants."""

    source: str
    output: str
    before: dict[str, int]
    after: dict[str, int]
    passes: list[dict[str, Any]]

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for --json."""
        return asdict(self)


def opt(
    model: options.Model,
    output: options.Output,
    format: options.OutputFormat = "",
    passes: options.Passes = "",
    json: options.Json = False,
    debug_info: DebugInfo = False,
) -> int:
    """Run passes on a TOSA file, and print the number of operators before and after."""
    ending = check_output(output, format)
    require_other_file(output, model)
    optimized = tc.optimize(read_model(model)[0], passes or ())
    write_model(optimized, output, ending, debug=debug_info)
    conversion = optimized.report
    steps = [step._asdict() for step in conversion.passes]
    before, after = (dict(counter.most_common()) for counter in (conversion.source_ops, conversion.tosa_ops))
    done = Optimization(model, output, before, after, steps)
    report.present(done.figures, lambda: report.optimization_lines(done), json=json, aside=output == PIPE)
    return 0
