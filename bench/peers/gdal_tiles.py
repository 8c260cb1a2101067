"""GDAL in-process peer: warps 512 px Web Mercator tiles, bilinear, and encodes them as PNG level 1.

Reads one JSON line {"file", "tiles": [[z, x, y], ...], "cold": bool, "low", "high"} per round from standard
input and answers one JSON line {"ms": [per tile]}. With "cold" the block cache is dropped before each tile.
"""
import json
import math
import sys
import time

import numpy
from osgeo import gdal

gdal.UseExceptions()
HALF = math.pi * 6378137.0


def tile_bounds(z, x, y):
    side = 2 * HALF / 2**z
    return (-HALF + x * side, HALF - (y + 1) * side, -HALF + (x + 1) * side, HALF - y * side)


def render(dataset, z, x, y, low, high):
    warped = gdal.Warp(
        "", dataset, format="MEM", dstSRS="EPSG:3857", outputBounds=tile_bounds(z, x, y),
        width=512, height=512, resampleAlg="bilinear", dstAlpha=True, multithread=False,
    )
    bands = warped.ReadAsArray()
    image = gdal.GetDriverByName("MEM").Create("", 512, 512, 4, gdal.GDT_Byte)
    for index in range(3):
        scaled = (bands[index].astype(numpy.float32) - low) * (255.0 / (high - low))
        image.GetRasterBand(index + 1).WriteArray(numpy.clip(scaled, 0, 255).astype(numpy.uint8))
    image.GetRasterBand(4).WriteArray(numpy.where(bands[-1] > 0, 255, 0).astype(numpy.uint8))
    gdal.GetDriverByName("PNG").CreateCopy("/vsimem/tile.png", image, options=["ZLEVEL=1"])
    size = gdal.VSIStatL("/vsimem/tile.png").size
    gdal.Unlink("/vsimem/tile.png")
    return size


def main():
    dataset = None
    name = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["file"] != name:
            dataset = gdal.Open(request["file"])
            name = request["file"]
        durations = []
        for z, x, y in request["tiles"]:
            if request["cold"]:
                dataset = None
                dataset = gdal.Open(name)
                # Opens the files behind a VRT, so that headers are parsed outside the clock on both sides.
                dataset.ReadAsArray(0, 0, 1, 1)
            started = time.perf_counter()
            render(dataset, z, x, y, request["low"], request["high"])
            durations.append((time.perf_counter() - started) * 1000)
        print(json.dumps({"ms": durations}), flush=True)


main()
