import { reflectanceScale } from "@swath/kernel/bands/radiometry";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BandQuantity } from "@swath/kernel/scenes/stored-raster";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import { areaRings } from "./area-mask.ts";
import { warpedBands } from "./composite-file.ts";
import type { GridRequest } from "./grid-renderer.ts";
import { startNativeJob, type PixelJob } from "./grid-job.ts";
import { sampleIndex } from "./index-file.ts";
import { sampleLayer } from "./result-layer.ts";
import { storedBands } from "./stored-bands.ts";

/** A band of a scene, an index or a layer of a result at one pixel. */
export interface PointValue {
  readonly name: string;
  /** Null for numbers without a unit. */
  readonly unit: string | null;
  /** Null without data. */
  readonly value: number | null;
  /** Bands of reflectance: the value as reflectance. */
  readonly reflectance?: number | null;
  /** Layers of classes: name of the class; null for the background and without data. */
  readonly className?: string | null;
}

/** Every value of a pixel; null for a pixel outside of the released area. */
export type PixelValues = readonly PointValue[] | null;

const UNIT_OF_QUANTITY: Readonly<Record<BandQuantity, string | null>> = {
  reflectance: "digital number",
  display: "digital number",
  "backscatter-linear": "linear power",
  "backscatter-db": "dB",
  class: "class number",
  other: null,
};

/**
 * The values of single pixels, equal to the values of an export on the same grid.
 *
 * @param request its window is the first of `pixels`
 * @throws {BytesNeeded} when remote bytes of any pixel have to be fetched before it can be called again
 */
export function pixelValues(
  access: PixelAccess,
  request: GridRequest,
  pixels: readonly NativeWindow[],
): readonly PixelValues[] {
  const rings = request.clip === null ? null : areaRings(request.clip, request.raster);
  const values = pixels.map((window): PixelValues => {
    // Pixels share nothing but their bytes.
    access.kernel.reset();
    return access.supply.attempt(() => {
      const job = startNativeJob(access, { ...request, window }, window, rings);
      return job.coverage[0]! < 128 ? null : valuesOf(job);
    });
  });
  // The bytes of all pixels are fetched together.
  access.supply.demand();
  return values;
}

function valuesOf(job: PixelJob): readonly PointValue[] {
  const { rendering } = job.request;
  if (rendering.kind === "composite") return bandValues(job);
  if (rendering.kind === "index") {
    const { values, mask } = sampleIndex(job, rendering);
    return [{ name: rendering.index.shortName, unit: null, value: mask[0] === 0 ? null : known(values[0]) }];
  }
  return rendering.layers.map((_, position): PointValue => {
    const sampled = sampleLayer(job, rendering, position);
    const { name } = sampled.layer;
    const isKnown = sampled.mask[0] !== 0;
    if (sampled.kind === "values") {
      return { name, unit: sampled.layer.unit, value: isKnown ? known(sampled.values[0]) : null };
    }
    const number = isKnown ? sampled.numbers[0]! : null;
    const className = sampled.layer.classes.find(({ value }) => value === number)?.name ?? null;
    return { name, unit: "class number", value: number, className };
  });
}

function bandValues(job: PixelJob): readonly PointValue[] {
  const { scene, raster } = job.request;
  const read = job.output.isExact === true ? storedBands(job) : warpedBands(job, [...raster.bands.keys()]);
  return [...read].map(({ names, values }, position): PointValue => {
    const stored = raster.bands[position];
    const band = scene.bands[position];
    if (stored === undefined || band === undefined) {
      throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} has no description of band ${position + 1}`);
    }
    const value = known(values[0]);
    const common = { name: names[0] ?? `band ${position + 1}`, unit: UNIT_OF_QUANTITY[stored.quantity], value };
    const scale = reflectanceScale(scene, band, stored);
    if (scale === null) return common;
    return { ...common, reflectance: value === null ? null : scale.mult * value + scale.add };
  });
}

function known(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}
