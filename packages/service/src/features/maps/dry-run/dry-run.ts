import { createHash } from "node:crypto";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { requestedArea } from "@swath/contract/kit/requested-area";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { CreditsService, SceneQuote } from "../../credits/service.ts";
import { releasedPart } from "../plan-map.ts";
import { requireMapTypes } from "../require-map-types.ts";
import { sceneGroups } from "../scene-groups.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import {
  MAX_DRY_RUN_SCENES,
  type DryRunRequest,
  type DryRunResult,
} from "@swath/contract/features/maps/dry-run-contract";

export interface DryRunDeps {
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
  readonly imagery: SceneLookup;
  readonly credits: Pick<CreditsService, "allocateArea" | "quoteScenes">;
}

/** One map that would be made. */
interface WantedMap {
  /** Whether anything is computed of the pixels, or only their picture drawn. */
  readonly isAnalyzed: boolean;
  /** One scene, or the pair or series that the map type compares. */
  readonly scenes: readonly Scene[];
}

/** A scene that a map type is wanted of: its area is paid for, whatever of it a pair or series has in common. */
interface WantedScene {
  readonly mapType: string;
  readonly scene: Scene;
}

/** Maps are made, and credit is allocated, between these parallels. */
const MAX_LATITUDE_DEG = 85;

export function createDryRun({ imagery, credits, mapTypes }: DryRunDeps): PipelineHandler<DryRunRequest, DryRunResult> {
  /** Every scene of the request that the service knows. @throws {ServiceError} NON-EXISTING-SCENE */
  async function scenesOf(request: DryRunRequest, signal: AbortSignal): Promise<ReadonlyMap<string, Scene>> {
    const ids = new Set(request.dryRuns.flatMap((run) => groupsOf(run).flat()));
    if (ids.size > MAX_DRY_RUN_SCENES) {
      const message = `name ${ids.size} scenes, expected at most ${MAX_DRY_RUN_SCENES}`;
      throw new ServiceError("VALIDATION-ERROR", `dryRuns ${message}`, { details: [{ path: "/dryRuns", message }] });
    }
    const scenes = new Map<string, Scene>();
    for (const sceneId of ids) {
      // oxlint-disable-next-line no-await-in-loop -- most are known: a catalogue is asked for few
      const scene = await imagery.catalogueScene(sceneId, signal);
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      scenes.set(sceneId, scene);
    }
    return scenes;
  }

  async function isStored(sceneId: string): Promise<boolean> {
    return (await imagery.stored(sceneId)) !== null;
  }

  /** Scenes under the map types that are wanted of them: those with equal types are paid for together. */
  async function payFor(
    wanted: readonly WantedScene[],
    request: DryRunRequest,
    job: PipelineJob,
  ): Promise<readonly SceneQuote[]> {
    const typesOfScene = new Map<string, Set<string>>();
    for (const { mapType, scene } of wanted) {
      const types = typesOfScene.get(scene.sceneId) ?? new Set();
      typesOfScene.set(scene.sceneId, types.add(mapType));
    }
    const together = Map.groupBy(typesOfScene.keys(), (sceneId) =>
      [...typesOfScene.get(sceneId)!].toSorted().join(","),
    );
    const quotes: SceneQuote[] = [];
    for (const [types, sceneIds] of together) {
      const area = { sceneIds, geojson: request.extent, mapTypes: types.split(",") };
      // oxlint-disable-next-line no-await-in-loop -- what the first pays for, the next finds paid
      quotes.push(...(await credits.quoteScenes(job.caller, area)));
      if (request.allocate !== true) continue;
      // Twenty names are longer than a key may be, and two lists may begin alike.
      const hash = createHash("sha256").update(types).digest("base64url");
      const idempotencyKey = `dry-run ${job.pipelineId} ${hash}`;
      // oxlint-disable-next-line no-await-in-loop
      await credits.allocateArea(job.caller, { ...area, idempotencyKey });
    }
    return quotes;
  }

  return {
    async prepare(request, { signal }) {
      requireKnownTypes(mapTypes, request);
      areaOf(request);
      await scenesOf(request, signal);
    },

    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const area = areaOf(request);
      const known = await scenesOf(request, job.signal);
      const stored = new Set<string>();
      for (const sceneId of known.keys()) {
        // oxlint-disable-next-line no-await-in-loop -- at most two hundred look-ups
        if (await isStored(sceneId)) stored.add(sceneId);
      }
      const partKm2 = partsOf(area);
      const asked = request.dryRuns.flatMap((run) =>
        groupsOf(run).flatMap((ids) => {
          const group = ids
            .map((id) => known.get(id)!)
            .filter((scene) => request.onlyIngested !== true || stored.has(scene.sceneId));
          return run.mapTypes.map((mapType) => ({ mapType, group }));
        }),
      );
      const wanted = asked.flatMap((one) => mapsOf(mapTypes, one)).filter(({ scenes }) => partKm2(scenes) > 0);
      const payable = asked
        .flatMap(({ mapType, group }) => group.map((scene): WantedScene => ({ mapType, scene })))
        .filter(({ scene }) => partKm2([scene]) > 0);
      if (payable.length === 0) return { result: nothing() };

      const quotes = await payFor(payable, request, job);
      const scenes = new Map(payable.map(({ scene }) => [scene.sceneId, scene]));
      const toIngest = [...scenes.values()].filter(({ sceneId }) => !stored.has(sceneId));
      const sum = (maps: readonly WantedMap[]): number => maps.reduce((total, map) => total + partKm2(map.scenes), 0);
      return {
        result: {
          ingestedKm2: rounded(toIngest.reduce((total, scene) => total + partKm2([scene]), 0)),
          analyzedKm2: rounded(sum(wanted.filter(({ isAnalyzed }) => isAnalyzed))),
          mapsvcKm2: rounded(sum(wanted)),
          allocatedKm2: rounded(
            quotes.reduce((total, quote) => total + (quote.mapType === null ? quote.addedKm2 : 0), 0),
          ),
          allocatedCredits: rounded(quotes.reduce((total, { cost }) => total + cost, 0)),
          scenes: [...scenes.values()].map((scene) =>
            sceneAnswer(
              scene,
              quotes.filter((quote) => quote.scene.sceneId === scene.sceneId),
              request.includeGeometries === true,
            ),
          ),
        },
      };
    },
  };
}

type Run = DryRunRequest["dryRuns"][number];

/** The maps that a release of a map type of some scenes would make. */
function mapsOf(
  mapTypes: Pick<MapTypes, "find">,
  { mapType, group }: { readonly mapType: string; readonly group: readonly Scene[] },
): WantedMap[] {
  const descriptor = mapTypes.find(mapType);
  if (descriptor === undefined) return [];
  const isAnalyzed = descriptor.rendering.kind !== "composite";
  if ((descriptor.analysis?.scenes.max ?? 1) === 1) return group.map((scene) => ({ isAnalyzed, scenes: [scene] }));
  return sceneGroups(
    descriptor,
    group.map((scene) => ({ scene })),
  ).groups.map((scenes) => ({ isAnalyzed, scenes: scenes.map(({ scene }) => scene) }));
}

function groupsOf({ scenes }: Run): readonly (readonly string[])[] {
  return scenes.map((group) => (Array.isArray(group) ? [...new Set(group)] : [group.sceneId]));
}

function areaOf({ extent, dryRuns }: DryRunRequest): MultiPolygon {
  const sceneCount = new Set(dryRuns.flatMap((run) => groupsOf(run).flat())).size;
  return requestedArea(extent, { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount });
}

function requireKnownTypes(known: Pick<MapTypes, "faultOf">, { dryRuns }: DryRunRequest): void {
  const at = dryRuns.flatMap(({ mapTypes }, run) =>
    mapTypes.map((id, index) => ({ id, path: `/dryRuns/${run}/mapTypes/${index}` })),
  );
  requireMapTypes(
    known,
    at.map(({ id }) => id),
    (index) => at[index]!.path,
  );
}

/** The area that scenes have in common within another; worked out once however many maps there are of them. */
function partsOf(area: MultiPolygon): (scenes: readonly Scene[]) => number {
  const known = new Map<string, number>();
  return (scenes) => {
    const key = scenes.map(({ sceneId }) => sceneId).join(" ");
    let km2 = known.get(key);
    if (km2 === undefined) {
      km2 = areaKm2(releasedPart(scenes, area).inside);
      known.set(key, km2);
    }
    return km2;
  };
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

function nothing(): DryRunResult {
  return { ingestedKm2: 0, analyzedKm2: 0, mapsvcKm2: 0, allocatedKm2: 0, allocatedCredits: 0, scenes: [] };
}

/** Micro-credits and square metres: what sums of them may carry beyond is noise. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
