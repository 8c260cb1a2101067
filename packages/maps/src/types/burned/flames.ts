import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import { normalisedDifference } from "../../analysis/texture/int-plane.ts";
import { countAround } from "../../analysis/texture/mask-morphology.ts";
import { nearInfrared } from "./burn-indices.ts";
import { grownRegions } from "./grow-regions.ts";

/** Flames shine at 2.2 µm: reflectance of 0.15 at least, and 1.4 times that at 1.6 µm and in the near infrared (Murphy et al. 2016). */
const MIN_HOT = 1500;
const HOT_RATIO = 1.4;
/** Of the nine pixels around a flame so many are hot: single ones are gas flares, glints and edges of roofs. */
const FEWEST_HOT = 3;
/** Charcoal under smoke: smoke is transparent beyond 1.6 µm, where charcoal rises and all but rock and lava falls. */
const MAX_NBR2_VEILED = 0;
const MIN_SWIR2_VEILED = 1000;

/** Charcoal that shows through smoke, by itself; 1 where it may be. None without both bands. */
export function passesSmoke({ planes, valid }: OpticalBands): Uint8Array {
  const { S1: swir1, S2: swir2 } = planes;
  const result = new Uint8Array(valid.length);
  if (swir1 === undefined || swir2 === undefined) return result;
  const slope = normalisedDifference(swir1, swir2);
  for (let i = 0; i < result.length; i++) {
    if (valid[i] === 1 && slope[i]! < MAX_NBR2_VEILED && swir2[i]! > MIN_SWIR2_VEILED) result[i] = 1;
  }
  return result;
}

/**
 * What burns and has burned around flames, seen through their smoke: regions that grow from flames through ground whose
 * NBR2 is negative. Clouds do not pass for it, because they reflect less at 2.2 µm than at 1.6 µm. Null without both bands.
 *
 * @param looks of the pixels that smoke does not hide, through which regions grow too
 */
export function burningRegions(bands: OpticalBands, looks: Uint8Array, reachPx?: number): Uint8Array | null {
  const { columns, rows, valid } = bands;
  const { S1: swir1, S2: swir2 } = bands.planes;
  if (swir1 === undefined || swir2 === undefined) return null;
  const nir = nearInfrared(bands);
  const hot = new Uint8Array(valid.length);
  let any = false;
  for (let i = 0; i < hot.length; i++) {
    const s = swir2[i]!;
    if (valid[i] === 0 || s < MIN_HOT || s < HOT_RATIO * swir1[i]! || s < HOT_RATIO * nir[i]!) continue;
    hot[i] = 1;
    any = true;
  }
  if (!any) return hot;
  const around = countAround(hot, columns, rows, 1);
  const passable = passesSmoke(bands);
  const flames = new Uint8Array(hot.length);
  for (let i = 0; i < hot.length; i++) {
    if (valid[i] === 0) continue;
    flames[i] = hot[i] === 1 && around[i]! >= FEWEST_HOT ? 1 : 0;
    if (looks[i] !== 0) passable[i] = 1;
  }
  return grownRegions(flames, passable, columns, reachPx);
}
