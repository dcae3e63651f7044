"""As much of an RTSP server (RFC 2326) as a player needs to receive one stream of RTP over UDP."""

import re
import socket
import threading


class RtspServer:
    """A server of one stream. It describes the stream by `sdp`, and calls `play(port)` when a client wants the stream at
    that port of this host."""

    def __init__(self, sdp, play):
        self.sdp, self.play = sdp, play
        self.asked = []
        self.port_wanted = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"rtsp://127.0.0.1:{self.listener.getsockname()[1]}/stream"
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(60)

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as stream:
                while request := self.read(stream):
                    stream.write(self.answer(*request).encode())
                    stream.flush()

    @staticmethod
    def read(stream):
        """Returns the method and the headers of a request; None at the end."""
        try:
            first = stream.readline().decode().split()
            headers = {}
            while line := stream.readline().decode().strip():
                name, value = line.split(":", 1)
                headers[name.lower()] = value.strip()
            return (first[0], headers) if first else None
        except OSError:
            return None

    def answer(self, method, headers):
        self.asked.append(method)
        more, body = "", ""
        if method == "OPTIONS":
            more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        elif method == "DESCRIBE":
            body = self.sdp
            more = f"Content-Type: application/sdp\r\nContent-Base: {self.url}/\r\nContent-Length: {len(body)}\r\n"
        elif method == "SETUP":
            self.port_wanted = int(re.search(r"client_port=(\d+)", headers["transport"])[1])
            more = f"Transport: RTP/AVP/UDP;unicast;client_port={self.port_wanted}-{self.port_wanted + 1}\r\nSession: 1\r\n"
        elif method == "PLAY":
            self.play(self.port_wanted)
            more = "Session: 1\r\n"
        return f"RTSP/1.0 200 OK\r\nCSeq: {headers['cseq']}\r\n{more}\r\n{body}"
