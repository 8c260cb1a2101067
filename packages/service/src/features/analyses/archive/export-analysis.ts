import type { Static } from "typebox";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { writeZip } from "@swath/raster/archive/write-zip";
import type { Db, PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { spoolBody } from "../../../platform/uploads/spool-body.ts";
import { openWorkSpool } from "../../../platform/uploads/work-spool.ts";
import type { Downloads } from "../../../platform/downloads/downloads.ts";
import { readFrames } from "../frame-store.ts";
import { readableAnalysis } from "../readable-analysis.ts";
import { readerOf } from "../rights.ts";
import { archiveEntries, type ArchiveCounts, type ArchiveDeps } from "./archive-entries.ts";

type ExportRequest = Static<(typeof analysesContract)["exportAnalysis"]["request"]>;
type ExportResult = Static<(typeof analysesContract)["exportAnalysis"]["result"]>;

export interface ExportAnalysisDeps extends ArchiveDeps {
  readonly db: Db;
  readonly downloads: Pick<Downloads, "keep">;
  /** Temporary folders of running exports. */
  readonly folders: WorkFolders;
}

/** Makes a zip of an analysis on the disk, and keeps it for a day. */
export function createExportAnalysis(deps: ExportAnalysisDeps): PipelineHandler<ExportRequest, ExportResult> {
  return {
    async prepare({ analysisId }, { caller }) {
      await readableAnalysis(deps.db, analysisId, readerOf(caller));
    },
    run: async (request, job) => ({ result: await exportAnalysis(deps, request, job) }),
  };
}

async function exportAnalysis(
  deps: ExportAnalysisDeps,
  { analysisId }: ExportRequest,
  job: PipelineJob,
): Promise<ExportResult> {
  const row = await readableAnalysis(deps.db, analysisId, readerOf(job.caller));
  const frames = await readFrames(deps.db, [analysisId]);
  await job.report({ message: "Analyzing", step: 5 });
  const folder = await deps.folders.create(job.pipelineId, job.attempt);
  try {
    using guard = deps.folders.guard(folder, job.signal);
    await using spool = await openWorkSpool(folder);
    const counts: ArchiveCounts = { maps: 0, mapsWithoutFiles: 0 };
    await writeZip(archiveEntries(deps, row, frames, { ...job, signal: guard.signal }, counts), async (bytes) => {
      await spool.append(bytes);
    });
    await job.report({ message: "Finalizing analysis", step: 6 });
    const body = spoolBody(spool);
    const kept = await deps.downloads.keep(job, { fileName: "analysis.zip", mediaType: "application/zip", body });
    return { ...kept, ...counts };
  } finally {
    await deps.folders.remove(folder);
  }
}
