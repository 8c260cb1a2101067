import assert from "node:assert/strict";
import { test } from "node:test";
import { sceneOfItem } from "../stac/item-scene.ts";
import { landsatItems, madeItem, sampleItems } from "../stac/testing/sample-items.ts";
import { keptSelection } from "./kept-selection.ts";

const CONFIG = { provider: "local", dataset: "uploads", collections: [] };

function items(): readonly Record<string, unknown>[] {
  const made = Array.from({ length: 3 }, (_, i) => madeItem(`LC08_L1TP_19802${i}_T1`, "2020-01-01T10:00:00Z", 5, 52));
  const [first] = made;
  assert.ok(first !== undefined);
  const changed = Object.entries(first["assets"] ?? {}).map(([key, asset]) => [key, { ...asset, nodata: 7, gsd: 20 }]);
  const harmonized = {
    ...first,
    properties: { ...first["properties"], platform: "sentinel-2a", "s2:processing_baseline": "05.00" },
  };
  const before = { ...harmonized, properties: { ...harmonized.properties, "s2:processing_baseline": "02.00" } };
  return [
    ...landsatItems(),
    ...(sampleItems("sentinel2_l2a_2019-01-01_items.json") ?? []),
    ...made,
    { ...first, assets: Object.fromEntries(changed) },
    harmonized,
    before,
    harmonized,
  ];
}

test("the scenes of items are those of a choice for each item", async () => {
  const select = keptSelection();
  for (const item of items()) {
    const [kept, plain] = [await sceneOfItem(item, CONFIG, select), await sceneOfItem(item, CONFIG)];
    if (typeof kept === "string" || typeof plain === "string") {
      assert.equal(kept, plain);
      continue;
    }
    assert.deepEqual(kept.scene, plain.scene, plain.itemId);
    const addresses = ({ selection }: typeof kept) => selection.files.map(({ asset }) => asset.href);
    assert.deepEqual(addresses(kept), addresses(plain), plain.itemId);
  }
});
