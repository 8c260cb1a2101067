import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

interface SharedMap {
  readonly demo: RawClient;
  readonly anonymous: RawClient;
  readonly mapId: string;
}

/** Shares a map by a link, which a stranger opens, and revokes it. */
export async function linksJourney({ demo, anonymous, mapId }: SharedMap): Promise<void> {
  const request = { mapId, expiresInSeconds: 86_400, name: "for the harbour master" };
  const { status, body: link } = await demo.post("/mapsvc/link/create", request);
  assert.equal(status, 200, JSON.stringify(link));
  assert.equal(link.mapType, "ndvi");
  const listed = await demo.post("/mapsvc/link/list");
  assert.deepEqual(listed.body.results, [link]);
  const metadata = `/mapsvc/grid/${link.mapId}/-/metadata.json`;
  assert.equal((await anonymous.get(metadata)).status, 200);
  assert.equal((await demo.post("/mapsvc/link/revoke", { linkId: link.linkId })).status, 200);
  assert.equal((await anonymous.get(metadata)).status, 400);
  assert.equal((await demo.post("/mapsvc/link/revoke", { linkId: link.linkId })).status, 404);
}
