"""Searches of pystac-client against the STAC API: `python pystac_searches.py ROOT TOKEN COLLECTION`."""

import sys

from pystac_client import Client

root, token, collection = sys.argv[1:4]
client = Client.open(root, headers={"Authorization": f"Bearer {token}"})
assert collection in [one.id for one in client.get_collections()], "the collection is listed"

everything = client.search(collections=[collection], limit=7)
items = list(everything.items())
assert everything.matched() == len(items) > 7, f"{everything.matched()} matched, {len(items)} came by pages"
assert len({item.id for item in items}) == len(items), "no item comes twice"

cloudy = client.search(collections=[collection], filter="eo:cloud_cover >= 20", filter_lang="cql2-text")
clear = client.search(
    collections=[collection],
    filter={"op": "<", "args": [{"property": "eo:cloud_cover"}, 20]},
    filter_lang="cql2-json",
)
shares = {item.id: item.properties.get("eo:cloud_cover") for item in items}
assert {item.id for item in cloudy.items()} == {id for id, share in shares.items() if share is not None and share >= 20}
assert {item.id for item in clear.items()} == {id for id, share in shares.items() if share is not None and share < 20}

newest = list(client.search(collections=[collection], sortby="-properties.datetime", max_items=5).items())
moments = [item.datetime for item in newest]
assert moments == sorted(moments, reverse=True) and moments[0] == max(item.datetime for item in items)

west, south, east, north = items[0].bbox
held = client.search(collections=[collection], bbox=[west, south, east, north])
assert items[0].id in [item.id for item in held.items()]
away = client.search(collections=[collection], bbox=[-150.0, -40.0, -149.9, -39.9])
assert len(list(away.items())) == 0

print(f"pystac-client: {len(items)} items")
