import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { areaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { centroid } from "@swath/kernel/geometry/centroid";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { AoiToSave, saveAois as operation } from "@swath/contract/features/datacube/areas-contract";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { countAois, upsertAoi, type AoiContent } from "./aoi-store.ts";
import { requireOwnProject } from "./project-rights.ts";
import { requestInstant } from "./request-instant.ts";

export interface SaveAoisDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly areas: Pick<Areas, "read">;
}

/** An extent is tested against each of them. */
export const MAX_AOIS_OF_PROJECT = 20_000;
const MAX_POSITIONS = 2000;

/** @throws {ServiceError} DATA-NOT-AVAILABLE, NOT-AUTHORIZED; VALIDATION-ERROR; CONFLICT for one area too many */
export async function saveAois(
  deps: SaveAoisDeps,
  caller: Caller,
  { project, aois }: Static<typeof operation.request>,
  signal: AbortSignal,
): Promise<Static<typeof operation.response>> {
  await requireOwnProject(deps.db, caller, project);
  const contents = new Map<string, AoiContent>();
  for (const [index, aoi] of aois.entries()) {
    contents.set(aoi.aoiId, await contentOf(deps, aoi, `/aois/${index}`, signal));
  }
  if (contents.size < aois.length) throw new ServiceError("VALIDATION-ERROR", "/aois names an area twice");
  // In the order of IDs: rivals with the same areas wait for each other instead of blocking.
  const ordered = [...contents.values()].toSorted((a, b) => (a.aoiId < b.aoiId ? -1 : 1));
  await inTransaction(deps.db, async (trx) => {
    for (const content of ordered) await upsertAoi(trx, project, content, deps.clock.now());
    if ((await countAois(trx, project)) > MAX_AOIS_OF_PROJECT) {
      throw new ServiceError("CONFLICT", `a project has at most ${MAX_AOIS_OF_PROJECT} areas`);
    }
  });
  return {
    results: aois.map(({ aoiId }) => {
      const { geometryId, areaKm2: km2 } = contents.get(aoiId)!;
      return { aoiId, geometryId, areaKm2: km2 };
    }),
  };
}

async function contentOf(
  { areas }: SaveAoisDeps,
  aoi: AoiToSave,
  path: string,
  signal: AbortSignal,
): Promise<AoiContent> {
  const rules = { path: `${path}/geometry`, maxLatitudeDeg: 90, sceneCount: 1, maxPositions: MAX_POSITIONS };
  const area = await areas.read(aoi.geometry, rules, signal);
  const geometry = JSON.stringify(area);
  const validFrom = requestInstant(aoi.validFrom, `${path}/validFrom`);
  const validTo = requestInstant(aoi.validTo, `${path}/validTo`);
  if (validFrom !== null && validTo !== null && validTo < validFrom) {
    throw new ServiceError("VALIDATION-ERROR", `${path}/validTo must not be before validFrom`);
  }
  return {
    aoiId: aoi.aoiId,
    name: aoi.name ?? aoi.aoiId,
    tags: aoi.tags ?? [],
    countryCode: aoi.countryCode ?? null,
    validFrom,
    validTo,
    geometryId: createHash("sha256").update(geometry).digest("base64url"),
    geometry,
    areaKm2: roundAreaKm2(areaKm2(area)),
    centroid: centroid(area),
    bounds: mbr(area),
  };
}
