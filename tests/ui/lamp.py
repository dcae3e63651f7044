"""A picture of faint spots beside a lamp, which raises the automatic threshold above them."""

import math
import random

WIDTH, HEIGHT = 320, 240
LAMP, RADIUS = (160, 40), 12
SPOTS = 27


def lamp_picture(seed):
    """Returns the bytes of the picture, row by row."""
    dice = random.Random(seed)
    image = [[dice.gauss(10, 2) for _ in range(WIDTH)] for _ in range(HEIGHT)]
    for k in range(SPOTS):
        left, top = 24 + 34 * (k % 9), 120 + 45 * (k // 9)
        for y in range(top - 7, top + 8):
            for x in range(left - 7, left + 8):
                image[y][x] += 20 * math.exp(-((x - left) ** 2 + (y - top) ** 2) / 8)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if math.dist((x, y), LAMP) < RADIUS:
                image[y][x] = 255
    return bytes(min(255, max(0, round(value))) for row in image for value in row)
