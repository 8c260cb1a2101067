import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import type { ColumnType, Generated } from "kysely";

type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null | undefined, string | null>;

/** Row types of migrations 0002 and 0023. */
export interface PipelineTables {
  pipelines: {
    id: string;
    /** Path of the pipeline operation. */
    kind: string;
    status: PipelineStatus;
    request: Json;
    /** The caller as it was when the pipeline was accepted. */
    caller: Json;
    user_id: string;
    group_id: string;
    base_url: string;
    progress: NullableJson;
    partial: NullableJson;
    result: NullableJson;
    error_code: string | null;
    error_message: string | null;
    /** Raised by every claim; with `worker` it fences the writes of a worker that has lost the pipeline. */
    attempt: Generated<number>;
    /** Name of the lane. */
    lane: Generated<string>;
    /** Group and user whose turn in the lane it takes. */
    share: Generated<string>;
    /** Order within the lane. A caller's next pipeline is one turn later, less with a higher weight. */
    turn: Generated<number>;
    /** Deaths of processes that ran it among others. */
    deaths: Generated<number>;
    /** Runs that ended in an unexpected error, or with the death of the process that ran nothing else. */
    failures: Generated<number>;
    /** Who runs it now; null while it waits. */
    worker: string | null;
    /** When a worker may take it: at once, after a retry's pause, or when the lease of the running worker ends. */
    claimable_at: Generated<Date>;
    created_at: Generated<Date>;
    modified_at: Generated<Date>;
    finished_at: Date | null;
  };
}
