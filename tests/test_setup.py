"""What setup.py does on a Python that is too old: it says so at once."""

import runpy
import sys

import pytest
from support.commands import ROOT


@pytest.mark.parametrize("version", [(3, 10, 14), (2, 7, 18)])
def test_an_old_python_is_refused_before_pip_looks_for_packages(
    version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setitem(sys.modules, "setuptools", None)  # importing it would fail, and isn't reached
    with pytest.raises(SystemExit) as exit:
        runpy.run_path(str(ROOT / "setup.py"))
    version_text = ".".join(map(str, version))
    assert exit.value.code == f"tosa-converter needs Python 3.11 or newer, found {version_text}"
