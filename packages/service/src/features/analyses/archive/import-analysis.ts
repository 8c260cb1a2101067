import type { Static } from "typebox";
import type { Clock } from "@swath/base/clock";
import type { ArchiveDocument } from "@swath/contract/features/analyses/archive-document";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler, PipelineJob, PipelineOutcome } from "../../../platform/context.ts";
import type { ImageryService } from "../../imagery/service.ts";
import type { IngestionService } from "../../ingestion/service.ts";
import type { MapsService } from "../../maps/service.ts";
import { newAnalysisId } from "../analysis-id.ts";
import { boundOutcome, type BindMap } from "../bound-maps.ts";
import type { FrameOutcome } from "../frame-outcome.ts";
import { writeFrames, type FrameChange } from "../frame-store.ts";
import { insertNew } from "../insert-new.ts";
import { requireRoom } from "../merge-frames.ts";
import { savedDocument } from "../saved-document.ts";
import { readArchive } from "./read-archive.ts";

type ImportRequest = Static<(typeof analysesContract)["importAnalysis"]["request"]>;
type ImportResult = Static<(typeof analysesContract)["importAnalysis"]["result"]>;

export interface ImportAnalysisDeps {
  readonly clock: Clock;
  readonly imagery: Pick<ImageryService, "seenBy">;
  readonly ingestion: Pick<IngestionService, "admitUpload" | "markUploadUsed" | "withUpload">;
  readonly maps: Pick<MapsService, "bindMap">;
}

/** Makes an analysis of an exported one. It exists when its upload is used. */
export function createImportAnalysis(deps: ImportAnalysisDeps): PipelineHandler<ImportRequest, ImportResult> {
  return {
    async admit({ filepath }, { caller }, trx) {
      await deps.ingestion.admitUpload(trx, filepath, caller);
      return undefined;
    },
    run: ({ filepath }, job) =>
      deps.ingestion.withUpload(filepath, job, async (path, signal) => {
        const archive = await readArchive(path, signal);
        return await imported(deps, archive, { filepath, job, signal });
      }),
  };
}

interface ImportRun {
  readonly filepath: string;
  readonly job: PipelineJob;
  readonly signal: AbortSignal;
}

async function imported(
  deps: ImportAnalysisDeps,
  { analysis, frames: archived }: ArchiveDocument,
  { filepath, job, signal }: ImportRun,
): Promise<PipelineOutcome<ImportResult>> {
  const { caller } = job;
  const document = await savedDocument(null, analysis, signal);
  const analysisId = newAnalysisId();
  const binding = countingBind(deps.maps.bindMap);
  const frames: FrameChange[] = [];
  for (const frame of archived) {
    signal.throwIfAborted();
    frames.push(await importedFrame(binding.bind, frame, analysisId));
  }
  const sceneIds = frames.map(({ sceneId }) => sceneId);
  const unknownScenes = [...(await deps.imagery.seenBy(caller).unknown(sceneIds, signal))];
  const result = { analysisId, version: 1, unknownScenes, unknownMaps: binding.unknown() };
  return {
    result,
    commit: async (trx) => {
      const { path = "" } = analysis;
      await insertNew(trx, caller, { id: analysisId, path, isPublic: false, document, at: deps.clock.now() });
      await writeFrames(trx, analysisId, frames);
      await requireRoom(trx, analysisId);
      await deps.ingestion.markUploadUsed(trx, filepath);
    },
  };
}

async function importedFrame(
  bind: BindMap,
  { onlyIngested, scene: { sceneId, ...scene }, ...made }: ArchiveDocument["frames"][number],
  analysisId: string,
): Promise<FrameChange> {
  const outcome: FrameOutcome = await boundOutcome(bind, made, analysisId);
  const finishedActions = Object.keys(outcome.results);
  return {
    id: newAnalysisId(),
    sceneId,
    scene: JSON.stringify(scene),
    onlyIngested,
    outcome: JSON.stringify({ ...outcome, finishedActions }),
    finished: finishedActions.length,
  };
}

/** Counts the IDs that another service has signed. */
function countingBind(bind: BindMap): { readonly bind: BindMap; unknown(this: void): number } {
  let unknown = 0;
  return {
    async bind(signedMapId, analysisId) {
      try {
        return await bind(signedMapId, analysisId);
      } catch (error) {
        if (error instanceof ServiceError && error.code === "INVALID-MAP-ID") unknown += 1;
        throw error;
      }
    },
    unknown: () => unknown,
  };
}
