import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import { COAST_AREA } from "../main-job.ts";
import { compareWithReference, outcomeOf, type Charge } from "./journal.ts";
import { ingestWorks } from "./ingest-works.ts";
import type { Turn, Work } from "./work.ts";
import { NEAR_PRAGUE, SIMULATED_SEARCH } from "./world.ts";

/** Members that differ between equal requests: signed identifiers, addresses and times. */
const VARYING = ["mapId", "url", "urls", "expires", "size", "created", "modified"];
const LONGEST_LIFE_MS = 400;

/** The load: every kind of work that the service accepts and could lose. */
export const WORKS: readonly Work[] = [
  repeated("search", "/imagery/search", ({ world: { sceneId } }) => ({
    datasets: [{ provider: "local", dataset: "uploads" }],
    extent: COAST_AREA,
    sceneIds: [sceneId],
  })),
  repeated("catalogue search", "/imagery/search", () => SIMULATED_SEARCH),
  repeated("pairs", "/mapsvc/pairwise", ({ world }) => ({
    sceneIds: world.simulatedIds.slice(0, 2),
    extent: NEAR_PRAGUE,
    pairingType: "first",
  })),
  repeated("release", "/mapsvc/release", ({ world }) => ({
    mapTypes: ["imagery", "ndvi"],
    sceneIds: [world.sceneId],
    extent: COAST_AREA,
  })),
  repeated("export", "/mapsvc/export", ({ world: { mapId, zoom } }) => ({ mapId, gridFile: "geotiff", zoom })),
  repeated("image", "/imagery/get-image", ({ world: { sceneId } }) => ({
    sceneId,
    extent: COAST_AREA,
    resolution: 20,
  })),
  repeated("report", "/mapsvc/pdf-report", ({ world: { mapId } }) => ({ maps: [mapId], title: "Chaos" })),
  { name: "analysis", run: releaseAnalysis },
  { name: "fetch", run: fetchTiles },
  { name: "allocation", run: allocate },
  { name: "save", run: save },
  { name: "cancel", run: cancel },
  ...ingestWorks,
];

/** A pipeline whose result is the same each time. */
function repeated(name: string, path: string, requestOf: (turn: Turn) => unknown): Work {
  return {
    name,
    run: ({ client, ...turn }) =>
      client.during(name, async () => {
        const accepted = await client.initiate(name, path, requestOf({ client, ...turn }));
        compareWithReference(client.journal, name, outcomeOf(await client.outcome(accepted), VARYING));
      }),
  };
}

/** A box of 300 to 900 m inside the coast. */
function anyBox(random: () => number) {
  const [west, south] = [15.001 + random() * 0.012, 0.883 + random() * 0.012];
  const bounds = [west, south, west + 0.003 + random() * 0.006, south + 0.003 + random() * 0.006] as const;
  const [a, b, c, d] = bounds.map((degrees) => Math.round(degrees * 1e7) / 1e7);
  return boundsPolygon([a ?? 0, b ?? 0, c ?? 0, d ?? 0]);
}

/** Each area is another result: none is there already. */
async function releaseAnalysis({ client, random, world }: Turn): Promise<void> {
  await client.during("analysis", async () => {
    const request = { mapTypes: ["water", "segments"], sceneIds: [world.sceneId], extent: anyBox(random) };
    const accepted = await client.initiate("analysis", "/mapsvc/release", request);
    const { body, status } = await client.outcome(accepted);
    const types = body.maps?.map((map: { mapType: string; status: string }) => [map.mapType, map.status]);
    compareWithReference(client.journal, "analysis", JSON.stringify([status, types, body.failed, body.errorMessage]));
  });
}

/** Tiles of simulated scenes: most are fetched by an earlier turn already, some are not. */
async function fetchTiles({ client, random, world }: Turn): Promise<void> {
  await client.during("fetch", async () => {
    const index = Math.floor(random() * world.simulatedIds.length);
    const sceneId = world.simulatedIds[index];
    const accepted = await client.initiate("fetch", "/imagery/ingest", { sceneId, extent: NEAR_PRAGUE });
    const answer = await client.outcome(accepted);
    compareWithReference(client.journal, `fetch ${index}`, outcomeOf(answer, ["wasThere", "duplicate"]));
  });
}

async function allocate({ client, key, random, world }: Turn): Promise<void> {
  await client.during("allocation", async () => {
    const request = { sceneIds: [world.soldSceneId], geojson: anyBox(random), idempotencyKey: key };
    const charge: Charge = { request, cost: null };
    client.journal.charges.push(charge);
    const { body, status } = await client.post("/credits/area/allocate-geojson", request);
    assert.equal(status, 200, JSON.stringify(body));
    charge.cost = body.cost;
  });
}

async function save({ client, key, random }: Turn): Promise<void> {
  await client.during("save", async () => {
    const saved = await client.post("/geojson/geometry/save", anyBox(random));
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const read = await client.post("/geojson/geometry/get", { geometryId: saved.body.id });
    assert.deepEqual(read.body, saved.body);
    const properties = { collection: "chaos", key };
    const feature = { type: "Feature", geometry: anyBox(random), properties };
    const features = { type: "FeatureCollection", features: [feature] };
    const created = await client.post("/api/features/create", features);
    assert.equal(created.status, 200, JSON.stringify(created.body));
    // The same feature again, as after a lost answer, is the same row.
    const again = await client.post("/api/features/create", features);
    assert.deepEqual(again.body, created.body);
  });
}

/** A pipeline that its client cancels at any moment of its life ends as cancelled, or with its result. */
async function cancel({ client, random, world }: Turn): Promise<void> {
  await client.during("cancel", async () => {
    const request = { mapTypes: ["water"], sceneIds: [world.sceneId], extent: anyBox(random) };
    const accepted = await client.initiate("cancel", "/mapsvc/release", request);
    await sleep(random() * LONGEST_LIFE_MS);
    const cancelled = await client.post("/tasking/cancel", { pipelineId: accepted.pipelineId });
    const { body, status } = await client.outcome(accepted);
    const isExpected =
      cancelled.status === 200
        ? status === 424 && body.error === "PIPELINE-CANCELLED"
        : cancelled.status === 409 && status === 200;
    assert.ok(isExpected, `cancel answered ${cancelled.status}, then ${status} ${JSON.stringify(body).slice(0, 300)}`);
  });
}
