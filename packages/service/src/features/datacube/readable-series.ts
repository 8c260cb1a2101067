import type { Caller, Db } from "../../platform/context.ts";
import { mayReadDatapoints } from "./project-rights.ts";
import { readSeriesOf, type SeriesRow } from "./series-store.ts";

/**
 * Series whose datapoints the caller may read, ascending. A series without visible datapoints does not exist.
 *
 * @param projects that exist for the caller
 */
export async function readableSeries(
  db: Db,
  caller: Pick<Caller, "groupId" | "permissions">,
  projects: readonly string[],
): Promise<readonly SeriesRow[]> {
  const rows = await readSeriesOf(db, projects);
  return rows.filter(
    ({ project, algorithm, datapointCount }) => datapointCount > 0 && mayReadDatapoints(caller, project, algorithm),
  );
}
