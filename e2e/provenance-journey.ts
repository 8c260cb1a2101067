import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

interface WatchedMaps {
  readonly demo: RawClient;
  readonly anonymous: RawClient;
  readonly sceneId: string;
  readonly area: object;
  readonly maps: readonly { readonly mapId: string; readonly mapType: string }[];
}

/** Animates a scene, reads the records of maps and computes the maps again. */
export async function watchMaps({ demo, anonymous, sceneId, area, maps }: WatchedMaps): Promise<void> {
  const request = { mapType: "ndvi", sceneIds: [sceneId], extent: area, longestSidePx: 64 };
  for (const [format, start] of [
    ["gif", "474946383961"],
    ["webp", "52494646"],
  ] as const) {
    const { status, body } = await demo.run("/mapsvc/timelapse", { ...request, format });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.frames.length, body.frames[0].sceneIds], [1, [sceneId]]);
    const file = await anonymous.get(body.url);
    assert.equal(file.headers.get("content-type"), `image/${format}`);
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.equal(bytes.subarray(0, start.length / 2).toString("hex"), start);
  }
  assert.equal((await demo.post("/mapsvc/timelapse/initiate", { ...request, extent: undefined })).status, 422);
  for (const { mapId, mapType } of maps) {
    const { status, body: record } = await anonymous.post("/mapsvc/provenance/get", { mapId });
    assert.equal(status, 200, JSON.stringify(record));
    assert.equal(record.scenes[0].sceneId, sceneId);
    for (const hash of [record.scenes[0].contentHash, record.pixels.sha256]) assert.match(hash, /^[0-9a-f]{64}$/);
    const { body } = await demo.run("/mapsvc/reproduce", { mapId });
    assert.deepEqual([body.outcome, body.sha256], ["equal", body.expectedSha256], mapType);
  }
}
