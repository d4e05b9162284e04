"""Text in columns: how wide it is, what loses its middle, where lines end."""

import shlex
import subprocess

import pytest

from tosa_converter.cli.columns import WIDTH, Column, cell, count, fit_name, shorten, table, width, wrap
from tosa_converter.cli.printing import advice_lines, plain


@pytest.mark.parametrize(("text", "columns"), [("", 0), ("abc", 3), ("größe", 5), ("日本", 4), ("e\u0301", 1)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abc...hi"),
        ("abcdefghi", 5, "a...i"),
        ("日本語日本語", 9, "日...語"),
        ("日本語日本語", 12, "日本語日本語"),
    ],
)
def test_a_long_name_loses_its_middle(text: str, most: int, short: str) -> None:
    assert shorten(text, most) == short
    assert width(short) <= most


def test_a_name_between_two_texts() -> None:
    assert fit_name("operator 1 '", "y", "' (main)", 80) == "operator 1 'y' (main)"
    assert fit_name("<", "abcdefghijklmnopqrstuvwxyz", ">", 18) == "<abcdefg...uvwxyz>"
    assert fit_name("a" * 80, "abcdefghijklmnopqrstuvwxyz", "", 80) == "a" * 80 + "abcde...wxyz"
    assert fit_name("'", "\n", "'", 80) == "'\\n'"


@pytest.mark.parametrize(
    ("name", "text"), [("y", "y"), ("", "''"), ("z  int8", "'z  int8'"), ("a\x1b[2J", "a\\x1b[2J")]
)
def test_a_name_in_a_table_is_one_column(name: str, text: str) -> None:
    assert cell(name) == text


def test_words_stand_behind_their_label() -> None:
    lines = wrap("  proof", "word " * 40, 11)
    assert lines[0].startswith("  proof    word word")
    assert all(line.startswith(" " * 11 + "word") for line in lines[1:])
    assert max(map(width, lines)) <= WIDTH < min(width(f"{line} word") for line in lines[:-1])
    assert " ".join(" ".join(lines).split()) == "proof " + " ".join(["word"] * 40)
    long = "x" * 100
    assert wrap("", f"a {long} b", 4) == ["    a", f"    {long}", "    b"]
    (_, short, _) = wrap("", f"a {long} b", 4, is_whole=False)
    assert (width(short), short.strip()) == (WIDTH, f"{'x' * 37}...{'x' * 36}")
    assert wrap("label", "", 6) == ["label"]
    assert wrap("", "a\nb \x1b", 0) == ["a\\nb \\x1b"]
    assert sum(map(len, wrap("", "x " * 100_000, 4))) < 4000


def test_a_command_in_several_lines_is_one_command() -> None:
    words = ["tflite-to-tosa", "verify", "a b.tflite", *(f"--input=x{i}=some file {i}.npy" for i in range(9)), "it's"]
    first, *rest = map(plain, advice_lines(shlex.join(words)))
    lines = [first.removeprefix("next: "), *rest]
    done = subprocess.run(
        ["sh", "-c", "printf '%s\\n' " + "\n".join(lines)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == words
    assert len(lines) > 3
    assert max(map(width, [first, *rest])) <= WIDTH
    assert all(line.endswith(" \\") for line in lines[:-1])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a" * 70 + " 'a b' c", ["note  " + "a" * 70, "        'a b' c"]),  # the name would begin in column 77
        ("a" * 70 + " models' names", ["note  " + "a" * 70, "        models' names"]),
        ("'" + "a b " * 30 + "'", ["note  '" + "a b " * 18 + "a", "        " + "b a " * 11 + "b '"]),  # 122 columns
        ("a  b", ["note  a  b"]),
        ("", ["note"]),
    ],
)
def test_a_name_in_quotes_stays_on_one_line_if_it_fits(text: str, lines: list[str]) -> None:
    assert wrap("note", text, 6, hanging=2) == lines


def test_pieces_are_not_split() -> None:
    pieces = ["a" * 60, "-> b c d e f g h i j k l m n o p", "\x1b[2J"]
    assert wrap("", pieces, 0, hanging=4) == ["a" * 60, "    -> b c d e f g h i j k l m n o p \\x1b[2J"]


COLUMNS = [Column("name", least=12), Column("number", is_number=True), Column("")]


def test_columns_stand_below_each_other() -> None:
    rows = [["a", "1", "x"], ["日本", "1000000", "longer"]]
    assert ["|".join(line) for line in table(COLUMNS, rows)] == [
        "name| number|      ",
        "a   |      1|x     ",
        "日本|1000000|longer",
    ]


def test_a_wide_table_loses_the_middle_of_its_longest_cells() -> None:
    columns = [Column("name", least=12), Column("type", least=10), Column("rule")]
    rows = [["n" * 100, "t" * 30, "equal"], ["short", "int8", "equal"]]
    lines = table(columns, rows)
    assert {2 + sum(map(width, line)) + 4 for line in lines} == {WIDTH}
    name, type_name, rule = lines[1]
    assert (len(name), type_name, rule) == (39, "t" * 30, "equal")
    assert "n...n" in name
    narrow = table(columns, [["n" * 100, "t" * 100, "r" * 60]])
    assert [width(text) for text in narrow[1]] == [12, 10, 60]


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1,000"), (999_999, "999,999"), (1_000_000, "1M"), (1_234_567, "1.23M")],
)
def test_counts(number: int, text: str) -> None:
    assert count(number) == text
