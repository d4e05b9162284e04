"""`tflite-to-tosa ops`: the operators on both sides."""

from tosa_converter.cli import options, report
from tosa_converter.cli.printing import show
from tosa_converter.cli.report import Figures


def ops(json: options.Json = False, markdown: options.Markdown = False) -> int:
    """List the operators: which source operators have rewrites, and TOSA's own rows."""
    figures = operators()
    if markdown and not json:
        show(report.operators_markdown(figures), limit=None)
        return 0
    report.present(lambda: figures, lambda: report.operators_lines(figures), json=json)
    return 0


def operators() -> Figures:
    """Which source operators have rewrites, and TOSA's rows."""
    from tosa_converter.legalize.pipelines import PIPELINES
    from tosa_converter.schemas import tfl_ops, xnn_ops
    from tosa_converter.schemas.float_corners import CORNERS
    from tosa_converter.schemas.tfl_refusals import REFUSALS
    from tosa_converter.schemas.tosa_ops import OPERATORS

    rewrites: dict[str, list[str]] = {}
    conditions: dict[str, list[list[str]]] = {}
    for passes in PIPELINES.values():
        for rewrite in passes[0].rewrites:
            rewrites.setdefault(rewrite.root, []).append(rewrite.name)
            conditions.setdefault(rewrite.root, []).append(
                [*([rewrite.types] if rewrite.types else []), *(check.condition for check in rewrite.checks)]
            )
    names = [row.opcode for row in (*tfl_ops.OPERATORS, *xnn_ops.OPERATORS)]
    return {
        "source": [
            {
                "name": name,
                "rewrites": rewrites.get(name, []),
                "conditions": conditions.get(name, []),
                "refusal": REFUSALS.get(name, ""),
            }
            for name in names
        ],
        "float_corners": [corner._asdict() for corner in CORNERS],
        "tosa": [{"name": row.name, "types": [list(pair) for pair in row.types]} for row in OPERATORS],
    }
