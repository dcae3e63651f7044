"""A picture of faint particles in grey water, beside a strip of glare with ripples, which raises the automatic threshold above
the particles."""

import math
import random

WIDTH, HEIGHT = 320, 240
PARTICLES, RIPPLES = 60, 8
WATER, STRIP, HALF = 100, 120, 30  # counts; px: half the width of the strip
MIDDLE = 0.45 * WIDTH


def glare_picture(seed, particles=PARTICLES):
    """Returns the bytes of the picture, row by row."""
    dice = random.Random(seed)
    strip = [STRIP * math.sqrt(max(0, 1 - abs(x - MIDDLE) / HALF)) for x in range(WIDTH)]
    image = [[WATER + strip[x] + dice.gauss(0, 2) for x in range(WIDTH)] for _ in range(HEIGHT)]

    def spot(left, top, height, sigma):
        reach = math.ceil(4 * sigma)
        for y in range(max(0, round(top) - reach), min(HEIGHT, round(top) + reach + 1)):
            for x in range(max(0, round(left) - reach), min(WIDTH, round(left) + reach + 1)):
                image[y][x] += height * math.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * sigma ** 2))
    for k in range(RIPPLES):
        spot(MIDDLE, 15 + 30 * k, 40, 4)
    places = random.Random(1)  # the particles drift, so that frames follow each other
    for _ in range(particles):
        left, top, height = places.uniform(10, WIDTH - 10), places.uniform(10, HEIGHT - 10), places.uniform(25, 60)
        spot(left + seed * places.uniform(-1, 1), top + seed * places.uniform(-1, 1), height, 1.5)
    return bytes(min(255, max(0, round(value))) for row in image for value in row)
