"""Makes films of a board or a wand for fake_camera.cpp's cameras."""

import subprocess

BOARD = "charuco:5x7:40mm:30mm:DICT_4X4_50"


def film(test, cameras=2, frames=24):
    """Returns the cameras, each with a film of the same board in test.dir. The true rig is beside the films."""
    names = filmed(test, f"board?cameras={cameras}&frames={frames}&fps=1", cameras)
    return [f"/dev/video{c}?size=640x480&fps=20&film={name}" for c, name in enumerate(names)]


def film_wand(test, cameras=3, frames=120, fps=20):
    """Returns cameras with one trigger, each with a film of the same moving wand of 500 mm."""
    names = filmed(test, f"wand?cameras={cameras}&frames={frames}&fps={fps / 2}&size=320x256", cameras)
    return [f"/dev/video{c}?size=320x256&fps={fps}&trigger=1&film={name}" for c, name in enumerate(names)]


def filmed(test, scene, cameras):
    """Makes a film for each camera of a scene. Returns their names."""
    test.glint("synth", scene, "-o", "b.mkv", "--rig", "true.toml")
    for c in range(cameras):
        subprocess.run(["ffmpeg", "-v", "error", "-i", f"b_cam{c}.mkv", "-f", "rawvideo", "-pix_fmt", "gray", f"b{c}.raw"],
                       cwd=test.dir, check=True)
    return [f"b{c}.raw" for c in range(cameras)]
