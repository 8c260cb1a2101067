import assert from "node:assert/strict";
import { type RawClient, readJson } from "./raw-client.ts";

interface MosaicWorld {
  readonly demo: RawClient;
  readonly anonymous: RawClient;
  /** A scene with pixels whose area is paid. */
  readonly sceneId: string;
  readonly area: object;
}

/** Finds the scenes of a mosaic with their price, makes it, and reads it as files, an export and WMTS. */
export async function mosaicJourney({ demo, anonymous, sceneId, area }: MosaicWorld): Promise<void> {
  const [provider, dataset] = sceneId.split(".");
  const choice = { mapType: "ndvi", rule: "median", extent: area };
  const search = { datasets: [{ provider, dataset }], maxCloudCover: 0.9, limit: 10 };
  const price = await demo.run("/mapsvc/mosaic-dry-run", { ...choice, ...search });
  assert.equal(price.status, 200, JSON.stringify(price.body));
  assert.ok(price.body.sceneIds.includes(sceneId), JSON.stringify(price.body));

  const request = { ...choice, rule: "least-cloudy", sceneIds: price.body.sceneIds, allocate: true };
  const made = await demo.run("/mapsvc/mosaic", { ...request, expectedCost: price.body.allocatedCredits });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { mapId, tiles } = made.body;
  const metadata = await readJson(await anonymous.get(`/mapsvc/grid/${mapId}/-/metadata.json`));
  assert.equal(metadata.mosaic.rule, "least-cloudy");
  const seamlines: readonly { readonly properties: { readonly sceneId: string } }[] =
    metadata.mosaic.seamlines.features;
  const shown = new Set(seamlines.map(({ properties }) => properties.sceneId));
  assert.ok(shown.has(sceneId), JSON.stringify(metadata.mosaic.scenes));
  assert.match(await (await anonymous.get(`/mapsvc/map/${mapId}/wmts.xml`)).text(), /<Layer>/);

  const exported = await demo.run("/mapsvc/export", { mapId, gridFile: "geotiff", zoom: tiles[0][0] });
  assert.equal(exported.status, 200, JSON.stringify(exported.body));
  const cog = Buffer.from(await (await anonymous.get(exported.body.url)).arrayBuffer());
  assert.equal(cog.subarray(0, 4).toString("hex"), "49492a00");
  const again = await demo.run("/mapsvc/reproduce", { mapId });
  assert.equal(again.body.outcome, "equal", JSON.stringify(again.body));
}
