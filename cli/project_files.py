"""Where a project file may be: found by a few calls of stat, before anything is imported that reads it."""

import os

OWN_FILE, PYTHON_FILE = "tosa.toml", "pyproject.toml"


def project_paths() -> list[str]:
    """Returns the files that may hold a project's options, from the working directory upward, to home or the root."""
    try:
        folder = os.getcwd()
    except OSError:  # somebody removed it
        return []
    home = os.path.expanduser("~")
    paths = []
    while True:
        for name in (OWN_FILE, PYTHON_FILE):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                paths.append(path)
        parent = os.path.dirname(folder)
        if folder in (home, parent):
            return paths
        folder = parent
