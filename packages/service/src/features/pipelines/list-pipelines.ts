import type { StaticDecode } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import type { pipelinesContract } from "@swath/contract/features/pipelines/contract";
import type { Db } from "../../platform/context.ts";
import { pageOf } from "../../platform/page-of.ts";
import { shownProgress, shownStatus } from "../../platform/queue/shown-status.ts";
import { selectPipelines, type ListedRow, type PipelinePlace } from "./list-store.ts";

type ListRequest = StaticDecode<typeof pipelinesContract.list.request>;
type ListAnswer = StaticDecode<typeof pipelinesContract.list.response>;
type Listed = ListAnswer["results"][number];

/** The pipelines of a user, newest first. @throws {ServiceError} INVALID-CURSOR */
export type PipelineList = (userId: string, request: ListRequest) => Promise<ListAnswer>;

const DEFAULT_LIMIT = 50;
const STATUSES: Readonly<Record<NonNullable<ListRequest["status"]>, readonly PipelineStatus[]>> = {
  PROCESSING: ["NEW", "PROCESSING"],
  RESOLVED: ["RESOLVED"],
  FAILED: ["FAILED", "CANCELLED"],
};
const ALL_STATUSES = Object.values(STATUSES).flat();
const CURSOR = /^(\d{1,17})\.([0-9A-Za-z]{20})$/;

export function createPipelineList(deps: { readonly db: Db; readonly retentionDays: number }): PipelineList {
  return async (userId, { status, includeQuick = false, cursor, limit = DEFAULT_LIMIT }) => {
    const rows = await selectPipelines(deps.db, {
      userId,
      lanes: includeQuick ? ["heavy", "quick"] : ["heavy"],
      statuses: status === undefined ? ALL_STATUSES : STATUSES[status],
      after: cursor === undefined ? null : decode(cursor),
      retentionDays: deps.retentionDays,
      limit: limit + 1,
    });
    return pageOf(rows, limit, listed, encode);
  };
}

function encode({ createdMicros, id }: PipelinePlace): string {
  return Buffer.from(`${createdMicros}.${id}`, "latin1").toString("base64url");
}

function decode(cursor: string): PipelinePlace {
  const [, createdMicros, id] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (createdMicros !== undefined && id !== undefined) return { createdMicros, id };
  throw new ServiceError("INVALID-CURSOR", "the cursor is none of this list; leave it out for the first page");
}

function listed(row: ListedRow): Listed {
  const { status, errorCode, errorMessage, finishedAt } = row;
  const cause = status === "CANCELLED" ? "PIPELINE-CANCELLED" : errorCode;
  return {
    pipelineId: row.id,
    operation: row.kind,
    status: shownStatus(row),
    progress: shownProgress(row),
    ...(row.attempt > 1 ? { attempt: row.attempt } : {}),
    created: row.createdAt.toISOString(),
    modified: row.modifiedAt.toISOString(),
    ...(finishedAt === null ? {} : { finished: finishedAt.toISOString() }),
    result: resultOf(row),
    ...(cause === null ? {} : { error: { code: cause, message: errorMessage ?? messageOf(status) } }),
  };
}

function messageOf(status: PipelineStatus): string {
  return status === "CANCELLED" ? "the pipeline was cancelled" : "the pipeline failed";
}

/** As `retrieve` answers it. */
function resultOf({ status, hasResult, hasPart }: ListedRow): Listed["result"] {
  if (status === "RESOLVED") return hasResult ? "available" : "none";
  if (status !== "CANCELLED" && hasPart) return "partial";
  return status === "NEW" || status === "PROCESSING" ? "pending" : "none";
}
