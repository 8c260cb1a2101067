import type { StatisticsResult } from "@swath/contract/features/maps/statistics-contract";
import type { Caller, Db, PipelineOutcome } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { appendDatapoints } from "../../datacube/append-datapoints.ts";
import { readAoiKeys } from "../../datacube/append-store.ts";
import { MAX_WRITTEN_DATAPOINTS, type NewDatapoint } from "../../datacube/datapoint.ts";
import { requireOwnProject } from "../../datacube/project-rights.ts";
import { refuse } from "./refuse.ts";

/** Areas times maps whose figures are kept: a transaction writes all of them. */
const MAX_KEPT_ROWS = 2000;

/**
 * Refuses figures that the datacube could not keep.
 *
 * @throws {ServiceError} DATA-NOT-AVAILABLE, NOT-AUTHORIZED as `requireOwnProject`; VALIDATION-ERROR
 */
export async function requireProject(
  db: Db,
  caller: Pick<Caller, "groupId" | "permissions">,
  project: string,
  { areaIds, maps }: { readonly areaIds: readonly string[]; readonly maps: number },
): Promise<void> {
  await requireOwnProject(db, caller, project);
  if (areaIds.length * maps > MAX_KEPT_ROWS) {
    const got = `${areaIds.length} areas by ${maps} maps`;
    refuse("/project", `would keep the figures of ${got}, expected at most ${MAX_KEPT_ROWS} rows`);
  }
  const unique = new Set(areaIds);
  if (unique.size < areaIds.length) refuse("/areas/features", "have an id twice, expected each once with project");
  const known = await inTransaction(db, (trx) => readAoiKeys(trx, project, areaIds));
  const unknown = areaIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) {
    refuse(`/areas/features/${unknown}`, `has the id ${areaIds[unknown]}, which is no area of the project ${project}`);
  }
}

/** The outcome with datapoints, written in the transaction that marks the statistics RESOLVED. */
export function withDatapoints(
  outcome: PipelineOutcome<StatisticsResult>,
  project: string,
  points: readonly NewDatapoint[],
): PipelineOutcome<StatisticsResult> {
  return {
    result: outcome.result,
    async commit(trx) {
      const settled = (await outcome.commit?.(trx)) ?? outcome.result;
      let [written, known] = [0, 0];
      for (let start = 0; start < points.length; start += MAX_WRITTEN_DATAPOINTS) {
        const answer = await appendDatapoints(trx, project, points.slice(start, start + MAX_WRITTEN_DATAPOINTS));
        written += answer.written;
        known += answer.known;
      }
      return { ...settled, datapoints: { written, known } };
    },
  };
}
