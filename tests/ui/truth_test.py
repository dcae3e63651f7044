"""The window, its recordings, its streams and its answers agree."""

import json
import random
import socket
import unittest

from screen import WindowTest

from harness import TIMEOUT, rows

CLIP = "synth:dancer?size=240x180&frames=120&seed=3&cameras=1"
FRAMES = 120


def measured(rows_of_state):
    """Returns the ids and places of measured rows, in the form of files."""
    return {(camera, track): (f"{x:.4f}", f"{y:.4f}") for camera, track, x, y, seen in rows_of_state if seen}


def of_frame(table, frame):
    return {(int(row["camera"]), int(row["track"])): (row["x"], row["y"]) for row in table
            if int(row["frame"]) == frame and row["state"] == "measured"}


class Truth(WindowTest):
    def paused(self, *more):
        window = self.window("replay", CLIP, "--paused", *more)
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0, "the first frame")
        return window

    def recorded(self, window):
        """Records until playback ends. Returns the rows of the new file."""
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        window.keys("space")
        window.until(lambda s: s["mode"] == "at_end", "it has played")
        window.until(lambda s: not s["recording"], "the recording ends there")
        new = list(self.dir.glob("glint-*.csv"))
        self.assertEqual(len(new), 1)
        return rows(new[0])

    def test_a_recording_from_the_middle_has_the_ids_of_the_whole_file_and_of_the_screen(self):
        self.glint("track", CLIP, "-o", "whole.csv", "--quiet")
        whole = rows(self.dir / "whole.csv")
        window = self.paused()
        window.drag("timeline", (0.5, 0.5), (0.45, 0.5))
        shown = window.until(lambda s: s["frame"] > 40 and s["whole"] and not s["stale"], "tracked, and shown so")
        self.assertFalse(shown["provisional"])
        self.assertEqual(measured(shown["rows"]), of_frame(whole, shown["frame"]))
        table = self.recorded(window)
        begin = shown["frame"]
        self.assertEqual(min(int(row["frame"]) for row in table), begin)
        self.assertEqual(table, [row for row in whole if int(row["frame"]) >= begin])
        last = window.until(lambda s: s["frame"] == FRAMES - 1 and s["whole"], "the last frame")
        self.assertEqual(measured(last["rows"]), of_frame(whole, FRAMES - 1))
        window.quit()

    def test_until_then_ids_are_marked_as_provisional_everywhere(self):
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(TIMEOUT)
        self.addCleanup(receiver.close)
        # The clip is too long to be tracked before the recording begins.
        clip = CLIP.replace("frames=120", "frames=60000")
        window = self.window("replay", clip, "--paused", "--stream", f"udp:{receiver.getsockname()[1]}")
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0, "the first frame")
        window.drag("timeline", (0.5, 0.5), (0.9, 0.5))
        window.until(lambda s: s["frame"] > 50000 and s["provisional"], "ids that others will follow")
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        window.keys(*["Right"] * 20)
        at = window.until(lambda s: s["provisional"] and len(s["rows"]) > 5 and s["recording_rows"] > 0, "tracks")
        streamed = {}
        while at["frame"] not in streamed:
            told = json.loads(receiver.recv(65536))
            streamed[told["frame"]] = told
        told = streamed[at["frame"]]
        self.assertTrue(told["provisional"])
        self.assertEqual({m["track"] for m in told["markers"]}, {row[1] for row in at["rows"]})
        window.keys("r")
        window.until(lambda s: not s["recording"], "it is whole")
        table = rows(next(self.dir.glob("glint-*.csv")))
        self.assertEqual({row["provisional"] for row in table}, {"1"})
        window.quit()

    def test_a_raw_recording_holds_the_settings_in_force(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        window = self.paused("--control", f"udp:{port}")
        asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        asker.connect(("127.0.0.1", port))
        asker.settimeout(TIMEOUT)
        self.addCleanup(asker.close)

        def ask(**request):
            asker.send(json.dumps(request).encode())
            answer = json.loads(asker.recv(65536))
            self.assertTrue(answer["ok"], answer)
            return answer

        ask(do="set", settings={"detect.separation": 17})
        ask(do="record", file="take.raw.mkv")
        ask(do="step", frames=5)
        shown = window.until(lambda s: s["frame"] == 5, "five frames more")
        status = ask(do="status")
        self.assertEqual((status["frame"], status["tracks"]), (5, len(shown["rows"])))
        ask(do="record_stop")
        window.keys("ctrl+q")
        window.click("leaving_discard")  # the settings were not saved
        window.ended()
        self.glint("track", "take.raw.mkv", "--config", "take.raw.mkv", "-o", "again.csv", "--quiet")
        self.assertEqual(json.loads(self.text("again.json"))["settings"]["detect"]["separation"], 17)

    def test_random_steps_show_the_frames_of_the_file(self):
        """The window, its reports and the file agree about each frame, wherever playback has been."""
        self.glint("track", CLIP, "-o", "whole.csv", "--quiet")
        whole = rows(self.dir / "whole.csv")
        window = self.paused()
        dice = random.Random(20261123)
        compared = 0
        for _ in range(16):
            what = dice.randrange(3)
            if what == 0:
                window.drag("timeline", (0.5, 0.5), (dice.uniform(0.05, 0.95), 0.5))
            else:
                window.keys(*["Right" if what == 1 else "Left"] * dice.randrange(1, 5))
            shown = window.until(lambda s: s["mode"] == "paused" and s["whole"] and not s["stale"], "it rests")
            self.assertEqual(measured(shown["rows"]), of_frame(whole, shown["frame"]))
            self.assertFalse(shown["provisional"])
            compared += 1
        self.assertEqual(compared, 16)
        window.quit()


if __name__ == "__main__":
    unittest.main()
