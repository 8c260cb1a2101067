"""exactextract on rasters in memory: statistics of polygons by coverage.

Reads one JSON line {"widthPx", "heightPx", "file", "dtype", "polygons", "quantiles", "classes"} per raster from
standard input. The file holds the pixels row by row; polygons are GeoJSON coordinates of multipolygons in pixels, y
northwards from the lower edge. Answers {"ms", "rows"}; classes adds the shares of distinct values.
"""
import json
import math
import sys
import time

import numpy
from exactextract import exact_extract
from exactextract.feature import JSONFeatureSource
from exactextract.raster import NumPyRasterSource


def plain(value):
    if isinstance(value, numpy.ndarray):
        return [plain(one) for one in value.tolist()]
    if value is None or math.isnan(value):
        return None
    return float(value)


def statistics(request):
    width, height = request["widthPx"], request["heightPx"]
    pixels = numpy.fromfile(request["file"], dtype=request["dtype"]).reshape(height, width)
    raster = NumPyRasterSource(pixels, 0, 0, width, height, nodata=request.get("nodata"))
    features = JSONFeatureSource(
        [
            {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates": coordinates}}
            for coordinates in request["polygons"]
        ]
    )
    quantiles = [f"quantile(q={share})" for share in request["quantiles"]]
    operations = ["count", "sum", "mean", "stdev", "min", "max", *quantiles]
    if request["classes"]:
        operations += ["unique", "frac"]
    started = time.perf_counter()
    answer = exact_extract(raster, features, operations)
    ms = (time.perf_counter() - started) * 1000
    return {"ms": ms, "rows": [{key: plain(value) for key, value in one["properties"].items()} for one in answer]}


def main():
    for line in sys.stdin:
        print(json.dumps(statistics(json.loads(line))), flush=True)


main()
