"""Says at once which Python is needed; everything else is in pyproject.toml.

pip reads `requires-python` of a checkout too, but an older one first tries other versions of all that it depends on.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # reached by pip on an older Python
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit("tosa-converter needs Python 3.11 or newer, found " + found)

from setuptools import setup

setup()
