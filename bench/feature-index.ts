import { createHash } from "node:crypto";
import type { QueryNode } from "@swath/kernel/query/ast";
import { parseQuery } from "@swath/kernel/query/parse-query";
import { sql } from "kysely";
import { accessPaths, mergedRanges } from "../packages/service/src/features/feature-store/access-path.ts";
import type { FeatureRow } from "../packages/service/src/features/feature-store/feature-document.ts";
import { findFeatures, planQuery } from "../packages/service/src/features/feature-store/find-features.ts";
import { insertFeatures, insertValues } from "../packages/service/src/features/feature-store/store.ts";
import { documentEntries } from "../packages/service/src/features/feature-store/value-entry.ts";
import type { Db } from "../packages/service/src/platform/context.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { ginPage } from "./feature-index-gin.ts";
import { printRatio, quantile, seededRandom } from "./statistics.ts";
import { createFeatureTests } from "../packages/service/src/platform/geometry/feature-tests.ts";

const tests = createFeatureTests();

const FEATURES = 1_000_000;
const BATCH = 5000;
const PAGE = 100;
const QUERIES = 20;
const WARM_UP = 2;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);
const NAMES = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath"];

type Random = () => number;
type Page = readonly number[];

interface Layout {
  readonly name: string;
  readonly prepare: (db: Db) => Promise<unknown>;
  readonly insert: (db: Db, rows: readonly FeatureRow[]) => Promise<void>;
  readonly page: (db: Db, node: QueryNode) => Promise<Page>;
}

interface Measured {
  readonly perSecond: number;
  readonly sizes: string;
  readonly cases: readonly { readonly p50Ms: number; readonly p95Ms: number; readonly pages: readonly Page[] }[];
}

const LAYOUTS: readonly Layout[] = [
  {
    name: "B-tree of values",
    prepare: () => Promise.resolve(),
    insert: async (db, rows) => {
      await db.transaction().execute(async (trx) => {
        const inserted = await insertFeatures(trx, rows);
        const entries = inserted.flatMap((_, index) => rows[index]?.entries ?? []);
        const keys = inserted.flatMap(({ feature_key }, index) => (rows[index]?.entries ?? []).map(() => feature_key));
        await insertValues(trx, entries, keys);
      });
    },
    page: async (db, node) => {
      const options = { sort: [], after: null, wanted: PAGE, withGeometry: true };
      const keys: number[] = [];
      for await (const rows of findFeatures(
        { db, tests },
        await planQuery(db, node),
        options,
        new AbortController().signal,
      )) {
        keys.push(...rows.map(({ feature_key }) => feature_key));
      }
      return keys;
    },
  },
  {
    name: "GIN of documents",
    prepare: (db) => sql`create index features_document on features using gin (properties jsonb_path_ops)`.execute(db),
    insert: async (db, rows) => {
      await db.transaction().execute((trx) => insertFeatures(trx, rows));
    },
    page: async (db, node) => await ginPage(db, node, mergedRanges(accessPaths(node)), PAGE),
  },
];

function row(random: Random, index: number): FeatureRow {
  const lon = -179 + random() * 358;
  const lat = -80 + random() * 160;
  const half = 0.0005 * 100 ** random();
  const bbox = [lon - half, lat - half, lon + half, lat + half] as const;
  const [west, south, east, north] = bbox;
  const properties = {
    collection: `collection-${Math.floor(random() * 10)}`,
    name: `${NAMES[Math.floor(random() * NAMES.length)]}-${Math.floor(random() * 100_000)}`,
    class: NAMES[Math.floor(random() ** 2 * NAMES.length)],
    length: Math.round(random() * 1e6) / 1000,
    observed: new Date(START_MS + index * 30_000).toISOString(),
    checked: random() < 0.3,
    source: { sensor: `s${Math.floor(random() * 5)}`, score: random() },
    tags: [`t${Math.floor(random() * 1000)}`, `t${Math.floor(random() * 1000)}`],
  };
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    featureId: createHash("sha256").update(`${index}`).digest("base64url"),
    collection: properties.collection,
    properties: JSON.stringify(properties),
    geometry: JSON.stringify({ type: "Polygon", coordinates: [ring] }),
    bbox,
    entries: documentEntries(properties),
  };
}

const CASES: readonly (readonly [name: string, query: (random: Random) => Record<string, unknown>])[] = [
  ["equality, one in a million", (random) => ({ name: named(random) })],
  ["equality, one in three", () => ({ class: "amber" })],
  ["two equalities in a collection", (random) => ({ collection: collection(random), class: "heath", checked: true })],
  ["nested equality and another", (random) => ({ "source.sensor": "s3", name: named(random) })],
  ["range, 0.01 %", (random) => ({ length: range(random, 0.0001) })],
  ["range, 0.5 %", (random) => ({ length: range(random, 0.005) })],
  ["range, 3 %", (random) => ({ length: range(random, 0.03) })],
  ["a day of moments", (random) => ({ observed: moments(random) })],
  ["prefix, 0.1 %", (random) => ({ name: { $prefix: named(random).slice(0, -3) } })],
  ["member of an array, 0.2 %", (random) => ({ tags: { $contains: `t${Math.floor(random() * 1000)}` } })],
  ["box of 5 degrees", (random) => box(random, 5)],
  [
    "box of 20 degrees, range and collection",
    (random) => ({
      op: "and",
      args: [
        { op: "=", args: [{ property: "collection" }, collection(random)] },
        { op: "<", args: [{ property: "length" }, 100] },
        box(random, 20),
      ],
    }),
  ],
];

const collection = (random: Random) => `collection-${Math.floor(random() * 10)}`;
const named = (random: Random) =>
  `${NAMES[Math.floor(random() * NAMES.length)]}-${10_000 + Math.floor(random() * 90_000)}`;

function range(random: Random, share: number) {
  const low = random() * 1000 * (1 - share);
  return { $gte: low, $lt: low + 1000 * share };
}

function moments(random: Random) {
  const fromMs = START_MS + random() * (FEATURES * 30_000 - DAY_MS);
  return { $gte: new Date(fromMs).toISOString(), $lt: new Date(fromMs + DAY_MS).toISOString() };
}

function box(random: Random, sideDeg: number) {
  const west = -179 + random() * (358 - sideDeg);
  const south = -80 + random() * (160 - sideDeg);
  const bbox = [west, south, west + sideDeg, south + sideDeg];
  return { op: "s_intersects", args: [{ property: "geometry" }, { bbox }] };
}

async function measure(layout: Layout): Promise<Measured> {
  await using database = await testDatabase();
  const { db } = database;
  await layout.prepare(db);
  const random = seededRandom(11);
  let insertMs = 0;
  for (let from = 0; from < FEATURES; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => row(random, from + index));
    const startedMs = performance.now();
    await layout.insert(db, rows);
    insertMs += performance.now() - startedMs;
  }
  await sql`vacuum analyze`.execute(db);
  const cases = [];
  for (const [, query] of CASES) cases.push(await timed(layout, db, query));
  return { perSecond: (FEATURES / insertMs) * 1000, sizes: await sizesOf(db), cases };
}

async function timed(layout: Layout, db: Db, query: (random: Random) => Record<string, unknown>) {
  const random = seededRandom(5);
  const durationsMs: number[] = [];
  const pages: Page[] = [];
  for (let round = -WARM_UP; round < QUERIES; round += 1) {
    const node = parseQuery(query(random), "/query");
    const startedMs = performance.now();
    const page = await layout.page(db, node);
    if (round < 0) continue;
    durationsMs.push(performance.now() - startedMs);
    pages.push(page);
  }
  return { p50Ms: quantile(durationsMs, 0.5), p95Ms: quantile(durationsMs, 0.95), pages };
}

async function sizesOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname::text as name, pg_relation_size(oid)::float8 as bytes from pg_class
    where relname like 'feature%' and relkind in ('r', 'i') and pg_relation_size(oid) > 1000000 order by relname
  `.execute(db);
  return rows.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(0)} MB`).join(", ");
}

/** One B-tree of all scalars against a GIN index of the documents, the same queries with the same answers. */
export async function run(): Promise<void> {
  const measured: Measured[] = [];
  for (const layout of LAYOUTS) {
    const figures = await measure(layout);
    measured.push(figures);
    process.stdout.write(
      `${layout.name}: ${FEATURES} features, ${figures.perSecond.toFixed(0)} per second; ${figures.sizes}\n`,
    );
    for (const [index, { p50Ms, p95Ms, pages }] of figures.cases.entries()) {
      const found = pages.reduce((sum, page) => sum + page.length, 0) / pages.length;
      process.stdout.write(
        `  ${CASES[index]?.[0]}: p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${found.toFixed(1)} features\n`,
      );
    }
  }
  const [ours, peer] = measured;
  if (ours === undefined || peer === undefined) throw new Error("both layouts must be measured");
  const slowest = ({ cases }: Measured) => Math.max(...cases.map(({ p95Ms }) => p95Ms));
  for (const [index, [name]] of CASES.entries()) {
    const pages = [ours, peer].map(({ cases }) => JSON.stringify(cases[index]?.pages));
    if (pages[0] !== pages[1]) throw new Error(`both layouts must answer "${name}" alike`);
  }
  printRatio("feature-index", slowest(peer) / slowest(ours), "GIN jsonb_path_ops, slowest p95");
}
