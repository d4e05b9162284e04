"""The catalogue of failures: complete, in plain words, and each with a next step."""

import ast
import re

import catalogue
from catalogue import CLASSES, Message, Reason
from support.commands import ROOT

import tosa_converter as tc
from docs.test_reference import PHRASES
from tosa_converter.cli.app import every_command
from tosa_converter.cli.values import help_values
from tosa_converter.errors import NEXT_STEP

MESSAGES = catalogue.find_messages()
REASONS = catalogue.find_reasons()
TEXTS = sorted({message.text for message in MESSAGES} | {reason.text for reason in REASONS})
PAGE = ROOT / "docs" / "reference" / "errors.md"
CALL = re.compile(r"\b[a-z_]+\(\)|\b[a-z]+(?:_[a-z0-9]+)+\b")  # what may be the name of a function


def functions() -> set[str]:
    """Returns the names of the packages' functions that aren't options or public names."""
    names = {
        node.name
        for _, tree in catalogue.source_modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    return names - set(tc.__all__)


def raising() -> set[tuple[str, str]]:
    """Returns the classes of errors and the modules of all `raise` statements that name a class."""
    return {
        (name, module)
        for module, tree in catalogue.source_modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for name in [node.exc.func.attr if isinstance(node.exc.func, ast.Attribute) else ast.unparse(node.exc.func)]
        if name in CLASSES
    }


def test_every_raise_has_an_identifier_on_the_page() -> None:
    assert raising() <= {(message.error, message.module) for message in MESSAGES}
    page = PAGE.read_text("utf-8")
    assert [message.identifier for message in MESSAGES if f"`{message.identifier}`" not in page] == []
    assert len(MESSAGES) > 500
    assert len(REASONS) > 500


def test_every_class_says_what_to_do() -> None:
    assert [name for name, value in CLASSES.items() if not value.advice] == []
    assert all(message.next_step or CLASSES[message.error].advice for message in MESSAGES)


def test_messages_have_no_function_names() -> None:
    names = functions()
    words = {(text, word) for text in TEXTS for word in CALL.findall(re.sub(r"\{\w+\}|<\w+>", "", text))}
    assert sorted((text, word) for text, word in words if word.rstrip("()") in names) == []


def test_old_phrases_are_in_no_message_and_no_help() -> None:
    assert sorted((text, phrase) for text in TEXTS + help_texts() for phrase in PHRASES if phrase in text) == []


def help_texts() -> list[str]:
    """Returns the help of every command, argument and option."""
    texts = []
    pending = [every_command()]
    while pending:
        command = pending.pop()
        pending += getattr(command, "commands", {}).values()
        texts += [command.help or "", *((row.help or "").format(**help_values()) for row in command.params)]
    return [" ".join(text.split()) for text in texts]


def test_messages_are_read_with_their_helpers() -> None:
    source = """
def wrong(self, what: str, at: int) -> FormatError:
    return FormatError(f"expected {what}, found {self.token}")

def read(self) -> None:
    raise self.wrong("a list", 3)

def check(name: str, problems: list[str]) -> None:
    if problems:
        raise UnsupportedError("too " + ("long" if name else "short"), *problems, f"next: run {name.strip()!r}")
    raise UsageError(problems)
"""
    tree = ast.parse(source)
    helpers = {("m", name): helper for name, helper in catalogue._helpers(tree)}
    assert set(catalogue._messages("m", tree, helpers)) == {
        Message("FormatError", "m", ("expected a list, found {token}",)),
        Message("UnsupportedError", "m", ("too long", "too short", "next: run {name}")),
        Message("UsageError", "m", ("{problems}",)),
    }


def test_a_message_has_an_identifier_a_status_and_a_next_step() -> None:
    message = Message("UnsupportedError", "m", ("a", "b", f"{NEXT_STEP}run it"))
    assert (message.identifier, message.exit_status) == ("unsupported-error/m", 4)
    assert (message.text, message.next_step, message.is_placeholder) == ("a; b", "run it", False)
    assert Message("UsageError", "m", ("{error}",)).is_placeholder
    assert "tfl.where" in Reason("legalize.tflite.any_type.positions", "").operators
    assert not Reason("legalize.limits", "").operators


def test_the_table_of_steps_names_messages_that_exist() -> None:
    table = PAGE.read_text("utf-8").partition("## What to do")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.+?)`", table, re.MULTILINE)
    parts = {row: [part.strip() for part in row.split("...")] for row in rows}
    unknown = [row for row in rows if not any(all(part in text for part in parts[row]) for text in TEXTS)]
    assert unknown == [
        "... is a float model, but ... computes ... only",
        "OPERATOR at PLACE can't be converted",
        "LiteRT fails on ...: Encountered unresolved custom op",
        "FAIL  ...",
    ]
