"""A model of how a session that is driven from outside must behave. It is written from docs/control.md, without any of the program's code.

It knows a recording of FRAMES frames, played as fast as frames can be tracked, and a caller who waits until a request has taken effect.
Every request changes the model and returns True if it is accepted.
"""

import dataclasses

FRAMES = 8


@dataclasses.dataclass
class Recording:
    name: str
    path: str = ""
    start: int | None = None  # The first frame, or None while the recording waits for one.
    last: int | None = None  # The last frame, or None while the recording goes on.
    begin: int = 0  # The first frame of its pass.
    variants: set = dataclasses.field(default_factory=set)
    known: bool = True  # True while record_stop finds the recording.
    overwritten: bool = False

    def begun(self):
        return self.start is not None and self.last is None


class Model:
    def __init__(self, settings, first):
        self.mode, self.frame, self.pass_, self.shown_pass, self.begin, self.tracked = "paused", 0, 0, 0, 0, True
        self.first, self.out, self.speed, self.loop = 0, None, 0.0, False
        self.settings = settings
        self.recordings = [first]
        # The frame with which the outputs of the run will begin, if another one follows it before a jump. The run is paused at frame 0.
        self.held = 0
        self.streams = []
        self.variants = {self.variant()}

    def variant(self):
        return self.settings["detect.separation"], self.settings["track.confirm"], self.settings["filter.soft.sigma"]

    def end(self):
        """Returns the last frame that is played."""
        return FRAMES - 1 if self.out is None else min(self.out, FRAMES - 1)

    def live(self):
        return [r for r in self.recordings if r.last is None]

    # The effects of requests on frames and recordings.

    def end_pass(self):
        self.begin_outputs()
        for recording in self.recordings:
            if recording.begun():
                self.finish(recording)
        self.tracked = False

    def finish(self, recording):
        recording.last = self.frame
        recording.variants = set(self.variants)

    def show(self, frame):
        """Shows the next frame of the pass."""
        self.frame, self.shown_pass, self.tracked = frame, self.pass_, True
        for recording in self.recordings:
            if recording.start is None and recording.last is None and recording.name:
                self.begin_recording(recording, frame)
        if self.held is not None:
            self.begin_outputs()
        elif self.recordings[0].start is None:
            self.held = frame

    def begin_outputs(self):
        """Begins the outputs of the run, if a frame is held for them."""
        if self.held is not None:
            self.begin_recording(self.recordings[0], self.held)
        self.held = None

    def begin_recording(self, recording, frame):
        """Begins a recording. Only now it overwrites what its file held before."""
        recording.start, recording.begin = frame, self.begin
        for other in self.recordings:
            other.overwritten |= other is not recording and other.path == recording.path

    def jump(self, to, shows=True):
        if self.mode == "paused":
            self.held = None
        self.end_pass()
        self.pass_ += 1
        self.begin = to
        self.mode = "paused"
        self.variants = {self.variant()}
        if not shows:
            return
        if to > self.end():
            self.reach_end()
        else:
            self.show(to)

    def reach_end(self):
        self.end_pass()
        self.mode = "at_end"

    def run(self, frames):
        """Plays so many frames. If it comes to a frame beyond the range, it is at the end."""
        after = self.frame + 1 if self.tracked else self.begin
        for frame in range(after, after + frames):
            if frame > self.end():
                return self.reach_end()
            self.show(frame)

    # Requests. Each returns True if it is accepted.

    def play(self):
        """Plays to the end, without a loop. The test's play_on() plays in other ways."""
        if self.mode == "at_end":
            self.jump(self.first, shows=False)
        self.run(FRAMES + 1)
        return True

    def pause(self):
        return True

    def step(self, frames):
        if frames == 0 or abs(frames) > 10**12:
            return False
        if frames > 0:
            if self.mode == "at_end":
                return False
            self.run(frames)
            return True
        now = self.frame if self.shown_pass == self.pass_ else self.begin
        self.jump(max(now + frames, self.first))
        return True

    def seek(self, frame):
        if not (isinstance(frame, int) and self.first <= frame <= self.end()):
            return False
        self.jump(frame)
        return True

    def range(self, first, out):
        if first >= FRAMES or (out is not None and (out < first or out > 2**53)):
            return False
        self.first, self.out = first, out
        if (self.frame if self.tracked else self.begin) < first:
            self.jump(first)
        return True

    def set_speed(self, factor):
        if factor != 0 and not 0.001 <= factor <= 1000:
            return False
        self.speed = float(factor)
        return True

    def set_loop(self, on):
        self.loop = on
        return True

    def change(self, settings):
        self.settings.update(settings)
        self.variants.add(self.variant())
        return True

    def record(self, name, path):
        """Begins a recording. Returns False if another recording is writing this file."""
        if any(other.path == path for other in self.live()):
            return False  # Another recording is writing this file.
        self.recordings.append(Recording(name, path))
        if self.tracked:
            self.begin_recording(self.recordings[-1], self.frame)
        return True

    def find(self, name):
        return next((r for r in reversed(self.recordings) if r.known and (not name or r.name == name)), None)

    def record_stop(self, name):
        """Ends a recording. Returns False if no file results, because the recording still waits for its first frame."""
        recording = self.find(name)
        if recording is None:
            return False
        recording.known = False
        if recording.start is None:
            self.recordings.remove(recording)
            return False
        if recording.last is None:
            self.finish(recording)
        return True

    def stream_stop(self, name):
        found = next((s for s in reversed(self.streams) if not name or s == name), None)
        if found is None:
            return False
        del self.streams[len(self.streams) - 1 - self.streams[::-1].index(found)]
        return True
