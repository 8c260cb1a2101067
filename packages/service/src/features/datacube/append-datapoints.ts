import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../../platform/context.ts";
import * as store from "./append-store.ts";
import { requireWritable, type NewDatapoint } from "./datapoint.ts";

export interface AppendedDatapoints {
  readonly written: number;
  /** Datapoints that were there already with the same value. */
  readonly known: number;
}

/** A reader may ask for all of them at once. */
const MAX_SERIES_OF_PROJECT = 1000;

/**
 * Writes datapoints of areas that the project has, all or none. They become visible, with their `firstSeen`, when the
 * transaction commits. The right to write is the caller's to check.
 *
 * @throws {ServiceError} VALIDATION-ERROR for unknown areas and values that are no numbers; CONFLICT for another value,
 *   another unit or one series too many
 */
export async function appendDatapoints(
  trx: Trx,
  project: string,
  points: readonly NewDatapoint[],
): Promise<AppendedDatapoints> {
  requireWritable(points);
  if (points.length === 0) return { written: 0, known: 0 };
  const aoiKeys = await aoiKeysOf(trx, project, points);
  const seriesIds = await seriesIdsOf(trx, project, points);
  const rows = points.map((point) => ({
    ...point,
    seriesId: seriesIds.get(seriesName(point))!,
    aoiKey: aoiKeys.get(point.aoiId)!,
  }));
  // In the order of keys: rivals with the same keys wait for each other instead of blocking.
  rows.sort(byKey);
  const written = await store.insertPoints(trx, await store.insertBatch(trx), rows);
  if (written < rows.length) await requireSameValues(trx, rows);
  return { written, known: rows.length - written };
}

async function aoiKeysOf(
  trx: Trx,
  project: string,
  points: readonly NewDatapoint[],
): Promise<ReadonlyMap<string, number>> {
  const keys = await store.readAoiKeys(trx, project, [...new Set(points.map(({ aoiId }) => aoiId))]);
  const unknown = points.findIndex(({ aoiId }) => !keys.has(aoiId));
  if (unknown >= 0) {
    const path = `/datapoints/${unknown}/aoiId`;
    const message = `the project ${project} has no area ${points[unknown]?.aoiId ?? ""}`;
    throw new ServiceError("VALIDATION-ERROR", `${path}: ${message}`, { details: [{ path, message }] });
  }
  return keys;
}

async function seriesIdsOf(
  trx: Trx,
  project: string,
  points: readonly NewDatapoint[],
): Promise<ReadonlyMap<string, number>> {
  const named = new Map(points.map((point) => [seriesName(point), point]));
  const wanted = [...named.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, point]) => point);
  let known = byName(await store.readSeries(trx, project));
  if (wanted.some((point) => !known.has(seriesName(point)))) {
    await store.insertSeries(trx, project, wanted);
    known = byName(await store.readSeries(trx, project));
    if (known.size > MAX_SERIES_OF_PROJECT) {
      throw new ServiceError(
        "CONFLICT",
        `the project ${project} has ${MAX_SERIES_OF_PROJECT} series, which is the most`,
      );
    }
  }
  for (const point of points) {
    const { unit = "" } = known.get(seriesName(point)) ?? {};
    if (unit === point.unit) continue;
    const series = `${project} ${point.algorithm} ${point.source}`;
    throw new ServiceError("CONFLICT", `the series ${series} has the unit "${unit}", got "${point.unit}"`);
  }
  return new Map([...known].map(([name, { seriesId }]) => [name, seriesId]));
}

function seriesName({ algorithm, source }: Pick<NewDatapoint, "algorithm" | "source">): string {
  return `${algorithm} ${source}`;
}

function byName(series: readonly store.SeriesRow[]): ReadonlyMap<string, store.SeriesRow> {
  return new Map(series.map((row) => [seriesName(row), row]));
}

function byKey(a: store.PointRow, b: store.PointRow): number {
  return (
    a.seriesId - b.seriesId ||
    a.aoiKey - b.aoiKey ||
    a.start.getTime() - b.start.getTime() ||
    a.end.getTime() - b.end.getTime() ||
    (a.version < b.version ? -1 : Number(a.version > b.version))
  );
}

async function requireSameValues(trx: Trx, rows: readonly store.PointRow[]): Promise<void> {
  const other = await store.findOtherValue(trx, rows);
  if (other === null) return;
  const { algorithm, aoiId, version, start } = rows[other.index]!;
  const key = `${algorithm} of ${aoiId} from ${start.toISOString()} in version ${version}`;
  throw new ServiceError("CONFLICT", `${key} is ${other.value} already: write a later version to correct it`);
}
