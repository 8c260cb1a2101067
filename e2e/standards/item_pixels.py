"""The item of a scene with its red pixels: as the STAC API gives it, and as the ingested file has them."""

import os
import sys

import rasterio
from pystac_client import Client

# Readers look for side files beside a COG otherwise; the service has none.
os.environ.setdefault("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")

RED = 3

root, token, collection, scene, source = sys.argv[1:6]
headers = {"Authorization": f"Bearer {token}"}
client = Client.open(root, headers=headers)


def search():
    """The search for the one item."""
    return client.search(collections=[collection], ids=[scene])


def red_asset(item):
    """Name of the asset with the red band, which is read at its address without a header."""
    for name, asset in item.assets.items():
        for band in asset.to_dict().get("bands", []):
            if band.get("eo:common_name") == "red":
                return name
    raise SystemExit(f"the item {item.id} has no asset of the red band: {sorted(item.assets)}")


def source_red():
    with rasterio.open(source) as file:
        return file.read(RED)
