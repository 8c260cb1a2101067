import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { exportDatapoints as operation } from "@swath/contract/features/datacube/points-contract";
import type { Caller, PipelineHandler, PipelineJob } from "../../platform/context.ts";
import type { DownloadBody, Downloads } from "../../platform/downloads/downloads.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import { openWorkSpool, type WorkSpool } from "../../platform/uploads/work-spool.ts";
import { CSV_HEADER, csvLines } from "./datapoints-csv.ts";
import { readPointCursor, type PointCursor } from "./point-cursor.ts";
import { readPage } from "./point-pages.ts";
import { planPoints, type PointsQuery } from "./points-query.ts";
import { visibleProjects } from "./project-rights.ts";
import { formatMoment } from "./request-instant.ts";
import type { SelectAoisDeps } from "./select-aois.ts";
import { selectionOf } from "./wild-filters.ts";

export interface ExportDatapointsDeps extends SelectAoisDeps {
  readonly downloads: Pick<Downloads, "keep">;
  /** Temporary folders of running exports. */
  readonly folders: WorkFolders;
}

type Request = Static<typeof operation.request>;
type Result = Static<typeof operation.result>;

const MAX_EXPORTED = 5_000_000;
/** In memory at once. */
const PAGE_SIZE = 2000;
const READ_BYTES = 1024 * 1024;

export function exportDatapoints(deps: ExportDatapointsDeps): PipelineHandler<Request, Result> {
  return {
    async prepare(request, { caller, signal }) {
      await plan(deps, caller, request, signal);
    },
    async run(request, job) {
      const query = await plan(deps, job.caller, request, job.signal);
      const folder = await deps.folders.create(job.pipelineId, job.attempt);
      try {
        using guard = deps.folders.guard(folder, job.signal);
        await using spool = await openWorkSpool(folder);
        const { sizeBytes, count } = await writeCsv(deps, query, spool, guard.signal);
        const body: DownloadBody = { sizeBytes, stream: () => bytesOf(spool, sizeBytes) };
        const file = { fileName: "datapoints.csv", mediaType: "text/csv", body };
        const { url: csvLink, size, expires } = await deps.downloads.keep(job, file);
        return { result: { csvLink, asOf: formatMoment(query.asOf), count, size, expires } };
      } finally {
        await deps.folders.remove(folder);
      }
    },
  };
}

async function plan(
  deps: ExportDatapointsDeps,
  caller: Caller,
  request: Request,
  signal: AbortSignal,
): Promise<PointsQuery> {
  const isNamed = request.project !== undefined || request.filters?.some(({ field }) => field === "project");
  const projects = isNamed === true ? [] : await visibleProjects(deps.db, caller);
  return await planPoints(deps, caller, selectionOf(request, projects), null, signal);
}

async function writeCsv(
  { db }: ExportDatapointsDeps,
  query: PointsQuery,
  spool: WorkSpool,
  signal: PipelineJob["signal"],
): Promise<{ readonly sizeBytes: number; readonly count: number }> {
  let [sizeBytes, count] = [0, 0];
  const append = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    await spool.append(bytes);
    sizeBytes += bytes.byteLength;
  };
  await append(CSV_HEADER);
  let after: PointCursor | null = null;
  do {
    const page = await readPage(db, query, { after, limit: PAGE_SIZE, withProvenance: false }, signal);
    count += page.results.length;
    if (count > MAX_EXPORTED) {
      throw new ServiceError(
        "VALIDATION-ERROR",
        `more than ${MAX_EXPORTED} datapoints: ask for fewer areas or less time`,
      );
    }
    await append(csvLines(page.results));
    after = page.cursor === null ? null : readPointCursor(page.cursor);
  } while (after !== null);
  return { sizeBytes, count };
}

async function* bytesOf(spool: WorkSpool, sizeBytes: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < sizeBytes; start += READ_BYTES) {
    const bytes = new Uint8Array(Math.min(READ_BYTES, sizeBytes - start));
    await spool.read(start, bytes);
    yield bytes;
  }
}
