import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import { statusOf } from "../../../error-status.ts";
import type { Db } from "../../../platform/context.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import { ANALYSIS_RESOLUTION_M } from "../../../providers/provider.ts";
import type { ResultRow } from "../analysis/result-store.ts";
import type { Results } from "../analysis/results.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { mapIdOf } from "../map-identity.ts";
import { digestPixels } from "../provenance/map-pixels.ts";
import { provenanceRecord } from "../provenance/provenance-record.ts";
import type { ReleasedPart } from "../released-part.ts";
import type { MapIdSigner } from "../signed-map-id.ts";
import * as store from "../store.ts";
import { planMap } from "./plan-map.ts";
import { failedMap, type MapOutcome } from "./release-result.ts";

export interface MakeMapDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: MapIdSigner;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly results: Pick<Results, "ensure" | "objects">;
  readonly catalog: Pick<Catalog, "findDataset">;
}

/** A map to make. */
export interface WantedMap {
  readonly mapType: MapTypeDescriptor;
  /** One scene, or the pair or series that the type compares, in order of time. The latest names the map. */
  readonly scenes: readonly StoredScene[];
  readonly part: ReleasedPart;
  /** Id of the released area. */
  readonly geometryId: string;
}

/** Makes a map; a refusal becomes a failure in the answer, beside the maps that succeed. */
export async function makeMap(deps: MakeMapDeps, wanted: WantedMap, signal: AbortSignal): Promise<MapOutcome> {
  try {
    return await tryMap(deps, wanted, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError) || statusOf(error) >= 500) throw error;
    return failedMap(wanted.mapType, wanted.scenes.at(-1)?.scene.sceneId ?? "", error.code, error.message);
  }
}

async function tryMap(
  { db, clock, signer, renderer, results, catalog }: MakeMapDeps,
  { mapType, scenes, part, geometryId }: WantedMap,
  signal: AbortSignal,
): Promise<MapOutcome> {
  const latest = scenes.at(-1);
  if (latest === undefined) throw new RangeError("a map needs a scene");
  const { sceneId, provider, dataset } = latest.scene;
  const registered = catalog.findDataset(provider, dataset)?.dataset;
  const plan = planMap(latest, mapType, part, registered?.analysisResolutionM ?? ANALYSIS_RESOLUTION_M);
  if (plan.kind === "refused") return failedMap(mapType, sceneId, plan.errorCode, plan.errorMessage);
  let result: ResultRow | null = null;
  if (mapType.analysis !== undefined) {
    const request = { mapType, analysis: mapType.analysis, scenes, inside: part.inside };
    const outcome = await results.ensure(request, signal);
    if (outcome.kind === "refused") return failedMap(mapType, sceneId, outcome.errorCode, outcome.errorMessage);
    ({ result } = outcome);
  }
  const resultId = result?.resultId ?? null;
  const { maxZoom, tiles } = plan;
  const sceneRevision = latest.revision ?? 0;
  const { id, keptAs = id } = mapType;
  const inputs = { sceneId, mapType: keptAs, version: mapType.version, geometryId, resultId, sceneRevision };
  const mapId = mapIdOf(inputs);
  const sceneIds = scenes.length === 1 ? null : scenes.map(({ scene }) => scene.sceneId);
  const row = { mapId, ...inputs, maxZoom, tiles, sceneIds, mosaic: null };
  const makeProvenance = async (): Promise<ProvenanceRecord> => {
    const pixels = await digestPixels(renderer, loadedMap(results, { row, part, mapType, latest, result }), signal);
    return provenanceRecord({ mapType, scenes, geometryId, result, pixels });
  };
  await store.keepMap(db, row, makeProvenance, clock.now());
  return {
    mapId: await signer.sign({ mapId, mapType: keptAs, geometryId, version: mapType.version, tiles }),
    mapType: id,
    sceneId,
    status: "succeeded",
    maxZoom,
    tiles: tiles.map(({ zoom, x, y }) => [zoom, x, y]),
  };
}

/** A map as its files see it, before it is kept. */
function loadedMap(
  results: Pick<Results, "objects">,
  {
    row,
    part,
    mapType,
    latest,
    result,
  }: {
    readonly row: Omit<store.MapRow, "provenance">;
    readonly part: ReleasedPart;
    readonly mapType: MapTypeDescriptor;
    readonly latest: StoredScene;
    readonly result: ResultRow | null;
  },
): LoadedMap {
  return {
    map: { ...row, provenance: null, geometry: part.area },
    mapType,
    stored: latest,
    clip: part.area,
    result: result === null ? null : { row: result, objects: () => results.objects(result) },
    hiddenTag: null,
  };
}
