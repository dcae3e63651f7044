"""Points and bodies of the real program in streams for other programs: opentrack, and OSC read by Debian's oscdump.

usage: space_stream_test.py GLINT [unittest arguments]
"""

import math
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import unittest

from harness import TIMEOUT, Folder, rows, wait_until

FRAMES = 24


def turn(axis, degrees):
    """Returns the matrix of a turn about an axis, 0 to 2."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = [[float(i == k) for k in range(3)] for i in range(3)]
    a, b = (axis + 1) % 3, (axis + 2) % 3
    matrix[a][a] = matrix[b][b] = c
    matrix[a][b], matrix[b][a] = -s, s
    return matrix


def product(a, b):
    return [[sum(a[i][n] * b[n][k] for n in range(3)) for k in range(3)] for i in range(3)]


def matrix_of(x, y, z, w):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


class SpaceStreams(Folder):
    def setUp(self):
        super().setUp()
        self.glint("synth", f"dancer?cameras=3&frames={FRAMES}", "-o", "s.mkv", "--rig", "rig.toml", "--bodies", "bodies.toml")
        self.names = re.findall(r'name = "(\w+)"', self.text("bodies.toml"))
        self.assertGreater(len(self.names), 1)

    def track(self, *targets):
        streams = [word for target in targets for word in ("--stream", target)]
        self.glint("track", *(f"s_cam{i}.mkv" for i in range(3)), "--rig", "rig.toml", "--bodies", "bodies.toml",
                   "-o", "t.csv", "--points", "p.csv", "--poses", "o.csv", *streams)

    def poses(self, name):
        return [row for row in rows(self.dir / "o.csv") if row["body"] == name]

    def receive(self, receiver):
        """Returns the poses that have come for opentrack."""
        receiver.setblocking(False)
        poses = []
        while True:
            try:
                datagram = receiver.recv(100)
            except BlockingIOError:
                return poses
            self.assertEqual(len(datagram), 48)
            poses.append(struct.unpack("<6d", datagram))

    def expect_pose(self, pose, row):
        x, y, z, yaw, pitch, roll = pose
        for found, name, sign in ((x, "x_mm", 1), (y, "z_mm", 1), (z, "y_mm", -1)):
            self.assertAlmostEqual(found, sign * float(row[name]) / 10, delta=1e-4)
        # The head looks along y: it leans about y, looks up about x, and turns to the left about z, in this order.
        expected = matrix_of(*(float(row[name]) for name in ("qx", "qy", "qz", "qw")))
        found = product(product(turn(2, yaw), turn(0, pitch)), turn(1, roll))
        for i in range(3):
            for k in range(3):
                self.assertAlmostEqual(found[i][k], expected[i][k], delta=2e-5)

    def test_opentrack(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            for receiver in (first, second):
                receiver.bind(("127.0.0.1", 0))
                receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            ports = [receiver.getsockname()[1] for receiver in (first, second)]
            self.track(f"opentrack:127.0.0.1:{ports[0]}", f"opentrack:127.0.0.1:{ports[1]}#{self.names[1]}")
            for receiver, name in ((first, self.names[0]), (second, self.names[1])):
                poses, expected = self.receive(receiver), self.poses(name)
                self.assertGreater(len(poses), FRAMES / 2)
                measured = [row for row in expected if row["state"] == "measured"]
                # The file has the pose of each frame; the stream has those that were known at once.
                near = [min(measured, key=lambda row: abs(float(row["x_mm"]) / 10 - pose[0])) for pose in poses]
                good = [(pose, row) for pose, row in zip(poses, near) if abs(float(row["x_mm"]) / 10 - pose[0]) < 1e-4]
                self.assertGreater(len(good), len(poses) * 3 / 4)
                for pose, row in good:
                    self.expect_pose(pose, row)

    @unittest.skipUnless(shutil.which("oscdump"), "oscdump is missing: install Debian's package liblo-tools")
    def test_oscdump_reads_bodies_and_points(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with open(self.dir / "dump.txt", "w") as file:
            dump = subprocess.Popen(["oscdump", "-L", str(port)], stdout=file)
        try:
            bound = f":{port:04X} "
            tables = [pathlib.Path(f"/proc/net/{kind}") for kind in ("udp", "udp6")]
            wait_until(lambda: any(bound in table.read_text() for table in tables), "oscdump listens")
            self.track(f"osc-space:{port}")
            last = f"/glint/number i {FRAMES - 1}"
            wait_until(lambda: last in self.text("dump.txt"), "the last frame")
        finally:
            dump.terminate()
            dump.wait(timeout=TIMEOUT)
        frame, places = None, {}
        for line in self.text("dump.txt").splitlines():
            if "/glint/" not in line:
                continue
            address, types, *numbers = line[line.index("/glint/"):].split()
            if address == "/glint/number":
                frame = int(numbers[0])
                continue
            self.assertRegex(types, "^f+$")
            places[frame, address] = [float(number) for number in numbers]
        compared = 0
        for row in self.poses(self.names[0]):
            address = f"/glint/body/{self.names[0]}/"
            at = places.get((int(row["frame"]), address + "position"))
            if row["state"] != "measured" or at is None or places[int(row["frame"]), address + "tracked"] != [1]:
                continue
            compared += 1
            for found, name in zip(at, ("x_mm", "y_mm", "z_mm")):
                self.assertAlmostEqual(found, float(row[name]) / 1000, delta=2e-6)
            quaternion = [float(row[name]) for name in ("qx", "qy", "qz", "qw")]
            sign = 1 if quaternion[3] >= 0 else -1
            for found, expected in zip(places[int(row["frame"]), address + "quaternion"], quaternion):
                self.assertAlmostEqual(found, sign * expected, delta=2e-6)
        self.assertGreater(compared, FRAMES / 2)
        found = 0
        for row in rows(self.dir / "p.csv"):
            address = f"/glint/marker/{row['body']}/{row['label']}" if row["body"] else f"/glint/point/{row['point']}"
            at = places.get((int(row["frame"]), address))
            if row["state"] == "measured" and at is not None:
                found += all(abs(a - float(row[name]) / 1000) < 2e-6 for a, name in zip(at, ("x_mm", "y_mm", "z_mm")))
        self.assertGreater(found, 400)


if __name__ == "__main__":
    unittest.main()
