"""Points in space and a rigid body from several cameras: space.py [DETECTIONS RIG]"""

import sys

import glint
import matplotlib.pyplot as plt
import pandas

# %% Read what each camera saw, and where the cameras stand: files, or a painted scene.
if len(sys.argv) > 2:
    table, rig = pandas.read_csv(sys.argv[1]), glint.Rig.read(sys.argv[2])
else:
    sources = [f"synth:wand?frames=150&cameras=3&size=640x480&seed=1&camera={i}" for i in range(3)]
    with glint.Session(sources) as session:
        table = pandas.concat([frame.markers for frame in session], ignore_index=True)
    rig = glint.calibrate(table, (640, 480), wand=500)

# %% Compute points with their uncertainty.
points = glint.reconstruct(rig, table)
seen = points[points.state == "measured"]
print(f"{points.point.nunique()} points, {len(seen)} measured rows by {seen.rays.mean():.1f} rays, "
      f"to {(seen.sigma_x ** 2 + seen.sigma_y ** 2 + seen.sigma_z ** 2).median() ** 0.5:.2f} mm")

# %% Measure the distance of the two points that were seen longest: on a wand it does not change.
first, second = (seen[seen.point == point].set_index("frame")[["x_mm", "y_mm", "z_mm"]]
                 for point in seen.point.value_counts().index[:2])
apart = (((first - second) ** 2).sum(axis=1, min_count=3) ** 0.5).dropna()
print(f"{apart.mean():.2f} mm apart, sd {apart.std():.2f} mm in {len(apart)} frames")

# %% Draw the paths from above.
for point, rows in seen.groupby("point"):
    plt.plot(rows.x_mm, rows.z_mm, label=f"point {point}")
plt.gca().set(aspect="equal", xlabel="x, mm", ylabel="z, mm")
plt.legend()
plt.savefig("space.png", dpi=120)
