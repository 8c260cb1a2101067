import { MASK_CLEAR } from "../../analysis/cloud/cloud-model.ts";
import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import { planeOf } from "../../analysis/optical/optical-block.ts";
import { normalisedDifference } from "../../analysis/texture/int-plane.ts";
import { burnedAreaIndex, nearInfrared, normalisedBurnRatio } from "./burn-indices.ts";

export const STRONG = 2;
const LIKELY = 1;

/** Criteria of burned pixels, the most reliable first. */
const BURN_METHODS = ["BAIS2, NBR and NBR2", "NBR and NBR2", "NDVI and darkness, low confidence"] as const;
export type BurnMethod = (typeof BURN_METHODS)[number];

/** How pixels look by themselves. */
export interface BurnLook {
  /** `STRONG`, `LIKELY` or 0. */
  readonly looks: Uint8Array;
  /** The lower the more burned. */
  readonly value: Int16Array;
  readonly method: BurnMethod;
}

/** With shortwave infrared, ten-thousandths: strong and likely. Dark roofs and streets are brighter in the visible. */
const MAX_NBR = [-1000, 500] as const;
const MAX_NBR2 = [800, 1200] as const;
const MAX_NIR = [1400, 2200] as const;
const MAX_VISIBLE = [800, 1100] as const;
const MIN_BAIS2 = [9000, 7000] as const;
/** Water is darker beyond 2 µm. */
const MIN_SWIR2 = 600;

/** Without: charcoal is dark and grey. */
const MAX_NDVI_DARK = [3500, 4500] as const;
const MAX_NIR_DARK = [1200, 1800] as const;
const MAX_VISIBLE_DARK = [800, 1000] as const;

/** @param mask of clouds; pixels that are not clear are not burned */
export function burnLook(bands: OpticalBands, mask: Uint8Array): BurnLook {
  return bands.planes.S2 === undefined ? darkLook(bands, mask) : infraredLook(bands, planeOf(bands, "S2"), mask);
}

function infraredLook(bands: OpticalBands, swir2: Int16Array, mask: Uint8Array): BurnLook {
  const looks = new Uint8Array(mask.length);
  const nir = nearInfrared(bands);
  const [blue, green, red] = [planeOf(bands, "B"), planeOf(bands, "G"), planeOf(bands, "R")];
  const ratio = normalisedBurnRatio(bands);
  const { S1: swir1 } = bands.planes;
  const second = swir1 === undefined ? null : normalisedDifference(swir1, swir2);
  const index = burnedAreaIndex(bands);
  for (let i = 0; i < looks.length; i++) {
    if (mask[i] !== MASK_CLEAR || swir2[i]! < MIN_SWIR2 || green[i]! > nir[i]!) continue;
    const brightest = Math.max(blue[i]!, green[i]!, red[i]!);
    for (const [at, look] of [STRONG, LIKELY].entries()) {
      const fits =
        ratio[i]! < MAX_NBR[at]! &&
        nir[i]! < MAX_NIR[at]! &&
        brightest < MAX_VISIBLE[at]! &&
        (second === null || second[i]! < MAX_NBR2[at]!) &&
        (index === null || index[i]! > MIN_BAIS2[at]!);
      if (!fits) continue;
      looks[i] = look;
      break;
    }
  }
  const value = index === null ? ratio : index.map((one) => -one);
  return { looks, value, method: index === null ? "NBR and NBR2" : "BAIS2, NBR and NBR2" };
}

function darkLook(bands: OpticalBands, mask: Uint8Array): BurnLook {
  const looks = new Uint8Array(mask.length);
  const nir = nearInfrared(bands);
  const [blue, green, red] = [planeOf(bands, "B"), planeOf(bands, "G"), planeOf(bands, "R")];
  const greenness = normalisedDifference(nir, red);
  for (let i = 0; i < looks.length; i++) {
    if (mask[i] !== MASK_CLEAR || green[i]! > nir[i]! || greenness[i]! <= 0) continue;
    const brightest = Math.max(blue[i]!, green[i]!, red[i]!);
    for (const [at, look] of [STRONG, LIKELY].entries()) {
      if (greenness[i]! >= MAX_NDVI_DARK[at]! || nir[i]! >= MAX_NIR_DARK[at]! || brightest >= MAX_VISIBLE_DARK[at]!)
        continue;
      looks[i] = look;
      break;
    }
  }
  return { looks, value: nir, method: "NDVI and darkness, low confidence" };
}
