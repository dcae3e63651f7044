"""Find where cameras stand from a wand that all of them saw: calibration.py [TABLE WIDTH HEIGHT]"""

import sys

import glint
import matplotlib.pyplot as plt
import numpy
import pandas

WAND = 500  # mm between the wand's two lights

# %% Read what each camera saw: a table of `glint track --detections`, or a painted wand.
if len(sys.argv) > 3:
    table, size = pandas.read_csv(sys.argv[1]), (int(sys.argv[2]), int(sys.argv[3]))
else:
    size = (640, 480)
    sources = [f"synth:wand?frames=150&cameras=3&size=640x480&seed=1&camera={i}" for i in range(3)]
    with glint.Session(sources) as session:
        table = pandas.concat([frame.markers for frame in session], ignore_index=True)

# %% Calibrate the cameras, and print how good the calibration is.
rig = glint.calibrate(table, size, wand=WAND)
print(rig.account)
rig.save("rig.toml")

# %% Draw from above where the cameras stand, and where they look.
for camera in rig.cameras:
    angle = numpy.linalg.norm(camera["rotation"])
    axis = camera["rotation"] / angle if angle > 0 else numpy.zeros(3)
    cross = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = numpy.eye(3) + numpy.sin(angle) * cross + (1 - numpy.cos(angle)) * cross @ cross  # formula of Rodrigues
    place, view = -turn.T @ camera["translation"], turn.T @ [0, 0, 1]
    plt.plot(place[0], place[2], "o", label=camera["name"])
    plt.arrow(place[0], place[2], 400 * view[0], 400 * view[2], width=15)
plt.gca().set(aspect="equal", xlabel="x, mm", ylabel="z, mm")
plt.legend()
plt.savefig("calibration.png", dpi=120)
