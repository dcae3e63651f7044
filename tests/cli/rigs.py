"""Rigs for tests: cameras by OpenCV's model, and the files of other programs, read and written by what their own pages say."""

import re
import tomllib
from xml.etree import ElementTree

import numpy as np

FLIP = np.diag([1, -1, -1])  # of Qualisys: y up, and the camera looks along -z


def rotation_of(vector):
    """Rodrigues' formula."""
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = np.asarray(vector) / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def quaternion_of(r):
    """w, x, y, z of a rotation, as the eigenvector of Bar-Itzhack's matrix."""
    k = np.array([[r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0], [r[1, 0] + r[0, 1], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
                  [r[2, 0] + r[0, 2], r[2, 1] + r[1, 2], r[2, 2] - r[0, 0] - r[1, 1], 0],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], np.trace(r)]]) / 3
    values, vectors = np.linalg.eigh(k, UPLO="L")
    x, y, z, w = vectors[:, -1]
    return np.array([w, x, y, z])


def distorted(camera, seen):
    """The pixel of a point in the camera's own frame (x right, y down, z ahead), by OpenCV's documentation."""
    a, b = seen[:2] / seen[2]
    k1, k2, p1, p2, k3 = camera["distortions"]
    s = a * a + b * b
    radial = 1 + k1 * s + k2 * s ** 2 + k3 * s ** 3
    x = a * radial + 2 * p1 * a * b + p2 * (s + 2 * a * a)
    y = b * radial + p1 * (s + 2 * b * b) + 2 * p2 * a * b
    fx, fy, cx, cy = camera["f"]
    return np.array([cx + fx * x, cy + fy * y])


def pixel(camera, point):
    return distorted(camera, camera["R"] @ point + camera["T"])


def random_rig(count, seed=1):
    random = np.random.default_rng(seed)
    rig = []
    for n in range(count):
        angle = 2 * np.pi * n / count + 0.1
        eye = np.array([3000 * np.cos(angle), 3000 * np.sin(angle), random.uniform(500, 1500)])
        ahead = -eye / np.linalg.norm(eye)
        right = np.cross(ahead, [0, 0, 1])
        right /= np.linalg.norm(right)
        r = rotation_of(random.normal(0, 0.05, 3)) @ np.array([right, np.cross(ahead, right), ahead])
        rig.append({"name": f"cam_{n}", "size": (1280 + 10 * n, 1024), "f": (1000.25 + n, 1003.5, 640.125 + n, 500.75),
                    "distortions": tuple(random.normal(0, [0.1, 0.05, 1e-3, 1e-3, 0.01])), "R": r, "T": -r @ eye})
    return rig


def matrix_of(camera):
    fx, fy, cx, cy = camera["f"]
    return [[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]


def vector_of(r):
    q = quaternion_of(r)
    q *= np.sign(q[0]) or 1
    length = np.linalg.norm(q[1:])
    return q[1:] / length * 2 * np.arctan2(length, q[0]) if length else np.zeros(3)


# Each format, written and read by what its own pages say.

def write_toml(rig, path, metres=False):
    text = ""
    for n, c in enumerate(rig):
        text += f"[cam_{n}]\nname = \"{c['name']}\"\nsize = {list(c['size'])}\nmatrix = {matrix_of(c)}\ndistortions = {list(map(float, c['distortions']))}\n"
        text += f"rotation = {vector_of(c['R']).tolist()}\ntranslation = {(c['T'] / (1000 if metres else 1)).tolist()}\n"
    path.write_text(text)


def read_toml(path):
    tables = tomllib.loads(path.read_text())
    keys = [key for key in tables if key != "metadata"]
    return [camera_of(c["name"], c["size"], c["matrix"], c["distortions"], rotation_of(c["rotation"]), c["translation"])
            for c in (tables[key] for key in keys)]


def camera_of(name, size, matrix, distortions, r, t):
    return {"name": name, "size": tuple(size), "f": (matrix[0][0], matrix[1][1], matrix[0][2], matrix[1][2]), "distortions": tuple(distortions),
            "R": np.array(r), "T": np.array(t, dtype=float)}


def write_caliscope(rig, path, old=False):
    text = "CreationDate = 2023-04-03T07:55:13.170880\n\n[capture_volume]\nstage = 2\n\n" if old else ""
    for n, c in enumerate(rig):
        text += f"[cam_{n}]\nport = {n}\n" if old else f"[cameras.{n}]\ncam_id = {n}\n"
        text += (f"rotation_count = 0\nerror = 0.2\nignore = false\nsize = {list(c['size'])}\nmatrix = {matrix_of(c)}\n"
                 f"distortions = {list(map(float, c['distortions']))}\ntranslation = {(c['T'] / 1000).tolist()}\nrotation = {c['R'].tolist()}\n\n")
    path.write_text(text)


def read_caliscope(path):
    cameras = tomllib.loads(path.read_text())["cameras"]
    return [camera_of(f"cam_{key}", c["size"], c["matrix"], c["distortions"], np.array(c["rotation"]), np.array(c["translation"]) * 1000)
            for key, c in cameras.items()]


def yaml_matrix(name, values):
    values = np.atleast_2d(np.asarray(values, dtype=float))
    data = ", ".join(f"{v:.17e}" for v in values.ravel())
    return f"{name}: !!opencv-matrix\n   rows: {values.shape[0]}\n   cols: {values.shape[1]}\n   dt: d\n   data: [ {data} ]\n"


def xml_matrix(name, values):
    values = np.atleast_2d(np.asarray(values, dtype=float))
    data = "\n".join(f"{v:.17e}" for v in values.ravel())
    return (f'<{name} type_id="opencv-matrix"><rows>{values.shape[0]}</rows><cols>{values.shape[1]}</cols><dt>d</dt>'
            f"<data>{data}</data></{name}>\n")


def opencv_entries(rig):
    for n, c in enumerate(rig):
        yield f"camera_matrix_{n}", matrix_of(c)
        yield f"distortion_coefficients_{n}", [c["distortions"]]
        yield f"R_{n}", c["R"] if n % 2 else vector_of(c["R"]).reshape(3, 1)
        yield f"T_{n}", c["T"].reshape(3, 1)


def write_yaml(rig, path):
    text = "%YAML:1.0\n---\n" + "".join(f"image_width_{n}: {c['size'][0]}\nimage_height_{n}: {c['size'][1]}\n" for n, c in enumerate(rig))
    path.write_text(text + "".join(yaml_matrix(*entry) for entry in opencv_entries(rig)))


def write_xml(rig, path):
    text = "".join(f"<image_width_{n}>{c['size'][0]}</image_width_{n}><image_height_{n}>{c['size'][1]}</image_height_{n}>\n" for n, c in enumerate(rig))
    path.write_text('<?xml version="1.0"?>\n<opencv_storage>\n' + text + "".join(xml_matrix(*entry) for entry in opencv_entries(rig)) + "</opencv_storage>\n")


def read_yaml(path):
    text = path.read_text()
    values = dict(re.findall(r"^(\w+): ([^!\n]+)$", text, re.M))
    matrices = {name: np.array(list(map(float, data.replace("\n", " ").split(",")))).reshape(int(r), int(c)) for name, r, c, data in
                re.findall(r"(\w+): !!opencv-matrix\s+rows: (\d+)\s+cols: (\d+)\s+dt: d\s+data: \[([^\]]*)\]", text)}
    return opencv_rig(values, matrices)


def read_xml(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "opencv_storage"
    values = {node.tag: node.text.strip('"') for node in root if len(node) == 0}
    matrices = {node.tag: np.array(list(map(float, node.find("data").text.split()))).reshape(int(node.find("rows").text), int(node.find("cols").text))
                for node in root if node.get("type_id") == "opencv-matrix"}
    return opencv_rig(values, matrices)


def opencv_rig(values, matrices):
    return [camera_of(values[f"name_{n}"].strip('"'), (int(values[f"image_width_{n}"]), int(values[f"image_height_{n}"])), matrices[f"camera_matrix_{n}"],
                      matrices[f"distortion_coefficients_{n}"].ravel(), matrices[f"R_{n}"], matrices[f"T_{n}"].ravel())
            for n in range(int(values["camera_count"]))]


def write_qualisys(rig, path, units=64, left=0):
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<calibration created="today" source="x.qca" type="regular">\n<results std-dev="0.3"/><cameras>\n'
    for c in rig:
        (w, h), (fx, fy, cx, cy), (k1, k2, p1, p2, k3) = c["size"], c["f"], c["distortions"]
        m, at = FLIP @ c["R"], -c["R"].T @ c["T"]
        text += f'<camera active="1" avg-residual="0.4" serial="{c["name"]}" model="Miqus Video" viewrotation="0">'
        for field, crop in (("fov_marker", 0), ("fov_marker_max", 0), ("fov_video", left), ("fov_video_max", 0)):
            text += f'<{field} left="{crop}" top="0" right="{w - 1 + (left if field.startswith("fov_video") else 0)}" bottom="{h - 1}"/>'
        text += f'<transform x="{at[0]}" y="{at[1]}" z="{at[2]}" ' + " ".join(f'r{i + 1}{j + 1}="{m[i, j]}"' for i in range(3) for j in range(3)) + "/>"
        text += (f'<intrinsic focallength="9.27" sensorMinU="0" sensorMaxU="{units * (w + left) - 1}" sensorMinV="0" sensorMaxV="{units * h - 1}" '
                 f'focalLengthU="{units * fx}" focalLengthV="{units * fy}" centerPointU="{units * (cx + left)}" centerPointV="{units * cy}" skew="0" '
                 f'radialDistortion1="{k1}" radialDistortion2="{k2}" radialDistortion3="{k3}"'
                 f' tangentalDistortion1="{p1}" tangentalDistortion2="{p2}"/></camera>\n')
    path.write_text(text + "</cameras></calibration>\n")


def read_qualisys(path):
    rig = []
    for node in ElementTree.parse(path).getroot().iter("camera"):
        number = {name: {key: float(value) for key, value in node.find(name).attrib.items()} for name in ("fov_video", "transform", "intrinsic")}
        field, place, lens = number["fov_video"], number["transform"], number["intrinsic"]
        size = (int(field["right"] - field["left"] + 1), int(field["bottom"] - field["top"] + 1))
        assert lens["sensorMaxU"] + 1 == 64 * size[0] and lens["sensorMaxV"] + 1 == 64 * size[1] and lens["skew"] == 0
        r = FLIP @ np.array([[place[f"r{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
        fx, fy, cx, cy = (lens[key] / 64 for key in ("focalLengthU", "focalLengthV", "centerPointU", "centerPointV"))
        rig.append({"name": node.get("serial"), "size": size, "f": (fx, fy, cx - field["left"], cy - field["top"]),
                    "distortions": tuple(lens[key] for key in ("radialDistortion1", "radialDistortion2", "tangentalDistortion1", "tangentalDistortion2",
                                                               "radialDistortion3")), "R": r, "T": -r @ [place[key] for key in "xyz"]})
    return rig


def write_colmap(rig, path):
    path.mkdir(exist_ok=True)
    cameras, images = "# a comment\n", "# another\n# UNIT mm\n"
    for n, c in enumerate(rig):
        fx, fy, cx, cy = c["f"]
        k1, k2, p1, p2, k3 = c["distortions"]
        cameras += f"{n + 7} FULL_OPENCV {c['size'][0]} {c['size'][1]} {fx} {fy} {cx + 0.5} {cy + 0.5} {k1} {k2} {p1} {p2} {k3} 0 0 0\n"
        images += f"{n + 3} {' '.join(map(str, quaternion_of(c['R'])))} {' '.join(map(str, c['T']))} {n + 7} {c['name']}\n{'10.5 20.5 -1' if n else ''}\n"
    (path / "cameras.txt").write_text(cameras)
    (path / "images.txt").write_text(images)
    (path / "points3D.txt").write_text("")


def read_colmap(path):
    def lines(name):
        return [line.split() for line in (path / name).read_text().split("\n") if not line.startswith("#")]
    cameras = {line[0]: line for line in lines("cameras.txt") if line}
    rig = []
    for line in lines("images.txt")[::2]:
        if not line:
            continue
        _, model, w, h, *lens = cameras[line[8]]
        assert model == "FULL_OPENCV" and lens[9:] == ["0"] * 3
        fx, fy, cx, cy, k1, k2, p1, p2, k3 = map(float, lens[:9])
        w_, x, y, z = map(float, line[1:5])
        r = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w_), 2 * (x * z + y * w_)],
                      [2 * (x * y + z * w_), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w_)],
                      [2 * (x * z - y * w_), 2 * (y * z + x * w_), 1 - 2 * (x * x + y * y)]])
        rig.append({"name": line[9], "size": (int(w), int(h)), "f": (fx, fy, cx - 0.5, cy - 0.5), "distortions": (k1, k2, p1, p2, k3), "R": r,
                    "T": np.array(list(map(float, line[5:8])))})
    return rig


FORMS = {"anipose": (".toml", write_toml, read_toml), "caliscope": (".toml", write_caliscope, read_caliscope), "opencv": (".yml", write_yaml, read_yaml),
         "opencv ": (".xml", write_xml, read_xml), "qualisys": (".qca.txt", write_qualisys, read_qualisys), "colmap": ("", write_colmap, read_colmap)}
