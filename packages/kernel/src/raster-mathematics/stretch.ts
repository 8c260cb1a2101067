import type { LinearScale } from "../bands/radiometry.ts";
import type { StoredBand } from "../scenes/stored-raster.ts";

/** Pixel values drawn as black and as full brightness; `high > low`. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** `out = clamp((value - low) / (high - low), 0, 1) ** gamma` for each band. */
export interface Stretch {
  readonly ranges: readonly ValueRange[];
  readonly gamma: number;
}

/** Reflectance shown at full brightness, and for scenes of snow or desert. */
const REFLECTANCE_TOP = 0.3;
const BRIGHT_REFLECTANCE_TOP = 0.35;
/** Median reflectance above which a scene is a bright one. */
const BRIGHT_MEDIAN = 0.25;
const REFLECTANCE_GAMMA = 1 / 1.4;
/** Percentiles of fewer pixels are not trusted. */
const MIN_PERCENTILE_PIXELS = 1_000;

export interface StretchBand {
  readonly stored: StoredBand;
  readonly bitDepth: number;
  /** Null unless the band is reflectance. */
  readonly reflectance: LinearScale | null;
}

/**
 * The stretch that shows a scene without being asked for percentiles: reflectance 0 to 0.3 (0.35 for bright scenes) with
 * gamma 1/1.4, 8-bit values as they are, other integers from 0 to the scene's 99.5th percentile, others between percentiles.
 */
export function defaultStretch(bands: readonly StretchBand[]): Stretch {
  const scales = bands.map((band) => band.reflectance);
  if (scales.every((scale) => scale !== null && scale.mult > 0)) {
    const medians = bands.map(({ stored, reflectance }) =>
      reflectance === null ? 0 : reflectance.mult * stored.statistics.p50 + reflectance.add,
    );
    const median = medians.reduce((sum, value) => sum + value, 0) / medians.length;
    const top = median > BRIGHT_MEDIAN ? BRIGHT_REFLECTANCE_TOP : REFLECTANCE_TOP;
    return {
      ranges: scales.map((scale) => ({ low: -scale!.add / scale!.mult, high: (top - scale!.add) / scale!.mult })),
      gamma: REFLECTANCE_GAMMA,
    };
  }
  return { ranges: bands.map(plainRange), gamma: 1 };
}

function plainRange({ stored, bitDepth }: StretchBand): ValueRange {
  const { statistics, dataType } = stored;
  if (dataType === "uint8") return { low: 0, high: 255 };
  if (dataType.startsWith("float")) {
    return (
      nonEmpty(statistics.p005, statistics.p995) ?? nonEmpty(statistics.min, statistics.max) ?? unit(statistics.min)
    );
  }
  return nonEmpty(0, statistics.p995) ?? (statistics.max > 0 ? { low: 0, high: 2 ** bitDepth } : unit(statistics.min));
}

function nonEmpty(low: number, high: number): ValueRange | null {
  return high > low && Number.isFinite(high - low) ? { low, high } : null;
}

function unit(low: number): ValueRange {
  return { low, high: low + 1 };
}

/** The stretch between the scene's 0.5th and 99.5th percentiles; null when a band has none worth using. */
export function percentileStretch(bands: readonly StretchBand[]): Stretch | null {
  const ranges: ValueRange[] = [];
  for (const { stored } of bands) {
    const range = percentileRange(stored);
    if (range === null) return null;
    ranges.push(range);
  }
  return { ranges, gamma: 1 };
}

/** A band's own 0.5th to 99.5th percentile, or null when they rest on under 1000 pixels or coincide. */
export function percentileRange(stored: StoredBand): ValueRange | null {
  const { statistics } = stored;
  return statistics.validPixels < MIN_PERCENTILE_PIXELS ? null : nonEmpty(statistics.p005, statistics.p995);
}

export const STRETCH_TABLE_SIZE = 4_096;

const tables = new Map<number, Uint8Array>();

/** Brightness 0 to 255 of `index / 4095` raised to `gamma`; shared, not to be changed. */
export function stretchTable(gamma: number): Uint8Array {
  const known = tables.get(gamma);
  if (known !== undefined) return known;
  const table = Uint8Array.from({ length: STRETCH_TABLE_SIZE }, (_, index) =>
    Math.round(255 * (index / (STRETCH_TABLE_SIZE - 1)) ** gamma),
  );
  tables.set(gamma, table);
  return table;
}
