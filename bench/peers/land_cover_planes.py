"""Peer of the planes that land cover is classified by: numpy and scipy.ndimage in the smallest types that hold the numbers.

Reads one JSON line {"bands", "planes", "side"} per round from standard input. "bands" names a file of four float32
planes (blue, green, red, near infrared), "planes" one of the int16 planes to compare with. Answers {"cpuMs", "differing"}.
"""
import json
import sys
import time

import numpy as np
from scipy.ndimage import maximum_filter, minimum_filter, uniform_filter

TEXTURE = 4
CONTEXT = 8
SOIL_IN_BLUE = np.float32(0.5)


def quantised(band):
    return np.rint(band * np.float32(10_000)).astype(np.int16)


def difference(a, b):
    a, b = a.astype(np.float32), b.astype(np.float32)
    total = a + b
    np.subtract(a, b, out=a)
    a *= np.float32(10_000)
    with np.errstate(invalid="ignore", divide="ignore"):
        a /= total
    a += np.float32(0.5)
    np.floor(a, out=a)
    np.clip(a, -10_000, 10_000, out=a)
    a[total < 10] = 0
    return a.astype(np.int16)


def saturation(a, b, c):
    greatest = np.maximum(np.maximum(a, b), c)
    least = np.maximum(np.minimum(np.minimum(a, b), c), 0)
    share = (greatest - least).astype(np.float32)
    share *= np.float32(10_000)
    with np.errstate(invalid="ignore", divide="ignore"):
        share /= greatest
    np.rint(share, out=share)
    share[greatest <= 0] = 0
    return share.astype(np.int16)


def gradient(plane):
    wide = plane.astype(np.int32)
    x = np.zeros(plane.shape, np.int32)
    y = np.zeros(plane.shape, np.int32)
    down = wide[:-2] + wide[2:] + 2 * wide[1:-1]
    np.subtract(down[:, 2:], down[:, :-2], out=x[1:-1, 1:-1])
    along = wide[:, :-2] + wide[:, 2:] + 2 * wide[:, 1:-1]
    np.subtract(along[2:], along[:-2], out=y[1:-1, 1:-1])
    squares = x.astype(np.float32)
    squares *= squares
    other = y.astype(np.float32)
    other *= other
    squares += other
    np.sqrt(squares, out=squares)
    squares *= np.float32(0.125)
    return ((x + 4) >> 3).astype(np.int16), ((y + 4) >> 3).astype(np.int16), squares.astype(np.int16)


def windowed(plane, radius, kind=np.float32):
    """Sums over windows, the part inside the plane."""
    size = 2 * radius + 1
    sums = uniform_filter(plane.astype(kind, copy=False), size, mode="constant")
    sums *= kind(size * size)
    return sums


def counts(shape, radius):
    def along(length):
        at = np.arange(length)
        return np.minimum(at, radius) + np.minimum(length - 1 - at, radius) + 1

    return np.outer(along(shape[0]), along(shape[1])).astype(np.float32)


def mean(plane, radius, cells):
    sums = windowed(plane, radius)
    sums /= cells[radius]
    # Sums in float32 are a little less than the whole number that they should be.
    sums += np.float32(0.001)
    np.floor(sums, out=sums)
    return sums.astype(np.int16)


def deviation(plane, radius, cells):
    wide = plane.astype(np.float64)
    average = windowed(wide, radius, np.float64)
    average /= cells[radius]
    wide *= wide
    squares = windowed(wide, radius, np.float64)
    squares /= cells[radius]
    average *= average
    squares -= average
    np.maximum(squares, 0, out=squares)
    np.sqrt(squares, out=squares)
    return squares.astype(np.int16)


def coherence(across, down, radius):
    x, y = across.astype(np.float64), down.astype(np.float64)
    xx = windowed(x * x, radius, np.float64)
    yy = windowed(y * y, radius, np.float64)
    xy = windowed(x * y, radius, np.float64)
    trace = xx + yy
    xx -= yy
    xx *= xx
    xy *= xy
    xy *= 4
    xx += xy
    xx *= 10_000
    trace *= trace
    flat = trace < 1
    trace[flat] = 1
    xx /= trace
    np.rint(xx, out=xx)
    xx[flat] = 0
    return xx.astype(np.int16)


def top_hat(plane):
    return plane - maximum_filter(minimum_filter(plane, 3, mode="nearest"), 3, mode="nearest")


def planes(bands):
    blue, green, red, nir = (quantised(band) for band in bands)
    cells = {radius: counts(blue.shape, radius) for radius in (1, TEXTURE, CONTEXT)}
    ndvi, ndwi = difference(nir, red), difference(green, nir)
    brightness = ((blue.astype(np.int32) + green + red) // 3).astype(np.int16)
    across, down, magnitude = gradient(brightness)
    nir_magnitude = gradient(nir)[2]
    roofs = top_hat(blue) - SOIL_IN_BLUE * top_hat(red)
    np.clip(roofs, 0, 32_000, out=roofs)
    density = mean(np.floor(roofs + np.float32(0.5)), CONTEXT, cells)
    return [
        blue,
        green,
        red,
        nir,
        ndvi,
        ndwi,
        brightness,
        saturation(blue, green, red),
        coherence(across, down, TEXTURE),
        mean(magnitude, 1, cells),
        mean(magnitude, TEXTURE, cells),
        mean(nir_magnitude, CONTEXT, cells),
        deviation(brightness, TEXTURE, cells),
        mean(ndvi, CONTEXT, cells),
        mean(ndwi, 1, cells),
        density,
    ]


def main():
    for line in sys.stdin:
        request = json.loads(line)
        side = request["side"]
        bands = np.fromfile(request["bands"], dtype=np.float32).reshape(4, side, side)
        expected = np.fromfile(request["planes"], dtype=np.int16).reshape(-1, side, side)
        cpu = time.process_time()
        found = planes(bands)
        cpu_ms = (time.process_time() - cpu) * 1000
        differing = [
            float((np.abs(plane.astype(np.int32) - other) > 1).mean()) for plane, other in zip(found, expected, strict=True)
        ]
        print(json.dumps({"cpuMs": cpu_ms, "differing": differing}), flush=True)


main()
