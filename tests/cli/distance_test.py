"""Tests `glint distance` as users run it, with files of every kind, also wrong ones.

usage: distance_test.py GLINT [unittest arguments]
"""

import gzip
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

import numpy as np
from scipy import ndimage

GLINT = os.path.abspath(sys.argv.pop(1))


def ball(depth=9, height=12, width=17):
    z, y, x = np.indices((depth, height, width))
    return (x - 8) ** 2 + (y - 5) ** 2 + (z - 4) ** 2 < 12


def edt(features, **options):
    """Returns the distance of every voxel to the nearest feature."""
    return ndimage.distance_transform_edt(~features, **options)


def nrrd(volume, encoding="raw", more="", endian="endian: little\n", name="uint8", skip=b""):
    data = skip + volume.tobytes()
    return (f"NRRD0004\ntype: {name}\ndimension: {volume.ndim}\n"
            f"sizes: {' '.join(map(str, volume.shape[::-1]))}\n{endian}encoding: {encoding}\n{more}\n"
            ).encode() + (gzip.compress(data) if encoding == "gzip" else data)


def meta(volume, data="LOCAL", more="", name="MET_UCHAR"):
    return (f"ObjectType = Image\nNDims = {volume.ndim}\n{more}"
            f"DimSize = {' '.join(map(str, volume.shape[::-1]))}\nElementType = {name}\n"
            f"ElementDataFile = {data}\n").encode()


def tiff(pages, resolution=None):
    """Returns a little-endian TIFF of 16-bit planes, one strip each."""
    file = bytearray(b"II*\0\0\0\0\0")
    link = 4
    for page in pages:
        data = len(file)
        file += page.astype("<u2").tobytes()
        rationals = len(file)
        file += struct.pack("<4I", 2, 1, 4, 1) if resolution else b""
        entries = [(256, 4, 1, page.shape[1]), (257, 4, 1, page.shape[0]), (258, 3, 1, 16),
                   (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, data), (277, 3, 1, 1),
                   (278, 4, 1, page.shape[0]), (279, 4, 1, 2 * page.size)]
        if resolution:
            entries += [(282, 5, 1, rationals), (283, 5, 1, rationals + 8), (296, 3, 1, 1)]
        struct.pack_into("<I", file, link, len(file))
        file += struct.pack("<H", len(entries))
        for entry in entries:
            file += struct.pack("<HHII", *entry)
        link = len(file)
        file += bytes(4)
    return bytes(file)


class Distances(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def glint(self, *arguments, status=0, says=None):
        result = subprocess.run([GLINT, "distance", *map(str, arguments)], cwd=self.dir, text=True,
                                capture_output=True, timeout=600)
        self.assertEqual(result.returncode, status, f"{arguments}\n{result.stdout}\n{result.stderr}")
        if status != 0:
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        if says is not None:
            self.assertIn(says, result.stderr)
        return result

    def put(self, name, data):
        (self.dir / name).write_bytes(data)

    def save(self, name, volume):
        np.save(self.dir / name, volume)

    def load(self, name):
        return np.load(self.dir / name)


class Values(Distances):
    def test_floats_and_nearest_features(self):
        volume = ball().astype(np.uint8) * 200
        self.save("in.npy", volume)
        self.glint("in.npy", "-o", "out.npy", "--nearest", "near.npy", "--slice", "seen.png",
                   "--threshold", 100, "--spacing", "0.5,2,1")
        want = edt(ball(), sampling=(1, 2, 0.5))
        np.testing.assert_allclose(self.load("out.npy"), want, rtol=1e-6)
        near = np.unravel_index(self.load("near.npy"), volume.shape)
        self.assertTrue(ball()[near].all())
        there = sum(((np.indices(volume.shape)[i] - near[i]) * step) ** 2
                    for i, step in enumerate((1, 2, 0.5)))
        np.testing.assert_allclose(np.sqrt(there), want, rtol=1e-6)
        self.assertTrue((self.dir / "seen.png").read_bytes().startswith(b"\x89PNG"))

    def test_integers_of_types_orders_and_ends(self):
        want = np.rint(ndimage.distance_transform_edt(ball()) ** 2)
        volume = np.where(ball(), 7, -3)
        self.save("in.npy", np.asfortranarray(volume.astype(">i2")))
        self.glint("in.npy", "-o", "out.npy", "--inside", "--as", "integer")
        self.assertEqual(self.load("out.npy").dtype, np.uint32)
        np.testing.assert_array_equal(self.load("out.npy"), want)
        self.save("in.npy", np.where(ball(), 7, 8 * (np.indices(volume.shape)[0] % 2)).astype(np.int32))
        self.glint("in.npy", "-o", "out.npy", "--inside", "--as", "integer", "--label", 7)
        np.testing.assert_array_equal(self.load("out.npy"), want)

    def test_signs_and_what_is_no_number(self):
        volume = np.where(ball(), 2.0, -1.0)
        volume[0, 0, :3] = np.nan
        self.save("in.npy", volume)
        said = self.glint("in.npy", "-o", "out.npy", "--signed").stderr
        self.assertEqual(said.count("voxels are NaN"), 1)
        want = edt(ball()) - ndimage.distance_transform_edt(ball())
        np.testing.assert_allclose(self.load("out.npy"), want, rtol=1e-6)

    def test_volumes_with_nothing_to_measure_to(self):
        self.save("in.npy", np.zeros((3, 4, 5), bool))
        said = self.glint("in.npy", "-o", "out.npy", "--slice", "seen.png").stdout
        self.assertIn("nothing to measure to", said)
        self.assertTrue(np.isinf(self.load("out.npy")).all())
        self.glint("in.npy", "-o", "out.npy", "--metric", "cityblock")
        self.assertTrue((self.load("out.npy") == 2 ** 32 - 1).all())

    def test_steps(self):
        self.save("in.npy", ball()[4])
        said = self.glint("in.npy", "-o", "out.npy", "--metric", "chessboard").stdout
        self.assertIn("2 sweeps", said)
        np.testing.assert_array_equal(self.load("out.npy"),
                                      ndimage.distance_transform_cdt(~ball()[4], "chessboard"))


class Files(Distances):
    def test_nrrd_keeps_spacing_and_place(self):
        volume = np.where(ball(), 900, 3).astype(">u2")
        self.put("in.nrrd", nrrd(volume, "gzip", name="uint16", endian="endian: big\n", skip=b"12345",
                                 more="byte skip: 5\nspace: left-posterior-superior\nkinds: domain domain domain\n"
                                      "space directions: (0.5,0,0) (0,0,2) (0,1,0)\n# text\nmine:=yes\n"))
        self.glint("in.nrrd", "-o", "out.nrrd", "--threshold", 5)
        head, data = (self.dir / "out.nrrd").read_bytes().split(b"\n\n", 1)
        self.assertIn(b"space directions: (0.5,0,0) (0,0,2) (0,1,0)", head)
        self.assertIn(b"space: left-posterior-superior", head)
        got = np.frombuffer(gzip.decompress(data), "<f4").reshape(volume.shape)
        np.testing.assert_allclose(got, edt(ball(), sampling=(1, 2, 0.5)), rtol=1e-6)

    def test_meta_images_and_tiff_carry_spacing_along(self):
        volume = ball().astype(np.uint8)
        self.put("apart.raw", b"head" + volume.tobytes())
        self.put("in.mhd", meta(volume, "apart.raw", "HeaderSize = 4\nElementSpacing = 0.5 0.25 2\nOffset = 1 2 3\nMine = 1\n"))
        want = edt(ball(), sampling=(2, 0.25, 0.5))
        said = self.glint("in.mhd", "-o", "one.tif").stderr
        self.assertIn("not used: Mine", said)
        self.glint("one.tif", "-o", "two.mhd", "--threshold", 1.5)
        want = edt(want > 1.5, sampling=(2, 0.25, 0.5))
        head = (self.dir / "two.mhd").read_text()
        self.assertIn("ElementSpacing = 0.5 0.25 2", head)
        got = np.frombuffer(zlib.decompress((self.dir / "two.zraw").read_bytes()), "<f4")
        np.testing.assert_allclose(got.reshape(volume.shape), want, rtol=1e-6)
        self.glint("two.mhd", "-o", "three.mha", "--threshold", 0.5, "--as", "scaled")
        want = edt(want > 0.5, sampling=(2, 0.25, 0.5))
        data = (self.dir / "three.mha").read_bytes().split(b"LOCAL\n", 1)[1]
        got = np.frombuffer(zlib.decompress(data), "<u2").reshape(volume.shape)
        np.testing.assert_array_equal(got, np.round(want * 65535 / want.max()))

    def test_tiff_folders_and_raw(self):
        volume = np.where(ball(), 5, 0)
        self.put("in.tif", tiff(volume, resolution=True))
        self.glint("in.tif", "-o", "planes/", "--as", "scaled")
        self.assertEqual(len(list((self.dir / "planes").iterdir())), len(volume))
        want = edt(ball(), sampling=(0.5, 0.25, 0.5))
        self.glint("planes", "-o", "out.raw", "--as", "integer", "--threshold", 30000)
        features = np.round(want * 65535 / want.max()) > 30000
        squared = np.rint(edt(features) ** 2)
        got = np.frombuffer((self.dir / "out.raw").read_bytes(), "<u4").reshape(volume.shape)
        np.testing.assert_array_equal(got, squared)
        self.glint("out.raw", "--shape", "17,12,9", "--type", "u32", "-o", "far.npy", "--threshold", 2)
        np.testing.assert_allclose(self.load("far.npy"), edt(squared > 2), rtol=1e-6)


class Refusals(Distances):
    def test_bad_files(self):
        volume = ball().astype(np.uint8)
        raw = nrrd(volume)
        self.save("whole.npy", volume)
        whole = (self.dir / "whole.npy").read_bytes()
        for name, data, says in (
                ("cut.npy", whole[:-20], "ends too early"),
                ("head.npy", whole[:40], "ends within its header"),
                ("none.npy", b"nothing of the kind", "not a NumPy array"),
                ("cut.nrrd", raw[:-1], "ends too early"),
                ("packed.nrrd", nrrd(volume, "gzip")[:-30], "ends too early"),
                ("text.nrrd", nrrd(volume, "ascii"), "'ascii'"),
                ("order.nrrd", nrrd(volume.astype("<u2"), name="ushort", endian=""), "order of its bytes"),
                ("type.nrrd", nrrd(volume, name="block"), "'block'"),
                ("kind.nrrd", nrrd(volume, more="kinds: vector domain domain\n"), "'vector'"),
                ("list.nrrd", nrrd(volume, more="data file: LIST\n"), "several files"),
                ("field.nrrd", nrrd(volume, more="strange: 1\n"), "'strange'"),
                ("skew.nrrd", nrrd(volume, more="space directions: (1,0,0) (1,1,0) (0,0,1)\n"),
                 "right angles"),
                ("zero.nrrd", nrrd(np.zeros((2, 0, 3), np.uint8)), "size 0"),
                ("cut.mha", meta(volume) + b"12", "ends too early"),
                ("text.mha", meta(volume, more="BinaryData = False\n"), "as text"),
                ("list.mhd", meta(volume, "a%02d.raw 1 9 1"), "several files"),
                ("gone.mhd", meta(volume, "gone.raw"), "gone.raw"),
                ("color.mha", meta(volume, more="ElementNumberOfChannels = 3\n"), "channels"),
                ("cut.tif", tiff(volume)[:600], ""),
                ("mixed.tif", tiff([volume[0], volume[0, :5]]), "pages that differ"),
                ("cut.png", b"\x89PNG\r\n\x1a\n", "cut.png")):
            with self.subTest(name):
                self.put(name, data)
                self.glint(name, "-o", "out.npy", status=1, says=says)
        for name, array, says in (("c.npy", np.zeros((2, 2), np.complex64), "<c8"),
                                  ("long.npy", np.zeros((2, 2), np.int64), "<i8"),
                                  ("four.npy", np.zeros((2, 2, 2, 2), np.uint8), "4 axes"),
                                  ("zero.npy", np.zeros((2, 0, 2), np.uint8), "size 0"),
                                  ("wide.npy", np.zeros((1, 9000), np.uint8), "at most 4096")):
            with self.subTest(name):
                self.save(name, array)
                self.glint(name, "-o", "out.npy", status=1, says=says)
        self.put("huge.npy", whole)
        os.truncate(self.dir / "huge.npy", 1 << 42)  # The file is large, but takes no room on the disk.
        self.glint("huge.npy", "-o", "out.npy", status=1, says="there is memory for")
        for spacings in ("1e308 1e308 1e308", "1e-308 1e-308 1e-308"):
            self.put("far.nrrd", nrrd(volume, more=f"spacings: {spacings}\n"))
            self.glint("far.nrrd", "-o", "out.npy", status=2, says="1e-30 to 1e30")
        self.assertFalse((self.dir / "out.npy").exists())

    def test_bad_command_lines(self):
        self.save("in.npy", ball())
        self.put("in.raw", bytes(100))
        (self.dir / "link.npy").symlink_to("in.npy")
        os.link(self.dir / "in.npy", self.dir / "hard.npy")
        before = (self.dir / "in.npy").read_bytes()
        for arguments, status, says in (
                (("in.npy", "-o", "in.npy"), 2, "is read by this run"),
                (("in.npy", "-o", "link.npy"), 2, "is read by this run"),
                (("link.npy", "-o", "hard.npy"), 2, "is read by this run"),
                (("in.npy", "-o", "o.npy", "--slice", "link.npy"), 2, "is read by this run"),
                (("in.npy", "-o", "o.npy", "--nearest", "./o.npy"), 2, "twice"),
                (("in.npy", "-o", "o.npy", "--spacing", "1,0,1"), 2, "positive"),
                (("in.npy", "-o", "o.npy", "--spacing", "1,1"), 2, "spacing"),
                (("in.npy", "-o", "o.npy", "--metric", "cityblock", "--nearest", "n.npy"), 2, "euclidean"),
                (("in.npy", "-o", "o.npy", "--as", "integer", "--spacing", "1,2,1"), 2, "--as float"),
                (("in.npy", "-o", "o.npy", "--as", "scaled", "--signed"), 2, "no sign"),
                (("in.npy", "-o", "o.npy", "--inside", "--signed"), 2, "--signed"),
                (("in.npy", "-o", "o.jpg"), 2, "needs another name"),
                (("in.npy", "-o", "o.png"), 2, "--as scaled"),
                (("in.raw", "-o", "o.npy"), 2, "--shape"),
                (("in.raw", "-o", "o.npy", "--shape", "5,5,5", "--type", "u8"), 1, "100 bytes"),
                (("in.npy", "-o", "no/folder/o.npy"), 1, "no folder"),
                (("gone.npy", "-o", "o.npy"), 1, "gone.npy")):
            with self.subTest(arguments):
                self.glint(*arguments, status=status, says=says)
        self.assertEqual((self.dir / "in.npy").read_bytes(), before)
        self.assertFalse((self.dir / "o.npy").exists())

    def test_a_full_disk_is_told(self):
        self.save("in.npy", ball())
        (self.dir / "full.npy").symlink_to("/dev/full")
        self.glint("in.npy", "-o", "full.npy", status=1, says="full.npy")

    def test_a_signal_leaves_no_half_file(self):
        random = np.random.default_rng(1)
        volume = random.random((160, 160, 160)) < 0.5
        self.save("in.npy", volume)
        run = subprocess.Popen([GLINT, "distance", "in.npy", "-o", "out.npy"], cwd=self.dir,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=600)
        left = sorted(path.name for path in self.dir.iterdir())
        if run.returncode == 0:  # The command was done before the signal came.
            self.assertEqual(left, ["in.npy", "out.npy"])
            self.assertEqual(self.load("out.npy").shape, volume.shape)
            return
        self.assertEqual(left, ["in.npy"])
        if run.returncode == 1:  # Otherwise the signal came before anything had begun.
            self.assertIn("stopped by a signal", said)


if __name__ == "__main__":
    unittest.main()
