"""Makes imitations of recordings: they share the difficulty, but not the picture. They come with the places of all markers.

Each generator takes a seed and a number of frames, and yields (image, places): grey counts as floats, and an array with one (x, y) for each marker,
in the same order in every frame.
"""

import pathlib
import sys

import numpy

rng = numpy.random.default_rng


def texture(dice, shape, finest, coarsest):
    """Returns patterns of all sizes from `finest` to `coarsest` px, with a standard deviation of 1."""
    image, size = numpy.zeros(shape), finest
    while size <= coarsest:
        grid = dice.normal(size=[int(n / size) + 3 for n in shape])
        y, x = (numpy.arange(n) / size for n in shape)
        i, j, v, u = y.astype(int)[:, None], x.astype(int)[None, :], (y % 1)[:, None], (x % 1)[None, :]
        image += (grid[i, j] * (1 - u) + grid[i, j + 1] * u) * (1 - v) + (grid[i + 1, j] * (1 - u) + grid[i + 1, j + 1] * u) * v
        size *= 2
    return image / image.std()


def ellipse(image, place, half, angle=0.0, blur=0.7):
    """Returns a window of the image, and approximately how much of each of its pixels an ellipse with these half axes covers."""
    a, b = half
    reach = int(max(half) + 4 * blur + 2)
    top, left = (max(int(round(place[k])) - reach, 0) for k in (1, 0))
    window = numpy.s_[top : int(round(place[1])) + reach + 1, left : int(round(place[0])) + reach + 1]
    y, x = numpy.mgrid[window][:, : image.shape[0] - top, : image.shape[1] - left]
    x, y = x - place[0], y - place[1]
    u, v = x * numpy.cos(angle) + y * numpy.sin(angle), y * numpy.cos(angle) - x * numpy.sin(angle)
    r = numpy.sqrt((u / a) ** 2 + (v / b) ** 2)
    # The distance from the rim in px, along the ray from the centre. The centre itself is nearest to the rim along the shorter half axis.
    away = numpy.where(r > 1e-6, (r - 1) * numpy.sqrt(u * u + v * v) / numpy.maximum(r, 1e-6), -min(half))
    return window, 1 / (1 + numpy.exp(numpy.clip(away, -30, 30) / (0.6 * blur)))


def spot(image, place, height, sigma):
    reach = int(5 * sigma + 2)
    top, left = (max(int(round(place[k])) - reach, 0) for k in (1, 0))
    window = numpy.s_[top : int(round(place[1])) + reach + 1, left : int(round(place[0])) + reach + 1]
    y, x = numpy.mgrid[window][:, : image.shape[0] - top, : image.shape[1] - left]
    image[window] += height * numpy.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * sigma**2))


def long_blobs(seed, frames, count=30, size=(640, 480)):
    """Yields dark blobs on a bright ground, two to four times as long as wide. Each swims in its own direction and keeps away from the others."""
    dice = rng(seed)
    ground = 190 + 12 * texture(dice, size[::-1], 160, 320)
    across = int(numpy.ceil(numpy.sqrt(count * size[0] / size[1])))
    cells = dice.permutation(across * -(-count // across))[:count]
    room = numpy.array([size[0] / across, size[1] / -(-count // across)])
    place = (numpy.stack([cells % across, cells // across], 1) + 0.5) * room + dice.uniform(-4, 4, (count, 2))
    half = dice.uniform(2.5, 3.5, count)
    length, ink = half * dice.uniform(2, 4, count), dice.uniform(60, 110, count)
    angle, speed = dice.uniform(0, 2 * numpy.pi, count), dice.uniform(0.5, 2.5, count)
    for _ in range(frames):
        image = ground.copy()
        for k in range(count):
            window, covered = ellipse(image, place[k], (length[k], half[k]), angle[k])
            image[window] -= ink[k] * covered
        yield image + dice.normal(0, 2, image.shape), place.copy()
        away = place[:, None, :] - place[None, :, :]
        distance = numpy.hypot(*away.transpose(2, 0, 1)) + 1e3 * numpy.eye(count)
        push = (away * (numpy.exp(-distance / 8) * 60 / distance)[..., None]).sum(1)
        push += 60 * (numpy.exp(-(place - 0) / 8) - numpy.exp((place - numpy.array(size)) / 8))
        way = numpy.stack([numpy.cos(angle), numpy.sin(angle)], 1) + 0.3 * push + dice.normal(0, 0.15, (count, 2))
        turn = (numpy.arctan2(way[:, 1], way[:, 0]) - angle + numpy.pi) % (2 * numpy.pi) - numpy.pi
        angle += numpy.clip(turn, -0.25, 0.25)
        place += speed[:, None] * numpy.stack([numpy.cos(angle), numpy.sin(angle)], 1) + numpy.clip(0.3 * push, -2, 2)


def dot_target(seed, frames, size=(640, 480)):
    """Yields a target that sways before a grey scene. It has 437 bright dots of different sizes and brightnesses."""
    dice = rng(seed)
    scene = 90 + 14 * texture(dice, size[::-1], 16, 256)
    grid = numpy.stack(numpy.meshgrid(numpy.arange(23), numpy.arange(19)), -1).reshape(-1, 2) - [11, 9]
    radius, light = dice.uniform(2.2, 3.8, len(grid)), dice.uniform(40, 110, len(grid))
    for n in range(frames):
        turn = 0.03 * numpy.sin(0.3 * n)
        spun = 23.5 * grid @ numpy.array([[numpy.cos(turn), numpy.sin(turn)], [-numpy.sin(turn), numpy.cos(turn)]])
        place = spun + [size[0] / 2 + 8 * numpy.sin(0.4 * n), size[1] / 2 + 6 * numpy.cos(0.3 * n)]
        image = scene.copy()
        for k, at in enumerate(place):
            window, covered = ellipse(image, at, (radius[k], radius[k]))
            image[window] += light[k] * covered
        yield image + dice.normal(0, 2, image.shape), place


def particles(seed, frames, count=552, size=(480, 360)):
    """Yields spots of all brightnesses in a vortex. There are so many that they fill much of the picture."""
    dice = rng(seed)
    place = dice.uniform(6, numpy.array(size) - 6, (4 * count, 2))
    kept = []
    for at in place:
        if len(kept) < count and all((at[0] - x) ** 2 + (at[1] - y) ** 2 > 100 for x, y in kept):
            kept.append(at)
    place = numpy.array(kept)
    light, sigma = numpy.exp(dice.uniform(numpy.log(40), numpy.log(180), len(place))), dice.uniform(1.3, 1.9, len(place))
    for n in range(frames):
        image = numpy.full(size[::-1], 25.0)
        for k, at in enumerate(place):
            spot(image, at, light[k], sigma[k])
        yield image + dice.normal(0, 3, image.shape), place.copy()
        x, y = (place / numpy.array(size) * numpy.pi).T
        place = place + 1.2 * numpy.stack([numpy.sin(x) * numpy.cos(y), -numpy.cos(x) * numpy.sin(y)], 1)


def star_heights(seed, count=330):
    return numpy.exp(rng(seed + 1).uniform(numpy.log(3), numpy.log(200), count))


def stars(seed, frames, size=(854, 480)):
    """Yields 330 stars at rest, most of them faint: 3 to 200 counts in a noise of 1.2 counts."""
    dice, light = rng(seed), star_heights(seed)
    place = dice.uniform(8, numpy.array(size) - 8, (len(light), 2))
    for _ in range(frames):
        image = numpy.full(size[::-1], 12.0)
        for height, at in zip(light, place):
            spot(image, at, height, 0.9)
        yield image + dice.normal(0, 1.2, image.shape), place


def star_significance(seed):
    """Returns for each star its height over the noise after the matched filter, in standard deviations."""
    return star_heights(seed) * numpy.sqrt(numpy.pi) * 0.9 / 1.2


def colloids(seed, frames, size=(160, 150)):
    """Yields 195 balls of radius 4.4 px that touch each other, fill most of the picture, and jitter."""
    dice = rng(seed)
    grid = numpy.stack(numpy.meshgrid(numpy.arange(15), numpy.arange(13)), -1).reshape(-1, 2)
    home = numpy.stack([12 + 9 * grid[:, 0] + 4.5 * (grid[:, 1] % 2), 16 + 9 * grid[:, 1]], 1).astype(float)
    light = dice.uniform(70, 110, len(home))
    step = numpy.zeros_like(home)
    for _ in range(frames):
        step = 0.7 * step + dice.normal(0, 0.3, home.shape)
        image = numpy.full(size[::-1], 60.0)
        for k, at in enumerate(home + step):
            spot(image, at, light[k], 4.4 / 2)
        yield image + dice.normal(0, 3, image.shape), home + step


def receding_leds(seed, frames, count=5, hot=30, size=(640, 480)):
    """Yields LEDs in a dark room that shrink as they recede. Some pixels of the sensor are always bright."""
    dice = rng(seed)
    pixels, heights = dice.integers(4, numpy.array(size) - 4, (hot, 2)), dice.uniform(15, 60, hot)
    phase = dice.uniform(0, 2 * numpy.pi) + 2 * numpy.pi * numpy.arange(count) / count
    for n in range(frames):
        far = n / max(frames - 1, 1)
        reach = numpy.array([200, 150]) - far * numpy.array([120, 90])
        place = numpy.array(size) / 2 + reach * numpy.stack([numpy.cos(phase + 0.05 * n), numpy.sin(phase + 0.05 * n)], 1)
        image = numpy.full(size[::-1], 8.0)
        for at in place:
            spot(image, at, 230 - 60 * far, 3 - 2.3 * far)
        image[pixels[:, 1], pixels[:, 0]] += heights
        yield image + dice.normal(0, 1.5, image.shape), place


def beside_a_lamp(seed, frames, radius=31, count=40, size=(640, 480)):
    """Yields faint spots in a dark room, and a saturated lamp, which is the last marker."""
    dice = rng(seed)
    grid = numpy.stack([40 + 75.0 * (numpy.arange(count) % 8), 150 + 65.0 * (numpy.arange(count) // 8)], 1)
    grid += dice.uniform(-8, 8, (count, 2))
    lamp = numpy.array([size[0] / 2, radius + 12.0])
    for n in range(frames):
        place = numpy.concatenate([grid + [1.5 * n, 0], [lamp]])
        image = numpy.full(size[::-1], 10.0)
        for at in place[:-1]:
            spot(image, at, 20, 2)
        window, covered = ellipse(image, lamp, (radius, radius))
        image[window] += 400 * covered
        yield image + dice.normal(0, 2, image.shape), place


def pupil(seed, frames, radius=18, size=(256, 240), rests=False, glints=False):
    """Yields a dark disc in a grey iris, with lashes, skin, and a lamp's reflection beside the disc, or two upon it. The disc jumps, or rests."""
    dice = rng(seed)
    skin = 165 + 10 * texture(dice, size[::-1], 3, 64)
    lashes = [(dice.uniform(60, 200), 40 + dice.uniform(-6, 6), dice.uniform(-0.5, 0.5)) for _ in range(16)]
    place = numpy.array(size) / 2.0 + [0, 10]
    for n in range(frames):
        if n % 9 == 8 and not rests:
            place = numpy.array(size) / 2.0 + [0, 10] + dice.uniform(-14, 14, 2)
        place = place + (0 if rests else 1) * dice.normal(0, 0.3, 2)
        image = skin.copy()
        middle = numpy.array(size) / 2.0 + [0, 10]
        for half, at, grey in (((88, 62), middle, 205), ((42, 42), place, 120), ((radius, radius), place, 25)):
            window, covered = ellipse(image, at, half, blur=1.5)
            image[window] += covered * (grey - image[window])
        for x, y, lean in lashes:
            window, covered = ellipse(image, (x, y), (26, 1.2), numpy.pi / 2 + lean)
            image[window] -= 90 * covered
        if glints:
            for at, half in (((-8, -7), 3.5), ((9, -6), 2.5)):
                window, covered = ellipse(image, place + at, (half, half), blur=1.2)
                image[window] += covered * (250 - image[window])
        else:
            spot(image, place + [radius * 0.7 + 12, -9], 110, 2.0)
        yield image + dice.normal(0, 3, image.shape), place[None, :]


def flies(seed, frames, count=6, dust=60, size=(480, 360)):
    """Yields dark flies, twice as long as wide, that walk on a bright arena among specks of dust that stay where they are."""
    dice = rng(seed)
    ground = 200 + 8 * texture(dice, size[::-1], 80, 160)
    for at, half, ink in zip(dice.uniform(6, numpy.array(size) - 6, (dust, 2)), dice.uniform(1.2, 2.2, dust), dice.uniform(30, 90, dust)):
        window, covered = ellipse(ground, at, (half, half))
        ground[window] -= ink * covered
    place, angle = dice.uniform(40, numpy.array(size) - 40, (count, 2)), dice.uniform(0, 2 * numpy.pi, count)
    for _ in range(frames):
        image = ground.copy()
        for at, turn in zip(place, angle):
            window, covered = ellipse(image, at, (8, 4), turn)
            image[window] += covered * (70 - image[window])
        yield image + dice.normal(0, 2, image.shape), place.copy()
        angle += dice.normal(0, 0.2, count)
        place = numpy.clip(place + 4 * numpy.stack([numpy.cos(angle), numpy.sin(angle)], 1), 20, numpy.array(size) - 20)


def bright_flies(seed, frames, dust=240, size=(384, 384)):
    """Yields two large, long bright flies on a dark ground, one of which walks around the other. Dust stays where it is; its specks are bright, too,
    but far smaller."""
    dice = rng(seed)
    ground = 6 + 2 * texture(dice, size[::-1], 40, 80)
    for at, ink in zip(dice.uniform(6, numpy.array(size) - 6, (dust, 2)), dice.uniform(12, 24, dust)):
        spot(ground, at, ink, 1.4)
    for n in range(frames):
        image, turn = ground.copy(), 0.3 + 0.05 * n
        places = numpy.array([[190.0, 200.0], [190 + 95 * numpy.cos(turn), 200 + 95 * numpy.sin(turn)]])
        for at, angle in zip(places, (0.6, turn + numpy.pi / 2)):
            for along, half, light in ((0, (38, 15), 90), (-6, (20, 11), 80)):  # The body lies upon the wings.
                window, covered = ellipse(image, at + along * numpy.array([numpy.cos(angle), numpy.sin(angle)]), half, angle, 1.2)
                image[window] += covered * light
        yield image + dice.normal(0, 1.5, image.shape), places


def spots_in_cut_noise(seed, frames, count, size=(320, 256)):
    """Yields a few faint spots in noise of a hundredth of the range of 16 bits. The ground is so dark that noise is cut off at black."""
    dice = rng(seed)
    place, speed = dice.uniform(12, numpy.array(size) - 12, (count, 2)), dice.normal(0, 1, (count, 2))
    for _ in range(frames):
        image = 300 + dice.normal(0, 655, size[::-1])
        for at in place:
            spot(image, at, 6000, 1.8)
        yield image, place.copy()
        place = numpy.clip(place + speed, 8, numpy.array(size) - 8)


def two_kinds(seed, frames, count=60, heights=(220, 50), size=(640, 480)):
    """Yields spots in the dark. Half of them have one brightness, and half have another, lower one."""
    dice = rng(seed)
    grid = numpy.stack([20 + 50.0 * (numpy.arange(2 * count) % 12), 20 + 44.0 * (numpy.arange(2 * count) // 12)], 1)
    grid = dice.permutation(grid + dice.uniform(-8, 8, grid.shape))
    for n in range(frames):
        place = grid + [0.7 * n, 0.3 * n]
        image = numpy.full(size[::-1], 10.0)
        for k, at in enumerate(place):
            spot(image, at, heights[k >= count], 2)
        yield image + dice.normal(0, 2, image.shape), place


def pairs(seed, frames, count=24, apart=5.0, size=(320, 240), second_light=150):
    """Yields bright spots on a dark ground. Every other one has a second one beside it."""
    dice = rng(seed)
    grid = numpy.stack(numpy.meshgrid(numpy.arange(6), numpy.arange(4)), -1).reshape(-1, 2)[:count]
    home = 30 + 50.0 * grid + dice.uniform(-4, 4, grid.shape)
    turn = dice.uniform(0, numpy.pi, len(home))[::2]
    second = home[::2] + apart * numpy.stack([numpy.cos(turn), numpy.sin(turn)], 1)
    for n in range(frames):
        place = numpy.concatenate([home, second]) + [2.0 * n, 0.5 * n]
        image = numpy.full(size[::-1], 10.0)
        for k, at in enumerate(place):
            spot(image, at, 150 if k < len(home) else second_light, 1.2)
        yield image + dice.normal(0, 1.5, image.shape), place


def ball(seed, frames, step=34, size=(640, 360), after=0, dark=False):
    """Yields one bright ball before a dark room, or a dark ball before a bright one. It is tossed `after` so many frames, and moves by `step` px per
    frame."""
    dice = rng(seed)
    room = (190 if dark else 30) + 6 * texture(dice, size[::-1], 16, 160)
    for n in range(-after, frames - after):
        x = 20 + step * n
        place = numpy.array([x, 300 - 4 * x * (size[0] - x) * 250 / size[0] ** 2])
        image = room.copy()
        if x > 0:
            window, covered = ellipse(image, place, (6, 6))
            image[window] += covered * ((20 if dark else 220) - image[window])
        yield image + dice.normal(0, 2, image.shape), place[None, :]


def coloured_balls(seed, frames, size=(480, 320)):
    """Yields colour images of red, green and blue balls, four each, of similar brightness, on a grey table."""
    dice = rng(seed)
    table = 70 + 8 * texture(dice, size[::-1], 8, 128)
    place, speed = dice.uniform(30, numpy.array(size) - 30, (12, 2)), dice.uniform(-3, 3, (12, 2))
    paint = [(210, 50, 40), (40, 150, 50), (50, 90, 220)]
    for _ in range(frames):
        image = numpy.stack([table] * 3, -1)
        for k, at in enumerate(place):
            window, covered = ellipse(table, at, (9, 9))
            image[window] += covered[..., None] * (numpy.array(paint[k % 3]) - image[window])
        yield image + dice.normal(0, 2, image.shape), place[1::3].copy()
        speed = numpy.where((place + speed < 20) | (place + speed > numpy.array(size) - 20), -speed, speed)
        place = place + speed


def before_a_scene(seed, frames, count=8, size=(480, 320)):
    """Yields bright things before a still background that is as bright as they are and has lamps and edges."""
    dice = rng(seed)
    still = decoy_scene(dice, size)
    for at in dice.uniform(20, numpy.array(size) - 20, (20, 2)):
        spot(still, at, 110, 3)
    place, speed = dice.uniform(40, numpy.array(size) - 40, (count, 2)), dice.uniform(-4, 4, (count, 2))
    for _ in range(frames):
        image = still.copy()
        for at in place:
            spot(image, at, 90, 3)
        yield image + dice.normal(0, 2, image.shape), place.copy()
        speed = numpy.where((place + speed < 20) | (place + speed > numpy.array(size) - 20), -speed, speed)
        place = place + speed


def decoy_scene(dice, size):
    """Returns an image with lines, corners and a texture like skin."""
    still = 110 + 12 * texture(dice, size[::-1], 4, 128)
    for _ in range(9):
        x, y = dice.uniform(0, size[0] - 60), dice.uniform(0, size[1] - 60)
        still[int(y) : int(y + dice.uniform(40, 120)), int(x) : int(x + dice.uniform(40, 160))] += dice.uniform(-60, 60)
    return still


def decoy(seed, frames, kind, size=(320, 240)):
    """Yields pictures without markers: `noise`, `texture`, a `slope`, or a `scene` of lines, corners and skin."""
    dice = rng(seed)
    still = numpy.full(size[::-1], 110.0)
    if kind == "texture":
        still += 25 * texture(dice, size[::-1], 2, 64)
    if kind == "slope":
        still += numpy.linspace(-70, 70, size[0])[None, :]
    if kind == "scene":
        still = decoy_scene(dice, size)
    for n in range(frames):
        yield numpy.roll(still, n, 1) + dice.normal(0, 3, still.shape), numpy.zeros((0, 2))


def write(folder, likeness, bits=8):
    """Writes the frames as pictures of 8 or 16 bits into `folder`. Returns the places of all frames."""
    folder.mkdir(parents=True)
    truth, most = [], 2**bits - 1
    for n, (image, places) in enumerate(likeness):
        pixels = numpy.clip(numpy.rint(image), 0, most).astype(numpy.uint8 if bits == 8 else ">u2")
        name, magic = ("pgm", b"P5") if image.ndim == 2 else ("ppm", b"P6")
        (folder / f"{n:04}.{name}").write_bytes(magic + b"\n%d %d\n%d\n" % (*image.shape[1::-1], most) + pixels.tobytes())
        truth.append(places.copy())
    return numpy.array(truth)


def score(rows, truth, near):
    """Scores rows (frame, track, x, y) against `truth`. "found" is the share of markers found within `near` px, "each" the same for each marker, and
    "clutter" the number of rows per frame that are near no marker, divided by the number of markers. "whole" is the share of markers that one track
    follows: the track has nine tenths of what was found of the marker, and hardly anything else. "error" is the root mean square error of what was
    found (px)."""
    owner, squares = -numpy.ones(len(rows), int), []
    found = numpy.zeros(truth.shape[:2], bool)
    for n, places in enumerate(truth):
        at = numpy.flatnonzero(rows[:, 0] == n)
        if not len(at) or not len(places):
            continue
        away = numpy.hypot(*(rows[at, None, 2:] - places[None, :, :]).transpose(2, 0, 1))
        for flat in away.argsort(axis=None):
            i, k = divmod(int(flat), len(places))
            if away[i, k] > near:
                break
            if owner[at[i]] < 0 and not found[n, k]:
                owner[at[i]], found[n, k] = k, True
                squares.append(away[i, k] ** 2)
    whole = 0
    for k in range(truth.shape[1]):
        ids, counts = numpy.unique(rows[owner == k, 1], return_counts=True)
        if not len(ids) or counts.max() < 0.9 * counts.sum() or counts.max() < 0.9 * 0.9 * len(truth):
            continue
        others = (rows[:, 1] == ids[counts.argmax()]) & (owner >= 0) & (owner != k)
        whole += others.sum() <= 0.1 * counts.max()
    most = max(truth.shape[1], 1)
    return {"found": found.mean() if found.size else 0.0, "each": found.mean(0), "clutter": (owner < 0).sum() / len(truth) / most,
            "whole": whole / most, "error": numpy.mean(squares) ** 0.5 if squares else 0.0}


if __name__ == "__main__":
    name, folder, frames = sys.argv[1:4]  # An example of the arguments is: long_blobs fish 20.
    write(pathlib.Path(folder), globals()[name](5, int(frames)))
