"""Tests parts of a recording: --from with --frames, --region and --ignore, and the advice at the end of a run.

usage: region_test.py GLINT [unittest arguments]
"""

import json
import os
import subprocess
import unittest

from harness import TIMEOUT, Folder, rows

SCENE = "spots?size=320x240&markers=12&frames=40&seed=3"
CLIP = "synth:" + SCENE


class From(Folder):
    def track(self, source, *arguments, name="t"):
        result = self.glint("track", source, "--detections", f"{name}.csv", "-o", f"{name}.tracks.csv", *arguments)
        found = rows(self.dir / f"{name}.csv")
        for row in found:
            row["flags"] = int(row["flags"]) & ~4  # This flag means that the threshold comes from earlier frames.
        return found, result

    def after(self, whole, first, end=None):
        """Returns the rows of frames from `first` on. The first frame has its own threshold, which is the same here."""
        return [row for row in whole if first <= int(row["frame"]) and (end is None or int(row["frame"]) < end)]

    def test_rows_are_those_of_the_whole_recording(self):
        self.glint("synth", SCENE, "-o", "clip.mkv")
        self.glint("synth", SCENE, "-o", "images")
        for source in (CLIP, "clip.mkv", "images"):
            fixed = ["--set", "detect.threshold=0.2"]
            whole, _ = self.track(source, *fixed)
            for words, first in ((["--from", "0"], 0), (["--from", "17"], 17), (["--from", "39"], 39)):
                part, result = self.track(source, *fixed, *words, name="p")
                self.assertEqual(part, self.after(whole, first))
                self.assertIn(f"{40 - first} frame{'s' * (first < 39)} in", result.stdout)
            part, result = self.track(source, *fixed, "--from", "17", "--frames", 5, name="p")
            self.assertEqual(part, self.after(whole, 17, 22))
            tracks = rows(self.dir / "p.tracks.csv")
            self.assertEqual({int(row["frame"]) for row in tracks}, set(range(17, 22)))
            self.assertEqual(min(int(row["track"]) for row in tracks), 1)
            time = float(next(row for row in whole if row["frame"] == "23")["time_s"])
            for seconds, first in ((time, 23), (time - 1e-4, 23), (time + 1e-4, 24), (0, 0)):
                part, _ = self.track(source, *fixed, "--from", f"{seconds:.6f}s", name="p")
                self.assertEqual(part, self.after(whole, first), (source, seconds))

    def test_a_pipe_is_read_up_to_there(self):
        self.glint("synth", SCENE, "-o", "clip.avi")
        whole, _ = self.track("clip.avi", "--set", "detect.threshold=0.2")
        time = float(next(row for row in whole if row["frame"] == "12")["time_s"])
        for start in ("12", f"{time:.6f}s"):
            os.mkfifo(self.dir / "pipe")
            with open(self.dir / "clip.avi", "rb") as clip:
                feeder = subprocess.Popen(["sh", "-c", "cat > pipe"], stdin=clip, cwd=self.dir)
                part, _ = self.track("pipe", "--set", "detect.threshold=0.2", "--from", start, name="p")
                feeder.wait(timeout=TIMEOUT)
            self.assertEqual([(r["frame"], r["x"]) for r in part], [(r["frame"], r["x"]) for r in self.after(whole, 12)])
            (self.dir / "pipe").unlink()

    def test_several_cameras_begin_together(self):
        second = "synth:spots?size=320x240&markers=5&frames=20&seed=4"
        whole, _ = self.track(CLIP, second, "--set", "detect.threshold=0.2")
        part, result = self.track(CLIP, second, "--set", "detect.threshold=0.2", "--from", "15", name="p")
        self.assertEqual(part, self.after(whole, 15))
        self.assertIn("25 frames in", result.stdout)

    def test_filter_and_mask_begin_there_too(self):
        self.glint("filter", CLIP, "--filter", "invert", "-o", "all_%02d.png")
        for start in ("30", ".2s"):
            self.glint("filter", CLIP, "--filter", "invert", "--from", start, "--frames", 3, "-o", f"{start}_%02d.png")
            made = sorted(path.name for path in self.dir.glob(f"{start}_*.png"))
            self.assertEqual(len(made), 3)
            for name in made:
                number = name.split("_")[1]
                self.assertEqual((self.dir / name).read_bytes(), (self.dir / f"all_{number}").read_bytes())
        self.assertTrue((self.dir / "30_30.png").exists())
        printed = self.glint("mask", CLIP, "--from", "30", "-o", "m.png").stdout
        self.assertIn("from 10 frames", printed)

    def test_refusals(self):
        for arguments, says in ((["--from", "40"], "ends before frame 40"), (["--from", "1e4s"], "ends before 10000 s"),
                                (["--from", "400000000"], "ends before frame 400000000"),
                                (["--from", "-1"], "--from"), (["--from", "soon"], "'soon' is neither a frame"),
                                (["--from", "1.5"], "'1.5' is neither a frame"), (["--from", "nans"], "neither"),
                                (["--from", "-3s"], "neither"), (["--from", ""], "--from")):
            for command in (["track", CLIP], ["filter", CLIP, "--filter", "invert", "-o", "f_%d.png"],
                            ["mask", CLIP, "-o", "m.png"]):
                result = self.glint(*command, *arguments, status=2)
                self.assertIn(says, result.stderr)
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_the_record_of_a_refused_run_stays(self):
        self.glint("track", CLIP, "--frames", 3)
        before = self.text("tracks.csv")
        self.glint("track", CLIP, "--from", "99", status=2)
        self.assertEqual(self.text("tracks.csv"), before)


class Region(Folder):
    def found(self, *arguments, name="d"):
        self.glint("track", CLIP, "--frames", 6, "--set", "detect.threshold=0.2", "--detections", f"{name}.csv",
                   "-o", f"{name}.tracks.csv", *arguments)
        return rows(self.dir / f"{name}.csv")

    @staticmethod
    def places(found):
        return {(row["frame"], row["peak_x"], row["peak_y"]) for row in found}

    def write_mask(self, name, measured):
        """Writes a picture that masks the same pixels."""
        with open(self.dir / name, "wb") as file:
            file.write(b"P5 320 240 255\n" + bytes(255 if measured(x, y) else 0 for y in range(240) for x in range(320)))

    def test_it_is_a_mask_that_says_the_same(self):
        def inside(x, y, rect):
            return rect[0] <= x < rect[0] + rect[2] and rect[1] <= y < rect[1] + rect[3]

        cases = (([(20, 30, 150, 100)], []), ([(20, 30, 150, 100), (100, 90, 220, 150)], []), ([], [(0, 0, 160, 240)]),
                 ([(20, 30, 280, 200)], [(60, 50, 100, 100), (0, 0, 50, 240)]))
        whole = self.found(name="whole")
        for regions, ignored in cases:
            arguments = [word for r in regions for word in ("--region", ",".join(map(str, r)))]
            arguments += [word for r in ignored for word in ("--ignore", ",".join(map(str, r)))]
            found = self.found(*arguments)

            def measured(x, y):
                return (not regions or any(inside(x, y, r) for r in regions)) and not any(inside(x, y, r) for r in ignored)

            self.write_mask("m.pgm", measured)
            self.assertEqual(found, self.found("--set", "detect.mask=m.pgm", name="m"))
            self.assertTrue(found)
            self.assertLess(len(found), len(whole))
            self.write_mask("half.pgm", lambda x, y: y < 120)
            both = self.found(*arguments, "--set", "detect.mask=half.pgm", name="b")
            self.write_mask("m.pgm", lambda x, y: measured(x, y) and y < 120)
            self.assertEqual(both, self.found("--set", "detect.mask=m.pgm", name="m"))

    def test_it_is_recorded_and_replayed(self):
        rectangles = ["--region", "20,30,150,100", "--region", " 100,90,220,150", "--ignore", "30,30,40,40"]
        found = self.found(*rectangles, "--record", "r.mkv")
        settings = json.loads(self.text("d.tracks.json"))["settings"]["detect"]
        self.assertEqual(settings["ignore"], "30,30,40,40")
        again = "; ".join(("20,30,150,100", " 100,90,220,150"))
        self.assertEqual(settings["region"], again)
        self.glint("track", "r.mkv", "--config", "r.mkv", "--detections", "again.csv")
        self.assertEqual(rows(self.dir / "again.csv"), found)
        (self.dir / "s.toml").write_text(f'[detect]\nregion = "{again}"\nignore = "30,30,40,40"\n')
        self.assertEqual(self.found("--config", "s.toml"), found)
        self.assertEqual(self.found("--config", "s.toml", "--set", "detect.ignore="),
                         self.found(*rectangles[:4]))

    def test_probe_prints_it(self):
        words = self.glint("probe", CLIP, "--region", "20,30,150,100").stdout.splitlines()[-1]
        self.assertIn("--region 20,30,150,100", words)
        printed = json.loads(self.glint("probe", CLIP, "--region", "20,30,150,100", "--json").stdout)
        self.assertLess(printed["markers_a_frame"], 12)

    def test_what_is_told_of_those_outside(self):
        self.found("--ignore", "0,0,160,240", "--rejected", "r.csv")
        masked = [row for row in rows(self.dir / "r.csv") if row["reason"] == "masked"]
        self.assertTrue(masked)
        self.assertTrue(all(int(row["peak_x"]) < 160 for row in masked))

    def test_refusals(self):
        for arguments, says in ((["--region", "0,0,0,10"], "holds no pixel"), (["--region", "0,0,10,0"], "holds no pixel"),
                                (["--ignore", "5,5,0,0"], "holds no pixel"),
                                (["--region", "300,0,21,10"], "300,0,21,10 reaches beyond the frames, which are 320x240"),
                                (["--ignore", "0,239,1,2"], "reaches beyond"), (["--region", "320,0,1,1"], "reaches beyond"),
                                (["--region", "4294967295,0,4294967295,1"], "reaches beyond"),
                                (["--region", "1,2,3"], "no rectangle"), (["--region", "1,2,3,4,5"], "no rectangle"),
                                (["--region", "-1,2,3,4"], "no rectangle"), (["--region", "1.5,2,3,4"], "no rectangle"),
                                (["--region", ""], "--region"), (["--region", "a"], "no rectangle"),
                                (["--set", "detect.region=1,2,3"], "detect.region: '1,2,3' is no rectangle"),
                                (["--region", "10,10,20,20", "--ignore", "0,0,40,40"], "leave no pixel")):
            result = self.glint("track", CLIP, *arguments, status=2)
            self.assertIn(says, result.stderr)
        self.assertEqual(list(self.dir.iterdir()), [])


class Told(Folder):
    def test_the_picture_is_of_the_middle(self):
        for arguments, middle in (([], 20), (["--frames", 9], 4), (["--from", 30], 35), (["--from", 10, "--frames", 6], 13)):
            self.glint("track", CLIP, *arguments, "--picture", "p.png", "--quiet")
            self.glint("track", CLIP, *arguments, "--picture", "q.png", "--picture-frame", middle, "--quiet")
            self.assertEqual((self.dir / "p.png").read_bytes(), (self.dir / "q.png").read_bytes(), arguments)
        self.glint("track", "synth:spots?size=64x64&markers=4&frames=1", "--picture", "p.png", "--quiet")

    def test_numbers_need_no_zero_before_the_point(self):
        for words in (["--set", "detect.max_eccentricity=.95"], ["--set", "detect.separation=6."],
                      ["--filter", "smooth=gaussian:sigma=.8"], ["--marker-radius", ".9"]):
            self.glint("track", CLIP, "--frames", 2, *words)
        self.glint("mask", CLIP, "-o", "m.png", "--share", ".5")
        self.glint("track", CLIP, "--from", ".5s", "--quiet")
        self.glint("track", CLIP, "--frames", 2, "--set", "detect.max_eccentricity=.95")
        self.assertEqual(json.loads(self.text("tracks.json"))["settings"]["detect"]["max_eccentricity"], 0.95)
        (self.dir / "s.toml").write_text("[detect]\nmax_eccentricity = .95\n")
        self.glint("track", CLIP, "--config", "s.toml", status=2)  # TOML does not allow this number.

    def spots(self, folder, width, height, places, long=1):
        """Writes six frames of one spot each, `long` times as long as wide, at a different place in each."""
        (self.dir / folder).mkdir()
        for frame, (cx, cy) in enumerate(places):
            image = bytearray(10 + (7 * x + 13 * y + 5 * frame) % 3 for y in range(height) for x in range(width))
            for y in range(height):
                for x in range(width):
                    r = ((x - cx) / long) ** 2 + (y - cy) ** 2
                    if r < 40:
                        image[y * width + x] = min(255, image[y * width + x] + round(200 * 2 ** (-r / 4)))
            (self.dir / folder / f"{frame}.pgm").write_bytes(b"P5 %d %d 255\n" % (width, height) + image)

    def test_stills_are_no_mend_for_what_is_long(self):
        self.spots("long", 200, 100, [(40 + 4 * n, 50) for n in range(6)], long=3)
        image = bytearray((self.dir / "long/2.pgm").read_bytes())
        for y in range(-4, 5):  # One frame also has a round spot.
            for x in range(-4, 5):
                image[len(image) - 20000 + (20 + y) * 200 + 150 + x] = 12 + round(180 * 2 ** (-(x * x + y * y) / 3))
        (self.dir / "long/2.pgm").write_bytes(image)
        printed = self.glint("track", "long", "--no-stills", "--set", "detect.max_eccentricity=0.8").stdout
        self.assertIn("6 detections were rejected (too elongated", printed)
        self.assertNotIn("--stills", printed)

    def test_what_never_stood_out_is_faint(self):
        self.glint("track", CLIP + "&noise=6", "--frames", 4, "--set", "detect.min_radius=1", "--set",
                   "detect.threshold=0.08", "--rejected", "r.csv", "--quiet")
        small = [row for row in rows(self.dir / "r.csv") if row["reason"] == "too_small"]
        self.assertEqual([row for row in small if float(row["radius"]) == 0], [])


if __name__ == "__main__":
    unittest.main()
