import type { PixelArray, SourceRaster } from "@swath/raster/source-raster";
import type { DocumentBand } from "@swath/raster/scene-metadata/scene-metadata";

type Json = Readonly<Record<string, unknown>>;

/** Since processing baseline 04.00 (January 2022) 1000 is added to the pixels of Sentinel-2 products. */
const SHIFT_BASELINE = 4;
const SHIFT = 1000;
const SCALE = 1e-4;

/** Level-1 products of Landsat 8 and 9 have one factor for all scenes. */
const LANDSAT_L1 = { mult: 2e-5, add: -0.1 } as const;

/** A band with its reflectance settled, and the number to subtract from its pixels. */
interface HarmonizedBand {
  readonly document: DocumentBand;
  readonly shift: number;
}

/**
 * Reflectance of a Sentinel-2 band. The item states the offset of baseline 04.00, or its baseline implies it.
 * Catalogues that removed the offset from the pixels say so, though some still state it.
 *
 * @param harmonize whether pixels are to be brought to the scale before baseline 04.00; else the offset stays in the factors
 * @see Sentinel-2 Products Specification Document, RADIO_ADD_OFFSET and BOA_ADD_OFFSET
 */
export function sentinel2Band(document: DocumentBand, properties: Json, harmonize: boolean): HarmonizedBand {
  const mult = document.reflectanceMult ?? SCALE;
  const stated = document.reflectanceMult === null ? null : Math.round(-(document.reflectanceAdd ?? 0) / mult) + 0;
  const implied = baselineOf(properties) >= SHIFT_BASELINE ? SHIFT : 0;
  const shift = properties["earthsearch:boa_offset_applied"] === true ? 0 : (stated ?? implied);
  return harmonize
    ? { document: { ...document, reflectanceMult: mult, reflectanceAdd: 0 }, shift }
    : { document: { ...document, reflectanceMult: mult, reflectanceAdd: 0 - shift * mult }, shift: 0 };
}

/** Top-of-atmosphere reflectance of Landsat 8 and 9 Level 1, not yet divided by the sine of the sun's elevation. */
export function landsatLevel1Band(document: DocumentBand, itemId: string): DocumentBand {
  const reflective = document.role !== null && !document.role.startsWith("T");
  if (!reflective || document.reflectanceMult !== null || !/^L[CO]0[89]_L1/i.test(itemId)) return document;
  return { ...document, reflectanceMult: LANDSAT_L1.mult, reflectanceAdd: LANDSAT_L1.add, sunCorrected: false };
}

function baselineOf(properties: Json): number {
  const stated = properties["s2:processing_baseline"] ?? properties["processing:version"];
  if (typeof stated === "string" && /^\d{2}\.\d{2}$/.test(stated)) return Number(stated);
  const product = properties["s2:product_uri"];
  const named = typeof product === "string" ? /_N(\d{2})(\d{2})_/.exec(product) : null;
  return named === null ? 0 : Number(`${named[1]}.${named[2]}`);
}

/** The raster with `shift` subtracted from every valid pixel, at least 1 left so that none becomes nodata. */
export function shiftedRaster(raster: SourceRaster, shift: number): SourceRaster {
  const integer = raster.bands.every(({ dataType }) => dataType === "uint16" || dataType === "int16");
  if (shift === 0 || !integer) return raster;
  return {
    ...raster,
    readRows: async (firstRow, rowCount, signal) => {
      const rows = await raster.readRows(firstRow, rowCount, signal);
      for (const [index, values] of rows.entries()) subtract(values, shift, raster.bands[index]?.nodata ?? 0);
      return rows;
    },
  };
}

function subtract(values: PixelArray, shift: number, nodata: number): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value !== 0 && value !== nodata) values[i] = value > shift ? value - shift : 1;
  }
}
