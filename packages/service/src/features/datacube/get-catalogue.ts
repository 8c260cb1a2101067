import type { Static } from "typebox";
import type { getCatalogue as operation } from "@swath/contract/features/datacube/areas-contract";
import type { Caller, Db } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { visibleProject, visibleProjects } from "./project-rights.ts";
import { readableSeries } from "./readable-series.ts";
import { formatMoment, formatOptional, requestInstant } from "./request-instant.ts";
import { readVersions, type SeriesRow } from "./series-store.ts";

type Response = Static<typeof operation.response>;
type Entry = Response["results"][number];

const pages = numberCursor("series:1:");
const PAGE_SIZE = 1000;
const MAX_VERSIONS = 100;
/** Members of the answer that no algorithm takes: clients read `error` as failure. */
const RESERVED: ReadonlySet<string> = new Set(["cursor", "error", "errorMessage", "results", "warnings"]);

/** @throws {ServiceError} INVALID-CURSOR, VALIDATION-ERROR */
export async function getCatalogue(
  db: Db,
  caller: Caller,
  request: Static<typeof operation.request>,
): Promise<Response> {
  const after = request.cursor === undefined ? 0 : pages.decode(request.cursor);
  const updatedSince = requestInstant(request.updatedSince, "/updatedSince");
  const series = await readableSeries(db, caller, await projectsOf(db, caller, request.project));
  const wanted = series.filter(
    ({ seriesId, algorithm, source, lastFirstSeen }) =>
      seriesId > after &&
      (request.algorithm === undefined || algorithm === request.algorithm) &&
      (request.source === undefined || source === request.source) &&
      (updatedSince === null || (lastFirstSeen !== null && lastFirstSeen >= updatedSince)),
  );
  const page = wanted.slice(0, PAGE_SIZE);
  const ids = page.map(({ seriesId }) => seriesId);
  const versions = await readVersions(db, ids, MAX_VERSIONS);
  const results = page.map((row) => entryOf(row, versions.get(row.seriesId) ?? []));
  const byAlgorithm = Map.groupBy(results, ({ algorithm }) => algorithm);
  return {
    ...Object.fromEntries([...byAlgorithm].filter(([name]) => !RESERVED.has(name))),
    results,
    cursor: wanted.length > PAGE_SIZE ? pages.encode(ids.at(-1)!) : null,
  };
}

async function projectsOf(db: Db, caller: Caller, project: string | undefined): Promise<readonly string[]> {
  if (project === undefined) return await visibleProjects(db, caller);
  return (await visibleProject(db, caller, project)) === null ? [] : [project];
}

function entryOf(row: SeriesRow, versions: readonly string[]): Entry {
  const { project, algorithm, source, unit, description, cadence, aoiCount, datapointCount } = row;
  return {
    project,
    algorithm,
    source,
    versions: [...versions],
    latestVersion: versions[0] ?? null,
    unit,
    description,
    cadence,
    aoiCount,
    datapointCount,
    startDatetime: formatOptional(row.startAt),
    endDatetime: formatOptional(row.endAt),
    lastFirstSeen: row.lastFirstSeen === null ? null : formatMoment(row.lastFirstSeen),
  };
}
