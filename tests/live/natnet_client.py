"""A client of NatNet, written from NatNetTypes.h and the descriptions of the packets in OptiTrack's SDK.

It is strict: a packet that says one length and has another, or leaves bytes over, is an error. It knows the layouts
3.1 and 4.1.
"""

import socket
import struct
import time

CONNECT, SERVER_INFO, REQUEST, RESPONSE, REQUEST_MODELS, MODELS, REQUEST_FRAME, FRAME = range(8)
DISCONNECT, KEEP_ALIVE = 9, 10
ECHO_REQUEST, ECHO_RESPONSE, DISCOVERY = 12, 13, 14
UNRECOGNISED = 100
GROUP = "239.255.42.99"


class Malformed(Exception):
    """A packet does not have the layout that it should have."""


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        layout = "<" + layout
        size = struct.calcsize(layout)
        if self.at + size > len(self.data):
            raise Malformed(f"{size} bytes at {self.at} of {len(self.data)}")
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += size
        return values if len(values) > 1 else values[0]

    def text(self):
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise Malformed("a text has no end")
        text = self.data[self.at:end].decode("utf-8")
        self.at = end + 1
        return text

    def count(self):
        number = self.take("i")
        if number < 0:
            raise Malformed(f"a count is {number}")
        return number

    def end(self):
        if self.at != len(self.data):
            raise Malformed(f"{len(self.data) - self.at} bytes are left over")


def sized(reader, version):
    """Returns where a part ends, if its size comes first: since 4.1."""
    if version < (4, 1):
        return None
    size = reader.count()
    return reader.at + size


def check_end(reader, end):
    if end is not None and reader.at != end:
        raise Malformed(f"a part ends at {reader.at} and not at {end}")


def section(reader, version, entry):
    """Reads the number of entries, since 4.1 the number of their bytes, and the entries."""
    count = reader.count()
    end = sized(reader, version)
    entries = [entry(reader) for _ in range(count)]
    check_end(reader, end)
    return entries


def place(reader):
    return reader.take("3f")


def marker_set(reader):
    name = reader.text()
    return name, [place(reader) for _ in range(reader.count())]


def rigid_body(reader):
    return {"id": reader.take("i"), "at": place(reader), "turn": reader.take("4f"),
            "error": reader.take("f"), "valid": bool(reader.take("h") & 1)}


def labelled_marker(reader):
    marker = {"id": reader.take("i"), "at": place(reader), "size": reader.take("f")}
    bits = reader.take("h")
    marker.update(occluded=bool(bits & 1), from_rays=bool(bits & 2), model_filled=bool(bits & 4),
                  has_model=bool(bits & 8), unlabelled=bool(bits & 16), residual=reader.take("f"))
    return marker


def nothing(reader):
    raise Malformed("there are skeletons, assets, force plates or devices")


def decode_frame(payload, version):
    reader = Reader(payload)
    frame = {"number": reader.take("i"),
             "sets": dict(section(reader, version, marker_set)),
             "others": section(reader, version, place),
             "bodies": section(reader, version, rigid_body)}
    section(reader, version, nothing)  # skeletons
    if version >= (4, 1):
        section(reader, version, nothing)  # assets
    frame["labelled"] = section(reader, version, labelled_marker)
    section(reader, version, nothing)  # force plates
    section(reader, version, nothing)  # devices
    frame["timecode"] = reader.take("2I")
    frame["time"] = reader.take("d")
    frame["exposed"], frame["received"], frame["sent"] = reader.take("3Q")
    if version >= (4, 1):
        frame["precise"] = reader.take("2I")
    bits = reader.take("h")
    frame.update(recording=bool(bits & 1), models_changed=bool(bits & 2), edit=bool(bits & 4),
                 version_changed=bool(bits & 8))
    if reader.take("i") != 0:
        raise Malformed("the frame does not end with 0")
    reader.end()
    return frame


def decode_models(payload, version):
    """Returns lists of sets, bodies and cameras."""
    reader = Reader(payload)
    models = {"sets": [], "bodies": [], "cameras": []}
    for _ in range(reader.count()):
        kind = reader.take("i")
        end = sized(reader, version)
        if kind == 0:
            name = reader.text()
            models["sets"].append((name, [reader.text() for _ in range(reader.count())]))
        elif kind == 1:
            body = {"name": reader.text(), "id": reader.take("i"), "parent": reader.take("i"), "offset": place(reader)}
            count = reader.count()
            body["markers"] = [place(reader) for _ in range(count)]
            body["active"] = [reader.take("i") for _ in range(count)]
            body["labels"] = [reader.text() for _ in range(count)] if version >= (4, 0) else None
            models["bodies"].append(body)
        elif kind == 5:
            models["cameras"].append({"name": reader.text(), "at": place(reader), "turn": reader.take("4f")})
        else:
            raise Malformed(f"the description has the kind {kind}")
        check_end(reader, end)
    reader.end()
    return models


def decode_server_info(payload):
    if len(payload) != 256 + 4 + 4 + 8 + 2 + 1 + 4:
        raise Malformed(f"the description of the server has {len(payload)} bytes")
    reader = Reader(payload)
    name = reader.take("256s").split(b"\0")[0].decode("utf-8")
    own, natnet = reader.take("4B"), reader.take("4B")
    rate, port, multicast = reader.take("QH?")
    return {"name": name, "own": own, "version": natnet[:2], "ticks": rate, "data_port": port,
            "multicast": multicast, "group": socket.inet_ntoa(reader.take("4s"))}


def packet(kind, payload=b""):
    return struct.pack("<HH", kind, len(payload)) + payload


def split(datagram):
    if len(datagram) < 4:
        raise Malformed("a datagram is shorter than its header")
    kind, size = struct.unpack_from("<HH", datagram)
    if len(datagram) != 4 + size:
        raise Malformed(f"a datagram has {len(datagram) - 4} bytes and not {size}")
    return kind, datagram[4:]


def grow(receiver):
    """Makes room for what comes while a busy machine does not run the client."""
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)


class Client:
    """A client that gets its frames by unicast, on the socket that it sends requests from."""

    def __init__(self, port, host="127.0.0.1", timeout=60):
        self.server, self.timeout, self.version = (host, port), timeout, (3, 1)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((host, 0))
        self.socket.settimeout(timeout)
        grow(self.socket)
        self.waiting = []
        self.frames_from = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, kind, payload=b""):
        self.socket.sendto(packet(kind, payload), self.server)

    def receive(self, kind):
        """Returns the payload of the next packet of this kind. Frames that come before are kept."""
        deadline = time.monotonic() + self.timeout
        while time.monotonic() < deadline:
            datagram, source = self.socket.recvfrom(65536)
            found, payload = split(datagram)
            if found == FRAME:
                self.frames_from = source
            if found == kind:
                return payload
            if found != FRAME:
                raise Malformed(f"a packet of the kind {found} came instead of {kind}")
            self.waiting.append(payload)
        raise TimeoutError(f"no packet of the kind {kind}")

    def connect(self, ask=(0, 0)):
        """Connects; returns the description of the server. `ask`: the version of the layout to ask for."""
        sender = b"client".ljust(256, b"\0") + bytes(4) + bytes((4, 1, 0, 0))
        self.send(CONNECT, sender + b"\0" + bytes((*ask, 0, 0)))
        info = decode_server_info(self.receive(SERVER_INFO))
        self.version = info["version"]
        return info

    def join(self, ask=(0, 0)):
        """Connects, and returns once the server sends frames to this client."""
        self.connect(ask)
        self.keep_alive()
        self.echo(1)

    def echo(self, number):
        """Returns the number as it comes back, and the server's time in ticks."""
        self.send(ECHO_REQUEST, struct.pack("<Q", number))
        return struct.unpack("<QQ", self.receive(ECHO_RESPONSE))

    def keep_alive(self):
        self.send(KEEP_ALIVE)

    def leave(self):
        self.send(DISCONNECT)

    def models(self):
        self.send(REQUEST_MODELS)
        return decode_models(self.receive(MODELS), self.version)

    def frame(self):
        payload = self.waiting.pop(0) if self.waiting else self.receive(FRAME)
        return decode_frame(payload, self.version)

    def command(self, text):
        """Returns the bytes of the answer, or None if the command was not understood."""
        self.send(REQUEST, text.encode() + b"\0")
        while True:
            datagram, source = self.socket.recvfrom(65536)
            kind, payload = split(datagram)
            if kind == FRAME:
                self.frames_from = source
                self.waiting.append(payload)
            elif kind == UNRECOGNISED:
                return None
            elif kind == RESPONSE:
                return payload
            else:
                raise Malformed(f"a packet of the kind {kind} answers a command")


class Listener:
    """A client that takes its frames from the multicast group."""

    def __init__(self, data_port, host="127.0.0.1", timeout=60):
        self.version = (3, 1)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((GROUP, data_port))
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                               socket.inet_aton(GROUP) + socket.inet_aton(host))
        self.socket.settimeout(timeout)
        grow(self.socket)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def frame(self):
        kind, payload = split(self.socket.recv(65536))
        if kind != FRAME:
            raise Malformed(f"the group gets a packet of the kind {kind}")
        return decode_frame(payload, self.version)
