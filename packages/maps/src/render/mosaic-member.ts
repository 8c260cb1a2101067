import type { SpectralIndex } from "@swath/kernel/bands/spectral-index";
import { powerPerUnit, reflectanceScale, type LinearScale } from "@swath/kernel/bands/radiometry";
import type { MosaicRule } from "@swath/kernel/raster-mathematics/mosaic";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { ClearSky } from "./clear-sky.ts";

/** A scene with its pixels. */
export interface SceneRaster {
  readonly scene: Scene;
  readonly raster: StoredRaster;
}

/** A scene of a mosaic. */
export interface MosaicMember extends SceneRaster {
  /** Where its sky is clear; null when that is unknown: all pixels count. */
  readonly clearSky: ClearSky | null;
}

/** The scenes of a mosaic, whose values are in the units of the scene of the request. */
export interface MosaicSource {
  readonly rule: MosaicRule;
  /** In order of choice. */
  readonly members: readonly MosaicMember[];
  /** Index that decides between scenes of a picture by the rule `max`; else null. */
  readonly score: SpectralIndex | null;
}

/** A band of a member that stands for a band of the reference. */
export interface MatchedBand {
  readonly position: number;
  /** From its pixels to the pixels of the reference; null when both have the same units. */
  readonly scale: LinearScale | null;
}

/**
 * The bands of a member that stand for the bands of the reference: of the same role, without a role of the same first
 * name, and of the same quantity; null where the member has none.
 */
export function matchBands(reference: SceneRaster, member: SceneRaster): readonly (MatchedBand | null)[] {
  return reference.raster.bands.map((wanted, at) => {
    const fits = (band: StoredBand | undefined, position: number): boolean =>
      band !== undefined && band.role === wanted.role && band.quantity === wanted.quantity
        ? wanted.role !== null || nameOf(member, position) === nameOf(reference, at)
        : false;
    const position = fits(member.raster.bands[at], at) ? at : member.raster.bands.findIndex(fits);
    return position < 0 ? null : { position, scale: scaleOf(reference, at, member, position) };
  });
}

function nameOf({ scene }: SceneRaster, position: number): string | undefined {
  return scene.bands[position]?.names[0]?.toLowerCase();
}

function scaleOf(reference: SceneRaster, at: number, member: SceneRaster, position: number): LinearScale | null {
  const to = physicalScale(reference, at);
  const from = physicalScale(member, position);
  const mult = from.mult / to.mult;
  const add = (from.add - to.add) / to.mult;
  return mult === 1 && add === 0 ? null : { mult, add };
}

function physicalScale({ scene, raster }: SceneRaster, position: number): LinearScale {
  const stored = raster.bands[position]!;
  const scale = reflectanceScale(scene, scene.bands[position]!, stored);
  return scale ?? { mult: powerPerUnit(stored), add: 0 };
}

/** Brings pixels of a member into the units of the reference. */
export function toReference(values: Float32Array, { scale }: MatchedBand): void {
  if (scale === null) return;
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale.mult + scale.add;
}
