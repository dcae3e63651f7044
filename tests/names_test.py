"""Tests that no two definitions in different files share a qualified name.

usage: names_test.py REPOSITORY

A program in which one name has two definitions is undefined (the "one definition rule"), and neither compiler nor linker reports it. This test reads
the definitions with universal-ctags: types, aliases, and functions and variables that other files can see. Definitions in unnamed namespaces and in
functions are left out, since each file has its own. Forward declarations and specialisations of templates are left out, too.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDERS = ("app", "bench", "config", "gpu", "python", "shaders", "ui")
TYPES = ("class", "enum", "struct", "typedef", "union")
NAME = re.compile(r"(?<=[ &*>])\w+$")  # The name of a parameter, which stands behind its type.


def read_tags(root, files):
    """Returns the definitions that ctags finds in C++ files, a dictionary for each."""
    output = subprocess.run(
        ["ctags", "--output-format=json", "--language-force=C++", "--kinds-C++=cfgnstuv", "--fields=+KnSZ",
         "--fields-C++=+{properties}{specialization}", "-f", "-", "-L", "-"],
        cwd=root, input="\n".join(files), capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def qualified(tag):
    return f"{tag['scope']}::{tag['name']}" if "scope" in tag else tag["name"]


def parameter_types(signature):
    """Returns a signature without the names and defaults of its parameters: "(int a,B & b=c)" is "(int,B &)"."""
    inner, depth, parts = signature.strip()[1:-1], 0, [""]
    for letter in inner:
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return f"({','.join(NAME.sub('', part.partition('=')[0].strip()).strip() for part in parts)})"


def is_visible_variable(root, tag):
    """Returns True if other files can see the variable: a constant needs a header or `inline` for that."""
    if tag.get("scopeKind", "namespace") != "namespace":
        return False
    line = (root / tag["path"]).read_text().splitlines()[tag["line"] - 1]
    constant = "constexpr" in line or "const " in line
    return tag["path"].endswith(".h") or "inline" in tag.get("properties", "") or not constant


def definitions(root, files):
    """Yields (what is defined, the file). Functions of one name differ by their parameters."""
    tags = read_tags(root, files)
    functions = {qualified(tag) for tag in tags if tag["kind"] == "function"}
    for tag in tags:
        scope = tag.get("scope", "").split("::")
        local = any("::".join(scope[:end]) in functions for end in range(1, len(scope) + 1))
        own = "__anon" in tag.get("scope", "") or tag["name"].startswith("__anon")
        if local or own or "specialization" in tag or qualified(tag) == "main":
            continue
        if tag["kind"] in TYPES:
            yield qualified(tag), tag["path"]
        elif "static" in tag.get("properties", ""):
            continue
        elif tag["kind"] == "function":
            yield qualified(tag) + parameter_types(tag["signature"]), tag["path"]
        elif tag["kind"] == "variable" and is_visible_variable(root, tag):
            yield qualified(tag), tag["path"]


def check(root, files):
    """Returns a sentence for each name that several files define."""
    places = {}
    for name, file in definitions(root, files):
        places.setdefault(name, set()).add(file)
    return [f"{name} is defined in {' and '.join(sorted(found))}" for name, found in sorted(places.items()) if len(found) > 1]


def check_itself():
    """Fails if this test would overlook a fault, or would report what is right."""
    right = {
        "one.h": "namespace a { struct Forward; class Early; struct Outer { struct Inner {}; }; enum class Level : int; int sum(int); }",
        "two.h": "namespace a { struct Forward {}; class Early; namespace b { struct Outer {}; } extern int count; }",
        "one.cpp": "namespace a { namespace { struct Own {}; int same() { return 1; } const int kOne = 1; }\n"
                   "void f() { struct Local {}; } int sum(int a) { return a; } static int hidden() { return 1; }\nconstexpr int kTwo = 2;\n"
                   "template <> struct Known<int> {}; }",
        "two.cpp": "namespace a { namespace { struct Own {}; int same() { return 2; } const int kOne = 2; }\n"
                   "void g() { struct Local {}; } int sum(double a) { return a; } static int hidden() { return 2; }\nconstexpr int kTwo = 3;\n"
                   "template <> struct Known<float> {}; int count = 0; }",
    }
    wrong = {
        "three.h": "namespace a::b { struct Outer { int x; }; using Level = int; inline constexpr int kThree = 3; }",
        "four.h": "namespace a { namespace b { enum Level { low }; inline constexpr int kThree = 4; } struct Outer { struct Inner {}; }; }",
        "three.cpp": "namespace a { int sum(int b) { return b; } int count = 1; }",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**right, **wrong}.items():
            (pathlib.Path(folder) / name).write_text(text + "\n")
        assert check(pathlib.Path(folder), list(right)) == [], check(pathlib.Path(folder), list(right))
        found = check(pathlib.Path(folder), [*right, *wrong])
        assert found == [
            "a::Outer is defined in four.h and one.h", "a::Outer::Inner is defined in four.h and one.h",
            "a::b::Level is defined in four.h and three.h", "a::b::Outer is defined in three.h and two.h",
            "a::b::kThree is defined in four.h and three.h", "a::count is defined in three.cpp and two.cpp",
            "a::sum(int) is defined in one.cpp and three.cpp"], found


if __name__ == "__main__":
    check_itself()
    root = pathlib.Path(sys.argv[1])
    files = sorted(str(file.relative_to(root)) for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in (".h", ".cpp"))
    assert len(files) > 500, "the sources were not found"
    wrong = check(root, files)
    print("\n".join(wrong))
    sys.exit(bool(wrong))
