"""Track a recording, look at the table, draw trails and speeds: first_look.py [RECORDING]"""

import sys

import glint
import matplotlib.pyplot as plt

RECORDING = sys.argv[1] if len(sys.argv) > 1 else "synth:dancer?size=640x480&frames=120&seed=1&cameras=1"

# %% Which settings find the markers? If there are none, the defaults do.
found = glint.probe(RECORDING)
print(f"{found['markers_a_frame']:.0f} markers a frame of radius {found['radius']:.1f} px; settings: {found['settings']}")

# %% Track the markers: one row for each track and frame, as in tracks.csv.
tracks = glint.track(RECORDING, settings=found["settings"])
print(tracks.head())

# %% When was each marker seen, and how exactly?
measured = tracks[tracks.state == "measured"]
summary = measured.groupby("track").agg(first=("time_s", "min"), last=("time_s", "max"), frames=("frame", "count"),
                                        sigma=("sigma_x", "median"))
print(summary.sort_values("frames", ascending=False).head(10))

# %% Draw the trails of all frames over the first frame, and speeds over time.
image = next(glint.Session(RECORDING)).image
left, right = plt.subplots(1, 2, figsize=(12, 4.5))[1]
left.imshow(image, cmap="gray")
for _, rows in tracks.groupby("track"):
    left.plot(rows.x, rows.y, linewidth=0.8)
left.set(title="trails", xlabel="x, px", ylabel="y, px")
for track in summary.frames.nlargest(5).index:
    rows = measured[measured.track == track]
    right.plot(rows.time_s, (rows.vx**2 + rows.vy**2) ** 0.5, label=f"track {track}")
right.set(title="speed of the five longest tracks", xlabel="time, s", ylabel="px/s")
right.legend()
plt.savefig("first_look.png", dpi=120)
