"""The first use by a person who has just plugged in a camera, from the start screen to a table in mm. Uses only the mouse,
except for typed texts.

usage: first_use_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import math
import re
import unittest

from screen import WindowTest

import fake
from harness import rows


class FirstUse(WindowTest):
    def markers(self, state):
        return sorted(name for name in state["widgets"] if name.startswith("marker:"))

    def test_from_the_camera_to_a_table(self):
        window = self.window(env=fake.cameras("/dev/video0?size=640x480&fps=30&file=plug"), shows=False)
        # The camera is plugged in, found on the start screen, previewed and shown.
        window.until(lambda s: s["empty"] and "welcome_open" in s["widgets"], "the start screen")
        (self.dir / "plug").touch()
        window.click("camera:camera:0", x=0.05)
        window.until(lambda s: "preview" in s["widgets"], "its picture")
        window.click("cameras_go")
        snapshot = window.until(lambda s: s["live"] and s["markers"] == 3 and s["frame"] > 30, "it is live")
        self.assertFalse(snapshot["unsaved"])
        # The camera is recorded, as frames.
        window.click("record_options")
        window.click("record_as:frames")
        window.until(lambda s: s["record_as"] == "frames" and "record_list" not in s["widgets"], "chosen")
        window.click("record")
        first = window.until(lambda s: s["recording"], "it is recorded")["frame"]
        snapshot = window.until(lambda s: s["frame"] > first + 60 and s["words"]["record"].startswith("REC "), "two seconds")
        self.assertNotIn("row", snapshot["words"]["record"])
        window.click("record")
        window.until(lambda s: not s["recording"], "that is all")
        film = next(self.dir.glob("glint-*.raw.mkv"))
        # Opens the recording, and adds names, a scale and a distance.
        window.click("open_button")
        window.click("open_files")
        window.double_click(f"entry:{film.name}")
        window.until(lambda s: s["sources"][0].endswith(film.name) and s["mode"] in ("playing", "at_end"), "the recording")
        window.click("step_back")  # pauses the recording, even if it has played to its end
        window.until(lambda s: s["mode"] == "paused", "it stands still")
        window.click("first")
        snapshot = window.until(lambda s: s["frame"] == 0 and s["whole"] and not s["stale"] and len(self.markers(s)) == 3, "its first frame")
        one, two, three = self.markers(snapshot)
        # The cameras were live before the recording, so its frames do not begin with 0. Their number is the same in every
        # place.
        number = int(re.fullmatch(r"frame 0 \(last \d+\), (\d+) in exported tables", snapshot["words"]["frame_number"])[1])
        self.assertGreater(number, 0)
        window.point("timeline", 0, 0.5)
        window.until(lambda s: s.get("timeline_told", "").startswith(f"frame 0 ({number} in exported tables), 0:"), "so says the timeline")
        window.click(one, button=3)
        window.click("menu:Rename ...")
        window.until(lambda s: s["naming"], "a name")
        window.type("wrist")
        window.keys("Return")
        window.until(lambda s: s["summaries"].get(one.partition(":")[2], [""] * 6)[4] == "wrist" and s["unmatched"] == 0, "it is called so")
        window.keys("Right", "Right")
        window.until(lambda s: s["frame"] == 2 and not s["stale"] and two in s["widgets"], "two frames on")
        window.click(two, button=3)
        window.click("menu:Split at this frame")
        window.click("tab:Tracks")
        window.click("tracks:edits")
        words = f"split {two.partition(':')[2]} at frame 2 ({number + 2} in exported tables)"
        window.until(lambda s: s["words"].get("edit:1") == words, "an edit")
        window.keys("ctrl+z", "Home")
        window.until(lambda s: "edit:1" not in s["words"] and s["frame"] == 0 and self.markers(s) == [one, two, three], "undone, and back")
        window.until(lambda s: s["toasts"] == "", "messages were read")
        window.keys("Escape")  # the marker's card would hide the others
        window.until(lambda s: s.get("selected") is None, "no card")
        for tool, name in (("k", "scale"), ("d", "distance")):
            window.keys(tool)
            window.click(two)
            window.click(three)
            if tool == "k":
                window.until(lambda s: s["asks_length"], "how long it is")
                window.type("200")
                window.keys("Return")
                window.until(lambda s: not s["asks_length"], f"the {name}")
        window.until(lambda s: [words.partition(", ")[2] for _, words in s["measures"]] == ["200 mm"], "so long, too")
        # Exports the table.
        window.click("export")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and not s["exporting"] and "exported" in s["toasts"], "it is exported")
        window.quit()
        table = rows(film.with_name(film.name.removesuffix(".raw.mkv") + ".csv"))
        self.assertEqual(int(table[0]["frame"]), number)
        self.assertEqual({row["track"] for row in table if row["name"] == "wrist"}, {one.partition(":")[2]})
        ends = [(float(row["x_mm"]), float(row["y_mm"])) for row in table if row["frame"] == table[0]["frame"] and row["name"] != "wrist"]
        self.assertAlmostEqual(math.dist(*ends), 200, delta=0.5)


if __name__ == "__main__":
    unittest.main()
