"""Plants a fault in a source file before its import, as text that replaces other text."""

from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]


def plant(file: str, right: str, wrong: str) -> None:
    """Makes the import of a file, which contains the right text once, read the wrong text."""
    original = SourceFileLoader.get_code
    source = (ROOT / file).read_text()
    assert source.count(right) == 1, f"{file} has no longer once: {right}"

    def get_code(self: SourceFileLoader, name: str) -> CodeType | None:
        if Path(self.path).resolve() != ROOT / file:
            return original(self, name)
        code: CodeType = compile(source.replace(right, wrong), self.path, "exec", dont_inherit=True)
        return code

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
