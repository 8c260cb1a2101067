"""Reads items as STAC-GeoParquet with rustac: `python read_geoparquet.py ROOT TOKEN COLLECTION`.

The items of the file must be the items that the search answers as JSON.
"""

import asyncio
import json
import pathlib
import sys
import tempfile
import urllib.request

import rustac

root, token, collection = sys.argv[1:4]


def get(address):
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def comparable(value):
    """Without null members, numbers as numbers, and moments without fractions of zero."""
    if isinstance(value, dict):
        return {name: comparable(member) for name, member in value.items() if member is not None}
    if isinstance(value, (list, tuple)):
        return [comparable(member) for member in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value.replace(".000Z", "Z") if isinstance(value, str) else value
    return float(value)


def areas(geometry):
    """Polygons as a multipolygon of one: the column of a file has one type."""
    coordinates = geometry["coordinates"]
    return comparable([coordinates] if geometry["type"] == "Polygon" else coordinates)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "items.parquet"
        path.write_bytes(get(f"{root}/collections/{collection}/items?f=parquet"))
        read = {item["id"]: item for item in (await rustac.read(str(path)))["features"]}
    expected = json.loads(get(f"{root}/collections/{collection}/items?limit=1000"))
    assert len(read) == expected["numberMatched"] == len(expected["features"]), f"{len(read)} items in the file"
    for item in expected["features"]:
        assert areas(item["geometry"]) == areas(read[item["id"]]["geometry"]), f"{item['id']} geometry"
        for member in ("id", "collection", "bbox", "properties", "assets", "links"):
            ours, theirs = comparable(item[member]), comparable(read[item["id"]][member])
            assert ours == theirs, f"{item['id']} {member}: {ours} is read as {theirs}"
    print(f"rustac: {len(read)} items")


asyncio.run(main())
