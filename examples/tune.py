"""Try a range of two settings, score each pair, and draw the map: tune.py [RECORDING TRUTH]

Without a truth, tracks can be rated by themselves: few and long ones are better than many short ones.
"""

import sys

import glint
import matplotlib.pyplot as plt
import pandas

RECORDING, TRUTH = sys.argv[1:3] if len(sys.argv) > 2 else ("assets/dancer.mp4", "assets/dancer.truth.csv")
FRAMES = 100  # frames of each trial: enough to distinguish one setting from another

# %% Score every combination against the truth.
truth = pandas.read_csv(TRUTH)
truth = truth[truth.frame < FRAMES]
rows = []
for separation in (3, 6, 12):
    for sigma in (3, 5, 8):
        tracks = glint.track(RECORDING, frames=FRAMES, detect_separation=separation, detect_threshold_sigma=sigma)
        score = glint.evaluate(tracks, truth).loc["all"]
        length = tracks.groupby("track").frame.count().median()
        rows.append({"separation": separation, "sigma": sigma, "idf1": score.idf1, "recall": score.recall, "length": length})
        print(f"separation {separation:2} px, threshold {sigma} sigma: IDF1 {score.idf1:.3f}, median track {length:.0f} frames")

# %% Print the best combination, and draw the map.
scores = pandas.DataFrame(rows)
best = scores.loc[scores.idf1.idxmax()]
print(f"best: glint track {RECORDING} --set detect.separation={best.separation:g} --set detect.threshold_sigma={best.sigma:g}")
grid = scores.pivot(index="separation", columns="sigma", values="idf1")
plt.imshow(grid, origin="lower")
plt.xticks(range(len(grid.columns)), grid.columns)
plt.yticks(range(len(grid.index)), grid.index)
plt.xlabel("detect.threshold_sigma")
plt.ylabel("detect.separation, px")
plt.colorbar(label="IDF1")
plt.plot(list(grid.columns).index(best.sigma), list(grid.index).index(best.separation), "r*", markersize=15)
plt.savefig("tune.png", dpi=120)
