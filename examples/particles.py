"""Diffusion of many small particles from their tracks: particles.py [RECORDING]

Without a recording, it paints one: 60 particles that diffuse by 0.5 px^2 a frame.
"""

import pathlib
import sys
import tempfile

import glint
import matplotlib.pyplot as plt
import numpy

DIFFUSION = 0.5  # px^2 per frame: diffusion of the painted particles


# %% Paint particles in Brownian motion, or take a recording.
def paint(folder, frames=40, count=60, width=512, height=384):
    random = numpy.random.default_rng(1)
    places = numpy.stack(numpy.meshgrid(numpy.linspace(30, width - 30, 10), numpy.linspace(30, height - 30, 6)), -1).reshape(-1, 2)
    y, x = numpy.mgrid[-8:9, -8:9]
    for i in range(frames):
        image = random.normal(30, 3, (height, width))
        for at in places[:count]:
            column, row = numpy.rint(at).astype(int)
            if 8 <= column < width - 8 and 8 <= row < height - 8:
                spot = 120 * numpy.exp(-((x + column - at[0]) ** 2 + (y + row - at[1]) ** 2) / (2 * 1.6**2))
                image[row - 8:row + 9, column - 8:column + 9] += spot
        pixels = image.clip(0, 255).astype(numpy.uint8)
        pathlib.Path(folder, f"frame_{i:03}.pgm").write_bytes(b"P5 %d %d 255\n" % (width, height) + pixels.tobytes())
        places = places + random.normal(0, (2 * DIFFUSION) ** 0.5, places.shape)
    return folder


source = sys.argv[1] if len(sys.argv) > 1 else paint(tempfile.mkdtemp())

# %% The particles are small and dim, so search in a difference of Gaussians of their size.
tracks = glint.track(source, marker_radius=3, max_markers=1000, track_max_speed=5)
measured = tracks[tracks.state == "measured"]
print(f"{measured.groupby('frame').size().median():.0f} particles a frame, {tracks.track.nunique()} tracks")

# %% Mean square displacement by lag: along each axis 2 D for each frame of lag, plus twice the variance of a place.
lags = numpy.arange(1, 11)
squares = []
for lag in lags:
    later = measured.assign(frame=measured.frame - lag)
    both = measured.merge(later, on=["track", "frame"], suffixes=("", "_later"))
    squares.append(((both.x_later - both.x) ** 2 + (both.y_later - both.y) ** 2).mean() / 2)
slope, offset = numpy.polyfit(lags, squares, 1)
print(f"D = {slope / 2:.3f} px^2 a frame" + ("" if len(sys.argv) > 1 else f"; painted with {DIFFUSION}"))
plt.plot(lags, squares, "o", label="measured, along an axis")
plt.plot(lags, slope * lags + offset, label=f"2 D n, D = {slope / 2:.3f} px$^2$")
plt.xlabel("lag n, frames")
plt.ylabel("mean square displacement, px$^2$")
plt.legend()
plt.savefig("particles.png", dpi=120)
