import type { PointsSelection } from "@swath/contract/features/datacube/points-contract";
import type { Caller } from "../../platform/context.ts";
import { datacubeNow } from "./datacube-now.ts";
import type { Aggregation, PointsCondition } from "./points-store.ts";
import { visibleProject } from "./project-rights.ts";
import { readableSeries } from "./readable-series.ts";
import { requestInstant } from "./request-instant.ts";
import { selectAois, type AoiSelection, type SelectAoisDeps } from "./select-aois.ts";
import type { SeriesRow } from "./series-store.ts";

/** A series and the datapoints of it that are asked for. */
interface SeriesPart {
  readonly series: SeriesRow;
  readonly condition: PointsCondition;
}

/** Datapoints that are asked for, as of one moment, with the rights of the caller. */
export interface PointsQuery {
  readonly asOf: Date;
  /** Ascending by series. */
  readonly parts: readonly SeriesPart[];
  readonly aggregate: Aggregation | null;
}

/** The selection of projects instead of one. */
export type ManyProjects = Omit<PointsSelection, "project"> & {
  readonly projects: readonly string[];
  readonly versions?: readonly string[] | undefined;
  readonly label?: string | undefined;
};

/**
 * The moment that an answer is exact for: of the first page, of the request, or now.
 *
 * @param asked later moments than now are now: the answer would not stay the same
 */
export async function exactMoment({ db }: Pick<SelectAoisDeps, "db">, asked: Date | null): Promise<Date> {
  const now = await datacubeNow(db);
  return asked !== null && asked < now ? asked : now;
}

/** @throws {ServiceError} VALIDATION-ERROR for moments that do not exist and faulty extents */
export async function planPoints(
  deps: SelectAoisDeps,
  caller: Pick<Caller, "groupId" | "permissions">,
  selection: ManyProjects,
  firstPageAsOf: Date | null,
  signal: AbortSignal,
): Promise<PointsQuery> {
  const shared = {
    from: requestInstant(selection.startDatetime, "/startDatetime"),
    to: requestInstant(selection.endDatetime, "/endDatetime"),
    version: versionsOf(selection),
    asOf: await exactMoment(deps, firstPageAsOf ?? requestInstant(selection.asOf, "/asOf")),
    seenFrom: requestInstant(selection.firstSeenFrom, "/firstSeenFrom"),
    seenTo: requestInstant(selection.firstSeenTo, "/firstSeenTo"),
  };
  const parts: SeriesPart[] = [];
  for (const project of selection.projects) {
    const seriesOfProject = await wantedSeries(deps, caller, selection, project);
    if (seriesOfProject.length === 0) continue;
    const aoiKeys = await selectAois(deps, project, aoisOf(selection), signal);
    if (aoiKeys?.length === 0) continue;
    for (const series of seriesOfProject) {
      parts.push({ series, condition: { ...shared, seriesId: series.seriesId, aoiKeys } });
    }
  }
  parts.sort((a, b) => a.series.seriesId - b.series.seriesId);
  return { asOf: shared.asOf, parts, aggregate: selection.aggregate ?? null };
}

function versionsOf({ version = "latest", versions }: ManyProjects): PointsCondition["version"] {
  if (versions !== undefined) return versions;
  return version === "latest" || version === "all" ? version : [version];
}

function aoisOf({ aoiIds, extent, label }: ManyProjects): AoiSelection {
  return { aoiIds, extent, label };
}

async function wantedSeries(
  { db }: Pick<SelectAoisDeps, "db">,
  caller: Pick<Caller, "groupId" | "permissions">,
  { algorithms, sources }: ManyProjects,
  project: string,
): Promise<readonly SeriesRow[]> {
  if ((await visibleProject(db, caller, project)) === null) return [];
  const series = await readableSeries(db, caller, [project]);
  return series.filter(
    ({ algorithm, source }) =>
      (algorithms === undefined || algorithms.includes(algorithm)) &&
      (sources === undefined || sources.includes(source)),
  );
}
