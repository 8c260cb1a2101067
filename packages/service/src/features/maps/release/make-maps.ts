import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { PipelineJob } from "../../../platform/context.ts";
import { geometryIdOf } from "../map-identity.ts";
import { partInside } from "../released-part.ts";
import { sceneGroups } from "../scene-groups.ts";
import * as store from "../store.ts";
import { fetchAhead, type FetchAheadDeps, type FetchedScene } from "./fetch-ahead.ts";
import { makeMap, type MakeMapDeps } from "./make-map.ts";
import type { ReleasePlan } from "./release-plan.ts";
import { failedMap, type MapOutcome } from "./release-result.ts";

export type MakeMapsDeps = MakeMapDeps & FetchAheadDeps;

/** The maps of a release and its failures. */
export interface MadeMaps {
  readonly outcomes: readonly MapOutcome[];
  /** Ids of the request of the scenes that each map was made of; failures are absent. */
  readonly scenesOf: ReadonlyMap<MapOutcome, readonly string[]>;
}

/** A fetched scene under the id of the request: pixels that were clipped have another one. */
interface RequestedScene extends FetchedScene {
  readonly requestedId: string;
}

class Making implements MadeMaps {
  readonly outcomes: MapOutcome[] = [];
  readonly scenesOf = new Map<MapOutcome, readonly string[]>();

  add(outcome: MapOutcome, scenes: readonly Pick<RequestedScene, "requestedId">[]): void {
    this.outcomes.push(outcome);
    if (outcome.status === "failed") return;
    this.scenesOf.set(
      outcome,
      scenes.map(({ requestedId }) => requestedId),
    );
  }
}

/**
 * Makes all maps of a release: of single scenes as the pixels arrive, then of pairs and series.
 *
 * @param note called with the outcomes so far whenever there are more of them
 */
export async function makeMaps(
  deps: MakeMapsDeps,
  plan: ReleasePlan,
  job: PipelineJob,
  note: (outcomes: readonly MapOutcome[]) => Promise<void>,
): Promise<MadeMaps> {
  const { mapTypes, sceneIds, area } = plan;
  const geometryId = geometryIdOf(area);
  await job.report({ message: "Preparing analysis", step: 1 });
  await store.insertGeometry(deps.db, geometryId, area);
  const single = mapTypes.filter((mapType) => (mapType.analysis?.scenes.max ?? 1) === 1);
  const grouped = mapTypes.filter((mapType) => !single.includes(mapType));
  const made = new Making();
  const fetched: RequestedScene[] = [];
  for await (const { sceneId, found, refusal } of fetchAhead(deps, sceneIds, area, job)) {
    job.signal.throwIfAborted();
    if (found === null) {
      for (const mapType of mapTypes) made.add(failedMap(mapType, sceneId, refusal.code, refusal.message), []);
    } else {
      const scene: RequestedScene = { ...found, requestedId: sceneId };
      fetched.push(scene);
      const { stored, part } = found;
      await job.report({ message: "Analyzing", provider: stored.scene.provider, step: 5 });
      for (const mapType of single) {
        // Callers can look at the finished maps during an analysis.
        if (mapType.analysis !== undefined) await note(made.outcomes);
        made.add(await makeMap(deps, { mapType, scenes: [stored], part, geometryId }, job.signal), [scene]);
      }
    }
    await note(made.outcomes);
  }
  for (const mapType of fetched.length > 0 ? grouped : []) {
    await makeGroupMaps(deps, mapType, fetched, { geometryId, signal: job.signal, made });
  }
  await job.report({ message: "Finalizing analysis", step: 6 });
  return made;
}

/** Maps of pairs and series. One analysis takes all threads, so they follow each other. */
async function makeGroupMaps(
  deps: MakeMapsDeps,
  mapType: MapTypeDescriptor,
  fetched: readonly RequestedScene[],
  { geometryId, signal, made }: { readonly geometryId: string; readonly signal: AbortSignal; readonly made: Making },
): Promise<void> {
  const { groups, refusals } = sceneGroups(
    mapType,
    fetched.map((one) => ({ ...one, scene: one.stored.scene })),
  );
  for (const { sceneId, error } of refusals) made.add(failedMap(mapType, sceneId, error.code, error.message), []);
  for (const group of groups) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    const partners = others.map(({ scene }) => scene);
    const part = await partInside(deps.areas, first.part, partners, signal);
    const scenes = group.map(({ stored }) => stored);
    made.add(await makeMap(deps, { mapType, scenes, part, geometryId }, signal), group);
  }
}
