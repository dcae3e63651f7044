"""A recording of one dancer, and its tracks by `glint track`, for tests of what users do with tracks in the window."""

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path
from harness import rows

SCENE = "dancer?size=640x480&frames=40&seed=5&cameras=1"
LAST = 39


class FilmTest(WindowTest):
    """A test with a tracked film. self.plain holds the rows of tracks.csv by track and frame, and self.long the tracks that
    are in all frames."""

    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "film.mkv")
        self.glint("track", "film.mkv", "-o", "plain.csv", "--quiet")
        self.plain = {}
        for row in rows(self.dir / "plain.csv"):
            self.plain.setdefault(int(row["track"]), {})[int(row["frame"])] = row
        self.long = [track for track, its in sorted(self.plain.items()) if len(its) == LAST + 1]
        self.assertGreater(len(self.long), 4)

    def paused(self, *arguments):
        window = self.window("replay", "film.mkv", "--paused", *VALIDATED, *arguments)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused", "the first frame")
        return window

    def apart(self, state):
        """Returns the long tracks whose markers stand alone, so that a click finds them."""
        places = {t: state["widgets"][f"marker:{t}"] for t in self.long if f"marker:{t}" in state["widgets"]}
        return [t for t, a in places.items()
                if all(o == t or abs(a[0] - b[0]) + abs(a[1] - b[1]) > 60 for o, b in places.items())]
