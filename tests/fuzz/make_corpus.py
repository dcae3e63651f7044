"""Makes the undamaged files that tests/fuzz/fuzz.cpp damages, as CORPUS/TARGET/*.

usage: make_corpus.py GLINT CORPUS   (under a Python with pandas, PyTables and h5py)
"""

import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import warnings
import zlib

import h5py
import pandas

glint, corpus = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
shutil.rmtree(corpus, ignore_errors=True)


def put(target, name, content):
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def printed(*arguments):
    return subprocess.run([glint, *arguments], check=True, capture_output=True, text=True).stdout


def png(width, height, bits, colour, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", b"Comment\0a text") +
            chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def bmp(width, height):
    row = bytes(i % 251 for i in range(width * 3)) + b"\0" * (-width * 3 % 4)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(row) * height, 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(row) * height, 0, 0, 54) + head + row * height


def tiff(width, height):
    tags = ((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height),
            (279, width * height))
    pixels = bytes(i % 251 for i in range(width * height))
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return (b"II*\0" + struct.pack("<I", 8 + len(pixels)) + pixels +
            struct.pack("<H", len(tags)) + entries + struct.pack("<I", 0))


def stack(pages, description, order="<", big=False, extra=(), bits=8):
    """Pages of 16 x 12, each in front of its directory; `extra`: more tags of each."""
    offset, count, entry = ("Q", "Q", "HHQQ") if big else ("I", "H", "HHII")
    data = bytearray(struct.pack(order + "2sH", b"II" if order == "<" else b"MM", 43 if big else 42))
    data += struct.pack(order + "HH", 8, 0) if big else b""
    pointer = len(data)
    data += struct.pack(order + offset, 0)
    text = description.encode() + b"\0"
    for page in range(pages):
        at = len(data)
        data += bytes((i * 7 + page) % 251 for i in range(16 * 12 * bits // 8)) + text
        tags = {256: (4, 16), 257: (4, 12), 258: (3, bits), 259: (3, 1), 262: (3, 1), 273: (4, at), 277: (3, 1),
                278: (4, 12), 279: (4, 16 * 12 * bits // 8)}
        tags.update(extra)
        struct.pack_into(order + offset, data, pointer, len(data))
        data += struct.pack(order + count, len(tags) + 1)
        for tag in sorted([*tags, 270]):
            kind, value = tags.get(tag, (2, at + 16 * 12 * bits // 8))
            value = value << (48 if big else 16) if kind == 3 and order == ">" else value
            data += struct.pack(order + entry, tag, kind, len(text) if kind == 2 else 1, value)
        pointer = len(data)
        data += struct.pack(order + offset, 0)
    return bytes(data)


def c3d(processor, real):
    """A C3D file of two points and three frames."""
    order = ">" if processor == 86 else "<"

    def number(value):
        if processor != 85:
            return struct.pack(order + "f", value)
        low, high = struct.unpack("<HH", struct.pack("<f", 4 * value))
        return struct.pack("<HH", high, low)

    def word(value):
        return struct.pack(order + "H", value & 0xffff)

    def parameter(name, kind, sizes, values):
        body = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + values + b"\0"
        return struct.pack("bb", len(name), 1) + name + word(2 + len(body)) + body
    scale = -0.5 if real else 0.5
    section = struct.pack("bb", 5, -1) + b"POINT" + word(3) + b"\0" + parameter(b"LABELS", -1, [3, 2], b"a  bcd") + \
        parameter(b"UNITS", -1, [2], b"mm") + parameter(b"RATE", 4, [], number(50)) + parameter(b"USED", 2, [], word(2))
    section = (bytes([1, 80, 1, processor]) + section).ljust(512, b"\0")
    head = bytes([2, 80]) + word(2) + word(0) + word(1) + word(3) + word(0) + number(scale) + word(3) + word(0) + number(50)
    body = b"".join(number(v) if real else word(v) for v in (10, -20, 30, 0x205, 0, 0, 0, -1) * 3)
    return head.ljust(512, b"\0") + section + body.ljust(512, b"\0")


settings = printed("settings")
put("toml", "all.toml", settings)
put("toml", "some.toml", 'track.max_gap = 3 # frames\n[detect]\nmask = "a\\u00e9.png"\nthreshold = 0.5\n')
put("toml", "strings.toml", "[device]\nname = '''\na \"name\"'''\n[response]\n'kind' = \"inverted\"\ngain = 0x10\n")
section = ""
for line in settings.splitlines():
    if line.startswith("["):
        section = line.strip("[]")
    elif " = " in line and not line.startswith("#"):
        key, value = line.split(" = ", 1)
        put("set", f"{section}.{key}", f"{section}.{key}={value}")
put("set", "bare", "detect.mask=a b.png")

truth = ["camera,frame,id,x,y,visible"]
tracks = ["camera,frame,time_s,track,state,x,y,vx,vy,peak,mass,radius,eccentricity,sigma_x,sigma_y,flags"]
stats = ["camera,frame,time_s,mean,threshold,dropped_before"]
for camera in range(2):
    for frame in range(8):
        stats.append(f"{camera},{frame},{frame / 30:.6f},12.5,40,{frame % 2}")
        for marker in range(4):
            x, y = 20.5 * marker + frame, 10 + 3.25 * frame
            truth.append(f"{camera},{frame},{marker},{x},{y},{int((frame + marker) % 5 > 0)}")
            state = "predicted" if frame == 3 else "measured"
            tracks.append(f"{camera},{frame},{frame / 30:.6f},{marker + 1},{state},{x + 0.1:.4f},{y:.4f},"
                          f"1.000,2.000,200,900.0,2.500,0.100,0.0200,0.0200,{marker}")
rig = """[cam_0]
name = "left"
size = [640, 480]
matrix = [[500, 0, 320.5], [0, 501.0, 240], [0, 0, 1]]
distortions = [0.1, 0, -1e-3, 0, 0]
rotation = [0, 3.1, 0.5]
translation = [0, 0, 1000]
[metadata]
unit = "mm"
error = 0.25
time_offset_s = [0.008]
[metadata.covariance]
parameters = ["cam_0.fx", "cam_0.rotation_x"]
lower_triangle = [[4], [1e-3, 2e-6]]
"""
put("rig", "whole.toml", rig)
bodies = """[[body]]
name = "tool"
sigma = 0.05
labels = ["tip", "b", "c", "d"]
markers = [[0, 0, 0], [100, 0, 0], [20, 80, 0], [40, 30, 60]]
"""
put("bodies", "two.toml", bodies + bodies.replace("tool", "other"))
put("bodies", "bare.toml", '[[body]]\nname = "x"\nmarkers = [[0, 0, 0], [9, 0.5, 0], [2, 8, 0]]\n')
put("rig", "bare.toml", rig[:rig.index("[metadata]")])
put("rig", "caliscope.toml", """[cameras.0]
cam_id = 0
size = [640, 480]
rotation_count = 0
ignore = false
matrix = [[500, 0, 320.5], [0, 501.0, 240], [0, 0, 1]]
distortions = [0.1, 0, -1e-3, 0, 0]
rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
translation = [0, 0, 1]
[cameras.3]
ignore = true
""")
MATRICES = (("camera_matrix", 3, [500., 0., 320., 0., 500., 240., 0., 0., 1.]), ("distortion_coefficients", 1, [.1, 0., 0., 0., 0.]),
            ("T", 3, [0., 0., 1000.]), ("R", 3, [1., 0., 0., 0., 0., -1., 0., 1., 0.]))
matrices = "".join(f"{name}_{n}: !!opencv-matrix\n   rows: {rows}\n   cols: {len(values) // rows}\n   dt: d\n   data: {values}\n"
                   for n in (0, 1) for name, rows, values in MATRICES)
put("rigopencv", "two.yml", "%YAML:1.0\n---\ncamera_count: 2\nunit: mm\n" + matrices
    + "".join(f"image_width_{n}: 640\nimage_height_{n}: 480\nname_{n}: left\n" for n in (0, 1)))
put("rigopencv", "one.xml", '<?xml version="1.0"?>\n<opencv_storage><image_width>640</image_width><image_height>480</image_height>'
    '<camera_matrix type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>500. 0. 320. 0. 500. 240. 0. 0. 1.</data></camera_matrix>'
    '<distortion_coefficients type_id="opencv-matrix"><rows>1</rows><cols>4</cols><dt>d</dt><data>.1 0. 0. 0.</data></distortion_coefficients>'
    "</opencv_storage>\n")
put("poses", "two.csv", "scorer" + ",net" * 6 + "\nindividuals,a,a,a,single,single,single\nbodyparts,nose,nose,nose,tail,tail,tail\n"
    "coords" + ",x,y,likelihood" * 2 + "\n0,10.5,20,0.9,30,40,0.99\n1,11,20,0.2,,,\n")
put("poses", "sleap.csv", "track,frame_idx,instance.score,nose.x,nose.y,nose.score,tail.x,tail.y,tail.score\n"
    "a,0,0.9,10.5,20,0.8,30,40,0.7\nb,0,0.9,50,60,0.8,,,\na,1,0.9,11,21,0.8,31,41,0.7\n")
put("poses", "sleap.h5", "")
with h5py.File(corpus / "poses/sleap.h5", "w") as to:
    to.create_dataset("tracks", data=[[[[10., 11, 12], [20, 21, 22]], [[30, 31, 32], [40, 41, 42]]]], compression="gzip")
    to["tracks"].attrs["dims"] = '["track", "xy", "node", "frame"]'
    to["node_names"], to["track_names"] = [b"nose", b"tail"], [b"a"]
put("poses", "deeplabcut.h5", "")
names = pandas.MultiIndex.from_tuples([("net", part, coord) for part in ("nose", "caf\u00e9", "\u5c3e") for coord in ("x", "y", "likelihood")],
                                      names=("scorer", "bodyparts", "coords"))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PyTables does not like names that are no Python
    table = pandas.DataFrame([[10., 20., .9] * 3, [11., 21., .3] * 3], columns=names)
    table.to_hdf(corpus / "poses/deeplabcut.h5", "df_with_missing", format="table", mode="w")
with h5py.File(corpus / "poses/deeplabcut.h5") as of:
    put("pickle", "names", bytes(of["df_with_missing/table"].attrs["values_block_0_kind"]))
put("rigqualisys", "one.txt", '<?xml version="1.0" encoding="UTF-8"?><calibration><cameras><camera active="1" serial="22" viewrotation="0">'
    '<fov_video left="0" top="0" right="639" bottom="479"/><fov_video_max left="0" top="0" right="639" bottom="479"/>'
    '<transform x="0" y="-3000" z="1000" r11="1" r12="0" r13="0" r21="0" r22="0" r23="1" r31="0" r32="-1" r33="0"/>'
    '<intrinsic sensorMinU="0" sensorMaxU="40959" sensorMinV="0" sensorMaxV="30719" focalLengthU="64000" focalLengthV="64000" centerPointU="20480" '
    'centerPointV="15360" skew="0" radialDistortion1="-0.04" radialDistortion2="0.1" radialDistortion3="0" tangentalDistortion1="0" '
    'tangentalDistortion2="0"/></camera></cameras></calibration>\n')
put("rigcolmap", "two.txt", "# cameras\n1 PINHOLE 640 480 500 500 320 240\n2 FULL_OPENCV 640 480 500 500 320 240 .1 0 0 0 0 0 0 0\n---\n"
    "# UNIT mm\n1 1 0 0 0 0 0 1000 1 a.png\n\n2 0 1 0 0 0 0 1000 2 b.png\n1 2 3\n")

# A wand of 500 mm is seen by two cameras with a focal length of 1000 px. The second is turned 40 degrees to the right.
rng = random.Random(1)
points = ["camera,frame,time_s,x,y,sigma_x,sigma_y"]
for frame in range(45):
    middle, along = [rng.uniform(-600, 600) for _ in range(3)], [rng.gauss(0, 1) for _ in range(3)]
    for sign in (-250, 250):
        x, y, z = (m + sign * a / math.hypot(*along) for m, a in zip(middle, along))
        for camera, turn in enumerate((0, math.radians(40))):
            u, w = x * math.cos(turn) + z * math.sin(turn), z * math.cos(turn) - x * math.sin(turn) + 3000
            points.append(f"{camera},{frame},{frame / 2},{639.5 + 1000 * u / w + rng.gauss(0, 0.1):.3f},"
                          f"{511.5 + 1000 * y / w + rng.gauss(0, 0.1):.3f},0.1,0.1")
put("points", "wand", "\n".join(points) + "\n")
put("points", "bare", "\n".join(",".join(row.split(",")[k] for k in (0, 1, 3, 4)) for row in points) + "\n")

# A take of three markers and a body, as Glint writes it in every format, and C3D of all six kinds.
take = ["frame,time_s,point,state,x_mm,y_mm,z_mm,sigma_x,sigma_y,sigma_z,cameras,body,label,qx,qy,qz,qw,residual_mm"]
for frame in range(6):
    take.append(f"{frame},{frame / 60:.6f},,,,,,,,,,,,,,,,")
    for point, name in ((1, "tool,tip"), (2, "tool,b"), (7, ",")):
        if (frame + point) % 5:
            take.append(f"{frame},{frame / 60:.6f},{point},{'predicted' if frame == 2 else 'measured'},{100 * point + frame}.25,-20.5,30,0.1,0.1,0.1,"
                        f"0+2,{name},,,,,")
    take.append(f"{frame},{frame / 60:.6f},,measured,1,2,{frame},,,,,tool,,0,0,0.6,0.8,0.25")
put("spool", "whole.rows", "# A remark.\n" + "\n".join(take) + "\n")
for target, name in (("c3d", "whole.c3d"), ("trc", "whole.trc"), ("motive", "whole.motive.csv"), ("qtm", "whole.qtm.tsv"),
                     ("wide", "whole.wide.csv"), ("take", "whole.csv"), ("takejson", "whole.jsonl")):
    put(target, name, "")
    subprocess.run([glint, "convert", corpus / "spool/whole.rows", corpus / target / name], check=True, capture_output=True)
put("qtm", "bare", "NO_OF_FRAMES\t2\nFREQUENCY\t60\nDATA_INCLUDED\t3D\nMARKER_NAMES\ta\tb\n1\t2\t3\t0\t0\t0\n1\t2\t3\t4\t5\t6\n")
for processor in (84, 85, 86):
    for real in (False, True):
        put("c3d", f"{processor}{real}", c3d(processor, real))

put("eval", "both", "\n".join(truth) + "\n--\n" + "\n".join(tracks) + "\n")
put("eval", "spreadsheet", "\ufeff" + "\r\n".join(truth) + "\r\n" + "\n--\n" + "\r\n".join(tracks) + "\r\n")
put("eval", "one", "id,visible,x,y,frame,camera\n1,1,5,5,0,0\n--\nx,y,track,frame,camera\n5,5,9,0,0\n")
one = [line for line in tracks if not line.startswith("1,")]
for name, lines in (("two_cameras", tracks), ("one_camera", one), ("no_rows", tracks[:1])):
    put("report", name, "\n".join(lines) + "\n")
whole = [line for line in one if "predicted" not in line]
put("markers", "whole.csv", "\n".join(tracks) + "\n")
put("markers", "trackpy.csv", ",y,x,mass,size,ecc,signal,ep,frame\n0,1.5,2.5,90,1.1,0.2,40,0.1,0\n1,3,4,80,1,0.1,30,,1\n")
put("tracks", "whole.csv", "\n".join(tracks) + "\n")
put("spool", "tracks.csv", "\n".join(whole) + "\n")
for target, name in (("trackpy", "whole.trackpy.csv"), ("trackmate", "whole.trackmate.csv"), ("trackmatexml", "whole.xml"),
                     ("kinovea", "whole.kinovea.csv"), ("qtm2d", "whole.tsv")):
    put(target, name, "")
    subprocess.run([glint, "convert", corpus / "spool/tracks.csv", corpus / target / name], check=True, capture_output=True)
(corpus / "spool/tracks.csv").unlink()
own = ["camera,frame,time_s,dropped_before", "0,0,0,0", "0,1,0.1,3", "0,2,0.2,0"]
put("stats", "own", "\n".join(own) + "\n")
put("record", "record", """{
  "glint": "0.1.0",
  "cameras": [{"camera": 0, "source": "left.mkv", "frames": 2}],
  "format": {"width": 64, "height": 48, "channels": 1, "bits": 8},
  "device": {"name": "llvmpipe", "type": "cpu", "driver": "llvmpipe Mesa"},
  "settings": {"response": {"kind": "luminance", "radius": 3.0}, "detect": {"max_markers": 128, "mask": ""}},
  "counts": {"frames": 2, "markers": 2, "tracks": 1, "stitches": 0, "dropped": 0},
  "streams": [], "interrupted": false, "failure": null, "seconds": 0.1,
  "device_us": {}, "wall_us": {}
}
""")

places = ['{"camera": 0, "frame": %d, "x": %d, "y": 5}' % place for place in ((3, 10), (12, 30), (12, 10), (20, 21), (30, 32))]
edits = [f'{{"edit": "{kind}", "at": {at}}}' for kind, at in zip(("hide", "show", "delete", "split", "split"), places)]
edits += [f'{{"edit": "{kind}", "at": {a}, "with": {b}}}' for kind in ("join", "swap") for a, b in zip(places, places[1:])]
edits += [f'{{"edit": "rename", "name": "left h\u00e4nd, \\"2\\"", "at": {places[0]}, "why": ["?"]}}']
random.seed(4)
for number in range(6):
    chosen = ", ".join(random.sample(edits, 4 if number else len(edits)))
    put("edits", f"{number}.json", f"""{{"glint_edits": 1, "edits": [{chosen}],
 "scales": [{{"camera": 0, "mm_per_px": 0.25}}],
 "measures": [{{"measure": "distance", "camera": 0, "points": [{{"x": 1.5, "y": 2}}, {{"x": 10, "y": 5, "frame": 3}}]}},
  {{"measure": "angle", "camera": 0, "points": [{{"x": 0, "y": 0}}, {{"x": 1, "y": 0}}, {{"x": 1, "y": 1}}]}}], "bones": [[1, 2]]}}
""")

for file in (pathlib.Path(__file__).resolve().parents[2] / "shaders" / "filters").glob("*.comp"):
    put("filter", file.stem, file.read_text())
entry = "\n".join(f"{r / 2} {g / 2} {b / 2}" for b in range(3) for g in range(3) for r in range(3))
put("cube", "three", f"# a comment\nTITLE \"t\"\nLUT_3D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n{entry}\n")
put("cube", "one", "LUT_1D_SIZE 4\n0 0 0\n0.2 0.3 0.4\n.5 .6 .7\n1 1 1\n")

grey = [bytes((x * y) % 256 for x in range(1, 17)) for y in range(1, 13)]
images = {"grey8.png": png(16, 12, 8, 0, grey), "grey16.png": png(16, 12, 16, 0, [row * 2 for row in grey]),
          "colour.png": png(16, 12, 8, 2, [row * 3 for row in grey]),
          "alpha.png": png(16, 12, 8, 6, [row * 4 for row in grey]),
          "grey.pgm": b"P5\n# a comment\n16 12\n255\n" + b"".join(grey),
          "deep.pgm": b"P5\n16 12\n65535\n" + b"".join(row * 2 for row in grey),
          "colour.ppm": b"P6 16 12 255\n" + b"".join(row * 3 for row in grey),
          "colour.bmp": bmp(16, 12), "grey.tif": tiff(16, 12)}
for name, content in images.items():
    for target in ("image", "mask"):
        put(target, name, content)

fits_head = "".join(f"{card:<80}" for card in (
    "SIMPLE  =                    T", "BITPIX  =                  -32", "NAXIS   =                    2",
    "NAXIS1  =                    4", "NAXIS2  =                    3", "BZERO   =                  1.5", "END"))
put("image", "float.fits", f"{fits_head:<2880}".encode() + struct.pack(">12f", *range(12)) + bytes(2832))
imagej = "ImageJ=1.54f\nimages=6\nchannels=2\nslices=1\nframes=3\nfinterval=0.1\ntunit=ms\nloop=false\n"
ome = ('<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeC="2" SizeZ="1" SizeT="3" TimeIncrement="0.5" '
       'TimeIncrementUnit="s"><TiffData IFD="0" FirstT="0" PlaneCount="4"/><TiffData IFD="4" FirstT="2" PlaneCount="2">'
       '<UUID FileName="stack.tif">urn:1</UUID></TiffData></Pixels></Image></OME>')
for name, content in {
        "plain.tif": stack(3, "none"), "imagej.tif": stack(6, imagej), "big.tif": stack(6, imagej, big=True),
        "ome.tif": stack(6, ome, ">"), "planes.tif": stack(1, imagej) + bytes(16 * 12 * 5),
        "truncated.tif": stack(1, '{"shape": [6, 12, 16], "truncated": true}') + bytes(16 * 12 * 5), "deep.tif": stack(2, "x", bits=16),
        "float.tif": stack(2, "x", bits=32, extra={339: (3, 3)}), "turned.tif": stack(2, "x", extra={274: (3, 6)}),
        "one.tif": tiff(16, 12)}.items():
    put("stack", name, content)

put("times", "plain", "0\n0.04\n0.08\n1e3\n")
put("times", "glint", "frame,time_s\n0,0.5\n1,0.75\n2,1\n")
put("times", "caliscope", "sync_index,port,frame_time\n0,0,5.1\n0,1,5.2\n1,0,5.3\n1,1,5.4\n")
put("times", "nano", '"n";"timestamp_ns"\n1;1700000000000000000\n2;1700000000040000000\n')
times = struct.pack("<IHH", 32, 1002, 0) + struct.pack("<6I", 0, 9, 1 << 31, 9, 1 << 30, 10)


def fits_unit(first, axes, bits=16):
    cards = [first, f"BITPIX  = {bits:>20}", f"NAXIS   = {len(axes):>20}"]
    cards += [f"NAXIS{n + 1}  = {axis:>20} / axis" for n, axis in enumerate(axes)] + ["BZERO   =                32768", "END"]
    head = "".join(f"{card:<80}" for card in cards).encode()
    data = bytes(i % 251 for i in range(math.prod(axes) * abs(bits) // 8 if axes else 0))
    return head + b" " * (-len(head) % 2880) + data + bytes(-len(data) % 2880)


simple, extension = "SIMPLE  =                    T", "XTENSION= 'IMAGE   '"
for name, content in {
        "cube.fits": fits_unit(simple, (16, 12, 5)), "colour.fits": fits_unit(simple, (16, 12, 3), 8),
        "parts.fits": fits_unit(simple, ()) + fits_unit(extension, (16, 12)) + fits_unit("XTENSION= 'BINTABLE'", (8, 2), 8) +
        fits_unit(extension, (16, 12)), "float.fits": fits_unit(simple, (16, 12, 2), -32)}.items():
    put("fits", name, content)
for name, version, image_format, depth in (("new.seq", 5, 100, 16), ("old.seq", 3, 100, 8), ("colour.seq", 5, 200, 8)):
    head = bytearray(struct.pack("<I", 0xFEED) + "Norpix seq".encode("utf-16le") + bytes(9000))
    channels = 3 if image_format == 200 else 1
    size = 16 * 12 * channels * depth // 8
    struct.pack_into("<ii", head, 28, version, 1024)
    struct.pack_into("<9Id", head, 548, 16, 12, depth * channels, depth * channels, size, image_format, 4, 0, size + 16, 100)
    seq = bytes(head[:8192 if version >= 5 else 1024])
    for n in range(4):
        seq += bytes(i % 251 for i in range(size)) + struct.pack("<IHH", 1000 + n, 5, 7) + bytes(8)
    put("seq", name, seq)
for bits in (8, 12, 16):
    put("mraw", f"{bits}.cihx", f"""binary\n<cih><recordInfo><recordRate>1000</recordRate></recordInfo><frameInfo><totalFrame>4</totalFrame>
        </frameInfo><imageDataInfo><resolution><width>16</width><height>12</height></resolution><colorInfo><type>Mono</type>
        <bit>{bits}</bit></colorInfo><effectiveBit><depth>{min(bits, 12)}</depth><side>Lower</side></effectiveBit></imageDataInfo>
        <imageFileInfo><fileFormat>MRaw</fileFormat></imageFileInfo></cih>\nmore""")
    put("mraw", f"{bits}.cih", f"""#Camera Information Header\nRecord Rate(fps) : 1000\nTotal Frame : 4\nImage Width : 16\nImage Height : 12
Color Type : Mono\nColor Bit : {bits}\nFile Format : MRaw\nEffectiveBit Depth : {min(bits, 12)}\nEffectiveBit Side : Higher\n\n""")
put("cine", "times", struct.pack("<2sHHHiIiIIII8x", b"CI", 44, 0, 1, 0, 3, 0, 3, 44, 84, 84 + 144 + 16 + len(times)) + bytes(40) + bytes(140) +
    struct.pack("<2sH", b"ST", 144) + struct.pack("<IHHQ", 16, 1003, 0, 0) + times)

for name, options in {
        "a.mp4": "-c:v mpeg4", "b.mp4": "-c:v mpeg4 -movflags frag_keyframe+empty_moov", "a.mkv": "-c:v mpeg4", "a.avi": "-c:v mpeg4", "a.asf": "-c:v wmv2",
        "b.asf": "-seekable 0 -c:v wmv2", "a.mxf": "-c:v mpeg2video", "a.apng": "", "a.gif": "",
        "a.ts": "-c:v mpeg2video", "a.mpg": "-c:v mpeg2video", "a.ogv": "-c:v libtheora", "a.flv": "-c:v flv", "a.nut": "-c:v mpeg4",
        "a.y4m": "-pix_fmt yuv420p",
        "a.ivf": "-c:v libvpx", "a.mjpeg": "-f mjpeg", "b.mjpeg": "-f smjpeg", "a.roq": "-r 30 -s 64x64 -c:v roqvideo",
        "a.flm": "-f filmstrip -c:v rawvideo -pix_fmt rgba", "b.mpjpeg": "-f mpjpeg -c:v mjpeg", "a.fits": "-c:v fits"}.items():
    folder = corpus / "container"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=32x32:rate=25", "-frames:v", "3", *options.split(), folder / name],
                   check=True, stdin=subprocess.DEVNULL)
for number, text in enumerate((
        "http://user:secret@camera:8080/a?token=secret&size=3#auth=x", "rtsp://[::1]:554/user=me_password=secret_channel=1",
        "see 'http://a:b@c' and \"srt://h:1?passphrase=abcdefghij\"", "cache:http://0123456789abcdef0@x/0123456789abcdef0",
        "http://u%3Ap%40q@h/", "file:///a:b@c")):
    put("secrets", f"text{number}", text)

voxels = bytes(i * i % 7 for i in range(5 * 4 * 3))
npy = b"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 5), }"
npy += b" " * (63 - (10 + len(npy)) % 64) + b"\n"
put("volume", "a.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(npy)) + npy + voxels)
nrrd = "NRRD0004\n# a comment\ntype: uint8\ndimension: 3\nsizes: 5 4 3\nspacings: 1 1.5 nan\nbyte skip: 0\nencoding: {}\n\n"
put("volume", "raw.nrrd", nrrd.format("raw").encode() + voxels)
put("volume", "packed.nrrd", nrrd.format("gzip").encode() + zlib.compress(voxels))
turned = "space: left-posterior-superior\nspace directions: (1,0,0) (0,2,0) (0,0,3)\nencoding: raw"
put("volume", "turned.nrrd", nrrd.replace("spacings: 1 1.5 nan\n", "").replace("encoding: {}", turned).encode() + voxels)
mha = "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementSpacing = 1 1 2\nCompressedData = {}\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
put("volume", "raw.mha", mha.format(False).encode() + voxels)
put("volume", "packed.mha", mha.format(True).encode() + zlib.compress(voxels))
put("volume", "plane.tif", tiff(16, 12))

for kind in (0, 2, 4, 6, 9, 10, 12, 14, 77):
    for number, body in enumerate((b"", b"FrameRate\0", b"Bitstream,4.1\0", b"Ping".ljust(265, b"\0") + b"\4\1\0\0\0", bytes(8))):
        if kind != 12 or len(body) >= 8:  # an echo request has a time
            put("natnet", f"{kind}_{number}", struct.pack("<HH", kind, len(body)) + body)

for number, text in enumerate((
        "synth:dancer?size=320x240&frames=40&seed=3&cameras=2&camera=1", "synth:spots?size=64x48&markers=3",
        "synth:crossing?step=2.5&missed=0.1&occluded=0.05&noise=3", "dancer?fps=59.94&bits=16&blur=0.5",
        "osc:9000", "udp:127.0.0.1:9000", "udp:[::1]:9000", "osc:localhost:65535")):
    put("source", f"text{number}", text)
