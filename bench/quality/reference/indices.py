"""Spectral indices by numpy on the pixels of a file, in double precision: the reference of `npm run quality`.

Reads a job as JSON from standard input: {path, bands: {role: {index, mult, add, decibel}}, indices: [{id, formula,
constants, kernels: [[name, a, b]], width: [a, b]}]}. Writes one float64 plane per index to standard output, in order.
"""

import json
import sys

import numpy as np
from osgeo import gdal

gdal.UseExceptions()
job = json.load(sys.stdin)
dataset = gdal.Open(job["path"])
bands = {}
for role, band in job["bands"].items():
    raster = dataset.GetRasterBand(band["index"] + 1)
    stored = raster.ReadAsArray().astype(np.float64)
    if raster.GetNoDataValue() is not None:
        stored[stored == raster.GetNoDataValue()] = np.nan
    bands[role] = 10 ** (stored / 10) if band["decibel"] else band["mult"] * stored + band["add"]

with np.errstate(all="ignore"):
    for index in job["indices"]:
        names = {**bands, **index["constants"]}
        for name, a, b in index["kernels"]:
            sigma = (names[index["width"][0]] + names[index["width"][1]]) / 2
            names[name] = np.exp(-((names[a] - names[b]) ** 2) / (2 * sigma**2))
        value = eval(index["formula"], {"__builtins__": {}, "log": np.log}, names)
        plane = np.broadcast_to(np.asarray(value, dtype=np.float64), (dataset.RasterYSize, dataset.RasterXSize))
        sys.stdout.buffer.write(np.ascontiguousarray(plane).tobytes())
