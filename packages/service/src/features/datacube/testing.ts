import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import type { Downloads } from "../../platform/downloads/downloads.ts";
import type { Db, Trx } from "../../platform/context.ts";
import { upsertAoi } from "./aoi-store.ts";
import { appendDatapoints, type AppendedDatapoints } from "./append-datapoints.ts";
import type { NewDatapoint } from "./datapoint.ts";
import { insertProject } from "./project-store.ts";

const START = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The datapoint of a day of an area. */
export function datapoint(aoiId: string, day: number, value: number, more: Partial<NewDatapoint> = {}): NewDatapoint {
  const at = new Date(START + day * DAY_MS);
  return {
    algorithm: "ndvi_mean",
    source: "S2",
    aoiId,
    start: at,
    end: at,
    version: "v1",
    unit: "",
    value,
    ...more,
  };
}

export async function addProject(db: Db, project: string, aoiIds: readonly string[], groupId: string | null = null) {
  const at = new Date(START);
  await db.transaction().execute(async (trx) => {
    await insertProject(trx, { project, groupId, isShared: false, name: project, description: "" }, at);
    for (const [index, aoiId] of aoiIds.entries()) {
      const [west, south] = [index, 10];
      const ring = [[west, south], [west + 0.5, south], [west + 0.5, south + 0.5], [west, south + 0.5], [west, south]]; // prettier-ignore
      await upsertAoi(
        trx,
        project,
        {
          aoiId,
          name: aoiId,
          tags: [],
          countryCode: null,
          validFrom: null,
          validTo: null,
          geometryId: "g".repeat(43),
          geometry: JSON.stringify({ type: "MultiPolygon", coordinates: [[ring]] }),
          areaKm2: 3000,
          centroid: [west + 0.25, south + 0.25],
          bounds: [west, south, west + 0.5, south + 0.5],
        },
        at,
      );
    }
  });
}

export function append(db: Db, project: string, points: readonly NewDatapoint[]): Promise<AppendedDatapoints> {
  return db.transaction().execute((trx: Trx) => appendDatapoints(trx, project, points));
}

/** The file behind a signed address. */
export async function fileOf(downloads: Downloads, address: string): Promise<Buffer> {
  const { pathname, searchParams } = new URL(address);
  const [, , , pipelineId = "", fileName = ""] = pathname.split("/");
  const answer = await downloads.file({
    params: { pipelineId, fileName },
    query: { expires: Number(searchParams.get("expires")), signature: searchParams.get("signature") ?? "" },
    headers: {},
    body: null,
  });
  assert.ok(answer.body !== null && !(answer.body instanceof Uint8Array));
  return await buffer(answer.body);
}
