"""Tests that no run overwrites its own inputs: every input and output of every command, by every name that leads to the file.

The lists of options, formats and inputs of filters come from the program. The test fails if one of them is not listed here as a file or as no file.
GLINT_TEST_SHARE=N tries only one in N of the pairs of an input and an output, as CI does.

usage: files_test.py GLINT [unittest arguments]
"""

import functools
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import tomllib
import unittest

from harness import GLINT, TIMEOUT, Folder, asking, glint, wait_until

SHARE = int(os.environ.get("GLINT_TEST_SHARE", 1))


def share(pairs):
    pairs = list(pairs)
    random.Random(24).shuffle(pairs)
    return pairs[::SHARE]


SCENE = "spots?size=64x48&markers=3&frames=3"
TINY = "synth:" + SCENE
ENDLESS = "spots?size=64x48&markers=3&frames=1000000000"

# The files that options of the commands name. "in" stands for files that are read, of the kinds in INPUTS.
IN, NONE = "in", None
OPTIONS = {
    "sources": IN, "source": IN, "--config": IN, "--edits": IN, "--set": IN, "--filter": IN, "--filter-dir": IN, "--loop": IN,
    "--control-token": IN, "--intrinsics": IN, "--sync": IN, "--truth3d": (".csv",), "--rig": (".toml",),
    "--detections": (".csv",), "--stats": (".csv",), "--rejected": (".csv",), "--picture": (".png", ".jpg"),
    "--overlay": (".mp4", ".mkv", ".avi"), "--record": (".mkv",), "--truth": (".csv",), "--json": (".json",),
    "--points": (".csv", ".c3d"), "--rejected-points": (".csv",), "--poses": (".csv", ".motive.csv"), "--bodies": IN, "--learn": IN,
    "--refine-rig": (".toml",), "--truth-poses": (".csv",),
    "--nearest": (".npy",), "--slice": (".png",), "--report": (".html",),
    **dict.fromkeys(["--log-level", "--format", "--pre-roll", "--picture-frame", "--from", "--frames", "--region",
                     "--ignore", "--stream", "--control", "--control-folder", "--wand", "--distance", "--offset", "--lens",
                     "--fix", "--camera", "--rig-cameras", "--rate", "--origin", "--up", "--from-up", "--unit", "--sigma", "--board",
                     "--scale", "--marker-radius", "--device", "--speed", "--share", "--grow", "--plane", "--quality", "--radius",
                     "--threads", "--size", "--layers", "--markers", "--bits", "--only", "--side", "--seconds",
                     "--metric", "--name", "--over", "--pick", "--profile", "--threshold", "--label", "--spacing", "--as", "--shape", "--type"], NONE)}
OF_COMMANDS = {
    ("filter", "--output"): (".mkv", ".png"), ("mask", "--output"): (".png",), ("probe", "--output"): (".png",),
    ("report", "--output"): (".html",), ("synth", "--output"): (".mkv", ".png"),
    ("distance", "--output"): (".npy", ".tif", ".nrrd", ".mha", ".mhd", ".raw", ".png"),
    ("report", "tracks"): IN, ("report", "--stats"): IN, ("eval", "tracks"): IN, ("eval", "truth"): IN,
    ("calibrate", "--detections"): IN, ("calibrate", "--output"): (".toml",), ("rig", "rig"): IN, ("rig", "--output"): (".toml",),
    **{(command, "--rig"): IN for command in ("track", "replay", "live", "reconstruct")},
    ("synth", "--bodies"): (".toml",), ("reconstruct", "--detections"): IN, ("bodies", "bodies"): IN, ("bodies", "--points"): NONE,
    ("bodies", "--output"): (".toml",), ("distance", "volume"): IN, ("synth", "scene"): NONE, ("completion", "shell"): NONE,
    ("sweep", "--output"): (".csv",), ("sweep", "--truth"): IN, ("batch", "source"): NONE, ("batch", "snakemake"): NONE, ("batch", "--output"): NONE,
    ("sync", "--detections"): IN, ("sync", "--rig"): IN, ("sync", "--output"): (".csv",),
    ("link", "detections"): IN, ("link", "--output"): (".csv",),
    ("convert", "from"): IN, ("convert", "to"): (".c3d",), ("filters", "name"): NONE, ("cameras", "name"): NONE}
# How filters name files, as `glint filters` says it.
FORMS = {"input": ("blend:over=file:{}", "over.png"), "marks": ("hot_pixel:marked=file:{}", "marks.csv"),
         "colours": ("lookup:table=file:{}", "table.cube"), "pattern": ("template:look=file:{}#1", "look.mkv")}
# Settings that are texts. True if the text names a file.
TEXTS = {"detect.mask": True, "detect.region": False, "detect.ignore": False, "device.name": False,
         "camera.controls": False, "camera.size": False, "camera.format": False}


@functools.cache
def commands():
    """Returns for every command its positionals and the options that take a value, by their long names."""
    page = subprocess.run([GLINT, "manual"], text=True, capture_output=True, timeout=TIMEOUT, check=True).stdout
    page = page.replace("\\-", "-")
    found = {}
    for section in page.split("\n.SS ")[1:]:
        section = section.split("\n.SH ")[0]
        found[section.split("\n", 1)[0]] = entries(section)
    return found


def entries(section):
    names = []
    for line in re.findall(r"^(\\fB-.*)$", section, re.M):  # the entries, and then the names of the options that other commands have, too
        options = re.findall(r"\\fB(-[^\\]*)\\fR", line)
        if options and "\\fI" in line:
            names.append(options[-1])
    return names


def positionals(command):
    """Returns the positionals of a command, as its help lists them."""
    help_ = subprocess.run([GLINT, command, "--help"], text=True, capture_output=True, timeout=TIMEOUT, check=True).stdout
    part = re.search(r"^Positionals:\n((?:  .*\n| +.*\n)*)", help_, re.M)
    return re.findall(r"^  (\w+)", part.group(1), re.M) if part else []


def kind_of(command, option):
    if (command, option) in OF_COMMANDS:
        return OF_COMMANDS[command, option]
    if command in ("track", "replay", "live") and option == "--output":
        return track_suffixes()
    if option not in OPTIONS:
        raise AssertionError(f"say in files_test.py whether {option} of glint {command} names a file")
    return OPTIONS[option]


@functools.cache
def track_suffixes():
    text = subprocess.run([GLINT, "track", "--help"], text=True, capture_output=True, timeout=TIMEOUT, check=True).stdout
    return tuple(re.findall(r"(?<![\w.])(\.[a-z0-9.]+)", text.split("Formats of tracks and their suffixes:")[1]))


def outputs_of(command):
    """Yields an option, its suffix, and what must be protected as well: a suffix that replaces the output's suffix or is added to it."""
    for option in commands()[command]:
        kind = kind_of(command, option)
        for suffix in kind if isinstance(kind, tuple) else ():
            yield option, suffix, suffix
            if command == "track" and option == "--output":
                if suffix.count(".") == 1:
                    yield option, suffix, ".json"  # This is the record of the run.
                if spools(suffix):
                    yield option, suffix, suffix + ".rows"
            if spools(suffix) and option in ("--points", "--poses"):
                yield option, suffix, suffix + ".rows"
            if command == "calibrate" and option == "--output":
                yield option, suffix, ".json"
            if suffix == ".mhd":
                yield option, suffix, ".zraw"


def spools(suffix):
    return suffix in (".tsv", ".kinovea.csv", ".c3d", ".motive.csv")


HERE = os.path.dirname(os.path.abspath(__file__))
CUBE = "LUT_3D_SIZE 2\n" + "".join(f"{r} {g} {b}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1))


class Everything(Folder):
    """A folder with a file of every kind that is read."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dir, cls.numbers = pathlib.Path(folder.name), itertools.count()
        cls.make()
        cls.before = {path: path.read_bytes() for path in cls.dir.rglob("*") if path.is_file()}

    def setUp(self):
        pass  # All tests share one folder, because nothing in it changes.

    @classmethod
    def make(cls):
        for name in ("clip.mkv", "look.mkv", "shots"):
            glint("synth", SCENE, "-o", name, cwd=cls.dir)
        shutil.copy(cls.dir / "shots/frame_000000.png", cls.dir / "one.png")
        shutil.copy(cls.dir / "one.png", cls.dir / "over.png")
        (cls.dir / "table.cube").write_text(CUBE)
        for name in ("m.png", "m0.png", "m1.png"):
            glint("mask", TINY, "-o", name, cwd=cls.dir)
        (cls.dir / "token.txt").write_text("a token of this test\n")
        (cls.dir / "clip.glint.json").write_text('{"glint_edits":1,"edits":[]}')
        (cls.dir / "mine").mkdir()
        shutil.copy(os.path.join(HERE, "../filters/own/good/my_stripes.comp"), cls.dir / "mine/own.comp")
        glint("track", TINY, "-o", "t.csv", "--stats", "stats.csv", "--record", "raw.mkv", cwd=cls.dir)
        shutil.copy(cls.dir / "stats.csv", cls.dir / "s.csv")
        shutil.copy(cls.dir / "t.csv", cls.dir / "marks.csv")
        (cls.dir / "s.toml").write_text(glint("settings", cwd=cls.dir).stdout)
        (cls.dir / "named.toml").write_text('[detect]\nmask = "m.png"\n[[filter]]\nuse = "blend"\nover = "file:over.png"\n')
        volume = bytes(i % 3 == 0 for i in range(4 * 5 * 6))
        (cls.dir / "v.raw").write_bytes(volume)
        (cls.dir / "v.nhdr").write_text("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 5 6\nencoding: raw\ndata file: v.raw\n")
        (cls.dir / "v.mhd").write_text("ObjectType = Image\nNDims = 3\nDimSize = 4 5 6\nElementType = MET_UCHAR\nElementDataFile = v.raw\n")
        os.symlink(".", cls.dir / "round")

    def whole(self):
        for path, content in self.before.items():
            self.assertEqual(path.read_bytes(), content, path)

    # Arguments that make a run read a file, and that file.

    def sources(self):
        return [(["clip.mkv"], "clip.mkv"), (["file:clip.mkv"], "clip.mkv"), (["one.png"], "one.png"),
                (["shots"], "shots/frame_000001.png"), (["shots?fps=5"], "shots/frame_000001.png"),
                (["shots/frame_%06d.png"], "shots/frame_000002.png")]

    def inputs(self, command):
        options, given = commands()[command], []
        if command == "report":
            return [(["t.csv"], "t.csv"), (["t.csv"], "t.json"), (["t.csv"], "stats.csv"), (["t.csv", "--stats", "s.csv"], "s.csv")]
        if command == "calibrate":
            points = ["--point", "--size", "64x48", "--detections", "t.csv"]
            given = [(points, "t.csv"), ([*points, "--intrinsics", "s.toml"], "s.toml")]
            given += [(["--point", *a], file) for a, file in self.sources()]
            return given + [(["--point", TINY, "--config", config], file) for config, file in
                            (("s.toml", "s.toml"), ("named.toml", "m.png"))]
        if command == "rig":
            return [(["s.toml"], "s.toml")]
        if command == "reconstruct":
            rig = ["--rig", "s.toml", "--detections"]
            return [([*rig, "t.csv"], "t.csv"), ([*rig, "t.csv"], "s.toml"), ([*rig, "marks.csv", "t.csv"], "marks.csv"),
                    ([*rig, "t.csv", "--config", "named.toml"], "named.toml"),
                    ([*rig, "t.csv", "--bodies", "marks.csv"], "marks.csv")]
        if command == "sync":
            return [(["--detections", "t.csv", "--rig", "s.toml"], "t.csv"), (["--detections", "t.csv", "--rig", "s.toml"], "s.toml")]
        if command == "link":
            return [(["t.csv"], "t.csv"), (["t.csv", "--config", "named.toml"], "named.toml")]
        if command == "bodies":
            return [(["--learn", "t.csv"], "t.csv")]
        if command == "distance":
            return [(["one.png"], "one.png"), (["v.nhdr"], "v.nhdr"), (["v.nhdr"], "v.raw"), (["v.mhd"], "v.mhd"),
                    (["v.mhd"], "v.raw"), (["shots"], "shots/frame_000001.png"),
                    (["v.raw", "--shape", "4,5,6", "--type", "u8"], "v.raw")]
        source = [] if "--loop" in options else [TINY]
        if command != "synth":
            given += [(["--loop", *a] if "--loop" in options else a, file) for a, file in self.sources()]
        if "--config" in options:
            given += [([*source, "--config", config], file) for config, file in
                      (("s.toml", "s.toml"), ("raw.mkv", "raw.mkv"), ("named.toml", "m.png"), ("named.toml", "over.png"))]
        if "--set" in options:
            given += [([*source, "--set", "detect.mask=m.png"], "m.png")] if source else []
            given += [([*source, "--set", "detect.mask=m%d.png"], "m0.png")] if source else []
        if "--filter" in options:
            given += [([*source, "--filter", form.format(file)], file) for form, file in FORMS.values()]
        if "--edits" in options:
            given += [([*source, "--edits", "clip.glint.json"], "clip.glint.json")]
        if "--control-token" in options:
            given += [([*source, "--control", "udp:9", "--control-token", "token.txt"], "token.txt")]
        if "--rig" in options and command == "track":
            given += [([*source, "--rig", "s.toml"], "s.toml"), ([*source, "--rig", "t.json", "--bodies", "s.csv"], "s.csv")]
        if "--filter-dir" in options:
            given += [([*source, "--filter-dir", "mine"], "mine/own.comp")]
        if command == "sweep":
            given = [([*arguments, "--over", "track.gate=3,4"], file) for arguments, file in [*given, ([*source, "--truth", "marks.csv"], "marks.csv")]]
        return given

    def names(self, file, suffix):
        """Yields another name of a file that ends with the suffix, of each kind in turn. If the file's own name ends so, it is yielded, too."""
        number = next(self.numbers)
        way = ("link", "hard", "round")[number % 3]  # "round" leads through another folder's name.
        name = f"{way}{number}"
        if way == "link":
            os.symlink(file, self.dir / (name + suffix))
        else:
            os.link(self.dir / file, self.dir / (name + suffix))
        yield ("./round/" if way == "round" else "") + name, suffix
        os.unlink(self.dir / (name + suffix))
        if file.endswith(suffix):
            yield file[:-len(suffix)], suffix


class Lists(unittest.TestCase):
    def test_every_option_is_known_to_be_a_file_or_none(self):
        for command, options in commands().items():
            for option in (*options, *positionals(command)):
                kind_of(command, option)
        for window in ("replay", "live"):  # These commands have the same outputs, which the same code checks.
            self.assertEqual(set(commands()[window]) - set(commands()["track"]), {"--speed"})
        reading = {command for command in commands() if any(kind_of(command, o) == IN for o in
                                                            (*commands()[command], *positionals(command)))}
        writing = {command for command in commands() if any(isinstance(kind_of(command, o), tuple)
                                                            for o in commands()[command])}
        self.assertEqual(reading & writing - {"replay", "live"}, set(Overwriting.COMMANDS))

    def test_every_setting_and_every_input_of_a_filter_is_known(self):
        settings = subprocess.run([GLINT, "settings"], text=True, capture_output=True, timeout=TIMEOUT, check=True).stdout
        texts, section, is_text = set(), "", False
        for line in settings.splitlines():
            section = line[1:-1] if line.startswith("[") else section
            if line.startswith("#"):
                is_text = is_text or line.endswith("(text)")
            elif is_text:
                texts.add(f"{section}.{line.split(' =')[0]}")
                is_text = False
        self.assertEqual(texts, set(TEXTS))
        with open(os.path.join(HERE, "../../config/filter_head.cpp")) as head:
            forms = re.findall(r'\{"(\w+)", addInput<Input::Form::', head.read())
        self.assertEqual(set(forms), set(FORMS) - {"marks"})  # These include the forms of an "input".


class Results(Folder):
    """Every output of the commands that work first and write at their end."""

    def setUp(self):
        super().setUp()
        self.glint("synth", "wand?size=160x120&cameras=4&frames=400", "-o", "w.mkv", "--truth", "w.csv", "--rig", "rig.toml")
        (self.dir / "p.csv").write_text("frame,point,x_mm,y_mm,z_mm,state,sigma_x,sigma_y,sigma_z,cov_xy,cov_xz,cov_yz\n" + "".join(
            f"{frame},{point},{x + 10 * frame},{y},{9 * frame},measured,1,1,1,0,0,0\n"
            for frame in range(60) for point, x, y in ((1, 0, 0), (2, 100, 0), (3, 0, 150))))
        self.glint("synth", SCENE, "-o", "clip.mkv")
        self.glint("track", "clip.mkv", "-o", "t.csv")
        (self.dir / "v.raw").write_bytes(bytes(i % 3 == 0 for i in range(4 * 5 * 6)))
        (self.dir / "v.nhdr").write_text("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 5 6\nencoding: raw\ndata file: v.raw\n")
        # Arguments, and the options of outputs with a suffix for each. The first ones are always needed.
        endless = "synth:" + ENDLESS
        self.commands = [
            (["sweep", endless, "--over", "track.gate=3,4"], {"-o": ".csv", "--picture": ".png"}),
            (["mask", endless], {"-o": ".png"}),
            (["calibrate", "--detections", "w.csv", "--size", "160x120", "--wand", "500"], {"-o": ".toml", "--report": ".html"}),
            (["calibrate", endless, endless, "--point"], {"-o": ".toml", "--report": ".html"}),
            (["probe", "clip.mkv"], {"-o": ".png"}),
            (["reconstruct", "--rig", "rig.toml", "--detections", "w.csv", "--rate", "50"],
             {"--points": ".csv", "--rejected-points": ".csv", "--refine-rig": ".toml"}),
            (["bodies", "--learn", "p.csv", "--points", "1,2,3"], {"-o": ".toml"}),
            (["report", "t.csv"], {"-o": ".html"}),
            (["rig", "rig.toml", "--scale", "2"], {"-o": ".toml"}),
            (["distance", "v.nhdr"], {"-o": ".npy", "--nearest": ".npy", "--slice": ".png"}),
            (["filter", "clip.mkv", "--filter", "invert"], {"-o": ".mkv"}),
            (["track", endless], {"-o": ".csv", "--picture": ".png", "--stats": ".csv"}),
            (["synth", ENDLESS], {"-o": ".mkv", "--truth": ".csv"})]

    def test_what_cannot_be_written_is_told_before_any_work(self):
        (self.dir / "old").mkdir()
        (self.dir / "old").chmod(0o777)
        (self.dir / "plain").write_text("a file\n")
        locked = self.dir / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        for _, options in self.commands:
            for suffix in options.values():
                (self.dir / "old" / ("folder" + suffix)).mkdir(exist_ok=True)
                (self.dir / ("protected" + suffix)).write_text("earlier")
                (self.dir / ("protected" + suffix)).chmod(0o444)
        self.dir.chmod(0o777)
        before = sorted(self.dir.rglob("*"))
        for arguments, options in self.commands:
            for option, suffix in options.items():
                others = [text for other, ending in options.items() if other != option for text in (other, "new" + other + ending)]
                for name, words in (("none/x" + suffix, "there is no folder 'none'"), ("old/folder" + suffix, "it is a folder"),
                                    ("x" * 255 + suffix, "File name too long"), ("plain/x" + suffix, "Not a directory"),
                                    ("locked/x" + suffix, "the folder 'locked' is not writable"),
                                    ("protected" + suffix, "Permission denied")):
                    with self.subTest(command=arguments[0], option=option, name=name):
                        result = self.glint(*arguments, option, name, *others, status=1,
                                            **({"user": 65534} if os.geteuid() == 0 else {}))
                        self.assertIn(f"cannot write '{name}': ", result.stderr)
                        self.assertIn(words, result.stderr)
                        self.assertEqual(result.stdout, "")
                        self.assertEqual(sorted(self.dir.rglob("*")), before)

    def test_standard_output_holds_the_result_alone(self):
        for arguments, options in self.commands:
            if ENDLESS in arguments[1] or arguments[0] == "filter":
                continue
            for option, suffix in options.items():
                os.symlink("/dev/stdout", self.dir / ("out" + suffix))
                others = [text for other, ending in options.items() if other != option for text in (other, "new" + other + ending)]
                self.glint(*arguments, option, "out" + suffix + ".file" + suffix, *others)
                with open(self.dir / "printed", "wb") as file:
                    self.glint(*arguments, option, "out" + suffix, *others, stdout=file)
                expected, printed = ((self.dir / name).read_bytes() for name in ("out" + suffix + ".file" + suffix, "printed"))
                if option == "--report":  # it names the rig
                    self.assertTrue(printed.startswith(expected[:40]) and printed.endswith(expected[-40:]), arguments)
                elif arguments[0] == "calibrate":  # its last decimals depend on the threads
                    self.assertEqual(*(list(tomllib.loads(rig.decode())) for rig in (printed, expected)))
                else:
                    self.assertEqual(printed, expected, (arguments, option))
                os.unlink(self.dir / ("out" + suffix))

    def test_words_come_before_a_full_disk(self):
        os.symlink("/dev/full", self.dir / "full.toml")
        result = subprocess.run([GLINT, *self.commands[2][0], "-o", "full.toml"], cwd=self.dir, text=True, capture_output=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write 'full.toml': No space left", result.stderr)
        self.assertIn("4 cameras", result.stdout)


class Overwriting(Everything):
    COMMANDS = ("track", "filter", "mask", "probe", "bench", "report", "distance", "calibrate", "rig", "reconstruct", "bodies", "sweep", "link", "sync")

    def refuse(self, command, arguments, file, named):
        with self.subTest(command=command, arguments=arguments, file=file):
            result = glint(command, *arguments, cwd=self.dir, status=2)
            self.assertIn(f"'{named}' is read by this run", result.stderr)
            self.assertEqual((self.dir / file).read_bytes(), self.before[self.dir / file])

    def check(self, command):
        for (reads, file), (option, suffix, protected) in share(itertools.product(self.inputs(command), outputs_of(command))):
            for stem, ending in self.names(file, protected):
                if command == "reconstruct":
                    others = [] if option == "--points" else ["--points", "new.csv"]
                else:
                    others = [] if option == "--output" or command in ("track", "bench") else ["-o", "new" + self.usual(command)]
                if command == "track" and option in ("--points", "--rejected-points", "--poses", "--refine-rig") and "--rig" not in reads:
                    others = ["--rig", "t.json"]
                self.refuse(command, [*reads, option, stem + suffix, *others], file, stem + ending)
        self.whole()

    def usual(self, command):
        return OF_COMMANDS[command, "--output"][0]

    def test_track(self):
        self.check("track")

    def test_filter(self):
        self.check("filter")

    def test_mask(self):
        self.check("mask")

    def test_probe(self):
        self.check("probe")

    def test_bench(self):
        self.check("bench")

    def test_report(self):
        self.check("report")

    def test_calibrate(self):
        self.check("calibrate")

    def test_reconstruct(self):
        self.check("reconstruct")

    def test_bodies(self):
        self.check("bodies")

    def test_link(self):
        self.check("link")

    def test_sync(self):
        self.check("sync")

    def test_rig(self):
        self.check("rig")
        os.mkdir(self.dir / "colmap")
        os.symlink("../s.toml", self.dir / "colmap/images.txt")
        self.refuse("rig", ["s.toml", "--as", "colmap", "-o", "colmap"], "s.toml", "colmap/images.txt")

    def test_sweep(self):
        self.check("sweep")

    def test_distance(self):
        self.check("distance")
        os.symlink("shots", self.dir / "planes")
        for output in ("shots", "planes", "shots/"):
            self.refuse("distance", ["shots", "-o", output], "shots/frame_000001.png", output)
        (self.dir / "new.part").mkdir()  # This folder belongs to somebody else.
        (self.dir / "new.part/file").write_text("mine")
        self.glint("distance", "shots", "-o", "new")
        self.assertEqual(self.text("new.part/file"), "mine")

    def test_files_of_several_cameras(self):
        for option, suffix in (("-o", ".csv"), ("--record", ".mkv")):
            os.symlink("clip.mkv", self.dir / ("a_cam1" + suffix))
        self.refuse("track", [TINY, "clip.mkv", "--record", "a.mkv"], "clip.mkv", "a_cam1.mkv")
        os.symlink("m1.png", self.dir / "b_cam0.png")
        self.refuse("mask", [TINY, TINY, "--set", "detect.mask=m%d.png", "-o", "b.png"], "m1.png", "b_cam0.png")

    def test_what_lists_name(self):
        """A recording may be a list of others, and these may be lists again."""
        (self.dir / "l.ffconcat").write_text("ffconcat version 1.0\nfile clip.mkv\n")
        (self.dir / "quoted.ffconcat").write_text("ffconcat version 1.0\nfile 'clip'\\''s.mkv'\n")
        shutil.copy(self.dir / "clip.mkv", self.dir / "clip's.mkv")
        (self.dir / "outer.ffconcat").write_text("ffconcat version 1.0\nfile l.ffconcat\n")
        (self.dir / "p.m3u8").write_text('#EXTM3U\n#EXT-X-MAP:URI="look.mkv"\n#EXTINF:1,\nclip.mkv\n#EXT-X-ENDLIST\n')
        (self.dir / "d.mpd").write_text("<?xml version='1.0'?>\n<MPD><BaseURL>clip.mkv</BaseURL></MPD>\n")
        for file in ("clip's.mkv", "l.ffconcat"):
            self.before[self.dir / file] = (self.dir / file).read_bytes()
        for arguments, file in ((["l.ffconcat"], "clip.mkv"), (["file:l.ffconcat"], "clip.mkv"), (["quoted.ffconcat"], "clip's.mkv"),
                                (["outer.ffconcat"], "clip.mkv"), (["outer.ffconcat"], "l.ffconcat"), (["p.m3u8"], "clip.mkv"),
                                (["p.m3u8"], "look.mkv"), (["d.mpd"], "clip.mkv"),
                                ([TINY, "--filter", "template:look=file:l.ffconcat#1"], "clip.mkv")):
            for stem, ending in self.names(file, ".mkv"):
                self.refuse("track", [*arguments, "--overlay", stem + ".mkv"], file, stem + ending)
        self.refuse("filter", ["l.ffconcat", "--filter", "box", "-o", "./clip.mkv"], "clip.mkv", "./clip.mkv")
        self.glint("track", "l.ffconcat", "-o", "of_list.csv")

    def test_numbered_names(self):
        for n, file in ((0, "f0.png"), (7, "g7.png"), (2, "h2.png"), (12, "i0012.png")):
            shutil.copy(self.dir / "one.png", self.dir / file)
            self.before[self.dir / file] = (self.dir / file).read_bytes()
        for way in ("link", "hard"):
            (self.dir / way).mkdir()
        os.symlink("../one.png", self.dir / "link/x03.png")
        os.link(self.dir / "one.png", self.dir / "hard/5.png")
        (self.dir / "n4").mkdir()
        os.symlink("../one.png", self.dir / "n4/p.png")
        for arguments, file, named in (
                (["f0.png", "-o", "f%d.png"], "f0.png", "f0.png"),
                (["f%d.png", "-o", "./f%01d.png"], "f0.png", "./f0.png"),
                (["g%d.png", "-o", "./g%01d.png"], "g7.png", "./g7.png"),
                ([TINY, "-o", "h%d.png", "--filter", "blend:over=file:h2.png"], "h2.png", "h2.png"),
                (["i%04d.png", "-o", "i%04d.png"], "i0012.png", "i0012.png"),
                (["one.png", "-o", "link/x%02d.png"], "one.png", "link/x03.png"),
                (["one.png", "-o", "./round/hard/%d.png"], "one.png", "./round/hard/5.png"),
                (["one.png", "-o", "n%d/p.png"], "one.png", "n4/p.png"),
                (["shots", "-o", "shots/frame_%06d.png"], "shots/frame_000001.png", "shots/frame_00000")):
            filters = [] if "--filter" in arguments else ["--filter", "box"]
            with self.subTest(arguments):
                result = self.glint("filter", *arguments, *filters, status=2)
                self.assertIn(f"'{named}", result.stderr)
                self.assertIn("is read by this run", result.stderr)
        self.whole()
        shutil.copy(self.dir / "one.png", self.dir / "w000000000001.png")
        for wide in ("w%12d.png", "w%012d.png"):
            self.glint("track", wide, "-o", "of_wide.csv")
        # Other numbers, or numbers with other digits, are other files.
        self.glint("filter", "i%04d.png", "-o", "i%05d.png", "--filter", "box")
        self.glint("filter", "f0.png", "-o", "f%02d.png", "--filter", "box")
        self.assertTrue((self.dir / "f00.png").exists())
        self.whole()

    def test_what_is_written_twice(self):
        outputs = [(option, suffix) for option, suffix, protected in outputs_of("track") if suffix == protected]
        os.symlink("x", self.dir / "dangling")
        for (a, a_suffix), (b, b_suffix) in share(itertools.combinations(outputs, 2)):
            if a == b != "--output":
                continue  # This option is given only once.
            os.symlink("x" + a_suffix, self.dir / ("y" + b_suffix))
            result = self.glint("track", TINY, a, "x" + a_suffix, b, "y" + b_suffix, status=2)
            self.assertIn("would be written twice", result.stderr)
            os.unlink(self.dir / ("y" + b_suffix))
        for arguments in (["distance", "one.png", "-o", "a.mhd", "--nearest", "a.zraw"],
                          ["bench", "--quick", "--json", "a", "--detections", "./a"],
                          ["synth", SCENE, "-o", "shots2", "--truth", "shots2"]):
            result = self.glint(*arguments, status=2)
            self.assertRegex(result.stderr, "would be written twice|needs another name")
        self.whole()

    def test_recordings_by_command(self):
        """Recordings that start by a request must not overwrite what the session reads at that moment, also because of settings that came later."""
        arguments = ["clip.mkv", "--config", "s.toml", "--filter-dir", "mine", "--set", "detect.mask=m0.png"]
        for form, file in FORMS.values():
            if "template" not in form and "hot_pixel" not in form:
                arguments += ["--filter", form.format(file)]
        arguments += ["--filter", "template:look=file:look.mkv#1"]
        process = self.start("track", *arguments, "-o", "new.csv", "--control", "-", "--paused", "--stay",
                             stdin=subprocess.PIPE)
        ask = asking(process)

        wait_until(lambda: ask(do="status")["frame"] == 0, "the first frame")
        self.assertTrue(ask(do="set", settings={"detect.mask": "m.png"})["ok"])
        for file in ("clip.mkv", "s.toml", "mine/own.comp", "m.png", "over.png", "table.cube", "look.mkv"):
            for suffix in (*track_suffixes(), ".mp4", ".mkv", ".avi", ".raw.mkv"):
                for stem, ending in self.names(file, suffix):
                    answer = ask(do="record", file=stem + suffix)
                    self.assertFalse(answer["ok"], (file, stem + suffix))
                    self.assertIn(f"'{stem + suffix}' is read by this run", answer["error"])
        self.assertTrue(ask(do="quit")["ok"])
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        self.whole()


class Videos(Folder):
    """Videos of all commands, which one writer writes. They must behave as tables do."""

    COMMANDS = {"synth": ["synth", ENDLESS, "-o", "o.mkv"],
                "filter": ["filter", "synth:" + ENDLESS, "--filter", "box", "-o", "o.mkv"],
                "overlay": ["track", "synth:" + ENDLESS, "--overlay", "o.mkv", "-o", "overlay.csv"],
                "raw": ["track", "synth:" + ENDLESS, "--record", "o.mkv"]}

    def assert_whole(self, name):
        """Checks that a video can be read and has the index that is written last. Only its beginning is read, because it may be long."""
        self.glint("track", name, "--frames", 3, "-o", "read.csv")
        self.assertEqual(json.loads(self.text("read.json"))["counts"]["frames"], 3)
        self.assertIn(b"\x1c\x53\xbb\x6b", (self.dir / name).read_bytes()[-1_000_000:], "Matroska's cues")

    def begin(self, command):
        process = self.start(*command)
        video = self.dir / "o.mkv"
        wait_until(lambda: video.exists() and video.stat().st_size > 300_000, "a video that grows")
        return process, video

    def test_one_that_is_removed_is_written_again_and_told(self):
        for name, command in self.COMMANDS.items():
            with self.subTest(name):
                process, video = self.begin(command)
                video.unlink()
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=TIMEOUT)
                self.assertEqual(process.returncode, 1, err)
                self.assertIn("'o.mkv' was removed while it was being written; all of it was written again", err)
                self.assert_whole("o.mkv")
                video.unlink()

    def test_one_that_is_moved_goes_on_and_is_told(self):
        process, video = self.begin(self.COMMANDS["filter"])
        video.rename(self.dir / "moved.mkv")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("'o.mkv' was moved", err)
        self.assert_whole("moved.mkv")

    def test_a_second_run_into_one_is_refused(self):
        for name, command in self.COMMANDS.items():
            with self.subTest(name):
                process, video = self.begin(command)
                others = {"synth": "filter", "filter": "synth", "overlay": "raw", "raw": "overlay"}
                result = self.glint(*self.COMMANDS[others[name]], status=1)
                self.assertIn("'o.mkv' is being written by another run", result.stderr)
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=TIMEOUT)
                self.assertEqual(process.returncode, 0, err)
                self.assert_whole("o.mkv")
                video.unlink()

    def test_what_is_refused_leaves_an_earlier_video(self):
        (self.dir / "o.mkv").write_bytes(b"earlier")
        self.glint("filter", TINY, "--filter", "box", "--device", "Voodoo", "-o", "o.mkv", status=2)
        self.assertEqual((self.dir / "o.mkv").read_bytes(), b"earlier")

    def test_a_full_disk_is_told(self):
        for suffix in (".mkv", ".mp4", ".avi"):
            (self.dir / ("full" + suffix)).symlink_to("/dev/full")
            result = self.glint("synth", SCENE, "-o", "full" + suffix, status=1)
            self.assertIn(f"cannot write 'full{suffix}': no space left", result.stderr)

    def test_a_pipe_takes_a_video(self):
        self.glint("synth", SCENE, "-o", "whole.mkv")
        os.mkfifo(self.dir / "pipe.mkv")
        process = self.start("synth", SCENE, "-o", "pipe.mkv")
        with open(self.dir / "pipe.mkv", "rb") as pipe:
            content = pipe.read()
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        (self.dir / "got.mkv").write_bytes(content)
        self.glint("track", "got.mkv", "-o", "read.csv")
        self.assertEqual(json.loads(self.text("read.json"))["counts"]["frames"], 3)

    def test_into_standard_output(self):
        with open(self.dir / "o.mkv", "wb") as file:
            subprocess.run([GLINT, "synth", SCENE, "-o", "o.mkv"], cwd=self.dir, stdout=file, timeout=TIMEOUT, check=True)
        self.glint("synth", SCENE, "-o", "whole.mkv")
        self.assertEqual((self.dir / "o.mkv").read_bytes(), (self.dir / "whole.mkv").read_bytes())


class Pipes(Folder):
    """A pipe in the place of a file that nobody named must not be waited for."""

    def test_beside_a_header_and_in_a_folder_of_filters(self):
        os.mkfifo(self.dir / "v.raw")
        (self.dir / "v.nhdr").write_text("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 5 6\nencoding: raw\ndata file: v.raw\n")
        (self.dir / "v.mhd").write_text("ObjectType = Image\nNDims = 3\nDimSize = 4 5 6\nElementType = MET_UCHAR\nElementDataFile = v.raw\n")
        for volume in ("v.nhdr", "v.mhd", "v.raw"):
            layout = ["--shape", "4,5,6", "--type", "u8"] if volume == "v.raw" else []
            result = self.glint("distance", volume, *layout, "-o", "o.npy", status=1)
            self.assertIn("v.raw' is a device or a pipe", result.stderr)
        (self.dir / "mine").mkdir()
        os.mkfifo(self.dir / "mine/own.comp")
        for command in (["filters"], ["track", TINY], ["filter", TINY, "-o", "o.mkv"]):
            result = self.glint(*command, "--filter-dir", "mine", status=2)
            self.assertIn("'mine/own.comp' is not a file", result.stderr)

    def test_beside_outputs(self):
        self.glint("synth", SCENE, "-o", "shots")
        for pipe, command in (("q.json", ["track", TINY, "-o", "q.csv"]), ("w.tsv.rows", ["track", TINY, "-o", "w.tsv"]),
                              ("sy/frame_000000.png", ["synth", SCENE, "-o", "sy"]), ("v.zraw", ["distance", "shots", "-o", "v.mhd"])):
            with self.subTest(pipe):
                (self.dir / pipe).parent.mkdir(exist_ok=True)
                os.mkfifo(self.dir / pipe)
                result = self.glint(*command, status=2)
                self.assertIn(f"{pipe}' is a device or a pipe, not a file", result.stderr)

    def test_within_sources(self):
        self.glint("synth", SCENE, "-o", "shots")
        os.mkfifo(self.dir / "shots/frame_000009.png")
        self.assertIn("is a pipe among images", self.glint("track", "shots", status=1).stderr)
        os.mkfifo(self.dir / "p.mkv")
        (self.dir / "l.ffconcat").write_text("ffconcat version 1.0\nfile p.mkv\n")
        self.assertIn("'p.mkv', which 'l.ffconcat' names, is a pipe", self.glint("track", "l.ffconcat", status=1).stderr)

    def test_behind_a_filter_and_beside_tracks(self):
        for form, file in FORMS.values():
            os.mkfifo(self.dir / file)
            result = self.glint("filter", TINY, "-o", "o.mkv", "--filter", form.format(file), status=2)
            self.assertIn("is a device or a pipe", result.stderr)
        self.glint("track", TINY, "-o", "t.csv")
        os.unlink(self.dir / "t.json")
        os.mkfifo(self.dir / "t.json")
        os.mkfifo(self.dir / "stats.csv")
        self.glint("report", "t.csv")
        for name in ("t.json", "stats.csv"):
            self.assertIn(f"{name} is a device or a pipe", self.text("report.html"))


class Bytes(Folder):
    def test_a_name_that_is_no_text_reads_back_the_same(self):
        self.glint("mask", TINY, "-o", "m.png")
        name = b"m\xff.png"
        os.rename(self.dir / "m.png", os.path.join(os.fsencode(self.dir), name))
        self.glint("track", TINY, "--set", "detect.mask=" + os.fsdecode(name), "--record", "raw.mkv")
        self.glint("track", "raw.mkv", "--config", "raw.mkv", "-o", "again.csv")
        for table in ("tracks", "again"):
            mask = json.loads(self.text(f"{table}.json"))["settings"]["detect"]["mask"]
            self.assertEqual(mask, "m\\xff.png")
        self.glint("track", TINY, "--set", "detect.mask=" + mask, "-o", "typed.csv")
        (self.dir / "s.toml").write_text(f"[detect]\nmask = {json.dumps(mask)}\n")
        self.glint("track", TINY, "--config", "s.toml", "-o", "file.csv")
        process = self.start("track", TINY, "--set", "detect.mask=" + os.fsdecode(name), "--control", "-", "--paused",
                             "--stay", stdin=subprocess.PIPE)
        ask = asking(process)

        mask = ask(do="settings")["settings"]["detect.mask"]
        self.assertEqual(mask, "m\\xff.png")
        self.assertEqual(ask(do="set", settings={"detect.mask": mask}), {"ok": True})
        self.assertTrue(ask(do="quit")["ok"])
        process.communicate(timeout=TIMEOUT)


if __name__ == "__main__":
    unittest.main()
