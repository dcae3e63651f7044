"""Tests that clang-format and flake8 accept the sources.

usage: lint_test.py format | python REPOSITORY

format: runs clang-format over all C++ files, with the rules of .clang-format.
python: runs flake8 over all Python files, also over scripts whose names do not end in .py, with the rules of .flake8.
"""

import pathlib
import subprocess
import sys

LEFT_OUT = {".cache", ".git", "build", "out"}  # These folders hold no sources.


def sources(root):
    """Yields all files of the repository."""
    for path in sorted(root.iterdir()):
        if path.is_dir() and not path.is_symlink():
            if path.name not in LEFT_OUT:
                yield from sources(path)
        elif path.is_file():
            yield path


def is_cpp(path):
    return path.suffix in (".cpp", ".h")


def is_python(path):
    if path.suffix:
        return path.suffix == ".py"
    with path.open("rb") as file:
        first = file.readline(100)
    return first.startswith(b"#!") and b"python" in first


CHECKS = {
    "format": (["clang-format", "--dry-run", "-Werror", "--style=file"], is_cpp),
    "python": (["flake8"], is_python),
}

if __name__ == "__main__":
    command, wanted = CHECKS[sys.argv[1]]
    root = pathlib.Path(sys.argv[2])
    files = [str(path.relative_to(root)) for path in sources(root) if wanted(path)]
    assert len(files) > 100, "the sources were not found"
    sys.exit(subprocess.run([*command, *files], cwd=root).returncode)
