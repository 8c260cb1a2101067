import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, type ServiceProcess } from "../e2e/service-process.ts";
import { largeGeotiff } from "./large-geotiff.ts";

/** A polygon of 24 corners inside the granule, so that every tile at its edge has alpha to draw. */
export const GRANULE_AREA = {
  type: "Polygon",
  coordinates: [
    Array.from({ length: 25 }, (_, corner) => {
      const angle = ((corner % 24) * Math.PI) / 12;
      return [15.75 + 0.42 * Math.cos(angle), 50.05 + 0.28 * Math.sin(angle)];
    }),
  ],
};

export interface UploadedGranule {
  readonly demo: RawClient;
  readonly sceneId: string;
}

/** Uploads the granule, ingests it and pays for its area. */
export async function uploadGranule(service: ServiceProcess): Promise<UploadedGranule> {
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const path = await largeGeotiff();
  const size = statSync(path).size;
  const upload = await demo.post("/imagery/ingest-scene/upload", {
    uploadSuffix: ".geotiff",
    size,
    filename: "granule",
  });
  const put = await fetch(upload.body.url, {
    method: "PUT",
    body: Readable.toWeb(createReadStream(path)),
    headers: { "Content-Type": "application/octet-stream", "Content-Length": String(size) },
    duplex: "half",
  });
  if (!put.ok) throw new Error(`upload: ${put.status} ${await put.text()}`);
  const bands = [
    { names: ["Blue", "blue", "b"], reflectanceMult: 0.0001 },
    { names: ["Green", "green", "g"], reflectanceMult: 0.0001 },
    { names: ["Red", "red", "r"], reflectanceMult: 0.0001 },
    { names: ["NIR", "near-ir"], reflectanceMult: 0.0001 },
  ];
  const startedMs = performance.now();
  const ingested = await demo.run("/imagery/ingest-scene", {
    provider: "local",
    filepath: upload.body.filepath,
    metadata: { bands },
  });
  if (ingested.status !== 200) throw new Error(JSON.stringify(ingested.body));
  process.stdout.write(`granule ingested by the service in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  const { sceneId } = ingested.body.ingestedScenes[0];
  const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: GRANULE_AREA });
  if (allocated.status !== 200) throw new Error(JSON.stringify(allocated.body));
  return { demo, sceneId };
}
