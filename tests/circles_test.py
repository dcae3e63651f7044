"""Tests that includes follow the order of the subsystems, and that none form a circle.

usage: circles_test.py REPOSITORY

CMake keeps targets apart (tests/CMakeLists.txt, dependency_direction). This test also looks inside a target. Neither files (a header and its source
count as one) nor folders may include each other in a circle. A folder within a folder, such as gpu/filters in gpu, counts as a folder of its own.
Folders of app/ may include only those that the CMakeLists.txt files list before them.
"""

import os
import pathlib
import re
import sys

FOLDERS = ("app", "bench", "config", "gpu", "python", "shaders", "ui")
SUFFIXES = {".h", ".cpp", ".comp", ".frag", ".glsl", ".vert"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

# The dependencies that close a circle today. None may be added, and those that were repaired must be removed from here.
KNOWN = set()


def unit(path):
    """Returns the unit that a file belongs to. A header and its source are one unit, named by the path without its ending. A file that is only
    included is a unit of its own."""
    return os.path.splitext(path)[0] if path.endswith((".h", ".cpp")) else path


def includes(root):
    """Yields (file, included file) for every include of the product, as paths from `root`."""
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            name = file.relative_to(root).as_posix()
            for included in INCLUDE.findall(file.read_text()):
                # Kernels include files from their own folder or from shaders/. Generated files are not in the repository.
                places = (included, f"shaders/{included}", os.path.normpath(f"{os.path.dirname(name)}/{included}"))
                found = next((place for place in places if (root / place).is_file()), None)
                if found:
                    yield name, found


def graph(pairs, node):
    """Returns a dictionary of the other nodes that each node includes."""
    uses = {}
    for user, used in pairs:
        if node(user) != node(used):
            uses.setdefault(node(user), set()).add(node(used))
    return uses


def circle(uses):
    """Returns the nodes of one circle, with the first again at the end, or None."""
    done = set()

    def walk(path):
        for used in sorted(uses.get(path[-1], ())):
            if used in path:
                return path[path.index(used):] + [used]
            if used not in done and (found := walk(path + [used])):
                return found
        done.add(path[-1])
        return None

    return next((found for start in sorted(uses) if start not in done and (found := walk([start]))), None)


def reaches(uses, start, goal):
    """Returns True if a way leads from one node to the other."""
    seen, open_ = {start}, [start]
    while open_:
        for used in uses.get(open_.pop(), ()):
            if used not in seen:
                seen.add(used)
                open_.append(used)
    return goal in seen


def listed(root):
    """Returns the folders of app/ in the order of the lists in its CMakeLists.txt files."""
    def names(file, pattern):
        return [name for found in re.findall(pattern, (root / file).read_text()) for name in found.split()]

    folders = []
    for subsystem in names("app/CMakeLists.txt", r"foreach\(subsystem ([^)]*)\)"):
        parts = names(f"app/{subsystem}/CMakeLists.txt", r"(?:PARTS|SEPARATE) ([a-z0-9_ ]+)")
        folders += [f"app/{subsystem}/{part}" for part in parts] + [f"app/{subsystem}"]
    return folders


def against_order(pairs, folders):
    """Returns a sentence for each include of a folder that the lists name later."""
    rank = {folder: place for place, folder in enumerate(folders)}
    return [f"against the order of the lists: {user} includes {used}" for user, used in pairs
            if rank.get(os.path.dirname(used), -1) > rank.get(os.path.dirname(user), len(folders))]


def check(pairs, known):
    """Returns the faults, one sentence each."""
    wrong, mended = [], set(known)
    for node in (unit, os.path.dirname):
        uses = graph(pairs, node)
        mended -= {(user, used) for user, used in known if used in uses.get(user, ()) and reaches(uses, used, user)}
        for user, used in known:
            uses.get(user, set()).discard(used)
        while found := circle(uses):
            wrong.append("in a circle: " + " -> ".join(found))
            uses[found[-2]].discard(found[-1])
    return wrong + [f"in KNOWN, but in no circle: {user} -> {used}" for user, used in sorted(mended)]


def check_itself():
    """Fails unless check() finds circles that were made up for it."""
    files = [("a/one.cpp", "a/one.h"), ("a/one.cpp", "a/two.h"), ("a/two.cpp", "a/one.h")]
    folders = [("a/one.h", "a/b/two.h"), ("a/b/three.cpp", "a/four.h")]
    assert check(files, set()) == ["in a circle: a/one -> a/two -> a/one"], check(files, set())
    assert check(folders, set()) == ["in a circle: a -> a/b -> a"], check(folders, set())
    assert check(folders, {("a/b", "a")}) == []
    assert against_order([("a/b/c.h", "a/d.h"), ("a/d.h", "a/b/c.h")], ["a/b", "a"]) == [
        "against the order of the lists: a/b/c.h includes a/d.h"]
    assert check(files[:1], {("a/b", "a")}) == ["in KNOWN, but in no circle: a/b -> a"]


if __name__ == "__main__":
    check_itself()
    pairs = list(includes(pathlib.Path(sys.argv[1])))
    assert len(pairs) > 500, "the includes were not found"
    folders = listed(pathlib.Path(sys.argv[1]))
    unlisted = sorted({os.path.dirname(user) for user, used in pairs if user.startswith("app/")} - {*folders, "app"})
    wrong = check(pairs, KNOWN) + against_order(pairs, folders)
    wrong += [f"no CMakeLists.txt lists the folder {folder}" for folder in unlisted]
    print("\n".join(wrong))
    sys.exit(bool(wrong))
