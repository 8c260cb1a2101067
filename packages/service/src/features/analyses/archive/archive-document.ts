import type { ArchiveDocument } from "@swath/contract/features/analyses/archive-document";
import type { FrameOutcome } from "../frame-outcome.ts";
import type { FrameRow } from "../frame-store.ts";
import type { AnalysisDocument } from "../saved-document.ts";
import type { AnalysisRow } from "../store.ts";

/** Name of the document within an archive. */
export const DOCUMENT_FILE = "analysis.json";

/** An analysis without the people and IDs of this installation. */
export function archiveDocument(
  { document, path }: Pick<AnalysisRow, "document" | "path">,
  frames: readonly FrameRow[],
): ArchiveDocument {
  return {
    format: "swath-analysis",
    version: 1,
    analysis: { path, ...(JSON.parse(document) as AnalysisDocument) },
    frames: frames.map(({ onlyIngested, outcome, scene, sceneId }) => {
      const { actionMeta, ...made } = JSON.parse(outcome) as FrameOutcome;
      return {
        scene: { sceneId, ...(JSON.parse(scene) as object) },
        onlyIngested,
        ...made,
        actionMeta: actionMeta as ArchiveDocument["frames"][number]["actionMeta"],
      } as ArchiveDocument["frames"][number];
    }),
  };
}
