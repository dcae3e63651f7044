"""Checks the words of the pages and of the program: links, phrases, the length of lines of help, how errors end, and that the program accepts the
commands that pages show.

usage: words_test.py GLINT [unittest arguments]
"""

import collections
import functools
import pathlib
import re
import shlex
import unittest

from harness import glint

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_HELP = 80  # The largest length of a line of help, in characters.

# Pages and help must not use the words of the table "Words" in CONTRIBUTING.md. These two are excepted, because they also have a good use.
ALSO_GOOD = {"tell", "letters"}
# Further phrases that must not be used, as regular expressions, with better words.
BETTER = {
    r"what the defaults cannot": "two things the defaults cannot guess:",
    r"so manieth": "every Nth",
    r"of letters\b|letters of\b": "text size",
    r"found \d+ all\b": "found all N",
    r"tells? `": "reports `",
    r"more comes than": "frames arrive faster than",
    r"how much later it still": "the longest gap after which",
    r"had ended there": "had stopped at that frame",
    r"kernel's own interface": "V4L2",
    r"is waited for": "waits for",
}

FENCE = re.compile(r"^ *(```+|~~~+) *(\w*)[^\n]*\n(.*?)^ *\1 *$", re.M | re.S)
CODE = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"\]\(\s*([^\s)]+)[^)\n]*\)|^ *\[[^\]]+\]: *(\S+)|(?:src|href)=\"([^\"]+)\"", re.M)
COMMAND = re.compile(r"(?:.*\\\n)*.+")  # A command, together with the lines that continue it.
PLACEHOLDER = re.compile(r"[A-Z]|\.\.\.|^$")


class Page:
    def __init__(self, name, text):
        self.name, self.text, self.path = name, text, ROOT / name
        self.unfenced = FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
        self.prose = CODE.sub(lambda match: "CODE" + "\n" * match[0].count("\n"), self.unfenced)

    def at(self, offset, text):
        return f"{self.name}:{text.count(chr(10), 0, offset) + 1}"

    def links(self):
        """Yields for each link that is no address: its place, its text, and the file to which it leads."""
        for match in LINK.finditer(self.prose):
            link = next(filter(None, match.groups()))
            if not re.match(r"\w+:", link):
                path = (self.path.parent / link.partition("#")[0]).resolve() if link[0] != "#" else self.path
                yield self.at(match.start(), self.prose), link, path / "README.md" if path.is_dir() else path

    def anchors(self):
        """Yields the anchors that GitHub makes of headings. If a heading comes again, its anchor gets a number."""
        seen = collections.Counter()
        for heading in re.findall(r"^#{1,6} +(.*?)[ #]*$", self.unfenced, re.M):
            text = re.sub(r"\]\([^)]*\)", "", heading).lower()
            anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
            seen[anchor] += 1

    def commands(self):
        """Yields place and text of what may be a command: lines of blocks, and code within the prose."""
        for block in FENCE.finditer(self.text):
            if block[2] in ("", "sh", "bash", "shell", "console"):
                for match in COMMAND.finditer(self.text, *block.span(3)):
                    yield self.at(match.start(), self.text), match[0].replace("\\\n", " ")
        for match in CODE.finditer(self.unfenced):
            yield self.at(match.start(), self.unfenced), " ".join(match[2].split())


def lines_of_help(text):
    """Yields what a command is, and the descriptions of its options, without the tables that may follow."""
    yield text.partition("\n")[0]
    for section in re.findall(r"^(?:Positionals|Options[a-z ]*|Subcommands):\n((?:.+\n)*)", text, re.M):
        yield from (line[30:] for line in section.splitlines() if line[29:30] == " ")  # Descriptions begin in column 30.


def lines_of_settings(manual):
    """Returns the line of help of each setting, by its key. Details may follow that line."""
    return dict(re.findall(r"^\.TP\n\\fB(\w+\.\w+)\\fR = .*\n(.*?)\.?$", manual, re.M))


@functools.cache
class Program:
    """The texts that the program prints about itself."""

    def __init__(self):
        def printed(*arguments):
            text = glint(*arguments, cwd=ROOT).stdout
            return re.sub(r"\\(-|\(ga|\(ti|\(ha|&)", lambda roff: {"-": "-", "(ga": "`", "(ti": "~", "(ha": "^", "&": ""}[roff[1]], text)

        names = ["", *re.findall(r"^  ([a-z]\S*)", printed("--help").partition("Subcommands:")[2], re.M)]
        self.help = {name: printed(*name.split(), "--help") for name in names}
        self.options = {name: set(re.findall(r"(?:^  |(?<=[a-z]),)(--?[a-zA-Z][\w-]*)", text, re.M)) for name, text in self.help.items()}
        self.options["COMMAND"] = set().union(*self.options.values())
        self.manual, self.list_of_filters = printed("manual"), printed("filters")
        self.settings = lines_of_settings(self.manual)
        self.filters = {text.split("\n")[0]: {"input", *re.findall(r"^\| `(\w+)`", text, re.M)}
                        for text in printed("filters", "--markdown").split("\n## ")[1:]}

    def lines_of_help(self):
        for name, text in self.help.items():
            yield from ((f"glint {name} --help", line) for line in lines_of_help(text))
        yield from ((f"glint settings: {key}", line) for key, line in self.settings.items())
        yield from re.findall(r"^(\w+)  +(.*)", self.list_of_filters, re.M)

    def faults(self, line):
        """Yields the parts of a line that the program does not accept."""
        commands = [[]]
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            for token in lexer:
                if re.fullmatch(r"[();<>|&]+", token):
                    commands.append([])
                elif commands[-1] or not re.fullmatch(r"\$|\w+=.*|sudo|time|do|then", token):
                    commands[-1] += token.split("=", 1) if token.startswith("--") else [token]
        except ValueError as error:
            return [f"{error}"] if re.match(r"[$ ]*glint ", line) else []
        return [fault for words in filter(None, commands) for fault in (*self.values(words), *self.names(*words))]

    def names(self, program, *words):
        words = words[2:] if words[:1] == ("--log-level",) else words
        words = words[:words.index("--")] if "--" in words else words  # The words behind "--" belong to another program.
        name = "" if not words or words[0].startswith("-") else "COMMAND" if PLACEHOLDER.search(words[0]) else words[0]
        if len(words) == 1 and name.endswith(".glint"):  # a project stands alone
            name = ""
        if pathlib.PurePath(program).name == "glint":
            yield from (f"`glint {name}` has no {word}" for word in words
                        if re.match(r"--?[a-zA-Z]", word) and word not in self.options.get(name, ()))
            yield from [f"there is no command '{name}'"] * (name not in self.options)

    def values(self, words):
        """Yields the faults in the values of --filter and --set. The program may be any that hands them on."""
        chain, any_key = {}, set().union(*self.filters.values())
        for value in (value for word, value in zip(words, words[1:]) if word == "--filter"):
            use, *rest = re.split(r":(?=[\w-]+=)", value)
            identity, _, name = use.rpartition("=")
            if not PLACEHOLDER.search(name):
                keys = chain[identity or name] = self.filters.get(name, set())
                yield from [f"there is no filter '{name}'"] * (not keys)
                yield from (f"'{name}' has no {part}" for part in rest if keys and part.split("=")[0] not in keys)
        for key in (value.partition("=")[0] for word, value in zip(words, words[1:]) if word == "--set"):
            of_filter = re.fullmatch(r"filter\.([^.]+)\.(.+)", key)
            known = of_filter[2] in chain.get(of_filter[1], any_key) if of_filter else re.sub(r"^(camera)\.\d+", r"\1", key) in self.settings
            yield from [f"there is no setting '{key}'"] * (not known and not PLACEHOLDER.search(key))


# The checks. Each of them yields its faults, one per line.


def dead_links(pages):
    anchors = {page.path: set(page.anchors()) for page in pages}
    for page in pages:
        yield from (f"{place}: {link} leads nowhere" for place, link, path in page.links()
                    if not (path in anchors or path.exists()) or ("#" in link and link.partition("#")[2] not in anchors.get(path, ())))


def unreachable_pages(pages):
    """Yields the pages to which no links lead from README.md."""
    links = {page.path: [path for _, _, path in page.links()] for page in pages}
    todo, seen = [ROOT / "README.md"], set()
    while todo:
        path = todo.pop()
        todo += links.get(path, []) if path not in seen else []
        seen.add(path)
    yield from (f"{page.name}: no page leads here" for page in pages if page.path not in seen)


WORDS = re.compile(r"\n### Words\n(.*?)(?=\n#)", re.S)  # The section of CONTRIBUTING.md with the table of words.


def phrases_of_table(text):
    """Returns what the table of words says not to use, as regular expressions, with what to use instead."""
    rows = re.findall(r"^\| *([^|]+?) *\| *([^|]+?) *\|$", WORDS.search(text)[1], re.M)[2:]
    return {r"s?\s+".join(map(re.escape, phrase.split())) + r"s?\b": use
            for use, phrases in rows for phrase in phrases.split(", ") if phrase not in ALSO_GOOD}


def phrases(texts, better):
    for name, text in texts.items():
        for phrase, instead in better.items():
            for match in re.finditer(r"\b(?:" + phrase.replace(" ", r"\s+") + ")", text, re.I):
                yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: '{' '.join(match[0].split())}'; better: {instead}"


def long_help(lines):
    lines = {text: place for place, text in reversed(list(lines))}  # Many commands share an option, which is named only once.
    yield from (f"{place}: {len(text)} characters: {text}" for text, place in reversed(lines.items()) if len(text) > MOST_HELP)


THROWN = re.compile(r"\b(?:throw [\w:]+|(?:Usage)?Error|fail|raise [\w.]+)\s*\(")  # The beginning of an error, with its opening parenthesis.
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def messages_of(text):
    """Yields offset and text of the string literals within the parentheses of errors. Neighbouring literals of C++ are one text."""
    for thrown in THROWN.finditer(text):
        at, depth, message = thrown.end(), 1, None
        while at < len(text) and depth > 0:
            if literal := LITERAL.match(text, at):
                message, at = (message or "") + literal[1], literal.end()
                continue
            if message is not None and not text[at].isspace():
                yield thrown.start(), message
                message = None
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1


def errors_with_full_stop(sources):
    """Yields the errors of source files that end with a full stop. A sentence that others may continue with "; ..." or "(see ...)" has none."""
    for name, text in sources.items():
        yield from (f"{name}:{text.count(chr(10), 0, offset) + 1}: {message}" for offset, message in messages_of(text)
                    if re.search(r"[^.\W]\.$", message) and " " in message)


def bad_commands(pages, program):
    yield from (f"{place}: {fault}: {line}" for page in pages for place, line in page.commands() for fault in program.faults(line))


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "examples/README.md"]
        cls.pages, cls.program = [Page(path.relative_to(ROOT).as_posix(), path.read_text()) for path in paths], Program()
        cls.table_of_words = (ROOT / "CONTRIBUTING.md").read_text()

    def assert_none(self, faults):
        if faults := list(faults):
            self.fail("\n" + "\n".join(faults))

    def test_links(self):
        self.assert_none(dead_links(self.pages))

    def test_every_page_is_reachable(self):
        self.assert_none(unreachable_pages(self.pages))

    def test_phrases(self):
        texts = {page.name: page.text for page in self.pages} | {"glint manual": self.program.manual}
        texts["CONTRIBUTING.md"] = WORDS.sub("\n", self.table_of_words)  # The table itself shows each phrase beside the better one.
        for path in sorted((ROOT / "shaders/filters").glob("*.comp")):
            texts[path.relative_to(ROOT).as_posix()] = re.sub(r"^//!", "", path.read_text(), flags=re.M)
        self.assert_none(phrases(texts, BETTER | phrases_of_table(self.table_of_words)))

    def test_lines_of_help(self):
        self.assert_none(long_help(self.program.lines_of_help()))

    def test_errors_end_without_full_stop(self):
        sources = {path.relative_to(ROOT).as_posix(): path.read_text() for folder in ("app", "bench", "config", "gpu", "python", "ui")
                   for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".cpp", ".h", ".py")}
        self.assertGreater(sum(1 for text in sources.values() for _ in messages_of(text)), 500)
        self.assert_none(errors_with_full_stop(sources))

    def test_commands(self):
        self.assert_none(bad_commands(self.pages, self.program))


class EachCheckCanFail(unittest.TestCase):
    """Bad samples beside good ones. A check must find exactly the bad ones."""

    def assert_faults(self, faults, *expected):
        self.assertEqual([re.sub(r"^docs/a\.md:?", "", fault) for fault in faults], list(expected))

    def page(self, text):
        return Page("docs/a.md", text)

    def test_links(self):
        text = "# A `b` & c\n# A `b` & c\n[x](#a-b--c-1) [x](#a-b)\n[x](b.md) ![x](../README.md#x)\n```\n[x](c.md)\n```\n`[x](c.md)` <https://x.y>\n"
        self.assert_faults(dead_links([self.page(text)]), "3: #a-b leads nowhere", "4: b.md leads nowhere", "4: ../README.md#x leads nowhere")

    def test_unreachable_pages(self):
        pages = [Page("README.md", "[x](docs/b.md)"), Page("docs/b.md", "[x](../README.md)"), self.page("[x](a.md)")]
        self.assert_faults(unreachable_pages(pages), " no page leads here")

    def test_phrases(self):
        table = "| use | not |\n|---|---|\n| parts | kit, in a kit |\n| go into | belong into |\n"
        words = phrases_of_table(f"\n## A\n| a | b c |\n### Words\n\n{table}\n## C\n| d | e f |\n")
        text = {"docs/a.md": "Kits, a Kit. It\nbelongs into\nb c. We found 30 all,\nof lettering. Tells `x`\n"}
        self.assert_faults(phrases(text, BETTER | words), "3: 'found 30 all'; better: found all N", "4: 'Tells `'; better: reports `",
                           "1: 'Kits'; better: parts", "1: 'Kit'; better: parts", "2: 'belongs into'; better: go into")

    def test_errors_end_without_full_stop(self):
        text = """throw Error("{} is bad; rename "
            "it.", name(a, "x"));
            throw UsageError(format("{}: (no) stop; see {}", a));
            raise ValueError(f"no text.") from None
            text = "A full stop.";
            Error("wait ...")"""
        self.assert_faults(errors_with_full_stop({"docs/a.md": text}), "1: {} is bad; rename it.", "4: no text.")

    def test_table_has_phrases(self):
        found = phrases({"": "They belong into it, whatever goes wrong."}, phrases_of_table((ROOT / "CONTRIBUTING.md").read_text()))
        self.assertEqual(len(list(found)), 2)

    def test_lines_of_help(self):
        column = " " * 30
        help_text = f"About\nUsage: x\n\nOptions:\n  -h,--help{' ' * 19}{'h' * 81}\n  --fits{' ' * 22}{'f' * 80}\n" \
                    f"  --long Excludes: --other-option\n{column}{'l' * 82}\n\nTable:\n{column}{'t' * 99}\n"
        lines = [("glint", line) for line in lines_of_help(help_text)] * 2
        self.assert_faults(long_help(lines), f"glint: 81 characters: {'h' * 81}", f"glint: 82 characters: {'l' * 82}")
        self.assertGreater(len(list(Program().lines_of_help())), 200)
        manual = f".TP\n\\fBa.b\\fR = 1\n{'s' * 81}.\n.br\n{'d' * 99}.\nAllowed: x.\n.TP\n\\fBa.c\\fR = 1\nFits.\n"
        self.assert_faults(long_help(lines_of_settings(manual).items()), f"a.b: 81 characters: {'s' * 81}")

    def test_commands(self):
        good = "glint track a.mp4 --set detect.separation=8 --filter smooth=gaussian:sigma=2 \\\n  -o b.csv --set camera.1.exposure=5; glint b.glint"
        self.assert_faults(bad_commands([self.page(f"```\n{good}\n```\n`glint filters NAME` and\n```cpp\nglint no\n```\n")], Program()))
        bad = "$ glint trak a\nglint eval \\\n  --sett a.b=1\nX=1 build/glint track a --set detect.no=1 --filter gausian --filter gaussian:no=1\n"
        self.assertEqual([fault.split(":")[2] for fault in bad_commands([self.page(f"```sh\n{bad}```\n`glint track -z`\n")], Program())],
                         [" there is no command 'trak'", " `glint eval` has no --sett", " there is no filter 'gausian'",
                          " 'gaussian' has no no=1", " there is no setting 'detect.no'", " `glint track` has no -z"])


if __name__ == "__main__":
    unittest.main()
