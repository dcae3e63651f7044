"""Tests `glint batch --profile slurm` with a real Slurm: slurm.py starts munged, slurmctld and a slurmd for each of three nodes on this machine, and
ends them. There are 24 recordings, one of them broken. One node is drained in the middle.

usage: slurm_test.py GLINT [unittest arguments]
"""

import datetime
import subprocess

from harness import GLINT, TIMEOUT, wait_until
from recordings import QUICK, BatchFolder, main, processes_in, synth
from slurm import Slurm

RECORDINGS, BROKEN = 24, "r05"
DRAINED = "node1"


class OnSlurm(BatchFolder):
    def test_a_node_is_drained_and_a_recording_is_broken(self):
        synth(self.dir / "rec", RECORDINGS, frames=4)
        (self.dir / f"rec/{BROKEN}.mkv").write_bytes(b"no video")
        with Slurm(self.dir / "slurm", nodes=3, cpus=2) as slurm:
            command = [GLINT, "batch", "rec", "-o", "out", "--profile", "slurm", "--", "--max-status-checks-per-second", "4"]
            with open(self.dir / "log", "w") as log:
                run = subprocess.Popen(command, cwd=self.dir, env=slurm.env | QUICK, stdout=log, stderr=subprocess.STDOUT)
            self.addCleanup(run.wait)
            self.addCleanup(run.kill)
            wait_until(lambda: len(self.times()) >= 3 or run.poll() is not None, "some are tracked")
            slurm.run("scontrol", "update", f"NodeName={DRAINED}", "State=DRAIN", "Reason=test")
            drained = datetime.datetime.now()
            run.wait(TIMEOUT)
            out = self.text("log")
            self.assertEqual(run.returncode, 1, out)
            jobs = slurm.jobs()
            self.assertEqual(slurm.run("sinfo", "--noheader", "--nodes", DRAINED, "--format=%T").strip(), "drained")
        self.assertEqual(processes_in(self.dir), [])

        names = [f"r{i:02}" for i in range(RECORDINGS)]
        self.assertEqual(sorted(job["JobName"] for job in jobs), names)  # Each recording has one job.
        self.assertEqual({job["JobName"] for job in jobs if job["JobState"] != "COMPLETED"}, {BROKEN})
        self.assertEqual({job["NumCPUs"] for job in jobs}, {"2"})
        nodes = [job["NodeList"] for job in jobs]
        self.assertEqual(set(nodes), {"node0", "node1", "node2"})
        # No job began on the drained node later, and those that ran there have ended well. Slurm's times are whole seconds.
        last = max(datetime.datetime.fromisoformat(job["StartTime"]) for job in jobs if job["NodeList"] == DRAINED)
        self.assertLessEqual(last, drained)
        self.assertLess(nodes.count(DRAINED), RECORDINGS // 3)

        summary = self.summary()
        self.assertEqual(list(summary), [BROKEN, *(name for name in names if name != BROKEN)])
        self.assertIn(f"{RECORDINGS} recordings: 1 failed -> summary.html", out)
        self.assertIn(f"log: {BROKEN}/track.log", out)
        self.assertIn("glint: ", summary[BROKEN]["says"])
        for name in set(names) - {BROKEN}:
            self.assertEqual((summary[name]["state"], summary[name]["idf1"]), ("good", "1.0"), name)
            self.assertTrue((self.dir / f"out/{name}/report.html").exists())
            self.assertTrue((self.dir / f"out/{name}/slurm.log").exists())
        self.assert_tracked(names[-1])

        # Slurm has ended, so the next run is local. Only the broken recording is tried again, and fails again.
        before = self.times()
        self.batch("--profile", "local", status=1)
        self.assertEqual(self.times(), before)


if __name__ == "__main__":
    main()
