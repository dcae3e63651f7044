"""A camera that sends one JPEG after another over HTTP, and misbehaves when it is told to."""

import http.server
import threading
import time

BOUNDARY = "frame"


class MjpegServer:
    """A server of `pictures`, the bytes of JPEG files, at `rate` a second. Each client gets them from the first one on.

    `act`, called with the number of a picture before it is sent, may return None, other bytes to send instead, or raise
    BrokenPipeError, which ends the answer. `sent` keeps (number, monotonic time) of all that was sent to anybody.
    """

    def __init__(self, pictures, rate, act=lambda number: None):
        self.sent = []
        self.asked = 0
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                server.asked += 1
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace;boundary={BOUNDARY}")
                self.end_headers()
                begin = time.monotonic()
                number = 0
                try:
                    while not server.closed:
                        time.sleep(max(0, begin + number / rate - time.monotonic()))
                        picture = act(number)
                        if picture is None:
                            picture = pictures[number % len(pictures)]
                        server.sent.append((number, time.monotonic()))
                        self.wfile.write(f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                                         .encode() + picture + b"\r\n")
                        number += 1
                except OSError:
                    pass

        self.closed = False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/video"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.closed = True
        self.server.shutdown()
        self.server.server_close()
