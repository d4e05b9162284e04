"""Reference pages agree with the code, links lead to existing places, and no page uses the old phrases."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from support.commands import ROOT

from docs.pages import DOCS


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = generator()
PAGES = sorted(DOCS.rglob("*.md"))
READ = [ROOT / "README.md", ROOT / "models" / "README.md", *PAGES]
WORDS = 30_000  # words on all pages outside of reference and results
README_WORDS = 1_100


@pytest.mark.parametrize("page", GENERATOR.PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_generated_parts_are_current(page: Path) -> None:
    text = page.read_text("utf-8")
    assert GENERATOR.updated(text) == text, "run python docs/generate.py"


def test_every_generated_part_stands_on_a_page() -> None:
    text = "".join(page.read_text("utf-8") for page in GENERATOR.PAGES)
    names = re.findall(r"<!-- generated: (\w+) -->", text)
    assert sorted(names) == sorted(GENERATOR.GENERATORS)


CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target, anchor in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), f"{target}{anchor}"


def anchors(page: Path) -> set[str]:
    """Returns the anchors that a code host gives a page's headings."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_every_page_is_reached_from_the_index() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    assert [str(page.relative_to(DOCS)) for page in PAGES if str(page.relative_to(DOCS))[:-3] not in index][1:] == []


# Old phrases, and what to write instead.
PHRASES = {
    "can't be had": "is not supported",
    "of which": "a sentence of its own",
    "what has": "a noun",
    "They part": "the first difference",
    "part first at": "first difference at",
    "What must keep to": "target constraints",
    "What lasts from run to run": "persistent state",
    "Have fp32 arithmetic in it": "compute fp32 operators in this type",
    "Go on with the results of a run that was ended": "resume an interrupted run",
    "as they should be": "as expected",
    "nothing to compute but": "no-op: same values as",
    "is apart from what doesn't": "cannot split",
    "attributes of TOSA and Compile Time Constants come of it": "TOSA needs this value at compile time",
    "what 32 bits can't hold": "values outside int32",
    "which XNNPACK doesn't add": "expected scale ratios in a range",
    "what they begin with": "initial values",
    "that only the run knows": "at run time",
    "of which the result's shape": "the output shape depends on it",
    "moved 0": "inputs changed by 1 ulp",
    "spreads from the source": "the source's own rounding variation",
    "goes on from": "feed output NAME.next back into input NAME",
    "became fp32": "input 'x' changed from int8 to fp32",
    "from above": "inherited from an earlier operator",
    "judged by their clauses": "--layers needs a fresh conversion",
    "nothing that converts": "cannot split",
}


def test_old_phrases_do_not_come_back() -> None:
    handwritten = [
        page for page in READ if page.parent.name not in ("results", "reference") and page.stem != "glossary"
    ]
    text = {str(page.relative_to(ROOT)): " ".join(page.read_text("utf-8").split()) for page in handwritten}
    assert [(name, phrase) for name, words in text.items() for phrase in PHRASES if phrase in words] == []


def test_pages_keep_to_their_length() -> None:
    handwritten = [page for page in PAGES if page.parent.name not in ("results", "reference")]
    assert sum(len(page.read_text("utf-8").split()) for page in handwritten) <= WORDS
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= README_WORDS
