"""Recordings of every kind: what is read of them, and what is said of it before the first frame."""

import json
import math
import pathlib
import random
import re
import shlex
import struct
import subprocess
import unittest

from harness import Folder, rows

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
WIDTH, HEIGHT = 96, 64


def picture(n, bits=8, width=WIDTH, height=HEIGHT):
    """Two soft spots on black, the first of which moves by 2 px to the right in each frame."""
    full = (1 << bits) - 1
    lines = []
    for y in range(height):
        for x in range(width):
            level = 0.0
            for spot_x, spot_y in ((20 + 2 * n, 20), (70, 45)):
                square = (x - spot_x) ** 2 + (y - spot_y) ** 2
                level += max(0.0, 1 - square / 16)
            lines.append(round(min(level, 1) * 0.9 * full))
    return lines


def pgm(values, bits=8, width=WIDTH, height=HEIGHT):
    head = b"P5\n%d %d\n%d\n" % (width, height, (1 << bits) - 1)
    return head + struct.pack(f">{len(values)}{'B' if bits == 8 else 'H'}", *values)


def tiff(pages, bits=8, description="", order=">"):
    """Pages of grey, each with its directory behind its picture. Those of 32 bits are floats."""
    data = bytearray(struct.pack(order + "2sHI", b"MM" if order == ">" else b"II", 42, 0))
    pointer = 4
    for n, values in enumerate(pages):
        at = len(data)
        data += struct.pack(f"{order}{len(values)}{ {8: 'B', 16: 'H', 32: 'f'}[bits]}", *values)
        text = description.encode() + b"\0" if n == 0 and description else b""
        text_at = len(data)
        data += text + bytes(len(text) % 2)
        struct.pack_into(order + "I", data, pointer, len(data))
        tags = [(256, 4, 1, WIDTH), (257, 4, 1, HEIGHT), (258, 3, 1, bits), (259, 3, 1, 1), (262, 3, 1, 1),
                (273, 4, 1, at), (277, 3, 1, 1), (278, 4, 1, HEIGHT), (279, 4, 1, len(values) * bits // 8)]
        tags += [(270, 2, len(text), text_at)] if text else []
        tags += [(339, 3, 1, 3)] if bits == 32 else []
        data += struct.pack(order + "H", len(tags))
        for tag, kind, count, value in sorted(tags):
            data += struct.pack(order + "HHI", tag, kind, count)
            data += struct.pack(order + "HH", value, 0) if kind == 3 else struct.pack(order + "I", value)
        pointer = len(data)
        data += bytes(4)
    return bytes(data)


def avi(mark, pictures, bits):
    """An AVI of 25 frames/s with grey pictures and an index, as cameras write them."""
    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)
    frames = [struct.pack(f"<{len(p)}{'B' if bits == 8 else 'H'}", *p) for p in pictures]
    size = len(frames[0])
    avih = struct.pack("<14I", 40000, 0, 0, 0x10, len(frames), 0, 1, size, WIDTH, HEIGHT, 0, 0, 0, 0)
    strh = struct.pack("<4s4sIHHIIIIIIII4H", b"vids", mark, 0, 0, 0, 0, 1, 25, 0, len(frames), size, 0xFFFFFFFF, 0, 0, 0, WIDTH, HEIGHT)
    strf = struct.pack("<IiiHH4sIiiII", 40, WIDTH, HEIGHT, 1, bits, mark, size, 0, 0, 0, 0)
    hdrl = b"hdrl" + chunk(b"avih", avih) + chunk(b"LIST", b"strl" + chunk(b"strh", strh) + chunk(b"strf", strf))
    movi, index = b"movi", b""
    for frame in frames:
        index += struct.pack("<4sIII", b"00db", 0x10, len(movi), len(frame))
        movi += chunk(b"00db", frame)
    return chunk(b"RIFF", b"AVI " + chunk(b"LIST", hdrl) + chunk(b"LIST", movi) + chunk(b"idx1", index))


class Recordings(Folder):
    def put(self, name, data):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def info(self, source):
        return json.loads(self.glint("info", source, "--json").stdout)["sources"][0]

    def moving(self, table="t.csv"):
        """The rows of the spot that moves."""
        return [row for row in rows(self.dir / table) if float(row["y"]) < 32]

    def test_each_page_of_a_stack_is_a_frame(self):
        pages = [picture(n) for n in range(6)]
        for order in "<>":
            self.put("s.tif", tiff(pages, description="ImageJ=1.54\nimages=6\nframes=6\nfinterval=0.5\n", order=order))
            said = self.glint("track", "s.tif", "-o", "t.csv").stdout
            self.assertIn("'s.tif': 96x64, grey, 8 bits, 6 frames at 2 frames/s as ImageJ's finterval says\n", said)
            found = self.moving()
            self.assertEqual([int(row["frame"]) for row in found], list(range(6)))
            self.assertEqual([float(row["time_s"]) for row in found], [n / 2 for n in range(6)])
            for n, row in enumerate(found):
                self.assertAlmostEqual(float(row["x"]), 20 + 2 * n, delta=0.2)

    def test_what_is_whole_of_a_cut_stack_is_tracked(self):
        whole = tiff([picture(n) for n in range(8)], description="ImageJ=1.54\nimages=8\nframes=8\n")
        self.put("cut.tif", whole[:len(whole) // 2])
        about = self.info("cut.tif")
        said = self.glint("track", "cut.tif", "-o", "t.csv", status=1).stderr
        frames = len({row["frame"] for row in rows(self.dir / "t.csv")})
        self.assertIn(frames, (3, 4))
        self.assertEqual(about["frames"], frames)
        self.assertEqual(about["remarks"], ["'cut.tif' is cut short"])
        self.assertIn(f"'cut.tif' is cut short: {frames} frames could be read", said)

    def test_missing_numbers_take_time_and_are_named(self):
        numbers = [1, 2, 3, 4, 7, 8, 9, 10, 13, 14]
        for n in numbers:
            self.put(f"holes/img_{n:03}.pgm", pgm(picture(n)))
        for source in ("holes/img_%03d.pgm", "holes"):
            said = self.glint("track", source + "?fps=10", "-o", "t.csv").stdout
            self.assertIn("frames 5, 6, 11 and 12 are missing", said)
            found = [row for row in self.moving() if row["state"] == "measured"]
            self.assertEqual([int(row["frame"]) for row in found], numbers)
            self.assertEqual([round(float(row["time_s"]), 6) for row in found], [(n - 1) / 10 for n in numbers])
            self.assertEqual(len({row["track"] for row in found}), 1)
        self.assertEqual(self.info("holes")["missing_frames"], "5, 6, 11 and 12")
        for n in range(20000, 20005):
            self.put(f"i_{n}.pgm", pgm(picture(n - 20000)))
        self.assertEqual(self.info("i_%d.pgm")["frames"], 5)

    def test_recordings_in_one_folder_are_named_as_cameras(self):
        for n in range(3):
            for camera in range(2):
                self.put(f"both/cam{camera}_{n}.pgm", pgm(picture(n)))
        self.put("both/thumb.pgm", pgm([0] * 16, width=4, height=4))
        said = self.glint("info", "both").stdout
        self.assertIn("'cam0_%01d.pgm' is read, and not 'cam1_%01d.pgm' (3 images)", said)
        self.assertIn("'both/cam0_%01d.pgm' 'both/cam1_%01d.pgm'", said)
        self.assertIn("'thumb.pgm' is left out", said)
        cameras = ["both/cam0_%01d.pgm", "both/cam1_%01d.pgm"]
        self.glint("track", *cameras, "-o", "t.csv")
        self.assertEqual({row["camera"] for row in rows(self.dir / "t.csv")}, {"0", "1"})

    def test_pictures_in_two_formats_are_read_once(self):
        for n in range(4):
            self.put(f"both/{n}.pgm", pgm(picture(n)))
            self.video(f"both/{n}.jpg", [picture(n)], "-c:v", "mjpeg", "-frames:v", "1", "-update", "1")
        said = self.glint("track", "both", "-o", "t.csv").stdout
        self.assertIn("4 frames at 30 frames/s assumed; 4 images are left out, since the same names are there with another suffix, "
                      "such as '0.pgm'", said)
        self.assertEqual([int(row["frame"]) for row in self.moving()], list(range(4)))
        # A picture that is there in one format only is read as well.
        self.video("both/4.jpg", [picture(4)], "-c:v", "mjpeg", "-frames:v", "1", "-update", "1")
        (self.dir / "both/1.jpg").unlink()
        self.assertIn("5 frames at 30 frames/s assumed; 3 images are left out", self.glint("info", "both").stdout)

    def test_a_folder_of_folders_is_named(self):
        for camera in "ab":
            self.put(f"all/{camera}/0.pgm", pgm(picture(0)))
        self.assertIn("no images in 'all', but it holds 2 folders; name one, such as 'all/a'", self.glint("info", "all", status=1).stderr)
        self.put("all/0.pgm", pgm(picture(0)))
        self.assertIn("'all': 96x64", self.glint("info", "all").stdout)

    def test_the_same_is_said_everywhere(self):
        for n in range(3):
            self.put(f"deep/f{n}.pgm", pgm([value + 100 for value in picture(n, bits=12)], bits=16))
        line = "'deep': 96x64, grey, 12 of 16 bits used, 3 frames at 30 frames/s assumed"
        warning = "its rate of 30 frames/s is assumed; ?fps=60 sets another"
        said = self.glint("info", "deep").stdout
        self.assertEqual(said, f"{line}\n  {warning}\n")
        self.assertTrue(self.glint("track", "deep", "-o", "t.csv").stdout.startswith(said))
        record = json.loads((self.dir / "t.json").read_text())["cameras"][0]["about"]
        self.assertEqual(record, self.info("deep"))
        self.assertEqual((record["line"], record["warnings"]), (line, [warning]))
        self.assertEqual((record["bits"], record["bits_used"], record["rate"], record["rate_from"]),
                         (16, 12, 30, "assumed"))
        self.glint("report", "t.csv", "-o", "r.html")
        page = (self.dir / "r.html").read_text()
        self.assertIn("12 of 16 bits used, 3 frames at 30 frames/s assumed", page)
        self.assertIn("is assumed; ?fps=60 sets another", page)
        self.assertNotIn("assumed", self.glint("info", "deep?fps=60").stdout)
        self.glint("track", "deep", "-o", "q.csv", "--quiet")

    def test_a_scale_that_is_hardly_used_is_named(self):
        faint = [477 + value * 99 // 230 for value in picture(0)]
        self.put("faint/1.pgm", pgm(faint, bits=16))
        self.put("faint/2.pgm", pgm(faint, bits=16))
        said = self.glint("info", "faint").stdout
        option = re.search(r"\?range=(\d+):(\d+)", said)
        self.assertEqual(option.groups(), (str(min(faint)), str(max(faint))))
        self.assertNotIn("uses only", self.glint("info", f"faint?range={min(faint)}:{max(faint)}").stdout)
        self.put("faint.avi", avi(b"Y16 ", [faint] * 3, 16))
        said = self.glint("info", "faint.avi").stdout
        option = re.search(r"\?range=\d+:\d+", said).group()
        said = self.glint("track", "faint.avi" + option, "-o", "t.csv").stdout
        self.assertNotIn("uses only", said)
        self.assertEqual(self.info("faint.avi" + option)["values_used"], [0, 65535])
        self.assertAlmostEqual(float(self.moving()[0]["x"]), 20, delta=0.2)

    def interlaced(self, name, fields, *flags):
        """A lossless video, each frame of which is woven of two of these fields, the first one in rows 0, 2, 4 ..."""
        frames = b""
        for first, second in zip(fields[::2], fields[1::2]):
            for y in range(HEIGHT):
                frames += bytes((second if y % 2 else first)[y * WIDTH:(y + 1) * WIDTH])
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", "25",
                        "-i", "-", "-vf", f"setfield={'tff' if flags else 'prog'}", "-c:v", "ffv1", *flags, self.dir / name],
                       input=frames, check=True)

    def test_fields_of_interlaced_frames_are_frames(self):
        fields = [picture(3 * n) for n in range(8)]
        self.interlaced("top.mkv", fields, "-field_order", "tt")
        said = self.glint("track", "top.mkv", "-o", "t.csv").stdout
        self.assertIn("8 frames at 50 frames/s", said)
        self.assertIn("its frames are interlaced, the top field first: fields are taken for frames; ?fields=0", said)
        found = self.moving()
        self.assertEqual([int(row["frame"]) for row in found], list(range(8)))
        for n, row in enumerate(found):
            self.assertAlmostEqual(float(row["time_s"]), n / 50, delta=1e-6)
            self.assertAlmostEqual(float(row["x"]), 20 + 6 * n, delta=0.3)
            self.assertAlmostEqual(float(row["y"]), 20, delta=0.6)
        self.assertIn("4 frames at 25 frames/s", self.glint("info", "top.mkv?fields=0").stdout)
        # Nothing moves: there are no combs, and what the file says is only told.
        self.interlaced("rest.mkv", [picture(0)] * 8, "-field_order", "tt")
        said = self.glint("info", "rest.mkv").stdout
        self.assertIn("4 frames at 25 frames/s", said)
        self.assertIn("the file calls its frames interlaced", said)
        # The file says nothing.
        self.interlaced("silent.mkv", fields)
        self.assertNotIn("interlaced", self.glint("info", "silent.mkv").stdout)
        self.glint("track", "silent.mkv?fields=1", "-o", "s.csv")
        self.assertEqual([row["x"] for row in self.moving("s.csv")], [row["x"] for row in found])
        self.glint("track", "silent.mkv?fields=1", "--from", 3, "--frames", 2, "-o", "s.csv", "--set", "track.confirm=1")
        self.assertEqual([int(row["frame"]) for row in self.moving("s.csv")], [3, 4])

    def video(self, name, pictures, *options):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", "25",
                        "-i", "-", "-c:v", "ffv1", *options, self.dir / name], input=b"".join(map(bytes, pictures)), check=True)

    def test_times_come_from_a_file(self):
        pictures = [picture(n) for n in range(5)]
        self.video("port_1.mkv", pictures)
        for n, values in enumerate(pictures):
            self.put(f"shots/f{n}.pgm", pgm(values))
        times = [7, 7.25, 7.3125, 8, 9.5]
        lines = [f"{n},{port},{time + port}" for n, time in enumerate(times) for port in range(2)]
        tables = {"plain.txt": "\n".join(map(str, times)),
                  "glint.csv": "frame,time_s,note\n" + "".join(f"{n},{time},time\n" for n, time in enumerate(times)),
                  "nano.csv": "frame,timestamp_ns\n" + "".join(f"{n},{int(time * 1e9)}\n" for n, time in enumerate(times)),
                  "caliscope.csv": "sync_index,port,frame_time\n" + "\n".join(lines)}
        for name, text in tables.items():
            self.put(name, text.encode())
            for source in ("port_1.mkv", "shots"):
                if name == "caliscope.csv" and source == "shots":
                    continue
                with self.subTest(f"{source} {name}"):
                    self.glint("track", f"{source}?times={name}", "-o", "t.csv")
                    self.assertEqual([float(row["time_s"]) for row in self.moving()], [time - 7 for time in times])
                    self.assertEqual(self.info(f"{source}?times={name}")["rate_from"], f"as '{name}' says")
        for name, text, says in (("few.txt", "1\n2\n3\n", "more frames than the 3 that have times"),
                                 ("back.txt", "1\n2\n2\n", "'back.txt', line 3: the time is not later"),
                                 ("word.txt", "time\n1\nx\n", "'word.txt', line 3: there is no time"),
                                 ("none.csv", "frame,second\n1,2\n", "'none.csv' has no column whose name holds \"time\""),
                                 ("empty.txt", "", "'empty.txt' holds no times")):
            self.put(name, text.encode())
            with self.subTest(name):
                self.assertIn(says, self.glint("track", f"port_1.mkv?times={name}", "-o", "t.csv", status=1).stderr)
        self.assertIn("fps and times exclude each other", self.glint("info", "shots?fps=5&times=glint.csv", status=2).stderr)
        self.assertIn("are not a file", self.glint("info", "shots?times=gone.csv", status=1).stderr)

    def test_recordings_that_begin_apart_go_together_by_time(self):
        self.video("a.mkv", [picture(n) for n in range(20)])
        subprocess.run(["ffmpeg", "-loglevel", "error", "-itsoffset", "0.2", "-i", self.dir / "a.mkv", "-c", "copy", "-copyts",
                        self.dir / "b.mkv"], check=True)
        self.assertAlmostEqual(self.info("b.mkv")["first_time_s"], 0.2, places=3)
        said = self.glint("track", "a.mkv", "b.mkv", "-o", "t.csv", "--detections", "d.csv").stdout
        self.assertIn("the first at 0.2 s of the file's own clock", said)
        self.assertIn("sets were made by time", said)
        sets = {(row["camera"], row["frame"]): int(row["set"]) for row in rows(self.dir / "d.csv")}
        for frame in range(20):
            self.assertEqual(sets["0", str(frame)], frame)
            self.assertEqual(sets["1", str(frame)], frame + 5)

    def test_another_video_stream_is_read(self):
        self.video("a.mkv", [picture(n) for n in range(3)])
        self.video("b.mkv", [picture(n + 10) for n in range(3)])
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.dir / "a.mkv", "-i", self.dir / "b.mkv", "-map", "0", "-map", "1",
                        "-c", "copy", self.dir / "two.mkv"], check=True)
        said = self.glint("info", "two.mkv").stdout
        self.assertIn("video stream 0 of the 2 from 0 to 1 is read; ?stream=1 reads another", said)
        for stream, begin in ((0, 20), (1, 40)):
            self.glint("track", f"two.mkv?stream={stream}", "-o", "t.csv")
            self.assertAlmostEqual(float(self.moving()[0]["x"]), begin, delta=0.2)
        self.assertIn("it has 2 video streams, counted from 0", self.glint("info", "two.mkv?stream=2", status=2).stderr)

    def test_cine_files_have_times_of_their_own(self):
        count, setup = 4, bytearray(5692)
        struct.pack_into("<I", setup, 768, 1000)  # the nominal rate
        struct.pack_into("<2sH", setup, 140, b"ST", len(setup))
        struct.pack_into("<I", setup, 896, 8)  # bits
        times = [3.0, 3.01, 3.025, 3.03]
        block = struct.pack("<IHH", 8 + 8 * count, 1002, 0)
        for time in times:
            block += struct.pack("<II", round((time - int(time)) * 2**32) & ~3, int(time))
        offsets = 84 + len(setup) + len(block)
        first = offsets + 8 * count
        size = 8 + WIDTH * HEIGHT
        head = struct.pack("<2sHHHiIiIIII8x", b"CI", 44, 0, 1, 0, count, 0, count, 44, 84, offsets)
        bitmap = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 8, 0, WIDTH * HEIGHT, 0, 0, 0, 256)
        data = head + bitmap + bytes(setup) + block
        data += b"".join(struct.pack("<Q", first + n * size) for n in range(count))
        for n in range(count):
            data += struct.pack("<II", 8, WIDTH * HEIGHT) + bytes(picture(n))
        self.put("a.cine", data)
        said = self.glint("track", "a.cine", "-o", "t.csv").stdout
        self.assertIn("as its own time stamps say", said)
        for row, time in zip(self.moving(), times, strict=True):
            self.assertAlmostEqual(float(row["time_s"]), time - 3, delta=1e-6)
        # Without the block the nominal rate is all that is known.
        self.put("b.cine", data.replace(struct.pack("<H", 1002) + bytes(2) + block[8:16], struct.pack("<H", 1003) + bytes(2) + block[8:16]))
        self.assertNotIn("time stamps", self.glint("info", "b.cine").stdout)

    def test_grey_of_16_bits_in_avi_is_read(self):
        for mark, bits in ((b"Y16 ", 16), (b"Y800", 8)):
            self.put("a.avi", avi(mark, [picture(n, bits) for n in range(4)], bits))
            about = self.info("a.avi")
            self.assertEqual((about["channels"], about["bits"], about["frames"]), (1, bits, 4))
            self.glint("track", "a.avi", "-o", "t.csv")
            for n, row in enumerate(self.moving()):
                self.assertAlmostEqual(float(row["x"]), 20 + 2 * n, delta=0.2)
                self.assertAlmostEqual(float(row["y"]), 20, delta=0.2)

    def test_recordings_of_high_speed_cameras_are_tracked(self):
        frames = [picture(n, 12) for n in range(5)]
        self.put("a.mraw", b"".join(struct.pack(f"<{len(p)}H", *p) for p in frames))
        self.put("a.cihx", f"""junk\n<cih><recordInfo><recordRate>2000</recordRate></recordInfo>
            <frameInfo><totalFrame>5</totalFrame></frameInfo><imageDataInfo>
            <resolution><width>{WIDTH}</width><height>{HEIGHT}</height></resolution>
            <colorInfo><type>Mono</type><bit>16</bit></colorInfo>
            <effectiveBit><depth>12</depth><side>Lower</side></effectiveBit></imageDataInfo></cih>""".encode())
        head = bytearray(struct.pack("<I", 0xFEED) + "Norpix seq".encode("utf-16le"))
        head += bytes(28 - len(head)) + struct.pack("<ii", 5, 8192)
        size = WIDTH * HEIGHT
        head += bytes(548 - len(head)) + struct.pack("<9Id", WIDTH, HEIGHT, 8, 8, size, 100, 5, 0, size + 8, 2000)
        head += bytes(8192 - len(head))
        for n in range(5):
            head += bytes(picture(n)) + struct.pack("<IHH", 1700000000, n // 2, 500 * (n % 2))
        self.put("b.seq", bytes(head))
        for name, says in (("a.mraw", "12 bits, 5 frames at 2000 frames/s as its CIHX says"), ("a.cihx", "as its CIHX says"),
                           ("b.seq", "8 bits, 5 frames at 2000 frames/s as its own time stamps say")):
            self.assertIn(says, self.glint("track", name, "-o", "t.csv").stdout)
            found = self.moving()
            self.assertEqual([int(row["frame"]) for row in found], list(range(5)))
            for n, row in enumerate(found):
                self.assertAlmostEqual(float(row["x"]), 20 + 2 * n, delta=0.2)
                self.assertAlmostEqual(float(row["time_s"]), n / 2000, delta=1e-6)
        self.put("b.seq", bytes(head[:-size]))
        self.assertIn("4 of 5 frames could be read", self.glint("track", "b.seq", "-o", "t.csv", status=1).stderr)
        self.assertEqual(len(self.moving()), 4)
        for output in ("a.mraw", "a.cihx"):
            self.glint("track", "a.mraw", "-o", output, status=2)

    def test_formats_that_are_not_read_say_what_to_do(self):
        seq = bytearray(struct.pack("<I", 0xFEED) + "Norpix seq".encode("utf-16le") + bytes(9000))
        struct.pack_into("<I", seq, 568, 201)
        for name, data, says in (("a.mraw", bytes(999), "with the suffix .cihx or .cih"), ("c.cihx", b"<cih></cih>", "has no valid value"),
                                 ("a.seq", bytes(seq), "save it as TIFF or AVI with StreamPix")):
            self.put(name, data)
            self.put(name.replace(".cihx", ".mraw"), data)
            self.assertIn(says, self.glint("track", name, "-o", "t.csv", status=1).stderr)

    def rig(self, width, height, fx=100, fy=100):
        """Two cameras that look at the same place."""
        text = ""
        for n, x in enumerate((0, 200)):
            text += f"""[cam_{n}]
name = "cam_{n}"
size = [{width}, {height}]
matrix = [[{fx}.0, 0.0, {width / 2}], [0.0, {fy}.0, {height / 2}], [0.0, 0.0, 1.0]]
distortions = [0.0, 0.0, 0.0, 0.0, 0.0]
rotation = [0.0, 0.0, 0.0]
translation = [{-x}.0, 0.0, 0.0]

"""
        self.put("rig.toml", (text + '[metadata]\nunit = "mm"\n').encode())
        return "--rig", "rig.toml", "--points", "p.csv"

    def test_a_rig_of_pictures_that_were_not_turned_is_refused_with_what_to_do(self):
        self.video("flat.mkv", [picture(n) for n in range(4)])
        for turn, says in ((90, "?rotate=0, or calibrate again"), (180, None)):
            rig = self.rig(WIDTH, HEIGHT)
            sources = (f"flat.mkv?rotate={turn}", "flat.mkv")
            if says:
                said = self.glint("track", *sources, *rig, status=2).stderr
                self.assertIn(f"camera 0 has {WIDTH}x{HEIGHT} pixels in rig.toml, but source 0 has {HEIGHT}x{WIDTH}", said)
                self.assertIn(says, said)
            else:
                self.glint("track", *sources, *rig)

    def test_a_rig_of_pictures_that_were_turned_otherwise_is_named(self):
        self.video("flat.mkv", [picture(n) for n in range(4)])
        rig = self.rig(WIDTH, HEIGHT)
        text = (self.dir / "rig.toml").read_text()
        self.assertNotIn("was calibrated with", self.glint("track", "flat.mkv?rotate=180", "flat.mkv", *rig).stderr)
        self.put("rig.toml", (text + 'orientation = ["turned by 180 degrees", "as stored"]\n').encode())
        says = "of rig.toml was calibrated with pictures turned by 180 degrees, but those of source {} are as stored: " \
               "if the scene is turned in them, add ?rotate= to this source"
        for sources, cameras, wrong in ((("flat.mkv?rotate=180", "flat.mkv"), "0,1", None), (("flat.mkv", "flat.mkv"), "0,1", 0),
                                        (("flat.mkv", "flat.mkv"), "1,0", 1), (("flat.mkv", "flat.mkv?rotate=180"), "1,0", None)):
            with self.subTest(sources=sources, cameras=cameras):
                said = self.glint("track", *sources, *rig, "--rig-cameras", cameras).stderr
                self.assertEqual(said.count("was calibrated with"), 0 if wrong is None else 1)
                if wrong is not None:
                    self.assertIn(f"camera {wrong} {says.format(wrong)}", said)
        shown = self.glint("rig", "rig.toml").stdout
        self.assertEqual(shown.count(", pictures turned by 180 degrees\n"), 1)

    def test_pixels_that_are_not_square_are_refused_for_calibrations_only(self):
        self.video("flat.mkv", [picture(n) for n in range(4)])
        self.video("wide.mkv", [picture(n) for n in range(4)], "-vf", "setsar=4/3")
        self.assertIn("its pixels are 4:3 wide, not square", self.glint("track", "wide.mkv", "-o", "t.csv").stdout)
        said = self.glint("track", "flat.mkv", "wide.mkv", *self.rig(WIDTH, HEIGHT), status=2).stderr
        self.assertIn("source 1 has pixels 1.333 times as wide as high, but those of camera 1 in rig.toml are 1 times as wide", said)
        self.assertIn("scale=iw*sar:ih,setsar=1", said)
        self.glint("track", "wide.mkv", "wide.mkv", *self.rig(WIDTH, HEIGHT, fx=75))
        # Turned pictures have pixels that are higher than wide.
        self.glint("track", "wide.mkv?rotate=90", "wide.mkv?rotate=270", *self.rig(HEIGHT, WIDTH, fy=75))
        said = self.glint("calibrate", "flat.mkv", "wide.mkv", "--point", "-o", "new.toml", status=2).stderr
        self.assertIn("'wide.mkv' has pixels 1.333 times as wide as high", said)
        self.assertFalse((self.dir / "new.toml").exists())

    def test_info_goes_on_behind_a_source_that_cannot_be_opened(self):
        self.put("a.pgm", pgm(picture(0)))
        self.put("b.pgm", b"P5\n9 9\n255\nxx")
        for sources in (("b.pgm", "a.pgm", "gone.mp4"), ("a.pgm", "gone.mp4", "b.pgm")):
            done = self.glint("info", *sources, status=1)
            said = dict(zip(sources, done.stdout.splitlines(), strict=True))
            self.assertEqual(said["a.pgm"], "'a.pgm': 96x64, grey, 8 bits, 1 frame")
            self.assertEqual(said["b.pgm"], "the image 'b.pgm' is cut short or damaged")
            self.assertIn("'gone.mp4'", said["gone.mp4"])
            self.assertIn("2 of 3 sources could not be opened", done.stderr)
            named = json.loads(self.glint("info", *sources, "--json", status=1).stdout)["sources"]
            self.assertEqual([one["source"] for one in named], list(sources))
            self.assertEqual(["problem" in one for one in named], [name != "a.pgm" for name in sources])
        self.assertEqual(self.glint("info", "a.pgm?fps=0", status=2).stdout, "")

    def test_info_reads_every_frame_where_it_is_asked(self):
        png = subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-i", "-",
                              "-f", "image2pipe", "-c:v", "png", "-"], input=bytes(picture(0)), check=True, capture_output=True).stdout
        for n in range(6):
            self.put(f"shots/{n}.png", png if n != 3 else png[:-30])
        self.put("a.pgm", pgm(picture(0)))
        self.assertIn("6 frames at 30 frames/s", self.glint("info", "shots").stdout)
        done = self.glint("info", "shots", "a.pgm", "--check", status=1)
        self.assertIn("\n  3 of 6 frames were read: the image 'shots/3.png' is cut short or damaged\n", done.stdout)
        self.assertIn("\n  1 frame was read without an error\n", done.stdout)
        self.assertIn("1 of 2 sources could not be read to the end", done.stderr)
        both = json.loads(self.glint("info", "shots", "a.pgm", "--check", "--json", status=1).stdout)["sources"]
        self.assertEqual([one["frames_read"] for one in both], [3, 1])
        self.assertEqual([one["problem"] for one in both], ["the image 'shots/3.png' is cut short or damaged", None])
        self.put("shots/3.png", png)
        self.assertIn("  6 frames were read without an error\n", self.glint("info", "shots", "--check").stdout)
        # The number of tracked frames is that of the frames that can be read.
        self.put("shots/3.png", png[:-30])
        self.glint("track", "shots", "-o", "t.csv", status=1)
        self.assertEqual({int(row["frame"]) for row in rows(self.dir / "t.csv")}, {0, 1, 2})

    def test_animations_are_named(self):
        self.video("a.apng", [picture(n) for n in range(4)], "-c:v", "apng", "-f", "apng")
        self.put("a.png", (self.dir / "a.apng").read_bytes())
        self.assertIn("only the first picture of the animation 'a.png' is read; with the suffix .apng, all are",
                      self.glint("info", "a.png").stdout)
        self.glint("track", "a.apng", "-o", "t.csv")
        self.assertEqual([int(row["frame"]) for row in self.moving()], list(range(4)))
        self.put("a.webp", b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<IB", 10, 2) + bytes(9))
        self.assertIn("'a.webp' is an animation, which Glint cannot read: save it as a video or as PNG files",
                      self.glint("info", "a.webp", status=1).stderr)

    def test_stacks_that_tifffile_has_truncated_are_whole(self):
        pages = [picture(n) for n in range(5)]
        for order in "<>":
            text = json.dumps({"truncated": True, "shape": [5, HEIGHT, WIDTH]})
            one = tiff(pages[:1], description=text, order=order)
            # The other planes follow the first one, and its directory comes behind them.
            behind = b"".join(map(bytes, pages[1:]))
            at = 8 + WIDTH * HEIGHT
            moved = bytearray(one[:at] + behind + one[at:])
            for place in self.offsets(one, order):
                struct.pack_into(order + "I", moved, place + (len(behind) if place >= at else 0),
                                 struct.unpack_from(order + "I", one, place)[0] + len(behind))
            self.put("t.tif", bytes(moved))
            self.assertIn("5 frames at 30 frames/s assumed", self.glint("track", "t.tif", "-o", "t.csv").stdout)
            found = self.moving()
            self.assertEqual([int(row["frame"]) for row in found], list(range(5)))
            for n, row in enumerate(found):
                self.assertAlmostEqual(float(row["x"]), 20 + 2 * n, delta=0.2)
            self.put("t.tif", bytes(moved).replace(b"[5,", b"[9,"))
            self.assertIn("its tifffile text promises 9 planes, but only 5 can be read", self.glint("info", "t.tif").stdout)

    @staticmethod
    def offsets(data, order):
        """The places of the offsets in a file of tiff() that point behind its first picture: to the directory, and to the text."""
        directory, = struct.unpack_from(order + "I", data, 4)
        count, = struct.unpack_from(order + "H", data, directory)
        return [4] + [directory + 2 + 12 * i + 8 for i in range(count)
                      if struct.unpack_from(order + "H", data, directory + 2 + 12 * i)[0] == 270]

    def test_probe_finds_spots_of_little_range_in_few_frames(self):
        rng = random.Random(7)
        spots = [(12 + 18 * i + rng.uniform(-2, 2), 14 + 18 * j + rng.uniform(-2, 2)) for i in range(5) for j in range(3)]
        for bits, low, height, noise, frames in ((16, 480, 60, 5, 1), (16, 480, 60, 5, 2), (32, 0.11, 0.02, 0.0015, 3)):
            with self.subTest(bits=bits, frames=frames):
                pages, places = [], []
                for n in range(frames):
                    places.append([(x + 0.8 * n, y + 0.5 * n) for x, y in spots])
                    values = []
                    for y in range(HEIGHT):
                        for x in range(WIDTH):
                            near = [(a, b) for a, b in places[n] if abs(x - a) < 9 and abs(y - b) < 9]
                            level = sum(math.exp(-((x - a) ** 2 + (y - b) ** 2) / 8) for a, b in near)
                            values.append(low + rng.gauss(0, noise) + height * level)
                    pages.append([round(value) for value in values] if bits == 16 else values)
                self.put("s.tif", tiff(pages, bits))
                said = self.glint("probe", "s.tif").stdout
                self.assertNotIn("unsure", said)
                self.assertNotIn("--distance", said)
                command = shlex.split(said.splitlines()[-1])
                told = self.glint(*command[1:], "-o", "t.csv").stdout
                self.assertNotIn("consecutive frames", told)
                found = [(int(row["frame"]), float(row["x"]), float(row["y"])) for row in rows(self.dir / "t.csv")]
                self.assertEqual(len(found), frames * len(spots))
                for n in range(frames):
                    for x, y in places[n]:
                        self.assertLess(min(math.dist((n, x, y), one) for one in found), 0.6)

    def test_a_number_of_frames_that_follows_from_the_duration_is_an_estimate(self):
        pictures = [picture(n) for n in range(12)]
        self.video("even.mkv", pictures)
        # Without the third to sixth frame the duration stays the same.
        self.video("uneven.mkv", pictures, "-vf", "select='not(between(n,2,5))'", "-vsync", "vfr")
        for name in ("even.mkv", "uneven.mkv"):
            self.assertIn(", about 12 frames at 25 frames/s", self.glint("info", name).stdout)
            self.assertTrue(self.info(name)["frames_are_estimated"])
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.dir / "even.mkv", "-c:v", "mpeg4", self.dir / "a.mp4"], check=True)
        self.assertIn(", 12 frames at 25 frames/s", self.glint("info", "a.mp4").stdout)
        self.assertFalse(self.info("a.mp4")["frames_are_estimated"])

    def test_folders_of_images_that_libav_decodes_are_recordings(self):
        pictures = b"".join(bytes(picture(n)) for n in range(4))
        for suffix, options in (("webp", "-c:v libwebp -lossless 1 -pix_fmt bgra"), ("exr", "-c:v exr -pix_fmt gbrpf32le"),
                                ("jp2", "-c:v jpeg2000 -pix_fmt gray -pred 1"), ("tga", "-c:v targa -pix_fmt gray"),
                                ("dng", None)):
            folder = self.dir / suffix
            folder.mkdir()
            if options is None:  # a DNG is a TIFF file
                for n in range(4):
                    (folder / f"{n}.dng").write_bytes(tiff([picture(n)], order="<"))
            else:
                subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", "25",
                                "-i", "-", *options.split(), "-f", "image2", folder / f"%d.{suffix}"], input=pictures, check=True)
            with self.subTest(suffix):
                self.assertIn("4 frames at 30 frames/s assumed", self.glint("track", suffix, "-o", "t.csv").stdout)
                found = self.moving()
                self.assertEqual(len(found), 4)
                for n, row in enumerate(found):
                    self.assertAlmostEqual(float(row["x"]), 20 + 2 * n, delta=0.3)
                    self.assertAlmostEqual(float(row["y"]), 20, delta=0.3)

    def test_covers_and_assumed_ranges_are_named(self):
        self.video("a.mp4", [picture(n) for n in range(3)], "-c:v", "libx264", "-pix_fmt", "yuv420p")
        self.video("cover.png", [picture(0)], "-c:v", "png", "-frames:v", "1")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.dir / "a.mp4", "-i", self.dir / "cover.png", "-map", "0", "-map", "1",
                        "-c", "copy", "-disposition:v:1", "attached_pic", self.dir / "b.mp4"], check=True)
        said = self.glint("info", "b.mp4").stdout
        self.assertIn("3 frames at 25 frames/s", said)
        self.assertIn("1 cover picture is left out", said)
        self.assertIn("limited range (assumed), BT.601 (assumed)", said)
        self.video("full.mp4", [picture(n) for n in range(3)], "-c:v", "libx264", "-pix_fmt", "yuv420p", "-color_range", "pc",
                   "-colorspace", "bt709")
        self.assertIn("full range, bt709)", self.glint("info", "full.mp4").stdout)

    def test_a_single_targa_is_a_still(self):
        self.video("one.tga", [picture(0)], "-c:v", "targa", "-frames:v", "1", "-update", "1")
        self.assertIn("'one.tga': 96x64, grey, 8 bits, 1 frame\n", self.glint("track", "one.tga", "-o", "t.csv").stdout)
        self.assertEqual(len(rows(self.dir / "t.csv")), 2)

    def test_a_video_of_one_frame_is_a_still(self):
        self.video("one.mp4", [picture(0)], "-c:v", "mpeg4", "-q:v", "2")
        self.assertIn("stills", self.glint("track", "one.mp4", "-o", "t.csv").stdout)
        self.assertEqual(len(rows(self.dir / "t.csv")), 2)

    def test_options_that_do_not_fit_are_refused(self):
        self.put("a.pgm", pgm(picture(0)))
        for option, says in (("fps=0", "fps must be a number"), ("rotate=45", "rotate must be 0, 90, 180 or 270"),
                             ("range=1", "range must be two values"), ("range=2:1", "range must be two values"),
                             ("stream=1", "'stream' is for videos"), ("channel=x", "channel must be a number"),
                             ("channel=0", "channel and slice are for TIFF stacks"), ("colour=1", "unknown option 'colour=1'"),
                             ("fps", "unknown option 'fps'"), ("fps=5&", "unknown option ''")):
            with self.subTest(option):
                self.assertIn(says, self.glint("info", "a.pgm?" + option, status=2).stderr)

    def test_a_name_that_begins_with_a_dash_is_explained(self):
        self.put("-dash.pgm", pgm(picture(0)))
        for command in ("info", "track", "probe"):
            self.assertIn("write './-dash.pgm'", self.glint(command, "-dash.pgm", status=2).stderr)
        self.glint("info", "./-dash.pgm")

    @staticmethod
    def table(begin):
        """The rows of the page's table whose first line begins so: the first cell, and the other cells."""
        page = (DOCS / "files.md").read_text()
        lines = page[page.index(begin):].split("\n\n")[0].splitlines()[2:]
        return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.strip("|").split(" |")] for line in lines)}

    def test_the_page_says_what_is_read(self):
        frames = [picture(n) for n in range(4)]
        self.video("a.mkv", frames)
        self.put("a.tif", tiff(frames))
        card = "{:8}= {:20}".format
        cards = [card("SIMPLE", "T"), card("BITPIX", 8), card("NAXIS", 3), card("NAXIS1", WIDTH), card("NAXIS2", HEIGHT), card("NAXIS3", 4), "END"]
        pixels = b"".join(bytes(p) for p in frames)
        self.put("a.fits", "".join(c.ljust(80) for c in cards).ljust(2880).encode() + pixels + bytes(-len(pixels) % 2880))
        for n, values in enumerate(frames):
            for name in (f"shots/frame{7 * n + 2}.pgm", f"shots/.hidden{n}.pgm", f"n_{n + 30}.pgm"):
                self.put(name, pgm(values))
            for camera in range(2 if n else 1):
                self.put(f"both/cam{camera}_{n}.pgm", pgm(values))
        self.put("one.pgm", pgm(frames[0]))
        self.put("a.mraw", bytes(frames[0]) * 3)
        self.put("a.cih", f"Record Rate(fps) : 500\nTotal Frame : 3\nImage Width : {WIDTH}\nImage Height : {HEIGHT}\nColor Type : Mono\nColor Bit : 8\n"
                          "EffectiveBit Depth : 8\nEffectiveBit Side : Lower\n".encode())
        # For each row of the table: sources, and how many frames each has.
        shown = {"a video": {"a.mkv": 4}, "a folder": {"shots": 4, "both": 4}, "a pattern, `shot_%04d.png`": {"n_%d.pgm": 4},
                 "a TIFF file, or a folder of them": {"a.tif": 4}, "a FITS file, or a folder of them": {"a.fits": 4},
                 "another image": {"one.pgm": 1}, "a recording of a high-speed camera": {"a.mraw": 3, "a.cih": 3}}
        self.assertEqual(list(self.table("|source |frames |")), list(shown))
        for row, sources in shown.items():
            for source, count in sources.items():
                with self.subTest(row, source=source):
                    self.assertEqual(self.info(source)["frames"], count)
        self.assertIn("'cam1_%01d.pgm' (3 images)", self.glint("info", "both").stdout)

    def test_the_page_says_what_is_assumed(self):
        frames = [picture(n) for n in range(4)]
        self.video("grey.mkv", frames)
        self.video("yuv.mp4", frames, "-c:v", "mpeg4", "-pix_fmt", "yuv420p")
        self.video("grey.mp4", frames, "-c:v", "libx264", "-pix_fmt", "gray", "-bsf:v", "h264_metadata=video_full_range_flag=0")
        for n, name in enumerate("abcd"):
            self.put(f"named/{name}.pgm", pgm(frames[n]))
        self.put("a.pfm", b"Pf\n2 1\n-1\n" + struct.pack("<2f", -0.5, 1.5))
        images, video, floats = self.info("named"), self.info("yuv.mp4"), self.info("a.pfm")
        self.glint("track", "named", "-o", "t.csv")
        shown = {"rate of images": ("30 frames/s, and a warning", (images["rate"], images["rate_from"], len(images["warnings"])) == (30, "assumed", 1)),
                 "times of a video": ("the stated mean rate", (video["rate"], video["rate_from"]) == (25, "as the file says")),
                 "number of a frame": ("frames are counted from 0", [int(row["frame"]) for row in self.moving()] == [0, 1, 2, 3]),
                 "orientation": ("the picture is not turned", video["orientation"] is None and images["orientation"] is None),
                 "black and full scale of floats, negative and 32-bit values":
                 ("the smallest and the largest value of up to 16 frames, and a warning", "?range=-0.5:1.5" in floats["warnings"][0]),
                 "limited or full range of a video":
                 ("limited for YUV, and for grey H.264 and H.265; full for other grey",
                  "limited range (assumed)" in video["colour"] and "full range (assumed)" in self.info("grey.mkv")["colour"]
                  and "limited range" in self.info("grey.mp4")["colour"]),
                 "colour matrix of a video": ("BT.601", "BT.601 (assumed)" in video["colour"])}
        table = self.table("|quantity |")
        self.assertEqual(list(table), list(shown))
        for row, (says, holds) in shown.items():
            with self.subTest(row):
                self.assertEqual(table[row][-1], says)
                self.assertTrue(holds)

    def test_the_page_names_every_option_and_suffix(self):
        page = (DOCS / "files.md").read_text()
        table = page[page.index("|option |"):]
        named = re.findall(r"^\|`\?(\w+)=", table, re.M)
        self.put("a.pgm", pgm(picture(0)))
        known = re.findall(r"\?(\w+)=", self.glint("info", "a.pgm?x=1", status=2).stderr.split("know", 1)[1])
        known += re.findall(r"\?(\w+)=", self.glint("info", "a.mp4?x=1", status=2).stderr.split("know", 1)[1])
        self.assertEqual(sorted(named), sorted(set(known)))


if __name__ == "__main__":
    unittest.main()
