"""Tests `glint batch` on this machine, with Debian's Snakemake.

usage: local_test.py GLINT [unittest arguments]
"""

import json
import os
import signal
import subprocess

from harness import GLINT, wait_until
from recordings import QUICK, BatchFolder, main, processes_in, synth


class Local(BatchFolder):
    def test_all_that_can_be_done_is_done_once(self):
        synth(self.dir / "rec", 3)
        cut = (self.dir / "rec/r02.mkv").read_bytes()
        (self.dir / "rec/r02.mkv").write_bytes(cut[:len(cut) // 2])
        (self.dir / "rec/r03.mkv").write_text("no video")
        out = self.batch(status=1)
        self.assertIn("log: r03/track.log", out)
        self.assertIn("4 recordings: 2 failed -> summary.html", out)

        # Recordings that failed come first, with Glint's own message. What was measured of them before they failed is kept.
        summary = self.summary()
        self.assertEqual(list(summary)[2:], ["r00", "r01"])
        for name in "r00", "r01":
            row = summary[name]
            self.assertEqual((row["state"], row["frames"], row["tracks"], row["idf1"]), ("good", "12", "3", "1.0"))
            self.assert_tracked(name)
        log = self.text("out/r03/track.log")
        self.assertEqual(summary["r03"]["says"], log.splitlines()[-1])
        self.assertEqual(summary["r02"]["state"], "failed")
        self.assertIn("cut", summary["r02"]["says"])
        self.assertFalse((self.dir / "out/r02/tracks.csv").exists())
        self.assertGreater(len(self.text("out/r02/before_failure.csv").splitlines()), 6)
        self.assertEqual(json.loads(self.text("out/r02/before_failure.json"))["counts"]["frames"], int(summary["r02"]["frames"]))
        page = self.text("out/summary.html")
        self.assertLess(page.index(">r03<"), page.index("r00/report.html"))
        self.assertIn("<a href='r03/track.log'>failed</a>", page)

        # In the second run one recording was repaired, one is new, and one has other settings. Only these three are tracked.
        before = self.times()
        synth(self.dir / "more", 1, seed=9)
        os.replace(self.dir / "more/r00.mkv", self.dir / "rec/r02.mkv")
        (self.dir / "rec/r03.mkv").unlink()
        table = self.dir / "out/recordings.csv"
        at = f"{self.dir}/rec/"
        lines = [line for line in table.read_text().splitlines() if "r03" not in line] + [
            f"synth:spots?size=64x48&frames=12&markers=3,,,,{self.dir}/nowhere.csv,", f"{at}r00.mkv,,,--set detect.separation=5 --stats stats.csv,,yes"]
        table.write_text("\n".join(lines) + "\n")
        out = self.batch(status=1)
        self.assertIn("5 recordings: 1 failed, 1 to look at -> summary.html", out)
        after = self.times()
        self.assertEqual({name: after[name] for name in before}, before)
        new = set(after) - set(before)
        self.assertEqual(new, {"r02", "r00.mkv", "synth_spots_size=64x48_frames=12_markers=3"})
        self.assertFalse((self.dir / "out/r02/before_failure.csv").exists())
        probed = json.loads(self.text("out/r00.mkv/probe.json"))
        settings = json.loads(self.text("out/r00.mkv/tracks.json"))["settings"]
        self.assertTrue(probed["found"])
        self.assertEqual(settings["detect"]["separation"], 5)
        self.assertTrue((self.dir / "out/r00.mkv/stats.csv").exists())
        first, second, *_ = self.summary().values()
        self.assertEqual((first["state"], first["tracks"]), ("failed", "3"))
        self.assertIn("nowhere.csv", first["says"])
        self.assertEqual((second["name"], second["state"], second["says"][:5]), ("r02", "look", "IDF1 "))  # The truth belongs to another recording.

        # Only the settings of this one recording change, and its truth is removed from the table.
        config = self.dir / "settings.toml"
        config.write_text("[detect]\nseparation = 7\n")
        table.write_text(table.read_text().replace(f",,,,{self.dir}/nowhere.csv,", f",{config},,,,"))
        out = self.batch()
        self.assertIn("5 recordings: 1 to look at -> summary.html", out)
        later = self.times()
        self.assertEqual({name for name in later if later[name] != after[name]}, {"synth_spots_size=64x48_frames=12_markers=3"})

    def test_truth_of_frames_that_were_not_tracked_does_not_count(self):
        synth(self.dir / "rec", 1, frames=40)
        (self.dir / "t.csv").write_text("recording,truth,options\nrec/r00.mkv,rec/r00.truth.csv,--frames 20\n")
        self.batch(source="t.csv")
        row = self.summary()["r00"]
        self.assertGreater(float(row["recall"]), 0.9)
        self.assertEqual((row["frames"], row["state"]), ("20", "good"))
        self.assertIn("60 rows of the truth are of frames that were not tracked", row["says"])

    def test_a_killed_run_goes_on(self):
        synth(self.dir / "rec", 5, frames=40)
        command = [GLINT, "batch", "rec", "-o", "out"]
        run = subprocess.Popen(command, cwd=self.dir, env={**os.environ, **QUICK}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
        try:
            wait_until(lambda: self.times("report.html"), "one is done")
        finally:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        wait_until(lambda: not processes_in(self.dir), "all processes of the run have ended")
        before = {name: time for name, time in self.times().items() if name in self.times("report.html")}
        self.assertLess(len(before), 5)
        self.assertIn("--unlock", self.batch(status=1))
        self.batch("--", "--unlock")
        self.assertIn("5 recordings, all good -> summary.html", self.batch())
        after = self.times()
        self.assertEqual({name: after[name] for name in before}, before)
        for name in set(after) - set(before):
            self.assert_tracked(name)
        self.assertEqual(processes_in(self.dir), [])


if __name__ == "__main__":
    main()
