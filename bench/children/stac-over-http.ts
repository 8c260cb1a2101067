/**
 * Times item searches over HTTP, by turns with stac-fastapi-pgstac on the same PostgreSQL with equal rows; prints its rows.
 * Both sides answer equal items. The peer has no overlap ratio: its client reads pages and computes the ratio itself.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { RawClient } from "../../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../../e2e/service-process.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { drawSearch, type DrawnSearch, type SearchCase } from "../drawn-search.ts";
import type { DatasetName } from "../generated-scenes.ts";
import { StacFastapi, type StacItem } from "../peers/stac-fastapi.ts";
import { peerCollectionId } from "../peers/stac-items.ts";
import { median, printRatio, quantile, seededRandom } from "../statistics.ts";
import { filledDatabase, filledPeer } from "./filled-databases.ts";

const SCENES = Number(process.argv[2] ?? 100_000);
const SEED = 7;
const ROUNDS = 3;
const CLIENTS = 4;
const REQUESTS = 100;
const WARM_UP = 10;
const PAGE = 20;
const PEER_PAGE = 100;
const PEER_WORKERS = 2;

interface StacCase extends SearchCase {
  /** Least share of the area that a scene covers; null for scenes that only meet it. */
  readonly ratio: number | null;
}

const CASES: readonly StacCase[] = [
  { name: "10 km, one month, any overlap", sideKm: 10, days: 30, ratio: null },
  { name: "100 km, one year, any overlap", sideKm: 100, days: 365, ratio: null },
  { name: "10 km, all time, ratio 0.5", sideKm: 10, days: null, ratio: 0.5 },
  { name: "100 km, one year, ratio 0.8", sideKm: 100, days: 365, ratio: 0.8 },
  { name: "100 km, all time, ratio 0.8", sideKm: 100, days: null, ratio: 0.8 },
];

const ownCollectionId = ({ provider, dataset }: DatasetName): string => sceneIdPrefix(provider, dataset).slice(0, -1);

/** The identifiers of the first items of a search. */
type Ask = (search: DrawnSearch, ratio: number | null) => Promise<readonly string[]>;

interface Load {
  readonly perSecond: number;
  readonly timesMs: readonly number[];
}

const folder = await mkdtemp(join(tmpdir(), "swath-bench-stac-"));
try {
  const catalogue = join(folder, "catalogue.json");
  await writeFile(catalogue, JSON.stringify({ defaultSource: "store" }));
  await using ours = await filledDatabase(SCENES, SEED);
  await using theirs = await testDatabase();
  await using started = new AsyncDisposableStack();
  const service = started.use(await ServiceProcess.start({ DATABASE_URL: ours.url, SWATH_CATALOG: catalogue }));
  const sides = [askSwath(await new RawClient(service.baseUrl).login(DEMO))];
  const python = await filledPeer(theirs, SCENES, SEED);
  if (python !== null) sides.push(askPeer(started.use(await StacFastapi.start(python, theirs.url, PEER_WORKERS))));
  await measureAll(sides);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function askSwath(client: RawClient): Ask {
  return async (search, ratio) => {
    const filter = ratio === null ? null : { op: ">=", args: [{ property: "swath:overlap" }, ratio] };
    const body = {
      ...search.stac(ownCollectionId),
      ...(filter === null ? {} : { filter, "filter-lang": "cql2-json" }),
    };
    const answer = await client.post("/stac/search", body);
    if (answer.status !== 200) throw new Error(`Swath answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.features.map(({ id }: StacItem) => id);
  };
}

/** Pages are longer where the client selects from them, which saves the peer requests. */
function askPeer(peer: StacFastapi): Ask {
  return async (search, ratio) => {
    const body = search.stac(peerCollectionId);
    if (ratio === null) return (await peer.search(body)).map(({ id }) => id);
    const extent = prepareArea(multiPolygonOf(search.extent));
    const found: string[] = [];
    let next: { readonly href: string; readonly body?: unknown } | undefined = {
      href: `${peer.baseUrl}/search`,
      body: { ...body, limit: PEER_PAGE },
    };
    while (next !== undefined && found.length < PAGE) {
      const { features, links } = await peer.page(next.href, next.body);
      for (const { id, geometry } of features) {
        if (overlapsEnough(extent, prepareArea(multiPolygonOf(geometry)), { of: "extent", ratio })) found.push(id);
      }
      next = links.find(({ rel }) => rel === "next");
    }
    return found.slice(0, PAGE);
  };
}

function multiPolygonOf(geometry: MultiPolygon | Polygon): MultiPolygon {
  return geometry.type === "MultiPolygon" ? geometry : { type: "MultiPolygon", coordinates: [geometry.coordinates] };
}

async function measureAll(sides: readonly Ask[]): Promise<void> {
  const worst = { any: leastRatios(), ratio: leastRatios() };
  for (const one of CASES) {
    const found = await assertEqualItems(one, sides);
    const loads: Load[][] = sides.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      // By turns, so that other load of the machine meets all sides alike.
      for (const [side, ask] of sides.entries()) loads[side]?.push(await load(ask, one, round));
    }
    const figures = loads.map((rounds) => ({
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      p95Ms: quantile(
        rounds.flatMap(({ timesMs }) => timesMs),
        0.95,
      ),
    }));
    const [mine, peer] = figures.map(
      ({ perSecond, p95Ms }) => `${perSecond.toFixed(1)} searches/s, p95 ${p95Ms.toFixed(1)} ms`,
    );
    const peerText = peer === undefined ? "" : `; stac-fastapi-pgstac ${peer}`;
    process.stdout.write(`  ${one.name}, ${found.toFixed(1)} items: swath ${mine}${peerText}\n`);
    const [swath, other] = figures;
    if (swath === undefined || other === undefined) continue;
    const least = one.ratio === null ? worst.any : worst.ratio;
    least.throughput = Math.min(least.throughput, swath.perSecond / other.perSecond);
    least.p95 = Math.min(least.p95, other.p95Ms / swath.p95Ms);
  }
  if (sides.length < 2) return;
  printRatio("stac-any-overlap-p95", worst.any.p95, "stac-fastapi-pgstac");
  printRatio("stac-any-overlap", worst.any.throughput, "stac-fastapi-pgstac");
  printRatio("stac-p95", worst.ratio.p95, "stac-fastapi-pgstac");
  printRatio("stac", worst.ratio.throughput, "stac-fastapi-pgstac");
}

/** Of several searches, the least ratios of the peer to Swath. */
function leastRatios(): { throughput: number; p95: number } {
  return { throughput: Number.POSITIVE_INFINITY, p95: Number.POSITIVE_INFINITY };
}

/** @returns items of a search, on average. @throws {Error} when two sides differ */
async function assertEqualItems(one: StacCase, sides: readonly Ask[]): Promise<number> {
  const random = seededRandom(SEED);
  let items = 0;
  for (let query = 0; query < WARM_UP; query += 1) {
    const search = drawSearch(one, PAGE, random);
    const answers = await Promise.all(sides.map((ask) => ask(search, one.ratio)));
    for (const answer of answers) assert.deepEqual(answer, answers[0], "the sides found different items");
    items += answers[0]?.length ?? 0;
  }
  return items / WARM_UP;
}

async function load(ask: Ask, one: StacCase, round: number): Promise<Load> {
  const random = seededRandom(SEED + 1 + round);
  const searches = Array.from({ length: REQUESTS }, () => drawSearch(one, PAGE, random));
  const timesMs: number[] = [];
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    for (let search = searches.pop(); search !== undefined; search = searches.pop()) {
      const sentMs = performance.now();
      await ask(search, one.ratio);
      timesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { perSecond: (REQUESTS / (performance.now() - startedMs)) * 1000, timesMs };
}
