import type { Analysis, AnalysisFrame } from "@swath/contract/features/analyses/analysis";
import { formatInstant } from "@swath/kernel/time/instant";
import type { AnalysisDocument } from "./saved-document.ts";
import type { FrameOutcome } from "./frame-outcome.ts";
import type { FrameRow } from "./frame-store.ts";
import type { AnalysisRow } from "./store.ts";

/** An analysis as its reader sees it: without rights there are no people. */
export function shownAnalysis(row: AnalysisRow, frames: readonly FrameRow[], isDetailed: boolean): Analysis {
  const { editors, editorGroups, viewers, viewerGroups, watchdogs } = row;
  const people = {
    editors: [...editors],
    editorGroups: [...editorGroups],
    viewers: [...viewers],
    viewerGroups: [...viewerGroups],
    watchdogs: [...watchdogs],
  };
  return {
    id: row.id,
    createdOn: formatInstant(row.createdAt.getTime()),
    lastOpened: formatInstant(row.openedAt.getTime()),
    status: row.status,
    userId: row.ownerId,
    version: row.version,
    path: row.path,
    public: row.isPublic,
    ...(JSON.parse(row.document) as AnalysisDocument),
    ...(row.rights === "public" ? {} : people),
    analysisFrames: frames.map((frame) => shownFrame(frame, isDetailed)),
  };
}

function shownFrame({ id, onlyIngested, outcome, scene, sceneId }: FrameRow, isDetailed: boolean): AnalysisFrame {
  return {
    id,
    onlyIngested,
    scene: isDetailed ? { ...(JSON.parse(scene) as object), sceneId } : { sceneId },
    ...(JSON.parse(outcome) as FrameOutcome),
  };
}
