import type { SourceBand } from "../source-raster.ts";
import type { TiffDirectory } from "./directory.ts";
import { type GdalMetadata, wavelengthOf } from "./gdal-metadata.ts";
import { PHOTOMETRIC, type TiffLayout } from "./layout.ts";
import { TAG } from "./tags.ts";

type ColorInterpretation = SourceBand["colorInterpretation"];

export interface SampleRoles {
  /** Sample indices of the data bands, in file order. */
  readonly dataSamples: readonly number[];
  /** Sample index of the alpha band, null when there is none. */
  readonly alphaSample: number | null;
  readonly bands: readonly SourceBand[];
}

/** Tells data from alpha and describes the data bands. */
export function readBands(directory: TiffDirectory, layout: TiffLayout, gdal: GdalMetadata): SampleRoles {
  const alphaSample = findAlpha(directory, layout, gdal);
  const nodata = readNodata(directory.text(TAG.gdalNodata), layout);
  const dataSamples: number[] = [];
  const bands: SourceBand[] = [];
  for (let sample = 0; sample < layout.samples; sample++) {
    if (sample === alphaSample) continue;
    const metadata = gdal.bands.get(sample);
    dataSamples.push(sample);
    bands.push({
      dataType: layout.dataType,
      description: metadata?.description?.trim() || null,
      wavelengthNm: wavelengthOf(metadata?.items ?? {}),
      nodata,
      scale: metadata?.scale ?? 1,
      offset: metadata?.offset ?? 0,
      unit: metadata?.unit?.trim() || null,
      colorInterpretation: colorInterpretation(sample, layout, metadata?.colorInterpretation),
    });
  }
  return { dataSamples, alphaSample, bands };
}

/** Samples that the photometric interpretation accounts for; those after them are "extra". */
function colorSamples(photometric: number): number {
  if (photometric === PHOTOMETRIC.rgb || photometric === PHOTOMETRIC.ycbcr || photometric === 8) return 3;
  return photometric === PHOTOMETRIC.cmyk ? 4 : 1;
}

function findAlpha(directory: TiffDirectory, layout: TiffLayout, gdal: GdalMetadata): number | null {
  const extras = directory.numbers(TAG.extraSamples) ?? [];
  const first = Math.max(colorSamples(layout.photometric), layout.samples - extras.length);
  for (let i = 0; i < extras.length && first + i < layout.samples; i++) {
    const sample = first + i;
    const metadata = gdal.bands.get(sample);
    const stated = metadata?.colorInterpretation;
    // A sample that is named as something else is data, whatever ExtraSamples says.
    const named = metadata?.description ?? "";
    const otherwise =
      (stated !== undefined && stated !== "alpha") || (named !== "" && !/alpha|mask|opacity|transparen/i.test(named));
    if ((extras[i] === 1 || extras[i] === 2) && !otherwise && sample > 0) return sample;
  }
  for (const [sample, metadata] of gdal.bands) {
    if (metadata.colorInterpretation === "alpha" && sample > 0 && sample < layout.samples) return sample;
  }
  return null;
}

function colorInterpretation(sample: number, layout: TiffLayout, stated: string | undefined): ColorInterpretation {
  if (stated === "red" || stated === "green" || stated === "blue" || stated === "gray" || stated === "palette")
    return stated;
  if (stated !== undefined) return "undefined";
  const { photometric } = layout;
  if (photometric === PHOTOMETRIC.rgb || photometric === PHOTOMETRIC.ycbcr) {
    return sample === 0 ? "red" : sample === 1 ? "green" : sample === 2 ? "blue" : "undefined";
  }
  if (sample > 0) return "undefined";
  return photometric === PHOTOMETRIC.palette ? "palette" : photometric <= 1 ? "gray" : "undefined";
}

/** The value as the pixel type holds it; null when no pixel can have it. */
function readNodata(text: string | null, layout: TiffLayout): number | null {
  if (text === null) return null;
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "") return null;
  const value = /^[+-]?nan/.test(trimmed)
    ? Number.NaN
    : /^\+?inf/.test(trimmed)
      ? Number.POSITIVE_INFINITY
      : trimmed.startsWith("-inf")
        ? Number.NEGATIVE_INFINITY
        : Number(trimmed);
  if (layout.format.kind === "float") {
    if (Number.isNaN(value)) return /nan/.test(trimmed) ? value : null;
    return layout.dataType === "float32" ? Math.fround(value) : value;
  }
  if (!Number.isInteger(value)) return null;
  const { bits, kind } = layout.format;
  const low = kind === "int" ? -(2 ** (bits - 1)) : 0;
  const high = kind === "int" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return value >= low && value <= high ? value : null;
}

/** Colours of a palette image of up to 8 bits, scaled to 0 to 255; null for any other image. */
export function readPalette(
  directory: TiffDirectory,
  layout: TiffLayout,
): readonly (readonly [number, number, number])[] | null {
  const map = layout.photometric === PHOTOMETRIC.palette ? directory.numbers(TAG.colorMap) : null;
  if (map === null || layout.format.bits > 8 || layout.format.kind !== "uint") return null;
  const entries = Math.min(2 ** layout.format.bits, Math.floor(map.length / 3));
  // Some writers give 8-bit colours where TIFF asks for 16-bit ones.
  const eightBit = map.every((value) => value < 256);
  const channel = (value: number | undefined) => (eightBit ? (value ?? 0) : (value ?? 0) >> 8);
  const planeLength = Math.floor(map.length / 3);
  return Array.from({ length: entries }, (_, i) => [
    channel(map[i]),
    channel(map[planeLength + i]),
    channel(map[2 * planeLength + i]),
  ]);
}
