"""Loads the red band of an item with odc-stac and compares it with the ingested file."""

import numpy
import odc.stac
from item_pixels import red_asset, search, source_red

[item] = search().items()
name = red_asset(item)
cube = odc.stac.load([item], bands=[name], chunks={"x": 256, "y": 256})
assert dict(cube.sizes)["time"] == 1
loaded = cube[name].isel(time=0).compute().values
expected = source_red()
assert loaded.dtype == expected.dtype, f"{loaded.dtype}, expected {expected.dtype}"
assert loaded.shape == expected.shape, f"{loaded.shape}, expected {expected.shape}"
assert numpy.array_equal(loaded, expected), f"{(loaded != expected).sum()} pixels differ"
print(f"{loaded.size} equal pixels, {loaded.dtype}")
