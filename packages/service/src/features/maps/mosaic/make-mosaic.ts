import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import { mosaicOrder, type MosaicRule } from "@swath/kernel/raster-mathematics/mosaic";
import { isErrorCode } from "@swath/kernel/errors/error-code";
import { finestResolutionM } from "@swath/kernel/tiles/max-zoom";
import { indexComputation } from "@swath/maps/render/index-computation";
import { matchBands, type SceneRaster } from "@swath/maps/render/mosaic-member";
import type { FailedStatistics } from "@swath/contract/features/maps/statistics-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { ANALYSIS_RESOLUTION_M } from "../../../providers/provider.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { geometryIdOf, mapIdOf } from "../map-identity.ts";
import { digestPixels } from "../provenance/map-pixels.ts";
import { provenanceRecord } from "../provenance/provenance-record.ts";
import type { MakeMapDeps } from "../release/make-map.ts";
import { planMap } from "../release/plan-map.ts";
import type { SucceededMap } from "@swath/contract/features/maps/release-contract";
import { releasedPart } from "../released-part.ts";
import { maskOf, type StatisticsMaps } from "../statistics/statistics-maps.ts";
import * as store from "../store.ts";
import { readMosaic, type CloudResult, type KeptMosaic, type ReadMosaicDeps } from "./kept-mosaic.ts";
import type { MosaicPlan } from "./plan-mosaic.ts";

export type MakeMosaicDeps = MakeMapDeps & ReadMosaicDeps & { readonly areas: Pick<Areas, "intersection"> };

/** A finished mosaic. */
export interface MadeMosaic {
  readonly map: Pick<SucceededMap, "mapId" | "maxZoom" | "tiles">;
  /** In order of choice. */
  readonly scenes: readonly StoredScene[];
  /** Scenes whose pixels do not suit the others. */
  readonly refused: readonly FailedStatistics[];
}

/**
 * Keeps the map of a mosaic of released scenes.
 *
 * @param maps in the order that the rules `first`, `median`, `mean` and `max` keep
 * @throws {ServiceError} the first reason when no scene suits
 */
export async function makeMosaic(
  deps: MakeMosaicDeps,
  plan: MosaicPlan,
  rule: MosaicRule,
  { maps, masks }: Pick<StatisticsMaps, "maps" | "masks">,
  signal: AbortSignal,
): Promise<MadeMosaic> {
  const ordered = mosaicOrder(
    rule,
    maps.map((map) => ({ ...map.stored.scene, map })),
  ).map(({ map }) => map);
  const reference = finest(ordered);
  const { suitable, refused } = suitableMaps(ordered, reference.stored, plan);
  const scenes = suitable.map(({ stored }) => stored);
  const { sceneId, provider, dataset } = reference.stored.scene;
  const inside = await coveredArea(deps, plan, scenes, signal);
  const resolutionM = deps.catalog.findDataset(provider, dataset)?.dataset.analysisResolutionM ?? ANALYSIS_RESOLUTION_M;
  const planned = planMap(reference.stored, plan.mapType, { area: plan.area, inside }, resolutionM);
  if (planned.kind === "refused") throw new ServiceError(planned.errorCode, planned.errorMessage);
  const mosaic: KeptMosaic = {
    rule,
    index: plan.index,
    members: suitable.map((map) => ({
      sceneId: map.map.sceneId,
      revision: map.stored.revision ?? 0,
      clouds: cloudsOf(maskOf(map, { masks })),
    })),
  };
  const { mapType, area } = plan;
  const { id, keptAs = id, version } = mapType;
  const geometryId = geometryIdOf(area);
  const sceneRevision = reference.stored.revision ?? 0;
  const inputs = { sceneId, mapType: keptAs, version, geometryId, resultId: null, sceneRevision, mosaic };
  const { maxZoom, tiles } = planned;
  const row = { mapId: mapIdOf(inputs), ...inputs, maxZoom, tiles, sceneIds: null };
  const inTime = scenes.toSorted((a, b) => a.scene.datetime.localeCompare(b.scene.datetime, "en"));
  const kept = { ...row, sceneIds: inTime.map(({ scene }) => scene.sceneId) };
  const makeProvenance = async (): Promise<ProvenanceRecord> => {
    const loaded = {
      map: { ...kept, provenance: null, geometry: area },
      mapType,
      stored: reference.stored,
      mosaic: await readMosaic(deps, mosaic),
      clip: area,
      result: null,
      hiddenTag: null,
    };
    const pixels = await digestPixels(deps.renderer, loaded, signal);
    return provenanceRecord({ mapType, scenes: inTime, geometryId, result: null, pixels, mosaic });
  };
  await store.keepMap(deps.db, kept, makeProvenance, deps.clock.now());
  return {
    map: {
      mapId: await deps.signer.sign({ mapId: row.mapId, mapType: keptAs, geometryId, version, tiles }),
      maxZoom,
      tiles: tiles.map(({ zoom, x, y }) => [zoom, x, y]),
    },
    scenes,
    refused,
  };
}

function cloudsOf(mask: LoadedMap | null): CloudResult | null {
  const resultId = mask?.map.resultId ?? null;
  return mask === null || resultId === null ? null : { resultId, mapType: mask.mapType.id };
}

/** The scene with the smallest pixels, of equal ones the first. */
function finest(maps: readonly LoadedMap[]): LoadedMap {
  const [first] = maps.toSorted((a, b) => pixelM(a) - pixelM(b));
  if (first === undefined) throw new ServiceError("DATA-NOT-AVAILABLE", "no scene of the mosaic has pixels to use");
  return first;
}

function pixelM({ stored }: LoadedMap): number {
  return finestResolutionM(stored.scene.bands);
}

/** The maps whose scenes have the bands that the map type draws. */
function suitableMaps(
  maps: readonly LoadedMap[],
  reference: SceneRaster,
  { mapType }: Pick<MosaicPlan, "mapType">,
): { readonly suitable: readonly LoadedMap[]; readonly refused: readonly FailedStatistics[] } {
  const { rendering } = mapType;
  const { scene, raster } = reference;
  const needed =
    rendering.kind === "index"
      ? indexComputation(rendering.index, scene, raster).positions
      : planComposite(scene, raster, { percentile: false }).bands;
  const refused: FailedStatistics[] = [];
  const suitable = maps.filter(({ stored, map }) => {
    const bands = matchBands(reference, stored);
    const missing = needed.filter((position) => bands[position] === null);
    if (missing.length === 0) return true;
    const names = missing.map((position) => scene.bands[position]?.names[0] ?? `band ${position + 1}`);
    refused.push({
      mapType: mapType.id,
      sceneId: map.sceneId,
      errorCode: "UNSUPPORTED-IMAGERY",
      errorMessage: `the scene lacks ${names.join(", ")} in the quantity of ${scene.sceneId}`,
    });
    return false;
  });
  return { suitable, refused };
}

/** The parts of the area inside each scene; parts may overlap. */
async function coveredArea(
  { areas }: Pick<MakeMosaicDeps, "areas">,
  { area }: Pick<MosaicPlan, "area">,
  scenes: readonly StoredScene[],
  signal: AbortSignal,
): Promise<MosaicPlan["area"]> {
  const coordinates: MosaicPlan["area"]["coordinates"][number][] = [];
  for (const { scene } of scenes) {
    coordinates.push(...(await releasedPart(areas, [scene], area, signal)).inside.coordinates);
  }
  return { type: "MultiPolygon", coordinates };
}

/** Why no scene could be used. */
export function firstFailure([first]: readonly FailedStatistics[]): ServiceError {
  if (first === undefined) return new ServiceError("ZERO-TILES-AVAILABLE", "the mosaic has no scene");
  const { errorCode, errorMessage } = first;
  return new ServiceError(isErrorCode(errorCode) ? errorCode : "PROCESSING-ERROR", errorMessage);
}
