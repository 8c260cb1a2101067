import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ReleaseResult } from "@swath/contract/features/maps/release-contract";
import type { PipelineJob } from "../../../platform/context.ts";
import { geometryIdOf } from "../map-identity.ts";
import { partInside } from "../released-part.ts";
import { sceneGroups } from "../scene-groups.ts";
import * as store from "../store.ts";
import { fetchAhead, type FetchAheadDeps, type FetchedScene } from "./fetch-ahead.ts";
import { makeMap, type MakeMapDeps } from "./make-map.ts";
import type { ReleasePlan } from "./release-plan.ts";
import { partialResult } from "./partial-result.ts";
import { failedMap, releaseResult, type MapOutcome } from "./release-result.ts";

export type MakeMapsDeps = MakeMapDeps & FetchAheadDeps;

/** Makes all maps of a release: of single scenes as the pixels arrive, then of pairs and series. */
export async function makeMaps(deps: MakeMapsDeps, plan: ReleasePlan, job: PipelineJob): Promise<ReleaseResult> {
  const { typeIds, mapTypes, sceneIds, area } = plan;
  const geometryId = geometryIdOf(area);
  await job.report({ message: "Preparing analysis", step: 1 });
  await store.insertGeometry(deps.db, geometryId, area);
  const single = mapTypes.filter((mapType) => (mapType.analysis?.scenes.max ?? 1) === 1);
  const grouped = mapTypes.filter((mapType) => !single.includes(mapType));
  const outcomes: MapOutcome[] = [];
  const partial = partialResult((result: ReleaseResult) => job.savePartial(result), deps.clock);
  const save = (): Promise<void> => partial.save(() => releaseResult(typeIds, outcomes));
  const fetched: FetchedScene[] = [];
  for await (const { sceneId, found, refusal } of fetchAhead(deps, sceneIds, area, job)) {
    job.signal.throwIfAborted();
    if (found === null) {
      outcomes.push(...mapTypes.map((mapType) => failedMap(mapType, sceneId, refusal.code, refusal.message)));
    } else {
      fetched.push(found);
      const { stored, part } = found;
      await job.report({ message: "Analyzing", provider: stored.scene.provider, step: 5 });
      for (const mapType of single) {
        // Callers can look at the finished maps during an analysis.
        if (mapType.analysis !== undefined) await save();
        outcomes.push(await makeMap(deps, { mapType, scenes: [stored], part, geometryId }, job.signal));
      }
    }
    await save();
  }
  for (const mapType of fetched.length > 0 ? grouped : []) {
    outcomes.push(...(await makeGroupMaps(deps, mapType, fetched, geometryId, job.signal)));
  }
  await job.report({ message: "Finalizing analysis", step: 6 });
  return releaseResult(typeIds, outcomes);
}

/** Maps of pairs and series. One analysis takes all threads, so they follow each other. */
async function makeGroupMaps(
  deps: MakeMapsDeps,
  mapType: MapTypeDescriptor,
  fetched: readonly FetchedScene[],
  geometryId: string,
  signal: AbortSignal,
): Promise<readonly MapOutcome[]> {
  const { groups, refusals } = sceneGroups(
    mapType,
    fetched.map(({ stored, part }) => ({ scene: stored.scene, stored, part })),
  );
  const outcomes: MapOutcome[] = refusals.map(({ sceneId, error }) =>
    failedMap(mapType, sceneId, error.code, error.message),
  );
  for (const [first, ...others] of groups) {
    if (first === undefined) continue;
    const partners = others.map(({ scene }) => scene);
    const part = await partInside(deps.areas, first.part, partners, signal);
    const scenes = [first, ...others].map(({ stored }) => stored);
    outcomes.push(await makeMap(deps, { mapType, scenes, part, geometryId }, signal));
  }
  return outcomes;
}
