import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { finestResolutionM } from "@swath/kernel/tiles/max-zoom";
import type { GridRenderer, ZonalRequest } from "@swath/maps/render/grid-renderer";
import { nativeBand } from "@swath/maps/render/native-grid";
import type { ZoneFigures } from "@swath/maps/render/zonal-figures";
import {
  MAX_AREA_PIXELS,
  MAX_ANSWERED_ROWS,
  type PartialStatistics,
  type StatisticsRequest,
  type StatisticsResult,
} from "@swath/contract/features/maps/statistics-contract";
import type { PipelineHandler, PipelineJob, PipelineOutcome, RequestContext } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ReleaseQuote } from "../../credits/release-quote.ts";
import type { CreditsService } from "../../credits/service.ts";
import { catalogueScenes } from "../catalogue-scenes.ts";
import type { Downloads } from "../../../platform/downloads/downloads.ts";
import { inOrder } from "../export/in-order.ts";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { objectsFileName } from "../grid-files/objects-file-name.ts";
import { rasterOf } from "../native-pixels.ts";
import { admitRelease, quotePaidRelease, type AdmitReleaseDeps } from "../release/admit-release.ts";
import { provenanceOf } from "../provenance/get-provenance.ts";
import { partialResult } from "../release/partial-result.ts";
import { DatacubePoints } from "./datacube-points.ts";
import { requireProject, withDatapoints } from "./keep-in-datacube.ts";
import { payForStatistics, type PayForStatisticsDeps } from "./pay-for-statistics.ts";
import { requirePeriodMembers, withPeriodScenes, type KeptStatistics, type PeriodScenesDeps } from "./period-scenes.ts";
import { pixelSizeM, reductionOf } from "./pixel-size.ts";
import { planStatistics, type PlanStatisticsDeps } from "./plan-statistics.ts";
import {
  clearSkyOf,
  existingMaps,
  madeMaps,
  maskOf,
  type StatisticsMaps,
  type StatisticsMapsDeps,
} from "./statistics-maps.ts";
import { percentilesOf, RowCollector, rowsOf } from "./statistics-rows.ts";
import { batchesOf, readZones, requirePixels, type Zone } from "./zones.ts";

export type StatisticsDeps = AdmitReleaseDeps &
  PayForStatisticsDeps &
  PeriodScenesDeps &
  PlanStatisticsDeps &
  StatisticsMapsDeps & {
    readonly areas: Pick<Areas, "intersection" | "read">;
    readonly credits: Pick<CreditsService, "holdRelease">;
    readonly renderer: Pick<GridRenderer, "render">;
    readonly downloads: Pick<Downloads, "keep">;
  };

/** Boxes around areas are measured in longitude and latitude; in the grid of a scene they may be turned. */
const TURNED = 2;

export interface PreparedStatistics {
  readonly kept: KeptStatistics;
  /** The highest cost of statistics that pay for their maps; null when these must be paid already. */
  readonly quote: ReleaseQuote | null;
}

export function createStatistics(
  deps: StatisticsDeps,
): PipelineHandler<StatisticsRequest, StatisticsResult, PreparedStatistics> {
  return {
    prepare: (request, context) => prepareStatistics(deps, request, context),
    kept: (_request, { kept }) => kept,
    async admit(_request, { caller, pipelineId }, transaction, { quote }) {
      if (quote !== null) await deps.credits.holdRelease(transaction, caller, pipelineId, quote);
      return undefined;
    },
    run: (request, job) => runStatistics(deps, request, job),
  };
}

async function runStatistics(
  deps: StatisticsDeps,
  request: KeptStatistics,
  job: PipelineJob,
): Promise<PipelineOutcome<StatisticsResult>> {
  const plan = await planStatistics(deps, request, job.signal);
  const zones = await readZones(deps.areas, request.areas, job.signal);
  const found =
    plan === null ? await existingMaps(deps, request.mapIds ?? [], request) : await madeMaps(deps, plan, request, job);
  const { maps, counted } = found;
  const rows = new RowCollector(request);
  const { project } = request;
  const points = project === undefined ? null : new DatacubePoints();
  const state = (): PartialStatistics => stateOf(rows, zones.length, found, request);
  const payingPlan = request.allocate === true && plan !== null && plan.sceneIds.length > 0 ? plan : null;
  const partial = partialResult((result: PartialStatistics) => job.savePartial(result), deps.clock);
  await job.report({ message: "Analyzing", step: 5 });
  for (const map of maps) {
    const mask = maskOf(map, found);
    await addMap(deps, { request, zones, map, mask, isReleased: plan === null, rows, points }, job);
    // Figures are shown when they are paid: with the result.
    if (payingPlan === null) await partial.save(state);
  }
  await job.report({ message: "Finalizing analysis", step: 6 });
  const result = { ...state(), ...(await deps.downloads.keep(job, rows.file())) };
  const outcome =
    payingPlan === null
      ? { result }
      : await payForStatistics(deps, request, { area: payingPlan.area, counted }, result, job);
  return project === undefined || points === null ? outcome : withDatapoints(outcome, project, points.all());
}

/** Refuses statistics with too much work and of areas that are not, or cannot be, paid for. */
async function prepareStatistics(
  deps: StatisticsDeps,
  asked: StatisticsRequest,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<PreparedStatistics> {
  requirePeriodMembers(asked);
  // Faults are found before catalogues are searched.
  if (asked.datasets !== undefined) await planStatistics(deps, { ...asked, sceneIds: [] }, signal);
  const kept = await withPeriodScenes(deps, asked, caller, signal);
  const plan = await planStatistics(deps, kept, signal);
  const zones = await readZones(deps.areas, kept.areas, signal);
  if (kept.project !== undefined) {
    const maps = plan === null ? (kept.mapIds?.length ?? 0) : plan.typeIds.length * plan.sceneIds.length;
    await requireProject(deps.db, caller, kept.project, { areaIds: zones.map(({ id }) => id), maps });
  }
  if (plan === null) {
    const { maps } = await existingMaps(deps, kept.mapIds ?? [], kept);
    const finestM = Math.min(...maps.map((map) => groundOf(map, kept).pixelM));
    requirePixels(zones, finestM, maps.length);
    return { kept, quote: null };
  }
  const scenes = await catalogueScenes(deps.imagery.seenBy(caller), plan.sceneIds, signal);
  const finestM = Math.min(
    ...Array.from(scenes.values(), ({ bands }) => {
      const ownM = bands.length === 0 ? 1 : finestResolutionM(bands);
      return ownM * reductionOf(ownM, kept.resolution);
    }),
  );
  requirePixels(zones, finestM, plan.typeIds.length * plan.sceneIds.length);
  if (plan.sceneIds.length === 0) return { kept, quote: null };
  if (kept.allocate === true) {
    return { kept, quote: await quotePaidRelease(deps, plan, { extent: kept.areas }, caller, signal) };
  }
  await admitRelease(deps, plan, caller, signal);
  return { kept, quote: null };
}

function stateOf(
  rows: RowCollector,
  areas: number,
  { maps, masks, failed, unmasked }: StatisticsMaps,
  { leftOut = [] }: KeptStatistics,
): PartialStatistics {
  const used = maps.map((map) => maskOf(map, { masks })).filter((mask) => mask !== null);
  return {
    counts: { areas, maps: maps.length, rows: rows.count },
    rows: [...rows.first],
    isComplete: rows.count <= MAX_ANSWERED_ROWS,
    failed: [...failed],
    leftOut: [...leftOut],
    provenance: provenanceOf([...new Set([...maps, ...used])]),
    unmasked: [...unmasked],
  };
}

interface MapWork {
  readonly request: StatisticsRequest;
  readonly zones: readonly Zone[];
  readonly map: LoadedMap;
  /** The map of clouds of the scene; null: all pixels count. */
  readonly mask: LoadedMap | null;
  /** Whether the map was released over another area: nothing outside may be read. */
  readonly isReleased: boolean;
  readonly rows: RowCollector;
  /** Null: the datacube keeps no figures. */
  readonly points: DatacubePoints | null;
}

async function addMap(deps: StatisticsDeps, work: MapWork, { signal }: Pick<PipelineJob, "signal">): Promise<void> {
  const { request, zones, map, rows } = work;
  const percentiles = percentilesOf(request);
  const { pixelM, reduction } = groundOf(map, request);
  const shared = await sharedRequest(work, reduction, percentiles);
  const { scene } = map.stored;
  const figures = await inOrder(batchesOf(zones, pixelM), async (batch) => {
    signal.throwIfAborted();
    const inside = await areasOf(deps, work, batch, signal);
    const file = await deps.renderer.render({ ...shared, zones: inside }, signal);
    if (file.kind !== "file") throw new Error(`statistics are a file, got ${file.kind}`);
    return JSON.parse(new TextDecoder().decode(file.body)) as readonly ZoneFigures[];
  });
  for (const [index, zone] of figures.flat().entries()) {
    const area = zones[index]!.id;
    const source = { area, sceneId: map.map.sceneId, datetime: scene.datetime, mapType: map.mapType.id };
    const own = rowsOf(source, zone, percentiles);
    rows.add(own);
    work.points?.add(own, work, request);
  }
}

async function sharedRequest(
  { request: { histogram }, map, mask }: MapWork,
  reduction: number,
  percentiles: readonly number[],
): Promise<Omit<ZonalRequest, "zones">> {
  const fileName = objectsFileName(map.mapType);
  return {
    map: await drawingOf(map, fileName, { kind: "scene", maxSizePx: 1 }, {}).request(),
    reduction,
    quantiles: percentiles.map((one) => one / 100),
    histogramEdges: histogram === undefined ? null : edgesOf(histogram),
    clearSky: clearSkyOf(mask),
    maxZonePixels: TURNED * MAX_AREA_PIXELS,
  };
}

function edgesOf({ low, high, bins }: NonNullable<StatisticsRequest["histogram"]>): readonly number[] {
  return Array.from({ length: bins + 1 }, (_, edge) => low + ((high - low) * edge) / bins);
}

/** Areas of a batch, cut to the area of a map that was released before. */
async function areasOf(
  { areas }: StatisticsDeps,
  { zones, map, isReleased }: MapWork,
  batch: readonly number[],
  signal: AbortSignal,
): Promise<readonly MultiPolygon[]> {
  const inside: MultiPolygon[] = [];
  for (const index of batch) {
    const { area } = zones[index]!;
    inside.push(isReleased ? await areas.intersection(area, map.clip, signal) : area);
  }
  return inside;
}

/** The pixels that are read of a map. */
function groundOf(
  map: LoadedMap,
  { resolution }: StatisticsRequest,
): { readonly pixelM: number; readonly reduction: number } {
  const raster = rasterOf(map);
  const ownM = pixelSizeM(raster, nativeBand(map.mapType.rendering, raster, map.stored.scene));
  const reduction = reductionOf(ownM, resolution);
  return { pixelM: ownM * reduction, reduction };
}
