"""Searches with rustac, writes the items as GeoParquet and reads them again: `ROOT TOKEN COLLECTION COUNT`."""

import asyncio
import pathlib
import sys
import tempfile

import rustac

root, token, collection, count = sys.argv[1:5]


async def main():
    client = rustac.ApiClient(root, headers={"Authorization": f"Bearer {token}"})
    items = await client.search(collections=[collection], limit=50)
    assert len(items) == int(count), f"{len(items)} items, expected {count}"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "items.parquet"
        await rustac.write(str(path), items)
        read = await rustac.read(str(path))
        kilobytes = path.stat().st_size / 1000
    assert sorted(item["id"] for item in read["features"]) == sorted(item["id"] for item in items)
    clouds = {item["id"]: item["properties"].get("eo:cloud_cover") for item in items}
    assert {item["id"]: item["properties"].get("eo:cloud_cover") for item in read["features"]} == clouds
    print(f"{len(items)} items, {kilobytes:.0f} KB of GeoParquet")


asyncio.run(main())
