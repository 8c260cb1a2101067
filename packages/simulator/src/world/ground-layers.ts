import type { Canvas } from "./canvas.ts";
import type { GroundRow } from "./ground-row.ts";
import type { View } from "./view.ts";
import { smoothStep } from "../noise.ts";
import { blendPixel, COVER } from "./canvas.ts";
import { M } from "./spectra.ts";

/** Part of a pixel that a band of water or road from `-half` to `half` covers, seen `distance` off its middle. */
function bandPart(distance: number, half: number, pixelM: number): number {
  const from = Math.max(-half, distance - pixelM / 2);
  const to = Math.min(half, distance + pixelM / 2);
  return to > from ? (to - from) / pixelM : 0;
}

/** Paints grass, woods and deserts on the columns `from` to `to` of a row. */
export function layVegetation(
  canvas: Canvas,
  row: GroundRow,
  view: View,
  line: number,
  from: number,
  to: number,
  any: { readonly bare: boolean; readonly desert: boolean },
): void {
  const { channels, columns, cover, pixels, table } = canvas;
  const { grain, light, woods, green, dry, wet, now, warm, tree } = row;
  const softRoughness = view.radar ? 0.35 : 0.2;
  const hardRoughness = view.radar ? 0.3 : 0.42;
  const grassAt = M.grass * channels;
  const strawAt = M.straw * channels;
  const savannaAt = M.savanna * channels;
  const shrubAt = M.shrub * channels;
  const grassColour = table[M.grass]!;
  const strawColour = table[M.straw]!;
  const savannaColour = table[M.savanna]!;
  const shrubColour = table[M.shrub]!;
  const coniferColour = table[M.conifer]!;
  const forestColour = table[M.forest]!;
  for (let i = from; i < to; i += 1) {
    const pixel = line * columns + i;
    const rough = grain[i]!;
    const shine = light[i]!;
    canvas.light[pixel] = shine * (1 + 0.16 * rough);
    const dense = Math.max(0, Math.min(1, (woods[i]! + 0.2 * rough) * (1 / 0.24) + 0.5));
    const wooded = dense * dense * (3 - 2 * dense);
    tree[i] = wooded;
    const arid = dry[i]!;
    const desert = any.desert ? 1 - smoothStep(0.16, 0.33, wet[i]! + 0.05 * rough) : 0;
    cover[pixel] = wooded > 0.5 ? COVER.trees : desert > 0.5 ? COVER.bare : arid > 0.55 ? COVER.shrub : COVER.grass;
    if (channels === 0) continue;
    const soft = (1 - wooded) * shine * (1 + softRoughness * rough);
    const grown = soft * (1 - desert);
    const fresh = Math.max(0, Math.min(1, green[i]! + 0.12 * rough));
    const grass = grown * (1 - arid) * fresh;
    const straw = grown * (1 - fresh) * (1 - 0.55 * arid);
    const savanna = grown * arid * (0.55 + 0.45 * fresh);
    const cold = any.bare && warm[i]! < 7;
    const leaf = !any.bare || cold ? 1 : Math.min(1, Math.max(0.25, (now[i]! + 6) * (1 / 14)));
    const hard = wooded * shine * (1 + hardRoughness * rough);
    const crowns = hard * leaf;
    const twigs = hard - crowns;
    if (channels === 1) {
      pixels[pixel] =
        grass * grassColour +
        straw * strawColour +
        savanna * savannaColour +
        crowns * (cold ? coniferColour : forestColour) +
        twigs * shrubColour;
    } else {
      const crownAt = (cold ? M.conifer : M.forest) * channels;
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) {
        pixels[at + k] =
          grass * table[grassAt + k]! +
          straw * table[strawAt + k]! +
          savanna * table[savannaAt + k]! +
          crowns * table[crownAt + k]! +
          twigs * table[shrubAt + k]!;
      }
    }
    if (desert > 0) {
      const bareAt = (woods[i]! > -0.25 ? M.bareRock : M.desert) * channels;
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) pixels[at + k]! += soft * desert * table[bareAt + k]!;
    }
  }
}

/** Lays reeds and standing water where the ground is never dry. */
export function layMarsh(canvas: Canvas, row: GroundRow, line: number, from: number, to: number): void {
  for (let i = from; i < to; i += 1) {
    if (row.marsh[i]! < 0.3) continue;
    const rough = row.grain[i]!;
    const marsh = smoothStep(0.42, 0.58, row.marsh[i]! + 0.1 * rough);
    if (marsh === 0) continue;
    const pixel = line * canvas.columns + i;
    blendPixel(canvas, pixel, M.wetland, row.light[i]! * (1 + 0.2 * rough), 0.92 * marsh);
    if (rough > 0.25) blendPixel(canvas, pixel, M.murkyWater, 1, Math.min(0.6, rough) * marsh);
    if (marsh > 0.5) canvas.cover[pixel] = COVER.wetland;
  }
}

export function layBeach(canvas: Canvas, row: GroundRow, line: number, from: number, to: number): void {
  for (let i = from; i < to; i += 1) {
    const metres = row.shore[i]!;
    if (metres >= 53) continue;
    const rough = row.grain[i]!;
    const beach = 1 - smoothStep(18, 45, metres + 8 * rough);
    if (beach === 0) continue;
    const pixel = line * canvas.columns + i;
    blendPixel(canvas, pixel, M.sand, 1 + 0.1 * rough, beach);
    if (beach > 0.5) canvas.cover[pixel] = COVER.bare;
  }
}

export function laySnow(canvas: Canvas, row: GroundRow, line: number, from: number, to: number): void {
  for (let i = from; i < to; i += 1) {
    // The grain of the ground is within 1.15.
    if (row.now[i]! > 0.34) continue;
    const snow = smoothStep(1.5, 5, -row.now[i]! - 1.6 * row.grain[i]!) * (1 - 0.55 * row.tree[i]!);
    if (snow === 0) continue;
    const pixel = line * canvas.columns + i;
    blendPixel(canvas, pixel, M.snow, Math.min(1.1, row.light[i]!), snow);
    if (snow > 0.5) canvas.cover[pixel] = COVER.snow;
  }
}

/** Paints sea and rivers, with ice, waves and surf. */
export function layWater(
  canvas: Canvas,
  row: GroundRow,
  view: View,
  pixelM: number,
  line: number,
  from: number,
  to: number,
): void {
  const { channels, columns, cover, pixels, table } = canvas;
  const { shore, bank, river, grain, now, swell, deep } = row;
  const optical = !view.radar;
  const seaWave = optical ? 0.09 : 0.3;
  const seaWind = optical ? 1 : view.windBackscatter;
  const deepAt = M.deepWater * channels;
  const shallowAt = M.shallowWater * channels;
  for (let i = from; i < to; i += 1) {
    const metres = shore[i]!;
    const land = Math.min(1, Math.max(0, metres / pixelM + 0.5));
    let water = 1 - land;
    if (land > 0 && bank[i]! > 0.5) {
      const part = bandPart(river[i]!, bank[i]!, pixelM);
      if (part > water) water = part;
    }
    if (water === 0) continue;
    const pixel = line * columns + i;
    const sea = metres < 0;
    const frozen = now[i]! < (sea ? -9 : -6);
    if (water === 1) canvas.light[pixel] = row.light[i]! * (1 + 0.16 * grain[i]!);
    if (water > 0.5) cover[pixel] = frozen ? COVER.snow : sea ? COVER.water : COVER.river;
    if (channels === 0) continue;
    const wind = (1 + seaWave * (sea ? swell[i]! : grain[i]!)) * (sea ? seaWind : optical ? 1 : 0.45 * seaWind);
    if (frozen) blendPixel(canvas, pixel, M.ice, 1 + 0.1 * grain[i]!, water);
    else if (!sea) blendPixel(canvas, pixel, M.murkyWater, wind, water);
    else if (water === 1) {
      const below = wind * deep[i]!;
      const above = wind - below;
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) {
        pixels[at + k] = below * table[deepAt + k]! + above * table[shallowAt + k]!;
      }
    } else blendPixel(canvas, pixel, M.shallowWater, wind, water);
    if (optical && sea && metres > -55 && pixelM < 12) {
      const surf = (1 - smoothStep(4, 40, 14 * grain[i]! - metres)) * smoothStep(0, 0.5, swell[i]! + 0.15);
      if (surf > 0) blendPixel(canvas, pixel, M.foam, 1, 0.55 * surf * water);
    }
  }
}
