import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import type { Caller } from "../../platform/context.ts";
import { MAX_CHART_POINTS } from "./point-lines.ts";
import { readPage } from "./point-pages.ts";
import { planPoints, type ManyProjects } from "./points-query.ts";
import type { SelectAoisDeps } from "./select-aois.ts";

/**
 * The datapoints of a chart, of series that the caller may read; one more than a chart holds when there are more.
 *
 * @throws {ServiceError} VALIDATION-ERROR as `planPoints`
 */
export async function readChartPoints(
  deps: SelectAoisDeps,
  caller: Pick<Caller, "groupId" | "permissions">,
  selection: ManyProjects,
  signal: AbortSignal,
): Promise<readonly Datapoint[]> {
  const query = await planPoints(deps, caller, selection, null, signal);
  const options = { after: null, limit: MAX_CHART_POINTS + 1, withProvenance: false };
  return (await readPage(deps.db, query, options, signal)).results;
}
