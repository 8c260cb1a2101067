import { statusesBefore, type PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql, type RawBuilder } from "kysely";

/**
 * The condition under which a pipeline moves to a status. Literals: the indexes of waiting pipelines name them, and the
 * function `claim_pipelines`.
 */
export function mayMoveTo(to: PipelineStatus): RawBuilder<boolean> {
  return sql`status in (${sql.join(statusesBefore(to).map((from) => sql.lit(from)))})`;
}
