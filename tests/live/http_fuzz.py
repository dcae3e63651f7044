"""A camera over HTTP that answers at random. Whatever arrives, Glint ends with a status, with messages in sentences, and in
little memory.

usage: http_fuzz.py GLINT [--answers N] [--seconds N] [--seed N]

One run after another asks a server on loopback, again whenever an answer has ended, until it has had 30 answers. The same
seed gives the same answers in the same order.
"""

import argparse
import pathlib
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

MOST_KIB = 1_500_000  # memory that the program may use: enough for a software driver and a few pictures
ANSWERS_A_RUN = 30
PATIENCE = 300  # s, the time in which a run must get its answers, and then the time in which it must end
HUGE = (0, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 63 - 1, 2 ** 63, 2 ** 64, 10 ** 30, "zz", "")


class Answers:
    def __init__(self, seed, pictures):
        self.random, self.pictures = random.Random(seed), pictures

    def noise(self, most):
        return self.random.randbytes(self.random.randrange(most))

    def picture(self):
        choose, picture = self.random.randrange(10), bytearray(self.random.choice(self.pictures))
        at = self.random.randrange(len(picture))
        if choose == 0:
            return bytes(picture[:at])
        if choose == 1:
            return bytes(picture[:at]) + self.random.choice(self.pictures)[at:]
        if choose == 2:
            return self.noise(3000)
        if choose == 3:
            for _ in range(self.random.randrange(1, 30)):
                picture[self.random.randrange(len(picture))] = self.random.randrange(256)
        if choose == 4:  # changes sizes and tables in the head
            for _ in range(3):
                picture[self.random.randrange(min(600, len(picture)))] = self.random.choice((0, 1, 127, 128, 255))
        return bytes(picture)

    def part(self, boundary):
        body, choose = self.picture(), self.random.randrange(12)
        length = len(body)
        if choose == 0:
            length = self.random.choice(HUGE)
        if choose == 1:
            length += self.random.randrange(-200, 200)
        lines = [b"Content-Type: " + self.random.choice((b"image/jpeg",) * 8 + (b"text/html", b"image/png", self.noise(40).replace(b"\n", b"")))]
        if choose != 2:
            lines.append(f"Content-Length: {length}".encode())
        if choose == 3:
            lines.append(b"X: " + b"y" * self.random.randrange(20000))
        if choose == 4:
            self.random.shuffle(lines)
            lines += lines
        end = self.random.choice((b"\r\n",) * 9 + (b"\n",))
        begin = b"--" + boundary if choose != 5 else self.noise(60)
        return begin + end + end.join(lines) + end + end + body + end

    def chunked(self, body):
        coded = b""
        while body:
            size = self.random.randrange(1, 5000)
            stated = f"{min(size, len(body)):x}" if self.random.random() < 0.97 else str(self.random.choice((*HUGE, "ffffffffffffffff")))
            coded += stated.encode() + b"\r\n" + body[:size] + b"\r\n"
            body = body[size:]
        return coded + b"0\r\n\r\n"

    def plain(self, parts=8):
        """Returns an answer as a camera gives it."""
        body = b"".join(b"--f\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(p) + p + b"\r\n" for p in self.pictures[:parts])
        return b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=f\r\n\r\n" + body

    def answer(self, place):
        chance = self.random.random
        status = b"HTTP/1.1 200 OK"
        if chance() < 0.1:
            status = self.random.choice((b"HTTP/1.1 404 Not Found", b"HTTP/1.1 301 Moved", b"ICY 200 OK", b"HTTP/9.9 99999999999999 x", b"HTTP/1.1 401 No",
                                         b"HTTP/1.1 206 Part", b"HTTP/1.1 500", b"", self.noise(300)))
        boundary = b"frame" if chance() < 0.8 else self.random.choice((b"", b'"a b"', b"x" * self.random.randrange(1, 9000), self.noise(50)))
        headers = [b"Content-Type: multipart/x-mixed-replace;boundary=" + boundary] if chance() < 0.93 else []
        body = b"".join(self.part(boundary) for _ in range(self.random.randrange(1, 12)))
        if chance() < 0.2:
            headers.append(b"Transfer-Encoding: chunked")
            body = self.chunked(body)
        if chance() < 0.1:
            headers.append(f"Content-Length: {self.random.choice(HUGE)}".encode())
        if chance() < 0.1:
            headers.append(self.random.choice((b"Location: /" + self.noise(30).replace(b"\n", b""), b"Location: http://" + place + b"/x",
                                               b"Content-Encoding: gzip", b"Set-Cookie: " + b"a=b;" * self.random.randrange(3000),
                                               b"Content-Range: bytes 5-2/1",
                                               b'WWW-Authenticate: Digest realm="a", nonce="' + b"n" * self.random.randrange(3000) + b'"', self.noise(200))))
        return status + b"\r\n" + b"\r\n".join(headers) + b"\r\n\r\n" + body


class Server:
    """A server of the answers. The first answer in a run is good in four of five runs, since a camera that has never sent a
    picture is not opened."""

    def __init__(self, answers):
        self.answers, self.asked, self.first = answers, 0, True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            with connection:
                try:
                    self.give(connection)
                except OSError:
                    pass

    def give(self, connection):
        connection.settimeout(20)
        connection.recv(4096)
        random_ = self.answers.random
        good = self.first and random_.random() < 0.8
        self.first = False
        bytes_ = self.answers.plain() if good else self.answers.answer(self.place.encode())
        self.asked += 1
        how = random_.random()
        if how < 0.1:  # sends byte by byte
            for i in range(min(300, len(bytes_))):
                connection.sendall(bytes_[i:i + 1])
            bytes_ = bytes_[300:]
        if how > 0.9:
            bytes_ = bytes_[:random_.randrange(len(bytes_) + 1)]
        connection.sendall(bytes_)
        if how > 0.95:  # resets the connection instead of ending it
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def run(glint, server, folder):
    """Runs glint until it ends, or has had its answers. Returns its messages and its status."""
    server.first, until = True, server.asked + ANSWERS_A_RUN
    process = subprocess.Popen([glint, "track", f"http://{server.place}/v", "--stats", "s.csv", "--quiet"], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)
    reader.start()
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and server.asked < until:
        if time.monotonic() > deadline:
            break  # glint asks for nothing more, but must still end at a signal
        time.sleep(0.02)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        reader.join()
        raise SystemExit(f"after {server.asked} answers it does not end\n" + said[0].decode(errors="replace"))
    reader.join()
    return status, said[0].decode(errors="replace")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("glint")
    parser.add_argument("--answers", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=24)
    options = parser.parse_args()
    glint = str(pathlib.Path(options.glint).absolute())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([glint, "synth", "spots?size=160x120&markers=3&seed=3&frames=8&fps=50", "-o", "clip.mkv"], cwd=folder, check=True)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "clip.mkv", "-pix_fmt", "yuvj420p", "%06d.jpg"], cwd=folder, check=True, stdin=subprocess.DEVNULL)
        pictures = [path.read_bytes() for path in sorted(pathlib.Path(folder).glob("0*.jpg"))]
        server = Server(Answers(options.seed, pictures))
        runs, statuses, end = 0, {}, time.monotonic() + options.seconds
        while server.asked < options.answers or time.monotonic() < end:
            status, said = run(glint, server, folder)
            runs += 1
            statuses[status] = statuses.get(status, 0) + 1
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            strange = [line for line in said.splitlines() if not line.startswith("glint: ")]
            if status not in (0, 1) or strange or "Sanitizer" in said or memory > MOST_KIB:
                sys.exit(f"seed {options.seed}, run {runs}: status {status}, {memory} KiB\n{said}")
    print(f"{server.asked} answers to {runs} runs: " + ", ".join(f"{n} x status {status}" for status, n in sorted(statuses.items())))


main()
