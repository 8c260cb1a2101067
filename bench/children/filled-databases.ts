import { sql } from "kysely";
import { createImageryService } from "../../packages/service/src/features/imagery/service.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import { testDatabase, type TestDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { datasetNames, generatedScenes, NOW_MS } from "../generated-scenes.ts";
import { pgstacPython } from "../peers/python.ts";
import { fillPgstac } from "../peers/stac-fastapi.ts";
import { stacCollection, stacItem } from "../peers/stac-items.ts";
import { seededRandom } from "../statistics.ts";

/** A database of the service with the scenes of a seed. */
export async function filledDatabase(scenes: number, seed: number): Promise<TestDatabase> {
  const database = await testDatabase();
  const service = createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: { now: () => new Date(NOW_MS) },
    thumbnails: { render: async () => new Uint8Array() },
  });
  await service.insertScenes(generatedScenes(scenes, seededRandom(seed)));
  await sql`vacuum analyze`.execute(database.db);
  return database;
}

/**
 * Fills a database of stac-fastapi-pgstac with the same scenes.
 *
 * @returns the Python that runs it; null, with the reason printed, where Python, its packages or PostGIS are missing
 */
export async function filledPeer({ db, url }: TestDatabase, scenes: number, seed: number): Promise<string | null> {
  const { rows } = await sql`select 1 from pg_available_extensions where name = 'postgis'`.execute(db);
  const python = rows.length === 0 ? null : pgstacPython();
  if (python === null) {
    const missing = rows.length === 0 ? "this PostgreSQL has no PostGIS" : "Python or its package index is missing";
    process.stdout.write(`  measured without stac-fastapi-pgstac: ${missing}\n`);
    return null;
  }
  await fillPgstac(python, url, {
    collections: datasetNames().map(stacCollection),
    items: itemsOf(scenes, seed),
  });
  await sql`vacuum analyze`.execute(db);
  return python;
}

/** One after the other: a million items are more than a process holds. */
function* itemsOf(scenes: number, seed: number): Generator {
  for (const record of generatedScenes(scenes, seededRandom(seed))) yield stacItem(record);
}
