import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Answer } from "../raw-client.ts";
import { ADMIN } from "../service-process.ts";
import { asAdvised, follow, lastDays, PLACE, recordedClient } from "./recorded-client.ts";

/** Two loops of unequal size; the corners of a box in a wrong order. */
const CROSSING = {
  type: "Polygon",
  coordinates: [
    [
      [153.1, -27.43],
      [153.13, -27.4],
      [153.13, -27.42],
      [153.1, -27.4],
      [153.1, -27.43],
    ],
  ],
} as const;

const client = await recordedClient();
let sceneIds: readonly string[];

before(async () => {
  const search = { provider: "pl", dataset: "PSScene4Band", extent: PLACE, minIntersection: 1, ...lastDays(90) };
  const { result } = await follow(client, "/imagery/search", search, asAdvised);
  sceneIds = result.body.results.slice(0, 2).map(({ sceneId }: { sceneId: string }) => sceneId);
  assert.equal(sceneIds.length, 2);
});

function assertWarned({ status, body }: Answer, path: string, what: string): void {
  assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);
  const paths = body.warnings?.map((warning: { path: string }) => warning.path);
  assert.ok(paths?.includes(path), `${what}: ${JSON.stringify(body.warnings)}`);
}

test("an extent that crosses itself is repaired and warned of wherever an extent is taken", async () => {
  const [sceneId] = sceneIds;
  const extent = CROSSING;
  const requests: readonly (readonly [string, object, string?])[] = [
    ["/imagery/search/initiate", { provider: "pl", dataset: "PSScene4Band", extent, ...lastDays(35) }],
    ["/imagery/get-image/initiate", { sceneId, extent }],
    ["/imagery/ingest/initiate", { sceneId, extent }],
    [
      "/imagery/weather/precipitation",
      { geometry: extent, endDatetime: "2026-01-01T00:00:00Z", windowSizeHours: 1 },
      "/geometry",
    ],
    ["/credits/area/check-geojson", { sceneIds, geojson: extent }, "/geojson"],
    ["/credits/area/allocate-geojson", { sceneIds, geojson: extent }, "/geojson"],
    ["/mapsvc/dry-run/initiate", { dryRuns: [{ mapTypes: ["imagery"], scenes: [[sceneId]] }], extent }],
    ["/mapsvc/release/initiate", { mapTypes: ["imagery"], sceneIds, extent }],
    ["/mapsvc/release/initiate", { mapTypes: ["imagery"], sceneIds, extent, allocate: true }],
    ["/mapsvc/release/initiate", { mapType: "imagery", sceneIds, extent }],
    [
      "/mapsvc/release/initiate",
      { mapTypes: ["imagery"], sceneIds, extent: PLACE, subGeometry: extent },
      "/subGeometry",
    ],
    ["/mapsvc/release/imagery/geojson/initiate", { sceneId, extent }],
    ["/mapsvc/pairwise/initiate", { sceneIds, extent }],
    ["/mapsvc/nwise/initiate", { sceneIds, extent }],
  ];
  for (const [path, request, member = "/extent"] of requests) {
    const answer = await client.post(path, request);
    assertWarned(answer, member, path);
    if ("pipelineId" in answer.body) await client.post("/tasking/cancel", { pipelineId: answer.body.pipelineId });
    const plain = JSON.parse(JSON.stringify(request).replaceAll(JSON.stringify(CROSSING), JSON.stringify(PLACE)));
    const simple = await client.post(path, plain);
    assert.equal(simple.body.warnings, undefined, `${path}: a simple extent is not warned of`);
    if ("pipelineId" in simple.body) await client.post("/tasking/cancel", { pipelineId: simple.body.pipelineId });
  }
});

/** Area of a map of the first scene. */
async function km2Of(extent: object): Promise<number> {
  const dryRuns = [{ mapTypes: ["imagery"], scenes: [[sceneIds[0]]] }];
  const { result } = await follow(client, "/mapsvc/dry-run", { dryRuns, extent }, asAdvised);
  return result.body.mapsvcKm2;
}

test("a repaired extent means the area of its loops", async () => {
  // The edges cross at 0.6 of the width: triangles over 0.03 and 0.02 degrees, of a square of 0.03.
  const share = (0.5 * 0.03 * 0.6 + 0.5 * 0.02 * 0.4) / 0.03;
  assert.ok(Math.abs((await km2Of(CROSSING)) / (await km2Of(PLACE)) - share) < 0.001);
});

test("stored geometries and free areas that cross themselves are warned of too", async () => {
  assertWarned(await client.post("/geojson/geometry/save", CROSSING), "", "geometry/save");
  const feature = { type: "Feature", properties: { collection: "crossing" }, geometry: CROSSING };
  assertWarned(await client.post("/geojson/feature/save", feature), "/geometry", "feature/save");
  const collection = { type: "FeatureCollection", features: [feature] };
  assertWarned(await client.post("/api/features/create", collection), "/features/0/geometry", "features/create");
  const admin = await client.as(null).login(ADMIN);
  const rule = { creditsPerKm2: 0, dataset: "spot", provider: "ab", area: CROSSING };
  assertWarned(await admin.post("/credits/price-rules/create", rule), "/area", "price-rules/create");
});
