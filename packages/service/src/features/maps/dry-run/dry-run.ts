import type { Scene } from "@swath/kernel/scenes/scene";
import type { MapTypes } from "@swath/maps/registry";
import { NOTHING_TO_PAY, type DryRunRequest, type DryRunResult } from "@swath/contract/features/maps/dry-run-contract";
import type { PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { CreditsService, SceneQuote } from "../../credits/service.ts";
import { catalogueScenes } from "../catalogue-scenes.ts";
import type { SceneLookup, SeenScenes } from "../scene-lookup.ts";
import { planDryRun } from "./dry-run-plan.ts";
import { payFor } from "./pay-for.ts";
import { commonKm2In, wantedMaps, type WantedMap, type WantedType } from "./wanted-maps.ts";

export interface DryRunDeps {
  readonly areas: Pick<Areas, "intersection" | "read">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
  readonly imagery: Pick<SceneLookup, "seenBy">;
  readonly credits: Pick<CreditsService, "allocateArea" | "quoteScenes">;
}

export function createDryRun(deps: DryRunDeps): PipelineHandler<DryRunRequest, DryRunResult> {
  return {
    async prepare(request, { caller, signal }) {
      const { sceneIds } = await planDryRun(deps, request, signal);
      await catalogueScenes(deps.imagery.seenBy(caller), sceneIds, signal);
    },
    // The charge names the pipeline.
    needsRow: ({ allocate }) => allocate === true,
    run: async (request, job) => ({ result: await dryRun(deps, request, job) }),
  };
}

/** Quotes the maps of a request, and pays for them with `allocate`. */
export async function dryRun(deps: DryRunDeps, request: DryRunRequest, job: PipelineJob): Promise<DryRunResult> {
  const { areas, mapTypes, imagery, credits } = deps;
  await job.report({ message: "Preparing analysis", step: 1 });
  const { area, sceneIds, groups } = await planDryRun(deps, request, job.signal);
  const seen = imagery.seenBy(job.caller);
  const known = await catalogueScenes(seen, sceneIds, job.signal);
  const stored = await storedIds(seen, sceneIds);
  const wanted = groups.flatMap((group): readonly WantedType[] => {
    const ids = group.sceneIds.filter((id) => request.onlyIngested !== true || stored.has(id));
    const scenes = ids.map((id) => known.get(id)!);
    return group.mapTypes.map((mapType) => ({ mapType, scenes }));
  });
  const commonKm2 = commonKm2In(areas, area, job.signal);
  const payable: { readonly mapType: string; readonly scene: Scene }[] = [];
  for (const { mapType, scenes } of wanted) {
    for (const scene of scenes) if ((await commonKm2([scene])) > 0) payable.push({ mapType, scene });
  }
  if (payable.length === 0) return NOTHING_TO_PAY;

  const quotes = await payFor(
    credits,
    {
      caller: job.caller,
      extent: request.extent,
      known: { area, signal: job.signal },
      idempotencyPrefix: request.allocate === true ? `dry-run ${job.pipelineId}` : null,
    },
    payable.map(({ mapType, scene }) => ({ mapType, sceneId: scene.sceneId })),
  );
  const scenes = [...new Map(payable.map(({ scene }) => [scene.sceneId, scene])).values()];
  const toIngest = scenes.filter(({ sceneId }) => !stored.has(sceneId));
  const maps: WantedMap[] = [];
  for (const one of wanted) maps.push(...(await wantedMaps(mapTypes, one, commonKm2)));
  let ingestedKm2 = 0;
  for (const scene of toIngest) ingestedKm2 += await commonKm2([scene]);
  const withGeometry = request.includeGeometries === true;
  return {
    ingestedKm2: rounded(ingestedKm2),
    analyzedKm2: rounded(totalKm2(maps.filter(({ isAnalyzed }) => isAnalyzed))),
    mapsvcKm2: rounded(totalKm2(maps)),
    allocatedKm2: rounded(quotes.reduce((total, quote) => total + (quote.mapType === null ? quote.addedKm2 : 0), 0)),
    allocatedCredits: rounded(quotes.reduce((total, { cost }) => total + cost, 0)),
    scenes: scenes.map((scene) => {
      const own = quotes.filter((quote) => quote.scene.sceneId === scene.sceneId);
      return sceneAnswer(scene, own, withGeometry);
    }),
  };
}

/** Ids of the scenes whose pixels are in the store. */
async function storedIds(seen: Pick<SeenScenes, "stored">, sceneIds: readonly string[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const sceneId of sceneIds) {
    if ((await seen.stored(sceneId)) !== null) stored.add(sceneId);
  }
  return stored;
}

function sceneAnswer(
  scene: Scene,
  quotes: readonly SceneQuote[],
  withGeometry: boolean,
): DryRunResult["scenes"][number] {
  const own = quotes.find(({ mapType }) => mapType === null);
  return {
    sceneId: scene.sceneId,
    provider: scene.provider,
    dataset: scene.dataset,
    km2: rounded(own?.addedKm2 ?? 0),
    cost: rounded(quotes.reduce((total, { cost }) => total + cost, 0)),
    costPerKm2: own?.creditsPerKm2 ?? 0,
    ...(withGeometry && own !== undefined ? { allocatedExtent: own.area } : {}),
  };
}

function totalKm2(maps: readonly WantedMap[]): number {
  return maps.reduce((total, { km2 }) => total + km2, 0);
}

/** Micro-credits and square metres: further digits of a sum are rounding errors. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
