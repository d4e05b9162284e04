"""`tflite-to-tosa ops`: the operators on both sides."""

from tosa_converter.cli import options, report


def ops(json: options.Json = False) -> int:
    """List the source operators with their rules, and the operators of TOSA."""
    from tosa_converter.cli.operators import operator_figures

    figures = operator_figures()
    report.present(lambda: figures, lambda: report.operators_lines(figures), json=json)
    return 0
