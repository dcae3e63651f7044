"""Films of a board, for fake_camera.cpp's cameras."""

import subprocess

BOARD = "charuco:5x7:40mm:30mm:DICT_4X4_50"


def film(test, cameras=2, frames=24):
    """The cameras, each with a film of the same board in test.dir, and the true rig beside them."""
    test.glint("synth", f"board?cameras={cameras}&frames={frames}&fps=1", "-o", "b.mkv", "--rig", "true.toml")
    for c in range(cameras):
        subprocess.run(["ffmpeg", "-v", "error", "-i", f"b_cam{c}.mkv", "-f", "rawvideo", "-pix_fmt", "gray", f"b{c}.raw"],
                       cwd=test.dir, check=True)
    return [f"/dev/video{c}?size=640x480&fps=20&film=b{c}.raw" for c in range(cameras)]
