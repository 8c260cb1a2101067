import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { imageryContract } from "@swath/contract/features/imagery/contract";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer, type HttpServer } from "../../http/server.ts";
import { testServer, type TestServer } from "../../http/testing.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { leastCpuMs, MAX_CPU_MS, star } from "../../platform/geometry/hostile-areas-testing.ts";
import { createPipelineService, type PipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { testWorkers } from "../../worker/testing.ts";
import { testScene } from "../credits/testing.ts";
import { imageryPermissions } from "./content-permissions.ts";
import { imageryHandlers } from "./handlers.ts";
import { createImageryService } from "./service.ts";

/** A star of 9,000 positions. */
const VERTICES = 8_999;
const SCENES = 20;

const contract = { imagery: imageryContract };
let stack: AsyncDisposableStack;
let world: TestServer;
let server: HttpServer;
let queue: PipelineService;
let token: string;

before(async () => {
  stack = new AsyncDisposableStack();
  world = stack.use(await testServer());
  const { db, url } = world.database;
  const signals = stack.use(openPipelineSignals(url, silentLog));
  queue = createPipelineService({ db, signals, retentionDays: 30 });
  const areas = stack.use(createAreas());
  const service = createImageryService({
    areas,
    db,
    clock: systemClock,
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
  });
  const scenes = Array.from({ length: SCENES }, (_, n) => testScene(`scene ${n}`));
  await service.insertScenes(scenes.map(({ scene, raster }) => ({ scene, raster, contentHash: null })));
  const handlers = { imagery: imageryHandlers(service) };
  const workers = testWorkers({ db, signals, queue, contract, handlers, concurrency: 2 });
  stack.defer(() => workers.stop());
  server = await createHttpServer({
    storage: ampleStorage(),
    contract,
    handlers,
    permissions: { imagery: imageryPermissions(createCatalog(providers)) },
    db,
    identity: world.identity,
    pipelines: workers.gate,
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock: systemClock,
    log: silentLog,
  });
  stack.defer(() => server.close());
  ({ token } = await world.addUser("star@example.org", ["imagery", "store.ingested"]));
});
after(() => stack.disposeAsync());

const search = (extent: GeoJson): string =>
  JSON.stringify({ datasets: [{ provider: "ab", dataset: "spot" }], extent, onlyIngested: true });

/** The least time of the thread that answers, ms, to the end of a search whose status is as expected. */
async function timed(name: string, payload: string, isExpected: (status: number) => boolean): Promise<number> {
  return await leastCpuMs(async () => {
    const answer = await server.app.inject({
      method: "POST",
      url: "/imagery/search/initiate",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload,
    });
    assert.ok(isExpected(answer.statusCode), `${name}: ${answer.statusCode} ${answer.body.slice(0, 300)}`);
    if (answer.statusCode !== 200) return;
    const { pipelineId } = answer.json();
    assert.equal(await queue.waitFor(pipelineId, new AbortController().signal, 60_000), "RESOLVED");
  });
}

test("a search by a star of 9,000 positions costs the thread that answers little, refused or not", async () => {
  const ring = star(VERTICES);
  const accepted = search({ type: "Polygon", coordinates: [ring] });
  // Starts the threads and compiles what a request takes.
  await timed("accepted", accepted, (status) => status === 200);
  const acceptedMs = await timed("accepted", accepted, (status) => status === 200);
  assert.ok(acceptedMs < MAX_CPU_MS, `${acceptedMs.toFixed(1)} ms of the thread that answers`);

  const refused: Readonly<Record<string, GeoJson>> = {
    "a position beyond the pole": {
      type: "Polygon",
      coordinates: [[...ring.slice(0, -2), [14, 91], ring[0] ?? [0, 0]]],
    },
    "a ring that is not closed": { type: "Polygon", coordinates: [[...ring.slice(0, -1), [14, 50]]] },
    "a star as large as a continent": {
      type: "Polygon",
      coordinates: [ring.map(([lon, lat]) => [(lon - 14) * 500, lat])],
    },
    "a line": { type: "LineString", coordinates: ring },
  };
  for (const [name, extent] of Object.entries(refused)) {
    const refusedMs = await timed(name, search(extent), (status) => status >= 400 && status < 500);
    const times = `${refusedMs.toFixed(1)} ms refused, ${acceptedMs.toFixed(1)} ms accepted`;
    assert.ok(refusedMs < 2 * acceptedMs + 5, `${name}: ${times}`);
  }
});
