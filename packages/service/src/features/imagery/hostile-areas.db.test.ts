import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { imageryContract } from "@swath/contract/features/imagery/contract";
import type { GeoJson, LinearRing } from "@swath/kernel/geometry/geojson";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer, type HttpServer } from "../../http/server.ts";
import { testServer, type TestServer } from "../../http/testing.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
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

/** Time of a processor. Other tests on the machine can double it for one request. */
const MAX_CPU_MS = 100;
const REQUESTS = 3;
const POSITIONS = 9_000;
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

/** Spikes of 0.04° around a place in the scenes. */
function star(): LinearRing {
  const ring = Array.from({ length: POSITIONS - 1 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / (POSITIONS - 1);
    const radiusDeg = i % 2 === 0 ? 0.04 : 0.0008;
    return [14.05 + radiusDeg * Math.cos(angle), 50.05 + radiusDeg * Math.sin(angle)];
  });
  return [...ring, ring[0] ?? [0, 0]];
}

const search = (extent: GeoJson): string =>
  JSON.stringify({ datasets: [{ provider: "ab", dataset: "spot" }], extent, onlyIngested: true });

interface Asked {
  readonly status: number;
  readonly body: string;
  readonly cpuMs: number;
}

/** The status and the least time of the thread that answers, to the end of a search, among three requests. */
async function ask(payload: string): Promise<Asked> {
  const asked: Asked[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const earlier = process.threadCpuUsage();
    const answer = await server.app.inject({
      method: "POST",
      url: "/imagery/search/initiate",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload,
    });
    const { body, statusCode: status } = answer;
    if (status === 200) {
      const { pipelineId } = answer.json();
      assert.equal(await queue.waitFor(pipelineId, new AbortController().signal, 60_000), "RESOLVED");
    }
    const { system, user } = process.threadCpuUsage(earlier);
    asked.push({ status, body: body.slice(0, 300), cpuMs: (user + system) / 1_000 });
  }
  return asked.reduce((least, one) => (one.cpuMs < least.cpuMs ? one : least));
}

test("a search by a star of 9,000 positions costs the thread that answers little, refused or not", async () => {
  const accepted = search({ type: "Polygon", coordinates: [star()] });
  // Starts the threads and compiles what a request takes.
  await ask(accepted);
  const { body, cpuMs, status } = await ask(accepted);
  assert.equal(status, 200, body);
  assert.ok(cpuMs < MAX_CPU_MS, `${cpuMs.toFixed(1)} ms of the thread that answers`);

  const ring = star();
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
    const answer = await ask(search(extent));
    assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status} ${answer.body}`);
    assert.ok(
      answer.cpuMs < 2 * cpuMs + 5,
      `${name}: ${answer.cpuMs.toFixed(1)} ms refused, ${cpuMs.toFixed(1)} ms accepted`,
    );
  }
});
