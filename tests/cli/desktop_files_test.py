"""Tests what desktops and shells use of Glint: completions, the manual, the entry of the menu, and where these are installed."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from harness import Folder, glint

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


def run(*command, **keywords):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **keywords)
    if result.returncode != 0:
        raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout


@functools.cache
def helped():
    """Returns every subcommand with the long options that its own help lists."""
    text = glint("--help", cwd="/").stdout
    names = re.findall(r"^  ([a-z]+) ", text.split("Subcommands:")[1], re.M)
    assert len(names) > 8, names
    options = {name: glint(name, "--help", cwd="/").stdout for name in names}
    return {name: sorted(set(re.findall(r"^  (?:-\w,)?(--[a-z][a-z-]*)", text, re.M)))
            for name, text in options.items()}


class Completion(Folder):
    """Completions as the shells themselves offer them."""

    def bash(self, *words):
        script = self.dir / "completion"
        if not script.exists():
            script.write_text(self.glint("completion", "bash").stdout)
        line = " ".join(f"'{word}'" for word in ("glint", *words))
        return run("bash", "--norc", "-c", f"source {script}; COMP_WORDS=({line}); "
                   f"COMP_CWORD={len(words)}; _glint; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                   cwd=self.dir).split()

    def test_bash_offers_every_option_that_the_help_has(self):
        commands = helped()
        self.assertEqual(sorted(self.bash("")), sorted(commands))
        for name, options in commands.items():
            self.assertLessEqual(set(options), set(self.bash(name, "--")), name)

    def test_bash_offers_values(self):
        (self.dir / "my clip.mp4").touch()
        (self.dir / "other.mp4").touch()
        self.assertEqual(self.bash("tr"), ["track"])
        self.assertEqual(self.bash("track", "--set", "detect.sep"), ["detect.separation="])
        self.assertEqual(self.bash("track", "--format", "track"), ["trackpy", "trackmate"])
        self.assertEqual(self.bash("--log-level", "w"), ["warning"])
        self.assertEqual(self.bash("track", "--stream", "o"), ["osc:", "osc-space:", "opentrack"])
        self.assertEqual(set(self.bash("live", "--stream", "")), {"osc:", "osc-space:", "udp:", "natnet", "opentrack", "-"})
        self.assertEqual(self.bash("track", "oth"), ["other.mp4"])
        self.assertEqual(self.bash("track", "-o", "oth"), ["other.mp4"])
        for option in ("-o", "--nearest", "--slice"):
            self.assertEqual(self.bash("distance", option, "oth"), ["other.mp4"])
        self.assertEqual(self.bash("track", "--control-folder", "oth"), ["other.mp4"])
        self.assertEqual(" ".join(self.bash("track", "my")), "my clip.mp4")
        self.assertEqual(self.bash("completion", "z"), ["zsh"])
        self.assertEqual(self.bash("track", "--frames", ""), [])

    def test_bash_offers_files_for_every_output(self):
        (self.dir / "other.mp4").touch()
        commands = [name for name, options in helped().items() if "--output" in options]
        self.assertGreater(len(commands), 10)
        for name in commands:
            for option in ("-o", "--output"):
                self.assertEqual(self.bash(name, option, "oth"), ["other.mp4"], name)

    @needs("fish")
    def test_fish_offers_every_option_that_the_help_has(self):
        script = self.dir / "completion.fish"
        script.write_text(self.glint("completion", "fish").stdout)
        home = {**os.environ, "HOME": str(self.dir), "XDG_CONFIG_HOME": str(self.dir)}

        def offers(line):
            text = run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'",
                       cwd=self.dir, env=home)
            return {line.split("\t")[0] for line in text.splitlines()}

        commands = helped()
        self.assertLessEqual(set(commands), offers("glint "))
        for name, options in commands.items():
            self.assertLessEqual(set(options), offers(f"glint {name} --"), name)
        self.assertEqual(offers("glint track --set detect.sep"), {"detect.separation="})
        self.assertLessEqual({"osc:", "natnet"}, offers("glint track --stream "))

    @needs("zsh")
    def test_zsh_reads_it_and_it_names_every_option_that_the_help_has(self):
        script = self.dir / "_glint"
        script.write_text(self.glint("completion", "zsh").stdout)
        run("zsh", "-f", "-n", str(script))
        run("zsh", "-f", "-c", f"autoload -U compinit; compinit -D -u; source {script}; "
            "[[ $_comps[glint] = _glint ]]", cwd=self.dir)
        text = script.read_text()
        for name, options in helped().items():
            part = text.split(f"\n    {name})\n")[1].split(" ;;")[0]
            for option in options:
                self.assertRegex(part, rf"'\*?{option}\[")

    def test_other_shells_are_refused(self):
        self.assertIn("csh", self.glint("completion", "csh", status=2).stderr)


class Manual(Folder):
    def test_it_has_every_command_option_and_setting(self):
        page = self.glint("manual").stdout
        plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        for name, options in helped().items():
            section = plain.split(f"\n.SS {name}\n")[1].split("\n.SS ")[0]
            for option in options:
                if option != "--help":
                    self.assertRegex(section, rf"(?m)^(-\w, )?{option}\b")
        self.assertIn("\n.SH OPTIONS OF SEVERAL COMMANDS\n", page)
        entries = re.findall(r"(?m)^\.TP\n(\\fB\\-.*\n(?:[^.].*\n|\.br\n)*)", page)
        self.assertEqual(sorted(set(entries)), sorted(entries), "an option is described once")
        for key in re.findall(r"(?m)^(\w+) = ", self.glint("settings").stdout):
            self.assertIn(f".{key} = ", plain)

    def test_every_help_is_one_line_of_at_most_80_characters(self):
        helps = re.findall(r" -d '((?:[^'\\]|\\.)*)'", self.glint("completion", "fish").stdout)
        settings = re.findall(r"(?m)^(?:\n|\[\w+\]\n|\w+ = .*\n)# (.*) \(.*\)$", self.glint("settings").stdout)
        self.assertGreater(len(helps), 100)
        self.assertGreater(len(settings), 30)
        for text in helps + settings:
            self.assertLessEqual(len(text), 80, text)

    @needs("man")
    def test_man_has_nothing_to_complain_of(self):
        (self.dir / "glint.1").write_text(self.glint("manual").stdout)
        result = subprocess.run(["man", "--warnings", "-l", "glint.1"], cwd=self.dir, text=True,
                                capture_output=True, timeout=300,
                                env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("glint - finds and tracks", re.sub(".\b", "", result.stdout))


class Desktop(Folder):
    @needs("desktop-file-validate")
    def test_the_menu_entries_are_valid(self):
        for entry in ("org.glint.Glint.desktop", "org.glint.Glint.Open.desktop"):
            self.assertEqual(run("desktop-file-validate", ROOT / "packaging" / entry), "")

    @needs("appstreamcli")
    def test_the_metadata_are_valid(self):
        run("appstreamcli", "validate", "--no-net", BUILD / "desktop/org.glint.Glint.metainfo.xml")

    def test_the_menu_entries_run_commands_that_there_are(self):
        for entry, exec_line in (("org.glint.Glint.desktop", "glint"), ("org.glint.Glint.Open.desktop", "glint replay %F")):
            text = (ROOT / "packaging" / entry).read_text()
            self.assertIn(f"\nExec={exec_line}\n", text)

    def test_an_installation_has_them_in_their_places(self):
        run("cmake", "--install", BUILD, "--prefix", self.dir)
        for place in ("bin/glint",
                      "share/applications/org.glint.Glint.desktop",
                      "share/applications/org.glint.Glint.Open.desktop",
                      "share/icons/hicolor/scalable/apps/org.glint.Glint.svg",
                      "share/metainfo/org.glint.Glint.metainfo.xml",
                      "share/man/man1/glint.1",
                      "share/bash-completion/completions/glint",
                      "share/fish/vendor_completions.d/glint.fish",
                      "share/zsh/site-functions/_glint",
                      "share/zsh/vendor-completions/_glint"):
            self.assertGreater((self.dir / place).stat().st_size, 200, place)
        # The installed files are what this program prints.
        self.assertEqual(self.text("share/man/man1/glint.1"), self.glint("manual").stdout)
        self.assertEqual(self.text("share/bash-completion/completions/glint"),
                         self.glint("completion", "bash").stdout)


if __name__ == "__main__":
    unittest.main()
