import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Static } from "typebox";
import type { getAois as operation } from "@swath/contract/features/datacube/areas-contract";
import type { Caller } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { readAoiKeys, readAois } from "./aoi-read-store.ts";
import { mayReadAois, visibleProject } from "./project-rights.ts";
import { readableSeries } from "./readable-series.ts";
import { formatOptional } from "./request-instant.ts";
import { MAX_AOIS_OF_PROJECT } from "./save-aois.ts";
import { selectAois, type SelectAoisDeps } from "./select-aois.ts";

type Response = Static<typeof operation.response>;

const pages = numberCursor("aois:1:");
const DEFAULT_LIMIT = 100;

/** @throws {ServiceError} VALIDATION-ERROR for a faulty extent; INVALID-CURSOR */
export async function getAois(
  deps: SelectAoisDeps,
  caller: Caller,
  request: Static<typeof operation.request>,
  signal: AbortSignal,
): Promise<Response> {
  const { project, cursor, includeGeometry = false, limit = DEFAULT_LIMIT } = request;
  const after = cursor === undefined ? 0 : pages.decode(cursor);
  if (!(await mayList(deps, caller, project))) return { results: [], cursor: null };
  const everything = { project, aoiIds: null, tags: null, label: null, boxes: null };
  const selected =
    (await selectAois(deps, project, request, signal)) ?? (await readAoiKeys(deps.db, everything, MAX_AOIS_OF_PROJECT));
  const keys = selected.filter((key) => key > after);
  const rows = await readAois(deps.db, keys.slice(0, limit), includeGeometry);
  const last = rows.at(-1);
  return {
    results: rows.map(({ aoiId, name, areaKm2, longitude, latitude, countryCode, tags, geometryId, ...row }) => ({
      aoiId,
      name,
      project,
      areaKm2,
      centroid: [longitude, latitude],
      countryCode,
      tags: [...tags],
      validFrom: formatOptional(row.validFrom),
      validTo: formatOptional(row.validTo),
      ...(row.geometry === null ? {} : { geometryId, geometry: JSON.parse(row.geometry) as MultiPolygon }),
    })),
    cursor: keys.length > limit && last !== undefined ? pages.encode(last.aoiKey) : null,
  };
}

async function mayList({ db }: SelectAoisDeps, caller: Caller, project: string): Promise<boolean> {
  if ((await visibleProject(db, caller, project)) === null) return false;
  return mayReadAois(caller, project) || (await readableSeries(db, caller, [project])).length > 0;
}
