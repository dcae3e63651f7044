"""Readers and writers of motion-capture formats, each written from the format's own description and from nothing of Glint.

A take here is a dict: rate (Hz), names, frames (numbers from 0), times (s), and at, a float array (frames, markers, 3) in mm,
NaN where a marker was not seen. Readers return the same.
"""

import csv
import io
import struct

import numpy as np

# C3D: www.c3d.org/docs/C3D_User_Guide.pdf.

INTEL, DEC, MIPS = 84, 85, 86


def real_bytes(value, processor):
    """A real number as the processor stores it. DEC's F format: IEEE's bits of four times the value, words exchanged."""
    if processor == INTEL:
        return struct.pack("<f", value)
    if processor == MIPS:
        return struct.pack(">f", value)
    low, high = struct.unpack("<HH", struct.pack("<f", np.float32(value) * np.float32(4)))
    return struct.pack("<HH", high, low)


def word_bytes(value, processor):
    return struct.pack((">" if processor == MIPS else "<") + "H", value & 0xffff)


def real_of(data, processor):
    if processor == INTEL:
        return struct.unpack("<f", data)[0]
    if processor == MIPS:
        return struct.unpack(">f", data)[0]
    high, low = struct.unpack("<HH", data)
    return struct.unpack("<f", struct.pack("<HH", low, high))[0] / 4


def read_c3d(path):
    """Also: residuals in mm (-1 where invalid), camera masks, and all parameters by (group, name)."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[1] == 0x50, "no C3D"
    section = (data[0] - 1) * 512
    processor = data[section + 3]
    assert data[section + 1] == 0x50, "the key of the parameter section"
    order = ">" if processor == MIPS else "<"

    def word(number):
        return struct.unpack_from(order + "H", data, 2 * (number - 1))[0]

    def real(number):
        return real_of(data[2 * (number - 1):2 * (number + 1)], processor)

    groups, parameters, at = {}, {}, section + 4
    end = section + 512 * data[section + 2]
    while at < end and data[at] != 0:
        length, group = struct.unpack_from("bb", data, at)
        name = data[at + 2:at + 2 + abs(length)].decode()
        offset_at = at + 2 + abs(length)
        offset = struct.unpack_from(order + "H", data, offset_at)[0]
        if group < 0:
            groups[-group] = name
        else:
            kind, dimensions = struct.unpack_from("bB", data, offset_at + 2)
            sizes = list(data[offset_at + 4:offset_at + 4 + dimensions])
            count = int(np.prod(sizes)) if sizes else 1
            values = data[offset_at + 4 + dimensions:][:count * abs(kind)]
            assert len(values) == count * abs(kind)
            if kind == -1:
                width = sizes[0] if sizes else 1
                values = [values[i:i + width].decode().rstrip() for i in range(0, len(values), width)] if width else []
            elif kind == 2:
                values = list(struct.unpack(order + f"{count}h", values))
            elif kind == 4:
                values = [real_of(values[i:i + 4], processor) for i in range(0, len(values), 4)]
            parameters[group, name] = (kind, sizes, values)
        if offset == 0:
            break
        at = offset_at + offset
    parameters = {(groups[group], name): value for (group, name), value in parameters.items()}

    def value(group, name):
        return parameters[group, name][2]

    points, first, last = word(2), word(4), word(5)
    unsigned = [v & 0xffff for v in value("TRIAL", "ACTUAL_START_FIELD") + value("TRIAL", "ACTUAL_END_FIELD")]
    if last == 0xffff or first == 0xffff:
        first, last = unsigned[0] | unsigned[1] << 16, unsigned[2] | unsigned[3] << 16
    assert (unsigned[0] | unsigned[1] << 16, unsigned[2] | unsigned[3] << 16) == (first, last)
    frames, scale = last - first + 1, real(7)
    assert scale < 0 and word(3) == 0, "real numbers without analog data"
    assert word(10) == 1, "ANALOG:RATE equals POINT:RATE, which readers compare with this number of samples a frame"
    start = (word(9) - 1) * 512
    assert value("POINT", "DATA_START") == [word(9)]
    raw = np.frombuffer(data, order + "f4", frames * points * 4, start).reshape(frames, points, 4).astype(float)
    assert len(data) % 512 == 0 and 0 <= len(data) - start - raw.size * 4 < 512
    names, n = list(value("POINT", "LABELS")), 2
    while ("POINT", f"LABELS{n}") in parameters:
        names += value("POINT", f"LABELS{n}")
        n += 1
    unit = {"mm": 1.0, "m": 1000.0}[value("POINT", "UNITS")[0]]
    fourth = raw[:, :, 3].astype(np.int16)
    hidden = fourth < 0
    at = raw[:, :, :3] * unit
    at[hidden] = np.nan
    residuals = np.where(hidden, -1, (fourth & 0xff) * abs(scale) * unit)
    return {"rate": real(11), "names": names, "frames": np.arange(first - 1, last), "at": at, "unit": unit,
            "residuals": residuals, "cameras": np.where(hidden, 0, fourth >> 8), "parameters": parameters,
            "raw": raw, "times": np.arange(first - 1, last) / real(11)}


def c3d_bytes(take, processor=INTEL, real=True, scale=0.05, cameras=0, residual=1, trial=False, header=None, extra=()):
    """A C3D file of one of the six kinds. `header`: words that are written otherwise, by number; `extra`: (group, name, kind,
    sizes, bytes) of further parameters."""
    def parameter(group, name, kind, sizes, values):
        body = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + values + b"\0"
        return struct.pack("bb", len(name), group) + name.encode() + word_bytes(2 + len(body), processor) + body

    def group(number, name):
        return struct.pack("bb", len(name), -number) + name.encode() + word_bytes(3, processor) + b"\0"

    def texts(values):
        width = max(map(len, values))
        return [width, len(values)], "".join(v.ljust(width) for v in values).encode()

    at, frames = take["at"], len(take["frames"])
    points, first = at.shape[1], int(take["frames"][0]) + 1
    last = first + frames - 1
    signed = -scale if real else scale
    section = group(1, "POINT")
    section += parameter(1, "USED", 2, [], word_bytes(points, processor))
    section += parameter(1, "SCALE", 4, [], real_bytes(signed, processor))
    section += parameter(1, "RATE", 4, [], real_bytes(take["rate"], processor))
    section += parameter(1, "FRAMES", 2, [], word_bytes(min(frames, 65535), processor))
    section += parameter(1, "UNITS", -1, [2], b"mm")
    for n in range(0, points, 255):
        section += parameter(1, "LABELS" + (str(n // 255 + 1) if n else ""), -1, *texts(take["names"][n:n + 255]))
    if trial:
        section += group(2, "TRIAL")
        for name, frame in (("ACTUAL_START_FIELD", first), ("ACTUAL_END_FIELD", last)):
            section += parameter(2, name, 2, [2], word_bytes(frame & 0xffff, processor) + word_bytes(frame >> 16, processor))
    for number, (name, what, kind, sizes, values) in enumerate(extra, 3):
        section += group(number, name) + parameter(number, what, kind, sizes, values)
    blocks = (4 + len(section) + 1 + 511) // 512
    section = (bytes([1, 0x50, blocks, processor]) + section).ljust(512 * blocks, b"\0")

    words = {1: 0x5002, 2: points, 4: min(first, 65535), 5: min(last, 65535), 9: 2 + blocks, **(header or {})}
    head = bytearray(512)
    for number, word in words.items():
        head[2 * (number - 1):2 * number] = word_bytes(word, processor)
    head[0:2] = bytes([2, 0x50])
    if 7 not in words:
        head[12:16] = real_bytes(signed, processor)
    head[20:24] = real_bytes(take["rate"], processor)

    hidden = np.isnan(at[:, :, 0])
    fourth = np.where(hidden, -1, cameras << 8 | residual)
    order = ">" if processor == MIPS else "<"
    if real:
        values = np.concatenate([np.where(hidden[:, :, None], 0, at), fourth[:, :, None]], axis=2).astype(np.float32)
        if processor == DEC:
            words = (values * np.float32(4)).astype("<f4").reshape(-1).view("<u2").reshape(-1, 2)
            body = words[:, ::-1].copy().tobytes()
        else:
            body = values.astype(order + "f4").tobytes()
    else:
        whole = np.where(hidden[:, :, None], 0, np.round(at / scale))
        body = np.concatenate([whole, fourth[:, :, None]], axis=2).astype(order + "i2").tobytes()
    return bytes(head) + section + body.ljust(-(-len(body) // 512) * 512, b"\0")


# TRC, by the rules of OpenSim's TRCFileAdapter: tabs or CR separate fields, and every row has 3n + 2 of them.

TRC_KEYS = ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"]


def trc_tokens(line):
    """The fields of a line as OpenSim cuts it: what follows the last separator is one only if it is not empty."""
    tokens = line.replace("\r", "\t").split("\t")
    return tokens[:-1] if tokens[-1] == "" else tokens


def read_trc(path):
    with open(path, newline="") as file:
        lines = file.read().split("\n")
    assert lines[0].split()[0] == "PathFileType"
    keys, values = ([t for t in trc_tokens(line) if t] for line in lines[1:3])
    assert keys == TRC_KEYS and len(values) == len(keys)
    facts = dict(zip(keys, values))
    columns = [t for t in trc_tokens(lines[3]) if t]
    assert columns[:2] == ["Frame#", "Time"] and len(columns) == int(facts["NumMarkers"]) + 2
    names = columns[2:]
    axes = [t for t in trc_tokens(lines[4]) if t]
    assert axes == [letter + str(n + 1) for n in range(len(names)) for letter in "XYZ"]
    rows = [trc_tokens(line) for line in lines[5:]]
    rows = [row for row in rows if any(row)]
    unit = {"mm": 1.0, "m": 1000.0}[facts["Units"]]
    for row in rows:
        assert len(row) == 3 * len(names) + 2, (len(row), row)
    at = np.array([[float(cell) if cell else np.nan for cell in row[2:]] for row in rows]).reshape(-1, len(names), 3) * unit
    assert len(rows) == int(facts["NumFrames"]) == int(facts["OrigNumFrames"])
    numbers = [int(row[0]) for row in rows]
    assert not numbers or numbers[0] == int(facts["OrigDataStartFrame"])
    return {"rate": float(facts["DataRate"]), "names": names, "frames": np.array(numbers) - 1, "at": at,
            "times": np.array([float(row[1]) for row in rows])}


# Motive's CSV, format 1.23: docs.optitrack.com, "Data Export: CSV".

def read_motive(path):
    """Also: poses, a dict of arrays (frames, 8) of x, y, z, qx, qy, qz, qw and the mean error, mm."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    head = rows[0]
    facts = dict(zip(head[::2], head[1::2]))
    assert head[:2] == ["Format Version", "1.23"] and facts["Coordinate Space"] == "Global"
    assert facts["Rotation Type"] == "Quaternion" and rows[1] == []
    types, names, ids, properties, axes = rows[2:7]
    assert types[:2] == ["", "Type"] and names[:2] == ["", "Name"] and ids[:2] == ["", "ID"] and properties[:2] == ["", ""]
    assert axes[:2] == ["Frame", "Time (Seconds)"]
    assert len({len(row) for row in rows[2:]}) == 1
    unit = {"Millimeters": 1.0, "Meters": 1000.0}[facts["Length Units"]]
    data = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[7:]]).reshape(-1, len(axes))
    markers, poses, i = {}, {}, 2
    while i < len(axes):
        if types[i] == "Marker":
            assert properties[i:i + 3] == ["Position"] * 3 and axes[i:i + 3] == ["X", "Y", "Z"] and len(set(names[i:i + 3])) == 1
            markers[names[i]] = data[:, i:i + 3] * unit
            i += 3
        else:
            assert types[i:i + 8] == ["Rigid Body"] * 8 and axes[i:i + 8] == ["X", "Y", "Z", "W", "X", "Y", "Z", ""]
            assert properties[i:i + 8] == ["Rotation"] * 4 + ["Position"] * 3 + ["Mean Marker Error"]
            poses[names[i]] = np.hstack([data[:, i + 4:i + 7] * unit, data[:, i:i + 4], data[:, i + 7:i + 8] * unit])
            i += 8
    assert len(data) == int(facts["Total Exported Frames"])
    return {"rate": float(facts["Export Frame Rate"]), "names": list(markers), "frames": data[:, 0].astype(int), "times": data[:, 1],
            "at": np.stack(list(markers.values()), 1) if markers else np.zeros((len(data), 0, 3)), "poses": poses}


# QTM's motion data: docs.qualisys.com, "Motion data (.tsv)".

def read_qtm(path):
    with open(path, newline="") as file:
        lines = file.read().split("\r\n")
    assert lines.pop() == ""
    facts = {}
    while not lines[0].startswith("Frame\t"):
        key, *values = lines.pop(0).split("\t")
        facts[key] = values
    names = facts["MARKER_NAMES"]
    names = [name for name in names if name]
    assert facts["DATA_INCLUDED"] == ["3D"] and int(facts["NO_OF_MARKERS"][0]) == len(names)
    assert lines.pop(0).split("\t") == ["Frame", "Time"] + [f"{name} {axis}" for name in names for axis in "XYZ"]
    data = np.array([[float(cell) for cell in line.split("\t")] for line in lines]).reshape(len(lines), 3 * len(names) + 2)
    assert len(data) == int(facts["NO_OF_FRAMES"][0])
    return {"rate": float(facts["FREQUENCY"][0]), "names": names, "frames": data[:, 0].astype(int) - 1, "times": data[:, 1],
            "at": data[:, 2:].reshape(len(data), len(names), 3)}


# Glint's wide table and its own tables: docs/formats.md.

def read_wide(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    header = rows.pop(0)
    assert header[:2] == ["frame", "time_s"]
    unit = 1000.0 if any(name.endswith("_x_m") for name in header) else 1.0
    ending = "_x_m" if unit == 1000 else "_x_mm"
    data = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows]).reshape(-1, len(header))
    places = [i for i, name in enumerate(header) if name.endswith(ending)]
    bodies = [i for i in places if header[i + 3:i + 4] == [header[i][:-len(ending)] + "_qx"]]
    markers = [i for i in places if i not in bodies]
    poses = {header[i][:-len("_body" + ending)]: np.hstack([data[:, i:i + 3] * unit, data[:, i + 3:i + 7]]) for i in bodies}
    return {"names": [header[i][:-len(ending)] for i in markers], "frames": data[:, 0].astype(int), "times": data[:, 1],
            "at": np.stack([data[:, i:i + 3] for i in markers], 1) * unit if markers else np.zeros((len(data), 0, 3)), "poses": poses}


def name_of(row):
    if not row.get("label"):
        return f"point{row['point']}"
    return f"{row['body']}:{row['label']}" if row.get("body") else row["label"]


def read_rows(rows):
    """Of points.csv or JSON Lines, as dicts. A second row of a label in a frame is numbered: tip_2."""
    rows = [dict(row) for row in rows if row.get("point") not in ("", None)]
    seen = set()
    for row in rows:
        if (row["frame"], name_of(row)) in seen:
            row["label"] += "_2"
        seen.add((row["frame"], name_of(row)))
    frames = sorted({int(row["frame"]) for row in rows})
    names = sorted({name_of(row) for row in rows})
    frame_at, name_at = ({value: i for i, value in enumerate(values)} for values in (frames, names))
    at, times = np.full((len(frames), len(names), 3), np.nan), np.zeros(len(frames))
    for row in rows:
        i = frame_at[int(row["frame"])]
        at[i, name_at[name_of(row)]] = [float(row[key]) for key in ("x_mm", "y_mm", "z_mm")]
        times[i] = float(row["time_s"])
    return {"names": names, "frames": np.array(frames), "times": times, "at": at}


POINTS = ["frame", "time_s", "point", "state", "x_mm", "y_mm", "z_mm", "vx_mm_s", "vy_mm_s", "vz_mm_s", "sigma_x", "sigma_y", "sigma_z",
          "cov_xy", "cov_xz", "cov_yz", "rays", "residual_px", "body", "label", "flags"]


def points_csv(take):
    """points.csv of a take whose names are "point7", "label" or "body:label"."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(POINTS)
    ids = {}
    for name in take["names"]:
        known = name.startswith("point") and name[5:].isdigit()
        ids[name] = int(name[5:]) if known else 100000 + len(ids)
    for i, frame in enumerate(take["frames"]):
        for j in sorted(range(len(take["names"])), key=lambda j: ids[take["names"][j]]):
            if np.isnan(take["at"][i, j, 0]):
                continue
            name = take["names"][j]
            body, label = name.rsplit(":", 1) if ":" in name else ("", "" if name.startswith("point") and name[5:].isdigit() else name)
            place = [f"{v:.4f}" for v in take["at"][i, j]]
            writer.writerow([frame, f"{take['times'][i]:.6f}", ids[name], "measured", *place, "0.00", "0.00", "0.00", "0.1000", "0.1000",
                             "0.1000", "0.000000", "0.000000", "0.000000", 3, "0.1000", body, label, 0])
    return text.getvalue()


def random_take(random, markers, frames, rate=60.0, first=0, gaps=0.2, names=None, single=False):
    """Random walks with gaps; in the first and the last frame a marker is there. `single`: single precision holds the places."""
    at = np.cumsum(random.normal(0, 5, (frames, markers, 3)), axis=0) % 500 + random.uniform(-250, 250, (1, markers, 3))
    at = at.astype(np.float32).astype(float) if single else np.round(at, 4)
    hidden = np.zeros((frames, markers), bool)
    for _ in range(int(gaps * frames * markers / 5) + 1):
        i, j = random.integers(frames), random.integers(markers)
        hidden[i:i + random.integers(1, 10), j] = True
    hidden[0, 0] = hidden[-1, 0] = False
    for j in range(markers):
        hidden[random.integers(frames) if frames > 2 else 0, j] = False
    at[hidden] = np.nan
    numbers = np.arange(first, first + frames)
    return {"rate": rate, "names": names or [f"point{3 * j + 1}" for j in range(markers)], "frames": numbers,
            "times": np.round(numbers / rate, 6), "at": at}
