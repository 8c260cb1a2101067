"""Loads the red band of an item with stackstac and compares it with the ingested file."""

import numpy
import stackstac
from item_pixels import red_asset, search, source_red

[item] = search().items()
name = red_asset(item)
stack = stackstac.stack(
    # The items as the service gives them: pystac takes `proj:epsg` out, which stackstac reads.
    search().item_collection_as_dict()["features"],
    assets=[name],
    dtype="float64",
    fill_value=numpy.nan,
    rescale=False,
    resampling=0,
)
expected = source_red()
loaded = stack.isel(time=0, band=0).compute().values
assert loaded.shape == expected.shape, f"{loaded.shape}, expected {expected.shape}"
valid = ~numpy.isnan(loaded)
assert numpy.array_equal(loaded[valid], expected[valid]), "pixels differ"
assert (expected[~valid] == 0).all(), "valid pixels are missing"
print(f"{valid.sum()} equal pixels on the grid of EPSG:{stack.attrs['crs'].rsplit(':')[-1]}")
