"""Faults that no test can see, as they change no result: each with the reason, counted apart and never as caught."""

_SIZE = "how much is done at a time; any amount gives the same result"
_CHOICE = "from where on the faster of two ways pays that give the same result"

# (file, the line with the fault in it): reason. A name instead of a line stands for all faults of its value.
HARMLESS: dict[tuple[str, str], str] = {
    ("converter/kernels_base.py", "BLOCK"): _SIZE,
    ("converter/kernels_conv.py", "_GATHERED"): _SIZE,
    ("converter/kernels_conv.py", "_MADE"): _SIZE,
    ("converter/kernels_conv.py", "_LONGER"): _CHOICE,
    ("converter/kernels_conv.py", "_WORTH_ADDING"): _CHOICE,
    ("converter/kernels_convert.py", "_MANY"): _CHOICE,
    ("converter/kernels_depthwise.py", "_MADE"): _SIZE,
    ("converter/kernels_depthwise.py", "_SUMMED"): _SIZE,
    ("converter/kernels_gemm.py", "_MOST_PARTS"): _CHOICE,
    ("converter/kernels_rescale.py", "_WORTH_SPREADING"): _CHOICE,
    ("converter/kernels_steps.py", "_CHANNELS"): _SIZE,
    ("converter/kernels_steps.py", "_MOST_TRIED"): _CHOICE,
    ("converter/kernels_steps.py", "_ROW"): _SIZE,
    ("converter/kernels_windows.py", "_SMALL"): _CHOICE,
    ("converter/scalars.py", "_SHORTEST"): _CHOICE,
}
