"""Exports and masks, with mouse and keys."""

import collections
import json
import math
import subprocess
import unittest

from drag import drop
from manager import Manager
from screen import VALIDATED, WindowTest
from harness import TIMEOUT, rows

CLIP = "synth:dancer?size=320x240&frames=60&seed=3"
LAST = 59


class Files(WindowTest):
    def opened(self, clip=CLIP, *more):
        window = self.window("replay", clip, "--paused", *more, *VALIDATED)
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0 and not s["stale"], "the first frame")
        return window

    def export(self, window):
        window.keys("ctrl+e")
        window.until(lambda s: s["export"], "the dialog")
        window.click("export_ok")

    def double_click(self, window):
        """Double-clicks *Export*, and waits until the window has seen both clicks."""
        seen = window.until(lambda s: "export_ok" in s["widgets"], "the dialog")["releases"]
        window.double_click("export_ok")
        window.until(lambda s: s["releases"] >= seen + 2, "two clicks")

    def test_an_export_is_what_track_writes(self):
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        window = self.opened()
        self.export(window)
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks.csv"), self.text("expected.csv"))
        # The message is drawn, although nothing else changes, and then disappears by itself.
        window.until(lambda s: "exported" in s["toasts"] and "toast:0" in s["widgets"], "it is told")
        window.until(lambda s: s["toasts"] == "" and "toast:0" not in s["widgets"], "that was read")
        window.quit()

    def test_a_name_with_dots_gets_its_suffix(self):
        for source, name in (("walk.2.mkv", "walk.2"), ("glint-1.raw.mkv", "glint-1")):
            self.glint("synth", "spots?size=64x48&markers=3&frames=5", "-o", source)
            window = self.opened(source)
            self.export(window)
            window.until(lambda s: not s["export"] and not s["exporting"] and "exported" in s["toasts"], "it is exported")
            window.quit()
            self.assertTrue((self.dir / f"{name}.csv").exists(), sorted(self.dir.iterdir()))

    def test_an_export_of_a_range_asks_before_it_replaces(self):
        (self.dir / "tracks.csv").write_text("mine\n")
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        header, *rows = self.text("expected.csv").splitlines(keepends=True)
        window = self.opened()
        window.keys(*["Right"] * 5, "i", *["Right"] * 9, "o")
        window.until(lambda s: s["frame"] == 14 and s["in"] == 5 and s["out"] == 14 and not s["stale"], "a range")
        window.keys("x")
        window.until(lambda s: s["in"] == 0 and "out" not in s, "no range")
        window.keys("o", *["Left"] * 9, "i", *["Right"] * 9)
        window.until(lambda s: s["frame"] == 14 and s["in"] == 5 and s["out"] == 14 and not s["stale"], "the range again")
        self.export(window)  # "tracks 2.csv" does not exist yet
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks 2.csv"),
                         header + "".join(row for row in rows if 5 <= int(row.split(",")[1]) <= 14))
        self.assertEqual(self.text("tracks.csv"), "mine\n")
        window.keys("ctrl+e")
        self.double_click(window)  # the second click must answer no question
        window.until(lambda s: s["export_asks"] and "tracks 2.csv and tracks 2.json are already there" in s["export_says"], "whether to replace them")
        (self.dir / "tracks 2.json").unlink()
        window.keys("Escape")
        window.until(lambda s: not s["export"] and s["export_says"] == "", "no")
        self.export(window)
        window.until(lambda s: "tracks 2.csv is already there" in s["export_says"], "one of them alone")
        window.click("export_replace")
        window.until(lambda s: not s["export"] and not s["exporting"], "it is replaced")
        self.assertTrue((self.dir / "tracks 2.json").exists())
        window.keys("ctrl+e")
        # The folder cannot be written to. The dialog says so for as long as it is open.
        window.click("export_file")
        window.keys("ctrl+a")
        window.type("nowhere/tracks.csv")
        window.click("export_ok")
        said = window.until(lambda s: "nowhere" in s["export_says"] and not s["exporting"], "why not")["export_says"]
        self.assertTrue(window.state()["export"], said)
        window.keys("ctrl+q")
        window.ended()

    def test_in_and_out_are_dragged(self):
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        header, *rows = self.text("expected.csv").splitlines(keepends=True)
        window = self.opened()
        width = window.state()["widgets"]["timeline"][2]
        window.pull("in", 0.25 * width)
        begin = window.until(lambda s: abs(s["in"] - 0.25 * LAST) <= 1 and s["frame"] == s["in"] and not s["stale"], "it begins there")["in"]
        window.pull("out", -0.5 * width)
        end = window.until(lambda s: abs(s.get("out", LAST) - 0.5 * LAST) <= 1, "it ends there")["out"]
        window.click("in")  # a click moves nothing
        window.keys("space")
        window.until(lambda s: s["mode"] == "at_end" and s["frame"] == end and s["in"] == begin, "it plays up to there")
        self.export(window)
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks.csv"), header + "".join(row for row in rows if begin <= int(row.split(",")[1]) <= end))
        window.pull("in", 0.9 * width)
        window.until(lambda s: s["in"] == end == s["out"], "not behind the end")
        window.pull("out", width)
        window.until(lambda s: "out" not in s and s["in"] == end, "to the last frame")
        window.quit()

    def test_an_export_is_cancelled(self):
        window = self.opened("synth:dancer?size=320x240&frames=100000&seed=3", "--speed", "500")
        self.export(window)
        window.until(lambda s: s["exporting"], "it is exported")
        window.click("export_cancel")
        told = window.until(lambda s: not s["exporting"] and "cancelled" in s["export_says"] and "export_close" in s["widgets"], "it was cancelled")
        colours = {colour for row in window.pixels(*told["widgets"]["export_outcome"]) for colour in row}
        self.assertGreater(max(map(min, colours)), 150, "words are there")
        self.assertLess(max(red - blue for red, _, blue in colours), 40, "not as what has gone wrong")
        self.assertEqual([path.name for path in self.dir.glob("*.csv*")], [])
        window.keys("Escape")
        window.until(lambda s: not s["export"], "closed")
        window.keys("space")
        told = window.until(lambda s: "s behind at 500x: " in s["status"] and "frames/s" in s["status"], "a speed that cannot be kept, and why")
        self.assertRegex(told["status"], "measuring takes|decoding is too slow")
        window.keys("space")
        window.until(lambda s: s["mode"] == "paused" and "behind" not in s["status"], "it is not told of what rests")
        window.click("export")  # a key must not end a running export
        self.double_click(window)  # nor must the second click of a double click
        window.until(lambda s: s["exporting"], "it is exported")
        window.keys("ctrl+q")
        window.until(lambda s: "Quit and leave it unfinished?" in s["export_says"] and "export_leave" in s["widgets"], "it asks")
        window.keys("ctrl+q")
        window.ended()
        self.assertEqual([path.name for path in self.dir.glob("*.csv*")], [])

    def test_a_message_does_not_lie_on_the_buttons_of_a_dialog(self):
        window = self.opened("synth:dancer?size=320x240&frames=100000&seed=3")
        window.display.xdotool("windowsize", window.number(), 800, 500)
        window.until(lambda s: (s["width"], s["height"]) == (800, 500), "a small window")
        self.export(window)
        window.click("export_cancel")
        told = window.until(lambda s: "cancelled" in s["export_says"] and "toast:0" in s["widgets"] and "export_close" in s["widgets"], "both say it")
        (x, y, width, height), (left, top, wide, high) = told["widgets"]["toast:0"], told["widgets"]["export_close"]
        middle = left + wide / 2, top + high / 2
        self.assertTrue(x < middle[0] < x + width and y < middle[1] < y + height, "where the message would lie")
        window.click("export_close")
        window.until(lambda s: not s["export"], "it is closed")
        window.quit()

    def test_nothing_ends_an_export_without_a_question(self):
        before = {path.name for path in self.dir.iterdir()}
        window = self.opened("synth:dancer?size=320x240&frames=100000&seed=3")
        manager, number = Manager(self.display.name), int(window.number())
        self.addCleanup(manager.close)
        self.export(window)
        window.until(lambda s: s["exporting"], "it is exported")
        # Asks to close the window, as the cross in its title does.
        manager.ask_to_close(number)
        window.until(lambda s: "Quit and leave it unfinished?" in s["export_says"], "it asks")
        window.keys("Escape")
        window.until(lambda s: s["exporting"] and s["export_says"] == "" and "export_cancel" in s["widgets"], "it goes on")
        # Opens another recording.
        self.glint("synth", "spots?size=64x48&markers=3&frames=5", "-o", "other.mkv")
        left, top = window.corner()
        drop(self.display.name, number, [self.dir / "other.mkv"], left + 300, top + 300)
        window.until(lambda s: "Open other sources and leave it unfinished?" in s["export_says"], "it asks")
        window.click("export_stay")
        window.until(lambda s: s["exporting"] and s["export_says"] == "", "it goes on")
        window.keys("ctrl+q")
        window.until(lambda s: "Quit and leave it unfinished?" in s["export_says"], "not the other recording any more")
        window.click("export_stay")
        window.until(lambda s: s["export_says"] == "", "it goes on")
        drop(self.display.name, number, [self.dir / "other.mkv"], left + 300, top + 300)
        window.click("export_leave")
        window.until(lambda s: s["sources"] and s["sources"][0].endswith("other.mkv") and s.get("frame") is not None, "the other recording")
        window.quit()
        after = {path.name for path in self.dir.iterdir()} - before
        self.assertLessEqual(after, {"other.mkv", "state", "config", "state.json"})

    def test_a_mask_is_painted_and_used(self):
        window = self.opened()
        before = window.until(lambda s: s["markers"] > 5, "markers")["markers"]
        window.keys("m")
        window.click("mask_rectangle")
        window.drag("camera0", (0.02, 0.02), (0.98, 0.5))
        painted = window.until(lambda s: s["mask_ignored"] > 1000, "it is painted")["mask_ignored"]
        window.keys("ctrl+q")
        window.until(lambda s: s["leaving"], "the question, as it would be lost")
        window.keys("Escape")
        window.until(lambda s: not s["leaving"], "it stays")
        for answer in ("leaving_stay", "ctrl+q"):
            window.keys("ctrl+o")
            window.click("source")
            window.keys("ctrl+a")  # replaces the text that was typed before
            window.type(CLIP)
            window.keys("Return")
            window.until(lambda s: s["leaving"] == "Open other sources", "the same where others are opened")
            if answer == "ctrl+q":
                window.keys(answer)
                window.until(lambda s: s["leaving"] == "Quit", "quitting is asked about instead")
            window.click("leaving_stay")
            window.until(lambda s: not s["leaving"] and s["mask_ignored"] == painted, "it stays")
        window.click("mask_use")
        window.until(lambda s: s["detect.mask"] != '""' and s["applied"] and not s["stale"]
                     and s["markers"] < before, "fewer markers")
        self.assertTrue((self.dir / "glint.mask.png").exists())
        window.click("mask_invert")
        window.until(lambda s: s["mask_ignored"] == 320 * 240 - painted, "the other pixels")
        window.click("mask_undo")
        window.click("mask_learn")
        window.until(lambda s: s["mask_ignored"] >= painted and "learned" in s["last_line"], "more is learned")
        window.click("mask_clear")
        window.until(lambda s: s["mask_ignored"] == 0, "no mask")
        window.keys("m", "ctrl+z")
        window.until(lambda s: s["detect.mask"] == '""' and s["markers"] == before, "the mask is not used any more")
        window.quit()

    def test_rectangles_are_shown_and_painted_on(self):
        window = self.window("replay", "synth:spots?size=320x240&markers=12&frames=40", "--paused", "--from", "7",
                             "--region", "0,0,320,100", "--ignore", "0,0,20,50")
        window.until(lambda s: s["mask_ignored"] == 320 * 140 + 20 * 50 and s["frame"] == 7, "what is ignored")
        window.keys("m")
        window.click("mask_rectangle")
        window.drag("camera0", (0.02, 0.02), (0.98, 0.3))
        window.click("mask_use")
        window.until(lambda s: s["detect.mask"] != '""' and s["detect.region"] == s["detect.ignore"] == '""'
                     and s["applied"], "the mask says all")
        window.keys("m", "ctrl+z")
        window.until(lambda s: s["detect.region"] == '"0,0,320,100"' and s["mask_ignored"] == 45800, "as before")
        window.quit()


# The colours of Okabe and Ito (2008) that docs/app.md promises, by the id modulo 7.
COLOURS = ((86, 180, 233), (230, 159, 0), (0, 190, 140), (240, 228, 66), (90, 140, 255), (235, 110, 40), (224, 140, 190))


def chroma(pixels):
    """Returns the mean difference of red and of blue from green."""
    return (sum(r - g for r, g, _ in pixels) / len(pixels), sum(b - g for _, g, b in pixels) / len(pixels))


def likeness(seen, colour):
    """Returns the cosine between two colours' differences from grey, -1 to 1."""
    a, b = seen, (colour[0] - colour[1], colour[2] - colour[1])
    return (a[0] * b[0] + a[1] * b[1]) / max(1e-9, math.hypot(*a) * math.hypot(*b))


class Video(WindowTest):
    """An exported video has the rows and colours of the window and of tracks.csv."""
    SIZE, FRAMES = (1280, 960), 40
    APART = 40  # px from one marker to any other, so that nothing of another one is drawn beside it

    def setUp(self):
        super().setUp()
        self.glint("synth", f"dancer?size={self.SIZE[0]}x{self.SIZE[1]}&frames={self.FRAMES}&seed=7&cameras=1", "-o", "film.mkv")
        self.streamed = self.glint("track", "film.mkv", "-o", "plain.csv", "--quiet", "--stream", "-").stdout.splitlines()
        self.by_frame = collections.defaultdict(list)  # the rows of tracks.csv: track, x and y
        for row in rows(self.dir / "plain.csv"):
            self.by_frame[int(row["frame"])].append((int(row["track"]), float(row["x"]), float(row["y"])))

    def alone(self, frame, x, y, track, apart=APART):
        """Returns true if no track but this one has a row or a trail near the place."""
        inside = all(self.APART < v < most - self.APART for v, most in zip((x, y), self.SIZE))
        if not inside or any(t != track and math.hypot(a - x, b - y) <= apart for t, a, b in self.by_frame[frame]):
            return False
        # The trail of another track may lead through the place.
        return not any(t != track and math.hypot(a - x, b - y) <= apart / 2 for f in range(frame) for t, a, b in self.by_frame[f])

    def frames_of(self, file):
        """Decodes a video, and returns a function of frame, x, y and reach that returns the pixels of a square."""
        width, height = self.SIZE
        data = subprocess.run(["ffmpeg", "-v", "error", "-i", str(self.dir / file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                              check=True, capture_output=True, timeout=TIMEOUT).stdout
        self.assertEqual(len(data), self.FRAMES * width * height * 3)

        def square(frame, x, y, reach):
            begins = [3 * ((frame * height + round(y) + dy) * width + round(x) - reach) for dy in range(-reach, reach + 1)]
            return [tuple(data[b + 3 * i:b + 3 * i + 3]) for b in begins for i in range(2 * reach + 1)]
        return square

    def test_video_window_and_table_have_the_same_rows_and_colours(self):
        window = self.window("replay", "film.mkv", "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused", "the first frame")
        window.keys("ctrl+e")
        window.click("export_format")
        window.click("export_format:video")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        square = self.frames_of("film.seen.mp4")
        checked = 0
        for frame, seen in self.by_frame.items():
            for track, x, y in (one for one in seen if self.alone(frame, one[1], one[2], one[0])):
                pixels = chroma(square(frame, x, y, 8))
                self.assertGreater(math.hypot(*pixels), 2.5, (frame, track))
                self.assertGreater(likeness(pixels, COLOURS[track % 7]), 0.8, (frame, track, pixels))
                checked += 1
        self.assertGreater(checked, 100)
        # No file contains the predictions for a track that is lost afterwards, so the video does not either.
        lost = 0
        for frame, line in enumerate(map(json.loads, self.streamed)):
            for marker in line["markers"]:
                place = marker["x"], marker["y"]
                if not self.alone(frame, *place, marker["track"], 30) or marker["track"] in [one[0] for one in self.by_frame[frame]]:
                    continue
                self.assertLess(math.hypot(*chroma(square(frame, *place, 6))), 5, (frame, marker))
                lost += 1
        self.assertGreater(lost, 0)
        # The window shows the same rows, in these very colours.
        window.keys("End")
        last = self.FRAMES - 1
        told = window.until(lambda s: s["frame"] == last and s["whole"] and not s["stale"], "the last frame")
        self.assertEqual(sorted(row[1] for row in told["rows"]), sorted(track for track, _, _ in self.by_frame[last]))
        track = next(one[0] for one in self.by_frame[last] if self.alone(last, one[1], one[2], one[0]))
        x, y = told["widgets"][f"marker:{track}"][:2]
        self.assertIn(COLOURS[track % 7], {pixel for row in window.pixels(x - 12, y - 12, 25, 25) for pixel in row})
        window.quit()


if __name__ == "__main__":
    unittest.main()
