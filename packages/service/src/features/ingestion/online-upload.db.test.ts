import assert from "node:assert/strict";
import { test } from "node:test";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { boundTo, metres, NORTH_M, SIDE_M, sourceScene, testSource, WEST_M } from "./source-testing.ts";
import { ALICE, contextOf, ingestionBench } from "./testing.ts";

/** The built-in providers, of which `ab` also takes uploads of spot. */
const catalog = createCatalog(
  providers.map((provider) => ({
    ...provider,
    datasets: provider.datasets.map((one) => (one.dataset === "spot" ? { ...one, canBeIngested: true } : one)),
  })),
);

/** A GeoTIFF of 300 x 200 pixels of 10 m in a corner of the scene of the source. */
function geotiff(): Uint8Array {
  const chunks = writeGeoTiff(
    {
      widthPx: 300,
      heightPx: 200,
      resolutionM: 10,
      epsg: 32_633,
      originX: WEST_M,
      originY: NORTH_M,
      bandNames: ["Red"],
    },
    (row, bands) => {
      for (const band of bands) band.fill(100 + row);
    },
  );
  return new Uint8Array(Buffer.concat(chunks));
}

test("an upload to a dataset with a catalogue is found beside the scenes of its source", async () => {
  const listed = sourceScene("listed", "ab", "spot");
  await using bench = await ingestionBench({ catalog, sources: boundTo(testSource([listed])) });
  const filepath = await bench.upload(geotiff(), "delivery");
  const request = { provider: "ab", dataset: "spot", filepath, metadata: { datetime: "2024-07-01T10:00:00Z" } };
  const { ingestedScenes } = await bench.ingestion.ingestAndWait(request, contextOf(ALICE));
  const [ingested] = ingestedScenes;
  assert.ok(ingested !== undefined && ingested.sceneId.startsWith("ab.spot."));
  assert.ok((await bench.imagery.stored(ingested.sceneId)) !== null, "its pixels are in the store");

  const extent = metres(0, SIDE_M - 1000, 1000, SIDE_M);
  const { results } = await bench.imagery.search(
    { datasets: [{ provider: "ab", dataset: "spot" }], extent, minIntersection: 0 },
    new AbortController().signal,
  );
  assert.deepEqual(
    results.map(({ sceneId }) => sceneId),
    [ingested.sceneId, listed.sceneId],
  );
});
