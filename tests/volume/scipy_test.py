"""Compares the distances of random and adversarial volumes with SciPy's, voxel by voxel.

usage: scipy_test.py DISTANCE_BATCH [NUMBER [SEED]]

NUMBER random volumes are tried, 40 by default.
"""

import subprocess
import sys

import numpy as np
from scipy import ndimage

BATCH = sys.argv[1]
NUMBER = int(sys.argv[2]) if len(sys.argv) > 2 else 40
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 16
NONE = 0xFFFFFFFF
EVERYTHING = 1 << 40


def random_volumes(random):
    """Yields random volumes of 1 to 70 voxels a side and of many densities. Every 16th is empty, and every 16th is full."""
    for i in range(NUMBER):
        shape = random.integers(1, 71, 3)
        density = 2.0 ** -random.integers(1, 15)
        volume = random.random(shape) < (density if random.random() < 0.6 else 1 - density)
        if i % 16 < 2:
            volume[:] = i % 16
        yield volume


def adversarial_volumes():
    for shape in ((1, 1, 1), (1, 1, 70), (1, 70, 1), (70, 1, 1), (1, 31, 33), (20, 33, 64)):
        z, y, x = np.indices(shape)
        middle = [side // 2 for side in shape]
        yield np.zeros(shape, bool)
        yield np.ones(shape, bool)
        yield (x == middle[2]) & (y == middle[1]) & (z == middle[0])
        ball = (x - middle[2]) ** 2 + (y - middle[1]) ** 2 + (z - middle[0]) ** 2 < max(shape) ** 2 // 9
        yield ball
        yield ~ball
        yield (x + y + z) % 2 == 0


def transform(volumes, metric, spacing=(1, 1, 1), most=EVERYTHING):
    data = b"".join(np.array(v.shape[::-1], np.uint32).tobytes() + v.astype(np.uint8).tobytes()
                    for v in volumes)
    run = subprocess.run([BATCH, metric, *map(str, spacing), str(most)], input=data,
                         capture_output=True, timeout=3000)
    if run.returncode != 0:
        sys.exit(run.stderr.decode())
    words = np.frombuffer(run.stdout, np.uint32)
    at = 0
    for volume in volumes:
        values = words[at:at + volume.size].reshape(volume.shape)
        at += volume.size
        nearest = None
        if metric == "euclidean":
            nearest = words[at:at + volume.size].reshape(volume.shape)
            at += volume.size
        yield values, nearest
    assert at == words.size


def check(volumes, metric, expected, **options):
    """Returns how many voxels differ from what `expected` computes."""
    wrong = 0
    for volume, (values, nearest) in zip(volumes, transform(volumes, metric, **options)):
        if not volume.any():
            wrong += np.count_nonzero(values != NONE)
            continue
        wrong += expected(volume, values, nearest)
    voxels = sum(v.size for v in volumes)
    print(f"{metric} {options or ''}: {len(volumes)} volumes, {voxels} voxels, {wrong} differ")
    return wrong


def euclidean(volume, values, nearest):
    want = np.rint(ndimage.distance_transform_edt(~volume) ** 2).astype(np.uint32)
    position = np.unravel_index(nearest, volume.shape)
    there = sum((np.indices(volume.shape)[i].astype(np.int64) - position[i]) ** 2 for i in range(3))
    return (np.count_nonzero(values != want) + np.count_nonzero(there != want)
            + np.count_nonzero(~volume[position]))


def spaced(spacing):
    def compare(volume, values, _):
        want = ndimage.distance_transform_edt(~volume, sampling=spacing[::-1])
        got = np.sqrt(values.view(np.float32).astype(np.float64)) * max(spacing)
        return np.count_nonzero(np.abs(got - want) > 1e-6 * want)
    return compare


def chessboard(volume, values, _):
    return np.count_nonzero(values != ndimage.distance_transform_cdt(~volume, "chessboard"))


def cityblock(volume, values, _):
    return np.count_nonzero(values != ndimage.distance_transform_cdt(~volume, "taxicab"))


def main():
    volumes = [*random_volumes(np.random.default_rng(SEED)), *adversarial_volumes()]
    few = volumes[:len(volumes) // 4] + volumes[-12:]
    wrong = check(volumes, "euclidean", euclidean)
    wrong += check(few, "euclidean", euclidean, most=max(8 * v.shape[1] * max(v.shape[2], 64)
                                                         + 8 * v.shape[0] * max(v.shape[2], 64)
                                                         for v in few))
    for spacing in ((1, 2, 3), (0.001, 1, 0.3), (250, 1, 0.7)):
        wrong += check(few, "euclidean", spaced(spacing), spacing=spacing)
    wrong += check(few, "chessboard", chessboard)
    wrong += check(few, "cityblock", cityblock)
    sys.exit(wrong != 0)


main()
