import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from "hyparquet";
import { sql } from "kysely";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { systemClock } from "@swath/base/clock";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Caller } from "../../platform/context.ts";
import { createDownloads } from "../../platform/downloads/downloads.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { openWorkFolders } from "../../platform/uploads/work-folders.ts";
import { createDatacubeService } from "./service.ts";
import { fileOf } from "./testing.ts";

const NEVER = new AbortController().signal;
const AREAS = 1000;
const DAYS = 1000;
const BATCH = 5000;
/** Growth of the memory of the process while a million datapoints are read, made into files, or written. */
const MAX_GROWTH_BYTES = 400 * 2 ** 20;

const survey: Caller = {
  kind: "user",
  userId: "u-survey",
  groupId: "survey",
  email: "survey@example.org",
  permissions: new Set(["datacube"]),
};

function dayOf(day: number): string {
  return new Date(Date.UTC(2020, 0, 1 + day)).toISOString();
}

/** The largest growth of the memory of this process while something runs. */
async function growthBytes(run: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, process.memoryUsage.rss()) - before;
}

interface ParquetFigures {
  readonly rows: number;
  readonly areas: number;
  readonly sum: number;
  readonly least: number;
  /** Milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Figures of the file by the reader that comes with the packages; group by group. */
async function readByHyparquet(path: string): Promise<ParquetFigures> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const areas = new Set<string>();
  let [rows, sum, least, firstMs, lastMs] = [0, 0, Infinity, Infinity, -Infinity];
  const take = (row: unknown): void => {
    const [aoiId, start, value] = row as [string, Date, number];
    areas.add(aoiId);
    rows += 1;
    sum += value;
    least = Math.min(least, value);
    firstMs = Math.min(firstMs, start.getTime());
    lastMs = Math.max(lastMs, start.getTime());
  };
  const columns = ["aoiId", "startDatetime", "value"];
  const groupRows = Number(metadata.row_groups[0]?.num_rows);
  for (let rowStart = 0; rowStart < Number(metadata.num_rows); rowStart += groupRows) {
    const onComplete = (read: readonly unknown[]): void => read.forEach(take);
    await parquetRead({ file, metadata, columns, rowStart, rowEnd: rowStart + groupRows, onComplete });
  }
  return { rows, areas: areas.size, sum, least, firstMs, lastMs };
}

const PYARROW = `
import json, sys
from datetime import timezone
import pyarrow.compute as pc, pyarrow.parquet as pq
t = pq.read_table(sys.argv[1], columns=["aoiId", "startDatetime", "value"])
times = pc.min_max(t["startDatetime"]).as_py()
utc = lambda d: round((d if d.tzinfo else d.replace(tzinfo=timezone.utc)).timestamp() * 1000)
print(json.dumps({"rows": t.num_rows, "areas": len(pc.unique(t["aoiId"])), "sum": pc.sum(t["value"]).as_py(),
  "least": pc.min(t["value"]).as_py(), "firstMs": utc(times["min"]), "lastMs": utc(times["max"])}))
`;

/** The same by the reader of Apache Arrow; null where it is not installed. */
async function readByPyarrow(path: string): Promise<ParquetFigures | null> {
  const python = promisify(execFile);
  const isThere = await python("python3", ["-c", "import pyarrow.parquet"]).then(
    () => true,
    () => false,
  );
  return isThere ? JSON.parse((await python("python3", ["-c", PYARROW, path])).stdout) : null;
}

test("a million datapoints are written, read as of a moment, aggregated and exported in bounded memory", async (t) => {
  await using stack = new AsyncDisposableStack();
  const { db } = stack.use(await testDatabase());
  const folder = mkdtempSync(join(tmpdir(), "swath-million-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const clock = systemClock;
  const blobs = await openFsBlobStore(join(folder, "blobs"), clock);
  const downloads = createDownloads({ db, clock, blobs, signingKeys: () => [new Uint8Array(32).fill(7)] });
  const cube = createDatacubeService({
    db,
    clock,
    areas: stack.use(createAreas()),
    featureTests: stack.use(createFeatureTests()),
    folders: await openWorkFolders(join(folder, "work"), clock),
    downloads,
  });
  await sql`insert into groups (id, name, created_at, updated_at) values ('survey', 'survey', now(), now())`.execute(
    db,
  );
  const project = "million";
  await cube.saveProject(survey, { project }, NEVER);
  const ids = Array.from({ length: AREAS }, (_, n) => `area-${String(n).padStart(4, "0")}`);
  for (let start = 0; start < AREAS; start += 100) {
    const aois = ids.slice(start, start + 100).map((aoiId, n) => {
      const west = ((start + n) % 100) / 10;
      const south = Math.floor((start + n) / 100) / 10;
      return { aoiId, geometry: boundsPolygon([west, south, west + 0.05, south + 0.05]) };
    });
    await cube.saveAois(survey, { project, aois }, NEVER);
  }
  const timed = async (name: string, run: () => Promise<void>): Promise<void> => {
    const startedMs = performance.now();
    const growth = await growthBytes(run);
    t.diagnostic(
      `${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${(growth / 2 ** 20).toFixed(0)} MiB`,
    );
    assert.ok(growth < MAX_GROWTH_BYTES, `${name} took ${(growth / 2 ** 20).toFixed(0)} MiB`);
  };

  await timed("write", async () => {
    for (let day = 0; day < DAYS; day += BATCH / AREAS) {
      const datapoints = Array.from({ length: BATCH }, (_, n) => ({
        algorithm: "ndvi_mean",
        source: "S2",
        aoiId: ids[n % AREAS]!,
        startDatetime: dayOf(day + Math.floor(n / AREAS)),
        value: day + Math.floor(n / AREAS),
      }));
      const { written } = await cube.append(survey, { project, datapoints }, NEVER);
      assert.equal(written, BATCH);
    }
  });
  await sql`vacuum analyze`.execute(db);
  const { asOf } = await cube.getDatapoints(survey, { project, limit: 1 }, NEVER);
  const correction = { algorithm: "ndvi_mean", source: "S2", aoiId: ids[7]!, startDatetime: dayOf(3), version: "2" };
  await cube.append(survey, { project, datapoints: [{ ...correction, value: -1 }] }, NEVER);

  await timed("pages as of the first moment", async () => {
    let [count, sum, cursor] = [0, 0, null as string | null];
    do {
      const page = await cube.getDatapoints(
        survey,
        { project, asOf, limit: 10_000, ...(cursor === null ? {} : { cursor }) },
        NEVER,
      );
      count += page.results.length;
      for (const { value } of page.results) sum += value;
      ({ cursor } = page);
    } while (cursor !== null);
    assert.deepEqual([count, sum], [AREAS * DAYS, (AREAS * (DAYS - 1) * DAYS) / 2], "without the later correction");
  });
  await timed("means of months over all areas", async () => {
    const aggregate = { interval: "month", statistic: "mean", by: "all" } as const;
    const { results } = await cube.getDatapoints(survey, { project, asOf, aggregate }, NEVER);
    assert.equal(results.length, 33, "January 2020 to September 2022");
    assert.deepEqual([results[0]?.value, results[0]?.count], [15, 31 * AREAS]);
  });
  const parquet = join(folder, "datapoints.parquet");
  await timed("CSV and Parquet", async () => {
    const { result } = await cube.exportDatapoints.run(
      { project },
      {
        pipelineId: "million".padEnd(20, "0"),
        attempt: 1,
        failures: 0,
        caller: survey,
        baseUrl: "http://127.0.0.1",
        signal: NEVER,
        report: async () => {},
        savePartial: async () => {},
      },
    );
    assert.equal(result.count, AREAS * DAYS);
    t.diagnostic(`CSV ${(result.size / 1e6).toFixed(0)} MB, Parquet ${(result.parquetSize / 1e6).toFixed(0)} MB`);
    assert.ok(result.parquetSize < result.size, "columns take less than lines");
    await writeFile(parquet, await fileOf(downloads, result.parquetLink));
  });
  const expected: ParquetFigures = {
    rows: AREAS * DAYS,
    areas: AREAS,
    // The correction replaces the value 3 of an area by -1.
    sum: (AREAS * (DAYS - 1) * DAYS) / 2 - 4,
    least: -1,
    firstMs: Date.parse(dayOf(0)),
    lastMs: Date.parse(dayOf(DAYS - 1)),
  };
  await timed("Parquet read by hyparquet", async () => {
    assert.deepEqual(await readByHyparquet(parquet), expected);
  });
  await timed("Parquet read by pyarrow", async () => {
    const figures = await readByPyarrow(parquet);
    if (figures === null) t.diagnostic("pyarrow is not installed");
    else assert.deepEqual(figures, expected);
  });
});
