"""Faults that no test can see, as they change no result: each with the reason, counted apart and never as caught."""

# (file, the line with the fault in it): reason. A name instead of a line stands for all faults of its value.
HARMLESS: dict[tuple[str, str], str] = {}
