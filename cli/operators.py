"""The operators of the sources, with their rules, and those of TOSA."""

from tosa_converter.cli.report import Figures
from tosa_converter.formats.tflite.kernels import DISAGREEMENTS
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewriting.pipeline import legalization_pass
from tosa_converter.rules.target import version_text
from tosa_converter.schemas import aten_ops, tfl_ops, xnn_ops
from tosa_converter.schemas.float_corners import CORNERS
from tosa_converter.schemas.tfl_prepared import PREPARED
from tosa_converter.schemas.tfl_refusals import REFUSALS
from tosa_converter.schemas.tosa_ops import OPERATORS

# The exactness of a rule that legalize/sequences.tsv has no line for, and its operators, which nobody knows yet.
_UNMEASURED = "no line in legalize/sequences.tsv: run GOLDEN=write python -m pytest tests/legalize -k golden", "?"


def operator_figures() -> Figures:
    """Returns the figures of `ops` as plain data: source operators with their rules, and the operators of TOSA.

    Operators whose kernels in LiteRT disagree, and corner cases of floats, are there too.
    """
    rules: dict[str, list[Figures]] = {}
    sequences = _read_sequences()
    for passes in PIPELINES.values():
        for rule in legalization_pass(passes).rules:
            exactness, becomes = sequences.get((rule.name, rule.root), _UNMEASURED)
            rules.setdefault(rule.root, []).append(
                {
                    "name": rule.name,
                    "types": rule.types.split(),
                    "becomes": becomes.split(),
                    "exactness": exactness,
                    "conditions": [check.condition for check in rule.checks],
                }
            )
    rows = [row.opcode for row in (*tfl_ops.OPERATORS, *xnn_ops.OPERATORS) if row.opcode != "tfl.custom"]
    rows += [row.opcode for row in aten_ops.OPERATORS]
    # A rule's root may have no row: custom operators have none. Pseudo operators exist within a conversion only.
    names = rows + sorted(root for root in rules.keys() - set(rows) if ".pseudo_" not in root)
    return {
        "source": [
            {
                "name": name,
                "rules": rules.get(name, []),
                "prepared": PREPARED.get(name, ""),
                "refusal": REFUSALS.get(name, ""),
            }
            for name in names
        ],
        "disagreements": [
            {"operator": row.operator, "types": list(row.operands), "kernels": row.kernels, "reason": row.reason}
            for row in DISAGREEMENTS
        ],
        "float_corners": [corner._asdict() for corner in CORNERS],
        "tosa": [
            {"name": row.name, "since": version_text(row.since), "types": [list(pair) for pair in row.types]}
            for row in OPERATORS
        ],
    }


def _read_sequences() -> dict[tuple[str, str], tuple[str, str]]:
    """Maps (rule, operator) to how exact the rule is, and to the TOSA operators that it usually emits.

    They come from the generated table sequences.tsv.
    """
    from importlib.resources import files

    lines = files("tosa_converter.legalize").joinpath("sequences.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    return {(rule, operator): (exactness, becomes) for rule, operator, exactness, becomes in rows}
