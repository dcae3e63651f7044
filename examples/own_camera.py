"""Measure the frames of your own camera while Python goes on: own_camera.py

The camera here is a function that paints frames: put your camera's library in its place.
"""

import time

import glint
import matplotlib.pyplot as plt
import numpy
import pandas

WIDTH, HEIGHT, FRAMES = 640, 480, 60


# %% Make a camera that sees two lights, which turn about each other.
def frames():
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    noise = numpy.random.default_rng(1)
    for i in range(FRAMES):
        image = noise.normal(12, 2, (HEIGHT, WIDTH))
        for side in (-1, 1):
            angle = 2 * numpy.pi * i / FRAMES
            at_x, at_y = WIDTH / 2 + side * 150 * numpy.cos(angle), HEIGHT / 2 + side * 150 * numpy.sin(angle)
            image += 200 * numpy.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / 18)
        yield i / 60, image.clip(0, 255).astype(numpy.uint8)


# %% Let the device measure a frame while Python takes the next one.
detector = glint.Detector(size=(WIDTH, HEIGHT), bits=8, detect_separation=10)
tables, begun = [], time.perf_counter()
camera = frames()
detector.submit(next(camera)[1])
for seconds, image in camera:
    tables.append(detector.collect())
    detector.submit(image, time=seconds)
tables.append(detector.collect())
print(f"{FRAMES / (time.perf_counter() - begun):.0f} frames a second, with the painting")

# %% Draw where the lights went.
markers = pandas.concat(tables, ignore_index=True)
print(markers.groupby("frame").size().value_counts().rename("frames with so many markers"))
plt.scatter(markers.x, markers.y, c=markers.frame, s=8)
plt.gca().set(aspect="equal", xlim=(0, WIDTH), ylim=(HEIGHT, 0), xlabel="x, px", ylabel="y, px")
plt.colorbar(label="frame")
plt.savefig("own_camera.png", dpi=120)
