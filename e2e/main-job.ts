import assert from "node:assert/strict";
import { coastGeotiff } from "./make-geotiff.ts";
import type { RawClient } from "./raw-client.ts";

/** The area of `coastGeotiff`, a little inside its edges. */
export const COAST_AREA = {
  type: "Polygon",
  coordinates: [
    [
      [15.0005, 0.8823],
      [15.0225, 0.8823],
      [15.0225, 0.904],
      [15.0005, 0.904],
      [15.0005, 0.8823],
    ],
  ],
} as const;

/** Uploads the bytes and returns the `filepath` to ingest. */
export async function upload(
  client: RawClient,
  bytes: Uint8Array,
  suffix: ".geotiff" | ".zip" = ".geotiff",
  filename = "coast-1",
): Promise<string> {
  const { status, body } = await client.post("/imagery/ingest-scene/upload", {
    uploadSuffix: suffix,
    size: bytes.length,
    filename,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const response = await fetch(body.url, {
    method: "PUT",
    body: bytes,
    headers: { "Content-Type": "application/octet-stream" },
  });
  assert.ok(response.ok, `PUT answered ${response.status}: ${await response.text()}`);
  client.succeeded.add(`PUT ${new URL(body.url).pathname}`);
  return body.filepath;
}

/** @param bytes of the scene */
export async function ingestCoast(
  client: RawClient,
  bytes: Uint8Array = coastGeotiff(),
  filename?: string,
): Promise<string> {
  const filepath = await upload(client, bytes, ".geotiff", filename);
  const { status, body } = await client.post("/imagery/ingest-scene", { provider: "local", filepath });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.ingestedScenes.length, 1);
  return body.ingestedScenes[0].sceneId;
}
