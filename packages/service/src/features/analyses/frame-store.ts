import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

export interface FrameRow {
  readonly analysisId: string;
  readonly id: string;
  readonly sceneId: string;
  readonly scene: string;
  readonly onlyIngested: boolean;
  readonly outcome: string;
}

/** A frame as it is written; one of a known scene keeps its ID and its place. */
export interface FrameChange {
  readonly id: string;
  readonly sceneId: string;
  readonly scene: string;
  readonly onlyIngested: boolean;
  readonly outcome: string;
  readonly finished: number;
}

export async function readFrames(db: Db, analysisIds: readonly string[]): Promise<readonly FrameRow[]> {
  const { rows } = await sql<FrameRow>`
    select analysis_id as "analysisId", id, scene_id as "sceneId", scene, only_ingested as "onlyIngested", outcome
    from analysis_frames where analysis_id = any(${[...analysisIds]}::text[])
    order by analysis_id, position`.execute(db);
  return rows;
}

/** Frames of scenes of an analysis. */
export async function readSceneFrames(
  trx: Trx,
  analysisId: string,
  sceneIds: readonly string[],
): Promise<readonly Pick<FrameRow, "id" | "outcome" | "sceneId">[]> {
  const { rows } = await sql<Pick<FrameRow, "id" | "outcome" | "sceneId">>`
    select id, scene_id as "sceneId", outcome
    from analysis_frames where analysis_id = ${analysisId} and scene_id = any(${[...sceneIds]}::text[])`.execute(trx);
  return rows;
}

/** Bytes of the frames of an analysis. */
export async function framesBytes(trx: Trx, analysisId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(outcome)), 0)::float8 as bytes
    from analysis_frames where analysis_id = ${analysisId}`.execute(trx);
  return rows[0]?.bytes ?? 0;
}

/** Writes frames of an analysis that the transaction has locked. */
export async function writeFrames(trx: Trx, analysisId: string, frames: readonly FrameChange[]): Promise<void> {
  const json = JSON.stringify(frames);
  await sql`
    insert into analysis_frames (id, analysis_id, position, scene_id, scene, only_ingested, outcome, finished)
    select f->>'id', ${analysisId},
      n + coalesce((select max(position) from analysis_frames where analysis_id = ${analysisId}), 0),
      f->>'sceneId', f->>'scene', (f->>'onlyIngested')::boolean, f->>'outcome', (f->>'finished')::integer
    from json_array_elements(${json}::json) with ordinality as e (f, n)
    on conflict (analysis_id, scene_id) do update set outcome = excluded.outcome, finished = excluded.finished`.execute(
    trx,
  );
}

/** Notes the pipeline that adds maps to an analysis. */
export async function insertRun(trx: Trx, pipelineId: string, analysisId: string): Promise<void> {
  await trx.insertInto("analysis_runs").values({ pipeline_id: pipelineId, analysis_id: analysisId }).execute();
}
