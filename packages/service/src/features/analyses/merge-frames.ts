import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Scene } from "@swath/kernel/scenes/scene";
import { formatInstant } from "@swath/kernel/time/instant";
import type { PipelineJob, Trx } from "../../platform/context.ts";
import { newAnalysisId } from "./analysis-id.ts";
import { addedOutcome, EMPTY_OUTCOME, type FrameOutcome, type MadeMaps } from "./frame-outcome.ts";
import { framesBytes, readSceneFrames, writeFrames, type FrameChange } from "./frame-store.ts";

/** An answer with all frames stays this large. */
const MAX_FRAMES_BYTES = 8 * 1024 * 1024;

/** Frames to write. */
export interface FramesOfRun {
  readonly analysisId: string;
  readonly scenes: readonly Scene[];
  readonly made: MadeMaps;
  readonly pipelineId: PipelineJob["pipelineId"];
}

/**
 * Adds maps to the frames of the scenes in an analysis that the transaction has locked.
 *
 * @throws {ServiceError} CONFLICT when the frames take too much room
 */
export async function mergeFrames(
  { clock }: { readonly clock: Clock },
  trx: Trx,
  { analysisId, made, pipelineId, scenes }: FramesOfRun,
): Promise<readonly FrameChange[]> {
  const known = await readSceneFrames(
    trx,
    analysisId,
    scenes.map(({ sceneId }) => sceneId),
  );
  const meta = { pipelineId, madeOn: formatInstant(clock.now().getTime()) };
  const frames = scenes.map((scene): FrameChange => {
    const before = known.find(({ sceneId }) => sceneId === scene.sceneId);
    const earlier = before === undefined ? EMPTY_OUTCOME : (JSON.parse(before.outcome) as FrameOutcome);
    const outcome = addedOutcome(earlier, scene.sceneId, made, meta);
    const { dataset, datetime, provider, satellite } = scene;
    return {
      id: before?.id ?? newAnalysisId(),
      sceneId: scene.sceneId,
      scene: JSON.stringify({ dataset, datetime, provider, satellite }),
      onlyIngested: false,
      outcome: JSON.stringify(outcome),
      finished: outcome.finishedActions.length,
    };
  });
  await writeFrames(trx, analysisId, frames);
  await requireRoom(trx, analysisId);
  return frames;
}

/** @throws {ServiceError} CONFLICT when the frames take too much room */
export async function requireRoom(trx: Trx, analysisId: string): Promise<void> {
  const bytes = await framesBytes(trx, analysisId);
  if (bytes <= MAX_FRAMES_BYTES) return;
  const message = `the frames of the analysis take ${bytes} bytes, expected at most ${MAX_FRAMES_BYTES}: begin another`;
  throw new ServiceError("CONFLICT", message);
}
