"""Passwords in addresses appear nowhere: not in files, messages, streams, answers or lists.

usage: secrets_test.py GLINT [unittest arguments]
"""

import base64
import http.server
import json
import pathlib
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from harness import GLINT, TIMEOUT, Folder, glint
from mjpeg_server import MjpegServer

SECRET = "s3cr3t-Pa55w0rd"
CODED = "".join(f"%{ord(c):02X}" for c in SECRET)
KEY = "9f8e7d6c5b4a39281706f5e4"  # looks like a key, and so needs no name
FORMS = {
    "password": ("user:{}@", "", SECRET), "coded password": ("user:{}@", "", CODED),
    "coded colon": ("user%3A{}@", "", SECRET), "slash in it": ("user:a/{}@", "", SECRET),
    "key as user": ("{}@", "", KEY),
    "password=": ("", "?user=me&password={}&size=1", SECRET), "PWD=": ("", "?PWD={}", SECRET),
    "token": ("", "?token={}", SECRET), "access_token": ("", "?a=1;access_token={}", SECRET),
    "apikey": ("", "?apikey={}#t", SECRET), "coded token": ("", "?token={}", CODED),
    "auth in the fragment": ("", "#auth={}", SECRET), "passphrase": ("", "?passphrase={}", SECRET),
    "in the path": ("", "/user=admin_password={}_channel=1", SECRET), "bare key": ("", "?{}", KEY), "key in the path": ("", f"/{KEY}/x", KEY),
    "loginpas=": ("", "?loginuse=admin&loginpas={}", SECRET), "psw=": ("", "?psw={}", SECRET),
    "both": ("user:{0}@", "?token={0}", SECRET),
}


class Secrets(Folder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        made = pathlib.Path(folder.name)
        glint("synth", "spots?size=160x120&markers=3&seed=3&frames=8&fps=50", "-o", "clip.mkv", cwd=made)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "clip.mkv", "-q:v", "2", "-pix_fmt", "yuvj420p", "%06d.jpg"],
                       cwd=made, check=True, timeout=TIMEOUT)
        cls.pictures = [path.read_bytes() for path in sorted(made.glob("0*.jpg"))]

    def address(self, url, form):
        user, query, secret = FORMS[form]
        return url.replace("://", "://" + user.format(secret)) + query.format(secret)

    def assert_nowhere(self, *said):
        forms = {SECRET, CODED, KEY, *(base64.b64encode(text.encode()).decode().rstrip("=")[:-1] for text in (SECRET, f"user:{SECRET}"))}
        texts = {path: path.read_bytes() for path in self.dir.rglob("*") if path.is_file()}
        texts |= {f"output {n}": text.encode() for n, text in enumerate(said)}
        self.assertGreater(len(texts), 0)
        for name, text in texts.items():
            for form in forms:
                self.assertNotIn(form.encode(), text, name)
                self.assertNotIn(urllib.parse.quote(form).encode(), text, name)

    def run_all(self, address, *more):
        """Returns the output of every command, and the files that they write."""
        said = []
        for command in (("track", address, "--stats", "stats.csv", "-o", "tracks.csv", "--record", "raw.mkv", "--stream", "-", "--frames", 5),
                        ("probe", address), ("mask", address, "--frames", 3, "-o", "mask.png"), ("filter", address, "--frames", 2, "-o", "f.mkv"),
                        ("cameras", address), ("bench", address), *more):
            result = subprocess.run([GLINT, "--log-level", "debug", *map(str, command)], cwd=self.dir, capture_output=True, text=True,
                                    errors="replace", timeout=TIMEOUT, stdin=subprocess.DEVNULL)
            said += [result.stdout, result.stderr]
        return said

    def test_of_a_camera_that_sends(self):
        server = MjpegServer(self.pictures, 50)
        self.addCleanup(server.close)
        for form in FORMS:
            if form == "slash in it":  # this address cannot be opened
                continue
            with self.subTest(form):
                address = self.address(server.url, form)
                result = self.glint("--log-level", "debug", "track", address, "--stats", "stats.csv", "-o", "tracks.csv", "--record", "raw.mkv",
                                    "--stream", "-", "--frames", 5)
                page = self.glint("report", "tracks.csv")
                record = json.loads(self.text("tracks.json"))
                self.assertIn("***", record["cameras"][0]["source"])
                self.assertIn("***", self.text("report.html"))
                self.assertEqual(record["counts"]["frames"], 5)
                self.assert_nowhere(result.stdout, result.stderr, page.stdout)
        self.assert_nowhere(*self.run_all(self.address(server.url, "both")))

    def server_that_refuses(self):
        """Starts a server. Returns its address, and a list of the requests that it gets: paths, each with its
        authorization."""
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                asked.append((self.path, self.headers.get("Authorization")))
                self.send_response(401)
                self.send_header("WWW-Authenticate", f'Basic realm="{SECRET}"')
                self.end_headers()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}/video", asked

    ALL_OF_IT = (f"/video?token={SECRET}", "Basic " + base64.b64encode(f"user:{SECRET}".encode()).decode())

    def test_the_password_reaches_the_camera(self):
        url, asked = self.server_that_refuses()
        said = self.run_all(self.address(url, "both"))
        self.assertIn(self.ALL_OF_IT, asked)
        self.assertIn("401", "".join(said))
        self.assert_nowhere(*said)

    def test_the_password_of_what_a_filter_reads_reaches_its_server(self):
        url, asked = self.server_that_refuses()
        look = f"file:{self.address(url, 'both')}#1"
        settings = self.dir / "mine.toml"
        scene, filters = "synth:spots?frames=3", ("--filter", f"template:look={look}")
        said = []
        for arguments in (("track", scene, *filters), ("track", scene, "--filter", "template:look=file:a.png", "--set", f"filter.template.look={look}"),
                          ("track", scene, "--config", settings), ("filter", scene, *filters, "-o", "f.mkv"),
                          ("sweep", scene, *filters, "--over", "detect.threshold=0.3,0.5"),
                          ("sweep", scene, *filters, "--over", "filter.template.angle_to=1,2")):
            with self.subTest(arguments[0] + " " + arguments[2]):
                settings.write_text(f'[[filter]]\nuse = "template"\nlook = "{look}"\n')
                asked.clear()
                result = subprocess.run([GLINT, "--log-level", "debug", *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=TIMEOUT)
                settings.unlink()
                self.assertIn(self.ALL_OF_IT, asked, result.stderr)
                self.assertIn("401", result.stderr)
                said += [result.stdout, result.stderr]
        self.assert_nowhere(*said)

    def test_of_what_cannot_be_opened(self):
        with socket.socket() as taken:  # nobody listens at this port
            taken.bind(("127.0.0.1", 0))
            place = f"127.0.0.1:{taken.getsockname()[1]}"
            for scheme in ("http", "rtsp", "HTTP", "tcp", "cache:http", "nosuch"):
                for form in ("password", "coded password", "slash in it", "both", "in the path"):
                    with self.subTest(scheme + " " + form):
                        address = self.address(f"{scheme}://{place}/video", form)
                        result = subprocess.run([GLINT, "--log-level", "debug", "track", address], cwd=self.dir, capture_output=True,
                                                text=True, timeout=TIMEOUT)
                        self.assertNotEqual(result.returncode, 0)
                        self.assert_nowhere(result.stdout, result.stderr)
            address = self.address(f"http://{place}/", "both")
            self.assert_nowhere(*self.run_all(
                address, ("track", address, "--" + address), (address,), ("track", "synth:spots", "-o", address), ("track", "--set", address),
                ("track", "synth:spots", "--set", "detect.mask=" + address), ("track", "--config", address), ("track", "synth:spots", "--stream", address),
                ("filter", "synth:spots", "--chain", "blend over=file:" + address), ("filter", "synth:spots", "--chain", f"blend over=file:{address}#3"),
                ("settings", "--set", f"filter.x.over=file:{address}")))

    def test_a_quote_in_a_password_ends_no_address(self):
        result = self.glint("track", "synth:spots?frames=3", "--filter", f"template:look=file:http://user:it's{SECRET}@127.0.0.1:9/v#1", status=2)
        self.assert_nowhere(result.stdout, result.stderr)

    def test_in_settings_and_their_copies(self):
        address = self.address("http://camera.invalid/a.png", "both")
        (self.dir / "mine.toml").write_text(f'[detect]\nmask = "{address}"\n')
        result = self.glint("track", "synth:spots?frames=3", "--config", "mine.toml", status=2)
        (self.dir / "mine.toml").unlink()
        self.assertIn("***", result.stderr)
        self.assert_nowhere(result.stdout, result.stderr)

    def test_in_answers_to_control(self):
        server = MjpegServer(self.pictures, 50)
        self.addCleanup(server.close)
        address = self.address(server.url, "both")
        process = subprocess.run(
            [GLINT, "--log-level", "debug", "track", address, "-o", "t.csv", "--control", "-"], cwd=self.dir, capture_output=True, text=True,
            timeout=TIMEOUT, input="".join(json.dumps(request) + "\n" for request in (
                {"do": "status"}, {"do": "settings"}, {"do": "set", "settings": {"detect.mask": address}}, {"do": address}, {"do": "record", "file": address},
                {"do": "stream", "target": address}, {"do": "status"}, {"do": "quit"})))
        self.assertIn("state", process.stdout)
        self.assert_nowhere(process.stdout, process.stderr)

    def test_in_a_record_of_an_earlier_version(self):
        self.glint("track", "synth:spots?size=160x120&frames=5", "-o", "tracks.csv")
        record = json.loads(self.text("tracks.json"))
        record["cameras"][0]["source"] = self.address("rtsp://camera/live", "both")
        record["failure"] = f"the stream '{record['cameras'][0]['source']}' broke off"
        (self.dir / "tracks.json").write_text(json.dumps(record))
        self.glint("report", "tracks.csv")
        (self.dir / "tracks.json").unlink()
        self.assertIn("***", self.text("report.html"))
        self.assert_nowhere()

    def test_one_that_is_shown_is_not_opened(self):
        result = self.glint("track", "http://user:***@127.0.0.1:9/", status=1)
        self.assertIn("Glint does not store passwords", result.stderr)


if __name__ == "__main__":
    unittest.main()
