import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import {
  distributionStatistics,
  weightedHistogram,
  weightedQuantiles,
} from "@swath/kernel/raster-mathematics/distribution-statistics";
import { pixelCoverage, type PixelCoverage } from "@swath/kernel/raster-mathematics/pixel-coverage";
import { polygonAreaPx, type PixelPolygon } from "@swath/kernel/raster-mathematics/pixel-polygon";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import {
  valuedWeight,
  valueDistribution,
  type ValueDistribution,
} from "@swath/kernel/raster-mathematics/value-distribution";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BytesNeeded } from "@swath/raster/cog/byte-supply";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import { nativeOutput, nativeTransform } from "@swath/raster/sample/output-grid";
import { SceneSampler, type PixelAccess } from "@swath/raster/sample/scene-sampler";
import { areaRings } from "./area-mask.ts";
import { warpedBands } from "./composite-file.ts";
import { startNativeJob, type PixelJob } from "./grid-job.ts";
import type { GridRequest, ZonalRequest } from "./grid-renderer.ts";
import { sampleIndex } from "./index-file.ts";
import { nativeBand, nativeWindow } from "./native-grid.ts";
import { objectsIn } from "./objects-in.ts";
import { sampleLayer } from "./result-layer.ts";
import { rowAreasKm2 } from "./row-areas.ts";
import type { ClassFigures, LayerFigures, ValueFigures, ZoneFigures } from "./zonal-figures.ts";

/**
 * Statistics of each zone.
 *
 * @throws {BytesNeeded} for the bytes of all zones together
 * @throws {ServiceError} VALIDATION-ERROR for a zone with too many pixels
 */
export function zonalStatistics(access: PixelAccess, request: ZonalRequest): readonly ZoneFigures[] {
  let needed: BytesNeeded | null = null;
  const figures: ZoneFigures[] = [];
  for (const zone of request.zones) {
    // Nothing that is kept lies in kernel memory.
    access.kernel.reset();
    try {
      figures.push(zoneFigures(access, request, zone));
    } catch (error) {
      if (!(error instanceof BytesNeeded)) throw error;
      needed = error;
    }
  }
  if (needed !== null) throw needed;
  return figures;
}

function zoneFigures(access: PixelAccess, request: ZonalRequest, zone: MultiPolygon): ZoneFigures {
  const { map, maxZonePixels } = request;
  const objects = countObjects(map, zone);
  const window = zoneWindow(request, zone);
  if (window === null) return { objects, layers: layersOf(map).map((name) => emptyLayer(name)) };
  const pixels = window.widthPx * window.heightPx;
  if (pixels > maxZonePixels) {
    throw new ServiceError(
      "VALIDATION-ERROR",
      `an area has ${pixels} pixels around it, expected at most ${maxZonePixels}: use a coarser resolution`,
    );
  }
  const job = startNativeJob(access, { ...map, window, clip: null }, window, null);
  const polygons = pixelPolygons(zone, job, window);
  const coverage = pixelCoverage(polygons, window.widthPx, window.heightPx);
  const clear = clearPixels(access, request, window);
  const ground: Ground = { coverage, clear, areaPx: polygonAreaPx(polygons), window, job };
  return { objects, layers: Array.from(sampledLayers(job), (layer) => layerFigures(request, ground, layer)) };
}

/** The pixels of the map around a zone, of the wanted size. */
function zoneWindow({ map, reduction }: ZonalRequest, zone: MultiPolygon): NativeWindow | null {
  if (zone.coordinates.length === 0) return null;
  const window = nativeWindow(map.raster, nativeBand(map.rendering, map.raster, map.scene), null, zone);
  if (window === null || reduction === 1) return window;
  const column = Math.floor(window.column / reduction);
  const row = Math.floor(window.row / reduction);
  const widthPx = Math.ceil((window.column + window.widthPx) / reduction) - column;
  const heightPx = Math.ceil((window.row + window.heightPx) / reduction) - row;
  return { ...window, reduction, column, row, widthPx, heightPx };
}

/** Pixels and coverage that the layers of a zone share. */
interface Ground {
  readonly coverage: PixelCoverage;
  /** 0 where the sky is not clear; null when the scene does not tell. */
  readonly clear: Uint8Array | null;
  readonly areaPx: number;
  readonly window: NativeWindow;
  readonly job: PixelJob;
}

function pixelPolygons(zone: MultiPolygon, { request: { raster } }: PixelJob, window: NativeWindow): PixelPolygon[] {
  const inverse = invertAffine(nativeTransform(window, raster.bands[window.position]!));
  return zone.coordinates.map((polygon) =>
    areaRings({ type: "MultiPolygon", coordinates: [polygon] }, raster).map((ring) => {
      const pixels = new Float64Array(ring.length);
      for (let i = 0; i < ring.length; i += 2) pixels.set(applyAffine(inverse, ring[i]!, ring[i + 1]!), i);
      return pixels;
    }),
  );
}

/** 1 where the class of the sky at the middle of a pixel is clear. */
function clearPixels(access: PixelAccess, { clearSky, map }: ZonalRequest, window: NativeWindow): Uint8Array | null {
  // Places are compared in the CRS of the scene.
  if (clearSky === null || clearSky.raster.proj4 !== map.raster.proj4) return null;
  const output = { ...nativeOutput(window, map.raster.bands[window.position]!), isExact: false };
  const [plane] = new SceneSampler(access, clearSky.raster, output).sampleBands([clearSky.layer], "nearest");
  const classes = access.kernel.floats(plane!, window.widthPx * window.heightPx);
  return Uint8Array.from(classes, (value) => Number(value === clearSky.value));
}

interface SampledLayer {
  readonly name: string;
  readonly values: Float32Array;
  readonly layer: Extract<ResultLayer, { readonly kind: "classes" }> | null;
}

function layersOf({ rendering, scene, raster }: GridRequest): readonly string[] {
  if (rendering.kind === "index") return [rendering.index.shortName];
  if (rendering.kind === "result") return rendering.layers.map(({ name }) => name);
  return planComposite(scene, raster, { percentile: false }).bands.map((position) => bandName(scene, position));
}

function bandName({ bands }: GridRequest["scene"], position: number): string {
  return bands[position]?.names[0] ?? `band ${position + 1}`;
}

function* sampledLayers(job: PixelJob): Iterable<SampledLayer> {
  const { rendering, scene, raster } = job.request;
  if (rendering.kind === "index") {
    yield { name: rendering.index.shortName, values: sampleIndex(job, rendering).values, layer: null };
  } else if (rendering.kind === "result") {
    for (const position of rendering.layers.keys()) {
      const sampled = sampleLayer(job, rendering, position);
      const { name } = sampled.layer;
      if (sampled.kind === "values") yield { name, values: sampled.values, layer: null };
      else yield { name, values: classValues(sampled.numbers), layer: sampled.layer };
    }
  } else {
    const { bands } = planComposite(scene, raster, { percentile: false });
    for (const [i, { values }] of [...warpedBands(job, bands)].entries()) {
      yield { name: bandName(scene, bands[i]!), values, layer: null };
    }
  }
}

/** 0 is no class. */
function classValues(numbers: Uint8Array): Float32Array {
  return Float32Array.from(numbers, (value) => (value === 0 ? Number.NaN : value));
}

function layerFigures(request: ZonalRequest, ground: Ground, { name, values, layer }: SampledLayer): LayerFigures {
  const { coverage, clear, areaPx, window } = ground;
  const pixels = { values, widthPx: window.widthPx, valid: clear };
  const known = valuedWeight(coverage, { ...pixels, valid: null });
  const distribution = valueDistribution(coverage, pixels);
  const { count, ...statistics } = distributionStatistics(distribution);
  return {
    name,
    count,
    validShare: areaPx === 0 ? 0 : Math.min(1, count / areaPx),
    clearShare: clear === null || known === 0 ? null : Math.min(1, count / known),
    values: layer === null ? valueFigures(request, distribution, statistics) : null,
    classes: layer === null ? null : classFigures(ground, pixels, layer, count),
  };
}

function valueFigures(
  { quantiles, histogramEdges }: ZonalRequest,
  distribution: ValueDistribution,
  { mean, std, min, max }: Omit<ReturnType<typeof distributionStatistics>, "count">,
): ValueFigures {
  return {
    mean,
    std,
    min,
    max,
    quantiles: weightedQuantiles(distribution, quantiles),
    histogram: histogramEdges === null ? null : Array.from(weightedHistogram(distribution, histogramEdges)),
  };
}

/** Every class of the layer, also without a pixel. */
function classFigures(
  { coverage, window, job }: Ground,
  pixels: Parameters<typeof valueDistribution>[1],
  layer: Extract<ResultLayer, { readonly kind: "classes" }>,
  count: number,
): readonly ClassFigures[] {
  const { raster } = job.request;
  const transform = nativeTransform(window, raster.bands[window.position]!);
  const areas = valueDistribution(coverage, pixels, rowAreasKm2(transform, raster.proj4, window.heightPx));
  const shares = valueDistribution(coverage, pixels);
  return layer.classes.map(({ name, value }) => {
    const at = areas.values.indexOf(value);
    return {
      name,
      areaKm2: at < 0 ? 0 : areas.weights[at]!,
      share: at < 0 || count === 0 ? 0 : Math.min(1, shares.weights[at]! / count),
    };
  });
}

function emptyLayer(name: string): LayerFigures {
  return { name, count: 0, validShare: 0, clearShare: null, values: null, classes: null };
}

function countObjects({ rendering, result }: GridRequest, zone: MultiPolygon): number | null {
  const hasObjects =
    rendering.kind === "result" && Object.values(rendering.products).some(({ kind }) => kind === "objects");
  return hasObjects && result !== undefined ? objectsIn(result.objects, zone, null).length : null;
}
