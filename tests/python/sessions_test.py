"""Tests that glint.track() and glint.Session equal the program, and what they refuse.

usage: sessions_test.py GLINT [unittest arguments]
"""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import glint
import numpy
import pandas

from scenes import SCENE, TWO, Folder, read, same, spots, write

CLIP = os.path.join(os.environ["GLINT_ASSETS"], "dancer.mp4")


class Track(Folder):
    def test_equals_the_program(self):
        """Every value of every row is equal, in the order of the file."""
        for sources, arguments, keywords in (
            ([CLIP], ["--frames", "40"], {"frames": 40}),
            ([SCENE], ["--set", "detect.separation=8", "--from", "20"], {"detect_separation": 8, "start": 20}),
            (TWO, ["--no-stitch"], {"stitch": False}),
            ([SCENE, SCENE.replace("320x240", "200x100")], ["--from", "0.5s"], {"start": "0.5s"}),
            ([SCENE], ["--filter", "median", "--frames", "6"], {"filters": "median", "frames": 6}),
        ):
            self.glint("track", *sources, "-o", "t.csv", *arguments)
            same(self, glint.track(*sources, **keywords), read(self.dir / "t.csv"))

    def test_sources(self):
        image = spots([(30, 30)])
        for i in range(3):
            write(self.dir / f"f{i}.pgm", image)
        rows = glint.track(self.dir, stills=False)
        self.assertEqual(list(rows.frame), [0, 1, 2])
        same(self, glint.track([self.dir / "f%d.pgm"]), rows)
        odd = os.fsencode(self.dir) + b"/\xff.pgm"
        os.rename(self.dir / "f0.pgm", odd)
        self.assertEqual(len(glint.track(odd)), 1)
        self.assertEqual(len(glint.track(os.fsdecode(odd))), 1)

    def test_refuses(self):
        for kind, sentence, sources, keywords in (
            (ValueError, "name a source", [], {}),
            (glint.Error, "none.mp4", ["none.mp4"], {}),
            (glint.Error, "\\xff.mp4", [b"\xff.mp4"], {}),
            (ValueError, "allowed is 1 to 65536 px", [SCENE], {"separation": 0}),
            (ValueError, "is not a whole number from 1", [SCENE], {"frames": 0}),
            (ValueError, "is not a whole number from 1", [SCENE], {"frames": 1.5}),
            (ValueError, "frame 60", [SCENE], {"start": 60}),
            (ValueError, "soon", [SCENE], {"start": "soon"}),
            (ValueError, "there is no Vulkan device", [SCENE], {"device": "9"}),
            (ValueError, "synth", ["synth:nothing"], {}),
        ):
            self.assert_refused(kind, sentence, glint.track, *sources, **keywords)

    def test_keeps_what_was_measured_before_a_failure(self):
        for i in range(6):
            write(self.dir / f"f{i}.pgm", spots([(30 + i, 30)]))
        (self.dir / "f4.pgm").write_bytes(b"P5 96 64 255\n1234")
        with self.assertRaises(glint.Error) as refused:
            glint.track(self.dir, stills=False)
        self.assertIn("f4.pgm", str(refused.exception))
        self.assertEqual(list(refused.exception.tracks.frame), [0, 1, 2, 3])

    def test_nothing_found(self):
        for i in range(3):
            write(self.dir / f"f{i}.pgm", numpy.zeros((16, 16), numpy.uint8))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rows = glint.track(f"{self.dir}?fps=60")
        self.assertEqual((len(rows), len(caught)), (0, 1))
        self.assertIn("glint.probe", str(caught[0].message))
        finding = rows.attrs["findings"][-1]
        self.assertEqual((finding["finding"], finding["severity"]), ("nothing_found", "hint"))
        self.assertTrue(str(caught[0].message).startswith(finding["text"]))

    def test_assumptions_are_warnings(self):
        for i in range(3):
            write(self.dir / f"f{i}.pgm", spots([(30 + i, 30)]))
        for source, count in ((str(self.dir), 1), (f"{self.dir}?fps=60", 0)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                glint.track(source)
            self.assertEqual([str(one.message) for one in caught],
                             [f"'{source}': its rate of 30 frames/s is assumed; ?fps=60 sets another"] * count)

    def test_findings_are_those_of_the_record(self):
        many = "synth:spots?size=320x240&markers=60&frames=5&seed=2"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rows = glint.track(many, detect_max_markers=20)
        self.glint("track", many, "--set", "detect.max_markers=20", "-o", "tracks.csv")
        record = json.loads((self.dir / "tracks.json").read_text())
        self.assertEqual(rows.attrs["findings"], record["findings"])
        self.assertEqual(rows.attrs["sources"], [camera["about"] for camera in record["cameras"]])
        self.assertIn("frames", rows.attrs["sources"][0]["line"])
        full = next(finding for finding in record["findings"] if finding["finding"] == "full_frames")
        self.assertEqual(full["options"], ["--set", "detect.max_markers=80"])
        self.assertIn(full["text"], [str(one.message) for one in caught])

    def test_trials_are_those_of_the_program(self):
        """The scene has dark spots, which the defaults do not find, and whose radius is not the given one."""
        places = [(12 + 20 * i, 14 + 22 * k) for i in range(7) for k in range(5)]
        for n in range(4):
            write(self.dir / f"f{n}.pgm", 255 - spots([(x + 2 * n, y) for x, y in places], (160, 120), seed=n))
        for arguments, keywords in (((), {}), (("--marker-radius", "12"), {"marker_radius": 12}),
                                    (("--set", "track.confirm=2"), {"track_confirm": 2})):
            with self.subTest(keywords), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows = glint.track(self.dir, stills=False, **keywords)
                self.glint("track", self.dir, "--no-stills", *arguments, "-o", "t.csv")
                record = json.loads((self.dir / "t.json").read_text())
                self.assertEqual(rows.attrs["findings"], record["findings"])
                self.assertIn("--dark", rows.attrs["findings"][-1]["options"])

    def test_progress(self):
        caught = []
        glint.track(SCENE, progress=lambda frames, length: caught.append((frames, length)))
        self.assertEqual(caught[-1], (60, 60))

        def fail(frames, length):
            raise KeyError("mine")

        self.assertRaises(KeyError, glint.track, SCENE, progress=fail)
        self.assertIn("60 of 60 frames", self.python(f"glint.track({SCENE!r}, progress=True)"))
        self.assertEqual(self.python(f"glint.track({SCENE!r})"), "")  # There is no terminal.

    def test_interrupt(self):
        """Ctrl-C stops tracking, and also waiting for a source that sends nothing."""
        os.mkfifo(self.dir / "pipe.mp4")
        for source, ready in ((f"{SCENE.replace('frames=60', 'frames=1000000')}", 0.5), ("pipe.mp4", 0.5)):
            code = f"import glint\ntry:\n  print('go', flush=True)\n  glint.track({source!r})\nexcept KeyboardInterrupt:\n  print('stopped')"
            child = subprocess.Popen([sys.executable, "-c", code], cwd=self.dir, stdout=subprocess.PIPE, text=True)
            self.assertEqual(child.stdout.readline(), "go\n")
            time.sleep(ready)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=60)
            self.assertEqual((out, child.returncode), ("stopped\n", 0))


class Session(Folder):
    def test_equals_the_program(self):
        self.glint("track", *TWO, "-o", "t.csv", "--detections", "d.csv")
        with glint.Session(TWO) as session:
            self.assertEqual((session.cameras, session.live, session.length), (2, False, 40))
            frames = list(session)
        self.assertEqual([frame.index for frame in frames], list(range(40)))
        same(self, pandas.concat([frame.markers for frame in frames], ignore_index=True).sort_values(["frame", "camera", "rank"], ignore_index=True),
             read(self.dir / "d.csv").sort_values(["frame", "camera", "rank"], ignore_index=True))
        keys = ["camera", "frame", "track"]
        final = read(self.dir / "t.csv")
        live = pandas.concat([frame.tracks for frame in frames])
        both = live[live.state == "measured"].merge(final[final.state == "measured"], on=keys, suffixes=("", "_final"))
        self.assertGreater(len(both), 500)
        self.assertTrue((both.x == both.x_final).all() and (both.y == both.y_final).all())
        for frame in frames[::7]:
            for i, camera in enumerate(frame.cameras):
                same(self, camera.markers, frame.markers[frame.markers.camera == i].reset_index(drop=True))
                self.assertEqual((camera.state, camera.index), ("frame", frame.index))
                self.assertLessEqual(frame.time, camera.time)
        self.assert_refused(ValueError, "frame.cameras[i].image", lambda: frames[-1].image)

    def test_images(self):
        expected = [spots([(20 + 5 * i, 30)], seed=i) for i in range(5)]
        for i, image in enumerate(expected):
            write(self.dir / f"g{i}.pgm", image)
            write(self.dir / f"c{i}.ppm", numpy.dstack([image, image // 2, image // 3]))
            write(self.dir / f"d{i}.pgm", image.astype(numpy.uint16) * 257)
        for name, wanted in (("g%d.pgm", expected), ("c%d.ppm", [numpy.dstack([i, i // 2, i // 3]) for i in expected]),
                             ("d%d.pgm", [i.astype(numpy.uint16) * 257 for i in expected])):
            for frame, image in zip(glint.Session(self.dir / name, stills=False), wanted, strict=True):
                numpy.testing.assert_array_equal(frame.image, image)
                self.assertEqual(frame.image.dtype, image.dtype)
                self.assertFalse(frame.image.flags.writeable)
                self.assertEqual(frame.image.ctypes.data, frame.image.ctypes.data)  # The image was not copied.

    def test_image_after_its_frame(self):
        """A view of an image stays valid, but a session keeps the images of its last frames only."""
        session = glint.Session(SCENE)
        first = next(session)
        image, copy = first.image, first.image.copy()
        del first
        gc.collect()
        next(session), next(session)
        numpy.testing.assert_array_equal(image, copy)
        self.assert_refused(glint.Error, "image.copy()", next, session)
        del image
        kept = next(session)
        frames = [next(session) for _ in range(4)]
        self.assert_refused(glint.Error, "is gone", lambda: kept.image)
        self.assertEqual(len(kept.markers), len(kept.markers))
        self.assertEqual(frames[-1].image.shape, (240, 320))
        last = frames[-1].image
        session.close()
        del session, frames
        gc.collect()
        self.assertGreater(last.max(), 0)

    def test_after_its_end(self):
        session = glint.Session(SCENE, frames=2)
        self.assertEqual(len(list(session)), 2)
        self.assertEqual(list(session), [])
        session.close()
        session.close()
        self.assert_refused(glint.Error, "was closed", next, session)
        self.assert_refused(glint.Error, "was closed", session.change, threshold=0.5)

    def test_failure_comes_after_the_frames(self):
        for i in range(4):
            write(self.dir / f"f{i}.pgm", spots([(30 + i, 30)]))
        (self.dir / "f3.pgm").write_bytes(b"P5 96 64 255\n1234")
        session, seen = glint.Session(self.dir, stills=False), []
        with self.assertRaises(glint.Error) as refused:
            for frame in session:
                seen.append(frame.index)
        self.assertEqual(seen, [0, 1, 2])
        self.assertIn("f3.pgm", str(refused.exception))
        self.assertEqual(list(session), [])

    def test_change(self):
        with glint.Session(SCENE) as session:
            before = len(next(session).markers)
            self.assert_refused(ValueError, "allowed is 0 to 1", session.change, threshold=2)
            self.assert_refused(ValueError, "detect.min_radius", session.change, min_radius=3, max_radius=2)
            self.assert_refused(ValueError, "cannot change", session.change, device_name="other")
            session.change(max_markers=1)
            counts = [len(frame.markers) for frame in session]
        self.assertGreater(before, 1)
        self.assertEqual(counts[-20:], [1] * 20)

    def test_threads(self):
        """Eight threads first have a session each, and then share one."""
        expected = glint.track(SCENE, frames=20)
        done, frames = [], []
        together = glint.Session(SCENE)

        def own():
            done.append(glint.track(SCENE, frames=20))
            frames.extend(frame.index for frame in together)

        threads = [threading.Thread(target=own) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(done), 8)
        for rows in done:
            same(self, rows, expected)
        self.assertEqual(sorted(frames), list(range(60)))

    def test_close_while_another_thread_waits(self):
        os.mkfifo(self.dir / "never.mjpeg")
        session = glint.Session(SCENE, realtime=True)
        seen = []

        def wait():
            try:
                for frame in session:
                    seen.append(frame)
            except glint.Error as error:
                seen.append(str(error))

        thread = threading.Thread(target=wait)
        thread.start()
        while not seen:
            time.sleep(0.01)
        session.close()
        thread.join(30)
        self.assertFalse(thread.is_alive())
        self.assertIn("was closed", str(seen[-1]))

    def test_releases_the_lock(self):
        """Python goes on while Glint works."""
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        glint.track(SCENE.replace("frames=60", "frames=200"))
        stop.set()
        thread.join()
        self.assertGreater(counted[0], 20)

    def test_never_closed(self):
        self.python(f"session = glint.Session({SCENE!r})\nframe = next(session)\nimage = frame.image")
        self.python(f"session = glint.Session({SCENE!r})\nnext(session)\nimport os\nos._exit(0)")

    def test_python_ends_while_threads_work(self):
        """If Python ends while threads work, Glint ends their work, and Python exits as usual."""
        self.python(f"""
import numpy, threading
scene = {SCENE.replace("frames=60", "frames=100000")!r}
image, begun = numpy.zeros((64, 96), numpy.uint8), threading.Semaphore(0)
def forever(call):
    while True:
        call()
        begun.release()
session = glint.Session(scene)
for call in (lambda: glint.detect(image), lambda: next(session), lambda: glint.track(scene, frames=1), lambda: glint.distance(image)):
    threading.Thread(target=forever, args=(call,), daemon=True).start()
threading.Thread(target=glint.track, args=(scene,), daemon=True).start()
for _ in range(40):
    begun.acquire()
""")

    def test_interrupt(self):
        code = f"""import glint
session = glint.Session({SCENE!r}, realtime=True, frames=1000)
next(session)
try:
    print('go', flush=True)
    while True:
        for frame in session:
            pass
        session = glint.Session({SCENE!r}, realtime=True)
except KeyboardInterrupt:
    print('stopped')
"""
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "go\n")
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], "stopped\n")


class Fork(Folder):
    def test_fork(self):
        """A child of a process that has used a device is refused. It ends like any other process."""
        out = self.python(f"""
import os, sys, numpy
image = numpy.zeros((16, 16), numpy.uint8)
glint.detect(image)
session, detector = glint.Session({SCENE!r}), glint.Detector((16, 16))
frame = next(session)
child = os.fork()
if child == 0:
    for call in (lambda: glint.detect(image), lambda: next(session), lambda: glint.track({SCENE!r}), session.close,
                 lambda: detector.submit(image)):
        try:
            call()
            print("went on")
        except glint.Error as error:
            assert "forked" in str(error), error
    assert frame.image.shape == (240, 320) and len(frame.tracks) >= 0
    del session, detector, frame
    print("child", flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
session.close()
print("parent")
""")
        self.assertEqual(out, "child\nparent\n")

    def test_fork_before_use(self):
        self.python("""
import os, numpy
child = os.fork()
glint.detect(numpy.zeros((16, 16), numpy.uint8))
if child:
    assert os.waitpid(child, 0)[1] == 0
""")


if __name__ == "__main__":
    unittest.main()
