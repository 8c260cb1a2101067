import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { exportDatapoints as operation } from "@swath/contract/features/datacube/points-contract";
import type { Caller, PipelineHandler, PipelineJob } from "../../platform/context.ts";
import type { Downloads } from "../../platform/downloads/downloads.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import { spoolBody } from "../../platform/uploads/spool-body.ts";
import { openWorkSpool, type WorkSpool } from "../../platform/uploads/work-spool.ts";
import { CSV_HEADER, csvLines } from "./datapoints-csv.ts";
import { parquetSpool } from "./datapoints-parquet.ts";
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
        await using csv = await openWorkSpool(folder, "csv");
        await using parquet = await openWorkSpool(folder, "parquet");
        const count = await writeFiles(deps, query, { csv, parquet }, guard.signal);
        const {
          url: csvLink,
          size,
          expires,
        } = await deps.downloads.keep(job, {
          fileName: "datapoints.csv",
          mediaType: "text/csv",
          body: spoolBody(csv),
        });
        const { url: parquetLink, size: parquetSize } = await deps.downloads.keep(job, {
          fileName: "datapoints.parquet",
          mediaType: "application/vnd.apache.parquet",
          body: spoolBody(parquet),
        });
        const asOf = formatMoment(query.asOf);
        return { result: { csvLink, parquetLink, asOf, count, size, parquetSize, expires } };
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

/** Page by page, each read once for both files. @returns the number of datapoints */
async function writeFiles(
  { db }: ExportDatapointsDeps,
  query: PointsQuery,
  { csv, parquet }: Readonly<Record<"csv" | "parquet", WorkSpool>>,
  signal: PipelineJob["signal"],
): Promise<number> {
  let count = 0;
  const table = parquetSpool((bytes) => parquet.append(bytes));
  await csv.append(Buffer.from(CSV_HEADER));
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
    await csv.append(Buffer.from(csvLines(page.results)));
    await table.add(page.results);
    after = page.cursor === null ? null : readPointCursor(page.cursor);
  } while (after !== null);
  await table.finish();
  return count;
}
