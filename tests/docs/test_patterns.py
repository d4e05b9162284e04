"""The page of rules with patterns lists every rule."""

import re

from longer.patterns import PAGE, groups


def test_the_page_lists_every_rule_with_its_pattern() -> None:
    listed = re.findall(r"^\| ([\w.]+) \| `([^`]+)` \| (.*) \| \d+ \| \d+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    rules = [(row.name, row.pattern, row.about) for rows in groups().values() for row in rows]
    assert rules, "no rule has a pattern"
    hint = "run PYTHONPATH=tests python -m longer.patterns --write"
    assert [tuple(cell.replace(r"\|", "|") for cell in cells) for cells in listed] == rules, hint
