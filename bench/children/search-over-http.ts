/**
 * Times searches over HTTP, by turns with stac-fastapi-pgstac on the same PostgreSQL with equal rows; prints its rows.
 * The Swath client follows the original protocol with `waitSeconds`: initiate, get-status, retrieve.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawClient } from "../../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../../e2e/service-process.ts";
import { testProxy } from "../../packages/service/src/platform/postgres/testing-proxy.ts";
import { testDatabase, type TestDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { drawSearch, type DrawnSearch, type SearchCase } from "../drawn-search.ts";
import { StacFastapi } from "../peers/stac-fastapi.ts";
import { peerCollectionId } from "../peers/stac-items.ts";
import { filledDatabase, filledPeer } from "./filled-databases.ts";
import { median, printRatio, quantile, seededRandom } from "../statistics.ts";

const SCENES = Number(process.argv[2] ?? 100_000);
const QUERIES = 200;
/** A service that has just started compiles its code while it answers its first hundreds of searches. */
const WARM_UP = 200;
const COUNTED = 10;
const PAGE = 100;
const SEED = 7;
const CASES: readonly SearchCase[] = [
  { name: "10 km, one month", sideKm: 10, days: 30 },
  { name: "100 km, one year", sideKm: 100, days: 365 },
  { name: "100 km, all time", sideKm: 100, days: null },
];

/** The identifiers of the first page of a search. */
type Ask = (search: DrawnSearch) => Promise<readonly string[]>;

interface Side extends AsyncDisposable {
  readonly ask: Ask;
}

/** A way of starting a side on a database address: the address itself, or one that counts statements. */
interface Contender {
  readonly name: string;
  readonly databaseUrl: string;
  readonly start: (databaseUrl: string, settings?: Readonly<Record<string, string>>) => Promise<Side>;
  /** Settings that leave out the statements of schedules, which no search sends. */
  readonly countedSettings?: Readonly<Record<string, string>>;
}

const folder = await mkdtemp(join(tmpdir(), "swath-bench-search-"));
try {
  const catalogue = join(folder, "catalogue.json");
  await writeFile(catalogue, JSON.stringify({ defaultSource: "store" }));
  await using ours = await filledDatabase(SCENES, SEED);
  await using theirs = await testDatabase();
  const contenders = [swath(ours.url, catalogue)];
  const peer = await stacFastapi(theirs);
  if (peer !== null) contenders.push(peer);
  await measureAll(contenders);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function swath(databaseUrl: string, catalogue: string): Contender {
  return {
    name: "swath",
    databaseUrl,
    countedSettings: { SWATH_ROLES: "api" },
    start: async (url, settings = {}) => {
      const service = await ServiceProcess.start({ DATABASE_URL: url, SWATH_CATALOG: catalogue, ...settings });
      const demo = await new RawClient(service.baseUrl).login(DEMO);
      return {
        ask: async (search) => {
          const { status, body } = await demo.run("/imagery/search", search.swath);
          if (status !== 200) throw new Error(`the search answered ${status}: ${JSON.stringify(body)}`);
          return body.results.map(({ sceneId }: { readonly sceneId: string }) => sceneId);
        },
        [Symbol.asyncDispose]: async () => await service[Symbol.asyncDispose](),
      };
    },
  };
}

async function stacFastapi(database: TestDatabase): Promise<Contender | null> {
  const python = await filledPeer(database, SCENES, SEED);
  if (python === null) return null;
  return {
    name: "stac-fastapi-pgstac",
    databaseUrl: database.url,
    start: async (databaseUrl) => {
      const peer = await StacFastapi.start(python, databaseUrl);
      return {
        ask: async ({ stac }) => (await peer.search(stac(peerCollectionId))).map(({ id }) => id),
        [Symbol.asyncDispose]: async () => await peer[Symbol.asyncDispose](),
      };
    },
  };
}

async function measureAll(contenders: readonly Contender[]): Promise<void> {
  const statements: (readonly number[])[] = [];
  for (const one of contenders) statements.push(await countedStatements(one));
  await using started = new AsyncDisposableStack();
  const asks: Ask[] = [];
  for (const { databaseUrl, start } of contenders) asks.push(started.use(await start(databaseUrl)).ask);
  const worst = { p50Ms: 0, ratio: Number.POSITIVE_INFINITY };
  for (const [index, one] of CASES.entries()) {
    const { timesMs, scenes } = await timed(one, asks);
    const columns = contenders.map(({ name }, side) => {
      const times = timesMs[side] ?? [];
      const [p50, p99] = [median(times).toFixed(1), quantile(times, 0.99).toFixed(1)];
      return `${name} p50 ${p50} ms, p99 ${p99} ms, ${statements[side]?.[index] ?? Number.NaN} statements`;
    });
    process.stdout.write(`  ${one.name}, ${scenes.toFixed(1)} scenes: ${columns.join("; ")}\n`);
    const [mine = [], peer] = timesMs;
    worst.p50Ms = Math.max(worst.p50Ms, median(mine));
    if (peer !== undefined) worst.ratio = Math.min(worst.ratio, median(peer) / median(mine));
  }
  const most = Math.max(...(statements[0] ?? []));
  process.stdout.write(`search-http p50 ${worst.p50Ms.toFixed(1)} ms, ${most} statements\n`);
  if (contenders.length > 1) printRatio("search-http", worst.ratio, "stac-fastapi-pgstac");
}

/** SQL statements of one search, by case: the median of a few. */
async function countedStatements({ databaseUrl, start, countedSettings = {} }: Contender): Promise<readonly number[]> {
  await using counter = await testProxy(databaseUrl);
  await using side = await start(counter.url, countedSettings);
  const random = seededRandom(SEED);
  const counts: number[] = [];
  for (const one of CASES) {
    const ofCase: number[] = [];
    for (let query = 0; query < COUNTED; query++) {
      const before = counter.statements;
      await side.ask(drawSearch(one, PAGE, random));
      ofCase.push(counter.statements - before);
    }
    counts.push(median(ofCase));
  }
  return counts;
}

/** By turns, so that other load of the machine meets all sides alike. @throws {Error} when two pages differ */
async function timed(
  one: SearchCase,
  asks: readonly Ask[],
): Promise<{ readonly timesMs: readonly (readonly number[])[]; readonly scenes: number }> {
  const random = seededRandom(SEED);
  const timesMs: readonly number[][] = asks.map(() => []);
  let scenes = 0;
  for (let query = -WARM_UP; query < QUERIES; query++) {
    const search = drawSearch(one, PAGE, random);
    const pages: (readonly string[])[] = [];
    for (const [side, ask] of asks.entries()) {
      const startedMs = performance.now();
      pages.push(await ask(search));
      if (query >= 0) timesMs[side]?.push(performance.now() - startedMs);
    }
    for (const page of pages) assert.deepEqual(page, pages[0], "the sides found different scenes");
    if (query >= 0) scenes += pages[0]?.length ?? 0;
  }
  return { timesMs, scenes: scenes / QUERIES };
}
