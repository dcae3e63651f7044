"""Attacks on the commands that read rigs and tables, on outputs that lead to inputs, on full disks, on inputs that vanish, on threads and memory that
the system refuses, and on the values of options. measure_reliability runs them.

Each attack is a class with a function run(), which attacks once and returns what happened in a few words. It raises Fault if the program does
anything else than to work, or to end with one sentence and the status 1 or 2. It may only change the files that it was asked to write, and only if it
works.
"""

import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import threading

OK, FAILED, USAGE = 0, 1, 2
PATIENCE = 60  # The limit of one run, s, after which it is interrupted as a user would interrupt it.
SANDBOX = {"env": {**os.environ, "LP_NUM_THREADS": "1"}}


class Fault(Exception):
    """A run that ended in a way that is not promised."""


class Surface:
    """What all attacks share: a folder with valid inputs, and a random number generator."""

    STATUSES = {OK, FAILED, USAGE}

    def __init__(self, options, folder, chance):
        self.options, self.folder, self.chance = options, folder, chance
        self.prepare()

    def prepare(self):
        """Makes the valid inputs."""

    def glint(self, *arguments, **keywords):
        """Runs the program. Returns its status, its standard error and True if it had to be interrupted."""
        process = subprocess.Popen([self.options.glint, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **{**SANDBOX, **keywords})
        interrupted = False
        try:
            message = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            interrupted = True
            process.send_signal(signal.SIGINT)
            try:
                message = process.communicate(timeout=PATIENCE)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                raise Fault(f"{arguments}: it does not end, not even when it is interrupted") from None
        return process.returncode, message.decode(errors="replace"), interrupted

    def make(self, *arguments):
        """Runs the program, which must succeed."""
        status, message, _ = self.glint(*arguments)
        if status != OK:
            raise RuntimeError(f"{arguments}: {status}: {message}")

    def attack(self, *arguments, ends=(), **keywords):
        """Runs the program, and checks how it ends. Returns its status, which may also be one of `ends`."""
        status, message, interrupted = self.glint(*arguments, **keywords)
        if status in ends:
            return status
        if interrupted and status in (OK, FAILED):
            return "interrupted"
        if status not in self.STATUSES:
            raise Fault(f"{arguments}: status {status}: {message}")
        sentences = [line for line in message.splitlines() if line.startswith("glint: ")]
        if status != OK and not sentences:
            raise Fault(f"{arguments}: status {status} without a sentence: {message!r}")
        if status == USAGE and len(sentences) != 1:
            raise Fault(f"{arguments}: not one sentence: {message!r}")
        if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", message):
            raise Fault(f"{arguments}: control characters: {message!r}")
        if any(len(line.encode()) > 2100 for line in message.splitlines()):
            raise Fault(f"{arguments}: a message of {len(message)} characters")
        return status


NUMBERS = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0", "-0.0", "-1", "0.5", "4294967296", "18446744073709551616", "1e999", "", " ", "x",
           "0x10", "1,5", "٣"]


def damage_text(chance, text):
    """Changes a text file in one to four random ways."""
    for _ in range(chance.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        at = chance.randrange(len(lines))
        way = chance.randrange(9)
        numbers = list(re.finditer(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", lines[at]))
        if way <= 3 and numbers:
            number = chance.choice(numbers)
            lines[at] = lines[at][:number.start()] + chance.choice(NUMBERS) + lines[at][number.end():]
        elif way == 4:
            del lines[at]
        elif way == 5:
            lines.insert(chance.randrange(len(lines)), lines[at])
        elif way == 6:
            position = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:position] + chance.choice(["\0", "\x1b[2J", "\"", ",", ",,", "\r", "\ufeff", "[", "]]", "=", "\n"]) + lines[at][position:]
        elif way == 7:
            lines = lines[:at] + [lines[at][:chance.randrange(len(lines[at]) + 1)]]
        else:
            chance.shuffle(lines)
        text = "".join(lines)
    return text


class Rigs(Surface):
    """Damaged rigs: a rig that a command takes and writes again must be one that it reads again."""

    def prepare(self):
        self.make("synth", "wand?frames=40&size=320x256&cameras=3&middle=150", "-o", "w.mkv", "--rig", "rig.toml")
        self.make("track", *(f"w_cam{c}.mkv" for c in range(3)), "-o", "t.csv", "--detections", "d.csv")
        self.rig = (self.folder / "rig.toml").read_text()

    def run(self):
        (self.folder / "bad.toml").write_text(damage_text(self.chance, self.rig))
        command = self.chance.choice([["rig", "bad.toml", "-o", "out.toml"], ["rig", "bad.toml", "--origin", "1,2,3", "--up", "0,-1,0", "-o", "out.toml"],
                                      ["reconstruct", "--detections", "d.csv", "--rig", "bad.toml", "--points", "p.csv"],
                                      ["calibrate", "--detections", "d.csv", "--intrinsics", "bad.toml", "--point", "-o", "out.toml"]])
        status = self.attack(*command)
        if status == OK and "out.toml" in command and self.attack("rig", "out.toml", "-o", "again.toml") != OK:
            raise Fault(f"{command}: it wrote a rig that it does not read again")
        return f"{command[0]}: status {status}"


class Tables(Surface):
    """Damaged tables. A command that fails must leave its earlier output as it was."""

    def prepare(self):
        self.make("synth", "dancer?frames=30&size=320x256&cameras=3", "-o", "d.mkv", "--rig", "rig.toml", "--truth", "truth.csv")
        self.make("track", *(f"d_cam{c}.mkv" for c in range(3)), "-o", "t.csv", "--detections", "d.csv", "--rig", "rig.toml", "--points", "p.csv")
        self.texts = {name: (self.folder / name).read_text() for name in ("t.csv", "d.csv", "p.csv", "truth.csv")}

    def run(self):
        table, command, output = self.chance.choice([
            ("t.csv", ["eval", "bad.csv", "truth.csv"], None), ("truth.csv", ["eval", "t.csv", "bad.csv"], None),
            ("t.csv", ["report", "bad.csv", "-o", "out.html"], "out.html"), ("t.csv", ["convert", "bad.csv", "out.trackpy.csv"], "out.trackpy.csv"),
            ("d.csv", ["calibrate", "--detections", "bad.csv", "--size", "320x256", "--wand", "500", "-o", "out.toml"], "out.toml"),
            ("d.csv", ["reconstruct", "--detections", "bad.csv", "--rig", "rig.toml", "--points", "out.csv"], None),
            ("p.csv", ["bodies", "--learn", "bad.csv", "-o", "out.toml"], "out.toml"), ("p.csv", ["convert", "bad.csv", "out.c3d"], "out.c3d"),
            ("d.csv", ["link", "bad.csv", "-o", "out.csv"], None)])
        (self.folder / "bad.csv").write_text(damage_text(self.chance, self.texts[table]))
        for old in self.folder.glob("out.*"):
            old.unlink()
        if output:
            (self.folder / output).write_text("earlier")
        status = self.attack(*command)
        if output and status != OK and (self.folder / output).read_text() != "earlier":
            raise Fault(f"{command}: it failed, and changed {output}")
        return f"{command[0]}: status {status}"


class OutputsOntoInputs(Tables):
    """Outputs that lead to inputs, by another path, a symbolic link or a hard link. No input may change."""

    def run(self):
        inputs = ["t.csv", "d.csv", "p.csv", "truth.csv", "rig.toml", "d_cam0.mkv"]
        before = {name: (self.folder / name).read_bytes() for name in inputs}
        for old in self.folder.glob("way*"):
            old.unlink()
        command, places = self.chance.choice([
            (["report", "t.csv", "-o", None], ["t.csv"]), (["link", "d.csv", "-o", None], ["d.csv"]), (["convert", "t.csv", None], ["t.csv"]),
            (["calibrate", "--detections", "d.csv", "--size", "320x256", "--wand", "500", "-o", "new.toml", "--report", None], ["d.csv"]),
            (["rig", "rig.toml", "-o", None], ["rig.toml"]), (["bodies", "--learn", "p.csv", "-o", None], ["p.csv"]),
            (["reconstruct", "--detections", "d.csv", "--rig", "rig.toml", "--points", None], ["d.csv", "rig.toml"]),
            (["track", "d_cam0.mkv", "-o", None], ["d_cam0.mkv"]), (["track", "d_cam0.mkv", "--stats", None], ["d_cam0.mkv"]),
            (["track", "d_cam0.mkv", "--record", None], ["d_cam0.mkv"]), (["track", "d_cam0.mkv", "--overlay", None], ["d_cam0.mkv"]),
            (["sweep", "d_cam0.mkv", "--over", "detect.separation=4:5:1", "--truth", "truth.csv", "-o", None], ["d_cam0.mkv", "truth.csv"]),
            (["mask", "d_cam0.mkv", "-o", None], ["d_cam0.mkv"])])
        target = self.chance.choice(places)
        way = f"way{pathlib.Path(self.chance.choice([target, 'x.csv', 'x.toml', 'x.html', 'x.mkv', 'x.png'])).suffix}"
        kind = self.chance.randrange(4)
        if kind == 0:
            (self.folder / way).symlink_to(target)
        elif kind == 1:
            os.link(self.folder / target, self.folder / way)
        elif kind == 2:
            (self.folder / "way").symlink_to(".")
            way = f"way/{target}"
        else:
            way = f"./{target}"
        status = self.attack(*(way if word is None else word for word in command))
        for name, content in before.items():
            if (self.folder / name).read_bytes() != content:
                raise Fault(f"{command} with {way} for {target}: {name} was changed")
        return f"status {status}"


class Limits(Tables):
    """A disk that is full after a random number of bytes, for commands that write whole files. An earlier file stays, or the new one is whole."""

    STATUSES = {OK, FAILED}

    def prepare(self):
        super().prepare()
        self.whole = {}

    def run(self):
        command, output = self.chance.choice([
            (["report", "t.csv", "-o", "out.html"], "out.html"),
            (["rig", "rig.toml", "--up", "0,-1,0", "-o", "out.toml"], "out.toml"), (["bodies", "--learn", "p.csv", "-o", "out.toml"], "out.toml"),
            (["mask", "d_cam0.mkv", "-o", "out.png"], "out.png"), (["convert", "p.csv", "out.c3d"], "out.c3d"),
            (["convert", "t.csv", "out.kinovea.csv"], "out.kinovea.csv"),
            (["sweep", "d_cam0.mkv", "--over", "detect.separation=4:5:1", "-o", "out.csv"], "out.csv")])
        path, key = self.folder / output, tuple(command)
        if key not in self.whole:
            path.unlink(missing_ok=True)
            self.whole[key] = self.attack(*command) == OK and path.exists()
        path.write_text("earlier")
        most = int(math.exp(self.chance.uniform(0, math.log(200_000))))
        status = self.attack(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        if status == OK and not self.whole[key]:
            raise Fault(f"{command}: it worked with {most} bytes, and not without a limit")
        if (path.read_text(errors="replace") == "earlier") != (status != OK):
            raise Fault(f"{command}: status {status} with {most} bytes, and {output} is {path.stat().st_size} bytes long")
        return f"{command[0]}: status {status}"


class Gone(Surface):
    """Inputs that are removed, emptied, cut or overwritten while the program reads them. What was read until then may count."""

    STATUSES = {OK, FAILED, USAGE}

    def prepare(self):
        self.make("synth", "dancer?frames=60&size=320x256&cameras=2", "-o", "d.mkv", "--rig", "rig.toml")
        self.make("synth", "spots?frames=40&size=96x64&markers=3", "-o", "shots")
        self.make("track", "d_cam0.mkv", "d_cam1.mkv", "-o", "t.csv", "--detections", "d.csv")
        self.inputs = {name: (self.folder / name).read_bytes() for name in ("d_cam0.mkv", "d_cam1.mkv", "t.csv", "d.csv", "rig.toml")}
        self.shots = {path: path.read_bytes() for path in sorted((self.folder / "shots").iterdir())}

    def run(self):
        for name, content in self.inputs.items():
            (self.folder / name).write_bytes(content)
        for path, content in self.shots.items():
            path.write_bytes(content)
        command, victims = self.chance.choice([
            (["track", "d_cam0.mkv", "d_cam1.mkv", "-o", "out.csv"], ["d_cam0.mkv", "d_cam1.mkv"]),
            (["track", "shots", "-o", "out.csv"], [f"shots/{path.name}" for path in self.shots]), (["report", "t.csv", "-o", "out.html"], ["t.csv"]),
            (["reconstruct", "--detections", "d.csv", "--rig", "rig.toml", "--points", "out.csv"], ["d.csv", "rig.toml"]),
            (["convert", "t.csv", "out.trackpy.csv"], ["t.csv"]), (["probe", "d_cam0.mkv"], ["d_cam0.mkv"])])
        victim, way = self.folder / self.chance.choice(victims), self.chance.randrange(4)
        wait = self.chance.uniform(0, 0.6)

        def harm():
            content = victim.read_bytes()
            if way == 0:
                victim.unlink()
            elif way == 1:
                os.truncate(victim, 0)
            elif way == 2:
                os.truncate(victim, len(content) // 2)
            else:
                victim.write_bytes(self.chance.randbytes(len(content)))
        timer = threading.Timer(wait, harm)
        timer.start()
        try:
            return f"{command[0]}: status {self.attack(*command)}"
        finally:
            timer.join()


class Refusals(Tables):
    """Refuses a thread or an allocation, from a random one on. The program ends with one sentence, or needs no more of them."""

    STATUSES = {OK, FAILED}
    LIBRARY = VARIABLE = None
    MOST = 1

    def run(self):
        library = self.options.libraries / self.LIBRARY
        if not library.exists():
            raise RuntimeError(f"there is no {library}; build the tests")
        command = self.chance.choice([
            ["track", "d_cam0.mkv", "d_cam1.mkv", "-o", "out.csv"], ["track", "d_cam0.mkv", "-o", "out.csv", "--overlay", "out.mkv"],
            ["reconstruct", "--detections", "d.csv", "--rig", "rig.toml", "--points", "out.csv"],
            ["calibrate", "--detections", "d.csv", "--size", "320x256", "--wand", "500", "-o", "out.toml"], ["eval", "t.csv", "truth.csv"],
            ["report", "t.csv", "-o", "out.html"], ["bodies", "--learn", "p.csv", "-o", "out.toml"], ["convert", "p.csv", "out.c3d"],
            ["sweep", "d_cam0.mkv", "--over", "detect.separation=4:5:1", "-o", "out.csv"]])
        first = int(math.exp(self.chance.uniform(0, math.log(self.MOST))))
        environment = {**SANDBOX["env"], "LD_PRELOAD": str(library), self.VARIABLE: str(first)}
        # nlohmann::json, which reads the records of runs, asks for memory in a destructor. If it gets none, nothing can save the program.
        ends = {-signal.SIGABRT} if self.VARIABLE == "REFUSE_MEMORY" and command[0] in ("eval", "report") else set()
        try:
            return f"{command[0]}: status {self.attack(*command, env=environment, ends=ends)}"
        except Fault as fault:
            raise Fault(f"{self.VARIABLE}={first} {fault}") from None


class Threads(Refusals):
    LIBRARY, VARIABLE, MOST = "librefused_threads.so", "REFUSE_THREAD", 16


class Allocations(Refusals):
    LIBRARY, VARIABLE, MOST = "librefused_memory.so", "REFUSE_MEMORY", 20_000


VALUES = [*NUMBERS, "1", "2", "3.5", "12", "0.01", "a" * 5000, "../../..", "/", "/dev/null", "%s%n%d", "\x1b[31mred\x1b[0m", "💥", "-", "--",
          ":", "1:2:3", "0:0:0", "1,2", "1,2,3", "0,0,0,0",
          "true", "[1, 2]", "=", "detect.separation=", "=5", "detect.separation=nan", "a=b=c", "udp:", "udp:127.0.0.1:99999", "http://", "file:", "a\nb", "1x1",
          "0x0", "99999x99999"]


class Values(Surface):
    """Strange values of options and arguments."""

    # These commands show a window, ask all devices and cameras, or measure for a given time.
    LEFT_OUT = {"", "replay", "live", "batch", "bench", "cameras"}
    INPUTS = {"track": ["c.mkv"], "info": ["c.mkv"], "probe": ["c.mkv"], "mask": ["c.mkv", "-o", "m.png"], "filter": ["c.mkv", "-o", "f.mkv"],
              "synth": ["spots?size=64x48&frames=3", "-o", "s.mkv"], "eval": ["t.csv", "truth.csv"], "report": ["t.csv", "-o", "r.html"],
              "sweep": ["c.mkv", "--over", "detect.separation=4:5:1"], "rig": ["rig.toml", "-o", "r.toml"],
              "calibrate": ["--detections", "d.csv", "--size", "64x48", "--point", "-o", "r.toml"],
              "reconstruct": ["--detections", "d.csv", "--rig", "rig.toml", "--points", "p.csv"], "bodies": ["--learn", "p.csv", "-o", "b.toml"],
              "convert": ["t.csv", "t.trackpy.csv"], "link": ["d.csv", "-o", "l.csv"], "distance": ["t.npy", "-o", "d.npy"]}

    def prepare(self):
        self.make("synth", "spots?size=64x48&markers=3&frames=5", "-o", "c.mkv", "--truth", "truth.csv")
        self.make("synth", "wand?frames=2&size=64x48&cameras=2", "-o", "w.mkv", "--rig", "rig.toml")
        self.make("track", "c.mkv", "-o", "t.csv", "--detections", "d.csv")
        script = subprocess.run([self.options.glint, "completion", "bash"], capture_output=True, text=True, check=True).stdout
        self.keys = sorted(set(re.findall(r"[a-z]+\.[a-z_]+(?==)", script)))
        # The script lists each command as a case, and the options that take values as patterns in it.
        self.taking = {}
        for name, body in re.findall(r"^    ([a-z]+|'')\)\n(.*?)^      esac ;;", script, re.M | re.S):
            options = re.findall(r"^        (-[^)]*)\) (?:files=1|value=1)", body, re.M)
            if name.strip("'") not in self.LEFT_OUT and options:
                self.taking[name] = [option.split("|")[-1] for option in options]
        if len(self.taking) < 12 or len(self.keys) < 20:
            raise RuntimeError(f"options or settings were not found in the completion script: {self.taking}")

    def value(self, option):
        value = self.chance.choice(VALUES)
        if option in ("--set", "--over"):
            return f"{self.chance.choice(self.keys)}={value}"
        return value

    def run(self):
        name = self.chance.choice(sorted(self.taking))
        arguments = list(self.INPUTS.get(name, []))
        for _ in range(1 if self.chance.random() < 0.8 else 2):
            option = self.chance.choice(self.taking[name])
            arguments.append(f"{option}={self.value(option)}" if self.chance.random() < 0.95 else option)
        if self.chance.random() < 0.1:
            arguments.insert(self.chance.randrange(len(arguments) + 1), self.chance.choice(VALUES))
        return f"status {self.attack(name, *(word.replace(chr(0), '') for word in arguments))}"


SURFACES = {"rigs": Rigs, "tables": Tables, "onto": OutputsOntoInputs, "limits": Limits, "gone": Gone, "threads": Threads,
            "allocations": Allocations, "values": Values}
