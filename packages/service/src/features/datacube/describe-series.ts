import { sql } from "kysely";
import type { DescribedSeries } from "@swath/contract/features/datacube/areas-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../../platform/context.ts";

/**
 * Sets description and cadence of series; absent members stay.
 *
 * @throws {ServiceError} VALIDATION-ERROR for a series that the project does not have, and for one that is named twice
 */
export async function describeSeries(trx: Trx, project: string, series: readonly DescribedSeries[]): Promise<void> {
  if (series.length === 0) return;
  const known = new Set(await changeTexts(trx, project, series));
  const names = series.map(nameOf);
  const unknown = names.findIndex((name) => !known.has(name));
  if (unknown >= 0) refuse(unknown, `the project ${project} has no series ${names[unknown]}: write a datapoint first`);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) refuse(twice, `names ${names[twice]} again, expected each series once`);
}

/** @returns the names of the series that exist */
async function changeTexts(trx: Trx, project: string, series: readonly DescribedSeries[]): Promise<readonly string[]> {
  const { rows } = await sql<Pick<DescribedSeries, "algorithm" | "source">>`
    update datacube_series s set description = coalesce(n.description, s.description),
      cadence = coalesce(n.cadence, s.cadence)
    from unnest(${series.map(({ algorithm }) => algorithm)}::text[], ${series.map(({ source }) => source)}::text[],
      ${series.map(({ description }) => description ?? null)}::text[],
      ${series.map(({ cadence }) => cadence ?? null)}::text[]) as n (algorithm, source, description, cadence)
    where s.project = ${project} and s.algorithm = n.algorithm and s.source = n.source
    returning s.algorithm, s.source`.execute(trx);
  return rows.map(nameOf);
}

function nameOf({ algorithm, source }: Pick<DescribedSeries, "algorithm" | "source">): string {
  return `${algorithm} ${source}`;
}

function refuse(index: number, message: string): never {
  const path = `/series/${index}`;
  throw new ServiceError("VALIDATION-ERROR", `${path}: ${message}`, { details: [{ path, message }] });
}
