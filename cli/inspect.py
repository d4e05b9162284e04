"""`tflite-to-tosa inspect`: what a file holds, and whether it is legal."""

from collections.abc import Sequence

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.printing import show
from tosa_converter.ir import Model


def inspect(
    model: options.Model,
    json: options.Json = False,
    tensors: options.Tensors = False,
    check: options.Check = False,
    profile: options.Profile = None,
    extension: options.Extension = None,
    level: options.Level = "",
    asm: options.Asm = False,
) -> int:
    """Show a file: operators, tensors, types, quantization, sizes, what profile and extensions it needs."""
    if asm:
        from tosa_converter.formats.spirv.listing import file_assembly

        show(file_assembly(model), limit=None)
        return 0
    source = tc.load(model)
    checked = bool(check or profile or extension or level)
    if checked:
        tc.check(
            source, _target(source, profile or (), extension or (), level or "8k") if source.opset == "tosa" else None
        )
    found = tc.inspect(source)
    extra = {"check": "valid"} if checked else {}
    report.present(lambda: found.figures() | extra, lambda: report.inspection_lines(found, tensors, checked), json=json)
    return 0


def _target(model: Model, profiles: Sequence[str], extensions: Sequence[str], level: str) -> str:
    """What a check is to allow: what is given, and else what the model needs."""
    from tosa_converter.rules.target import needs

    needed = needs(model)
    allowed = [*(profiles or needed.profiles), *(extensions if profiles or extensions else needed.extensions)]
    return ",".join([*allowed, level])
