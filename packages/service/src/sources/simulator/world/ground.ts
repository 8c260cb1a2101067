import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";
import { smoothStep } from "../noise.ts";
import { BLOCK_PX } from "./block.ts";
import { addToPixel, blendPixel, COVER } from "./canvas.ts";
import { seasonOf } from "./geography.ts";
import { bilinear, interpolateRow, sampleNodes } from "./node-lattice.ts";
import { M, OPTICAL_CHANNELS } from "./spectra.ts";
import { addNoiseRow, textureWavelengths } from "./texture.ts";

const pixelRow = (): Float32Array => new Float32Array(BLOCK_PX);
const buffers = {
  shore: pixelRow(),
  river: pixelRow(),
  woods: pixelRow(),
  light: pixelRow(),
  wet: pixelRow(),
  now: pixelRow(),
  dry: pixelRow(),
  limit: pixelRow(),
  warm: pixelRow(),
  green: pixelRow(),
  bank: pixelRow(),
  grain: pixelRow(),
  jitter: pixelRow(),
  swell: pixelRow(),
};

/** Metres from the middle of a river to its bank. */
export function riverHalfM(shore: number, wet: number): number {
  if (wet < 0.3) return 0;
  return 26 * smoothStep(0.3, 0.55, wet) + 110 * Math.exp(-Math.max(0, shore) / 6000);
}

/** Part of a pixel that a band of water or road from `-half` to `half` covers, seen `distance` off its middle. */
export function bandPart(distance: number, half: number, pixelM: number): number {
  const from = Math.max(-half, distance - pixelM / 2);
  const to = Math.min(half, distance + pixelM / 2);
  return to > from ? (to - from) / pixelM : 0;
}

/** Light on the nodes by their slope: to the sun for optical sensors, to the satellite for radar. */
export function lightOf(block: Block, geography: Geography, view: View): Float32Array {
  const { fine, heightM } = geography;
  const light = new Float32Array(heightM.length).fill(1);
  if (!geography.anyLand) return light;
  const towards = (view.radar ? view.satelliteAzimuthDeg : view.sunAzimuthDeg) * (Math.PI / 180) - block.northRad;
  const east = Math.sin(towards);
  const south = -Math.cos(towards);
  const stepX = 2 * fine.stepPx * block.pixelWidthM;
  const stepY = 2 * fine.stepPx * block.pixelHeightM;
  const tan = Math.tan((Math.max(12, view.sunElevationDeg) * Math.PI) / 180);
  for (let j = 1; j < fine.rows - 1; j += 1) {
    for (let i = 1; i < fine.columns - 1; i += 1) {
      const at = j * fine.columns + i;
      const slopeX = (Math.max(0, heightM[at + 1]!) - Math.max(0, heightM[at - 1]!)) / stepX;
      const slopeY = (Math.max(0, heightM[at + fine.columns]!) - Math.max(0, heightM[at - fine.columns]!)) / stepY;
      const rise = slopeX * east + slopeY * south;
      if (view.radar) {
        // Slopes that face the sensor crowd into few pixels and shine; slopes that turn away fade into shadow.
        light[at] = Math.max(0.12, Math.min(6, Math.exp(-3.2 * rise)));
      } else {
        const normal = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY);
        light[at] = Math.max(0.25, Math.min(1.5, (1 - rise / tan) * normal));
      }
    }
  }
  return light;
}

/**
 * Paints what would be there without people: sea, rivers, woods, grass, deserts, snow, in the light of the sun and
 * the colours of the season. Everything else is laid over it.
 */
export function paintGround(canvas: Canvas, block: Block, frame: Frame, geography: Geography, view: View): void {
  const { fine, coarse } = geography;
  const { columns, rows, channels, cover } = canvas;
  const { pixelM } = block;
  const light = lightOf(block, geography, view);
  const climate = climateNodes(block, frame, geography, view);
  const shore = buffers.shore.subarray(0, columns);
  const river = buffers.river.subarray(0, columns);
  const woods = buffers.woods.subarray(0, columns);
  const lit = buffers.light.subarray(0, columns);
  const wet = buffers.wet.subarray(0, columns);
  const now = buffers.now.subarray(0, columns);
  const dry = buffers.dry.subarray(0, columns);
  const northern = buffers.warm.subarray(0, columns);
  const limit = buffers.limit.subarray(0, columns);
  const greenness = buffers.green.subarray(0, columns);
  const bank = buffers.bank.subarray(0, columns);
  const grain = buffers.grain.subarray(0, columns);
  const jitter = buffers.jitter.subarray(0, columns);
  const swell = buffers.swell.subarray(0, columns);
  const [shortM = 0, longM = 0] = textureWavelengths(pixelM);
  const optical = channels === OPTICAL_CHANNELS;
  const roughness = optical ? 0.2 : 0.35;
  for (let line = 0; line < rows; line += 1) {
    const v = (line + 0.5) / rows;
    const x = bilinear(frame.x, 0.5 / columns, v);
    const y = bilinear(frame.y, 0.5 / columns, v);
    const dx = (bilinear(frame.x, 1, v) - bilinear(frame.x, 0, v)) / columns;
    const dy = (bilinear(frame.y, 1, v) - bilinear(frame.y, 0, v)) / columns;
    interpolateRow(fine, geography.shore, line, shore);
    interpolateRow(fine, light, line, lit);
    interpolateRow(coarse, climate.now, line, now);
    if (geography.anyLand) {
      interpolateRow(coarse, geography.wet, line, wet);
      interpolateRow(coarse, geography.warm, line, northern);
      interpolateRow(coarse, climate.dry, line, dry);
      interpolateRow(coarse, climate.limit, line, limit);
      interpolateRow(coarse, climate.green, line, greenness);
      interpolateRow(fine, climate.bank, line, bank);
      interpolateRow(fine, geography.river, line, river);
      interpolateRow(fine, geography.woods, line, woods);
    }
    grain.fill(0);
    if (shortM > 0) addNoiseRow(grain, x, y, dx, dy, shortM, 0.55, 301);
    if (longM > 0) addNoiseRow(grain, x + 0.3 * y, y - 0.3 * x, dx + 0.3 * dy, dy - 0.3 * dx, longM, 0.6, 302);
    if (geography.anyLand && pixelM < 40) {
      jitter.fill(0);
      addNoiseRow(jitter, x, y, dx, dy, 46, 9, 303);
      for (let i = 0; i < columns; i += 1) {
        shore[i]! += jitter[i]!;
        river[i]! += jitter[i]!;
      }
    }
    if (geography.anySea) {
      swell.fill(0);
      // Waves come in from the open sea along one direction and are stretched across it.
      if (pixelM < 25)
        addNoiseRow(
          swell,
          0.8 * x + 0.6 * y,
          3 * (0.8 * y - 0.6 * x) + view.waveM,
          0.8 * dx + 0.6 * dy,
          3 * (0.8 * dy - 0.6 * dx),
          90,
          0.7,
          304,
        );
      addNoiseRow(swell, x + view.waveM, y, dx, dy, 1900, 0.8, 305);
    }
    for (let i = 0; i < columns; i += 1) {
      const pixel = line * columns + i;
      const rough = grain[i]!;
      const metres = shore[i]!;
      const shine = lit[i]!;
      canvas.light[pixel] = shine * (1 + 0.16 * rough);
      const land = Math.min(1, Math.max(0, metres / pixelM + 0.5));
      let water = 1 - land;
      if (land > 0 && bank[i]! > 0.5) {
        const part = bandPart(river[i]!, bank[i]!, pixelM);
        if (part > water) water = part;
      }
      if (water < 1) {
        const desert = 1 - smoothStep(0.16, 0.33, wet[i]! + 0.05 * rough);
        const arid = dry[i]!;
        const green = Math.min(1, Math.max(0, greenness[i]! + 0.12 * rough));
        const tree = smoothStep(limit[i]! - 0.12, limit[i]! + 0.12, woods[i]! + 0.2 * rough);
        if (tree < 1) {
          const soft = (1 - tree) * shine * (1 + roughness * rough);
          const grown = soft * (1 - desert);
          if (grown > 0) {
            addToPixel(canvas, pixel, M.grass, grown * (1 - arid) * green);
            addToPixel(canvas, pixel, M.straw, grown * (1 - green) * (1 - 0.55 * arid));
            if (arid > 0) addToPixel(canvas, pixel, M.savanna, grown * arid * (0.55 + 0.45 * green));
          }
          if (desert > 0) addToPixel(canvas, pixel, woods[i]! > 0.1 ? M.bareRock : M.desert, soft * desert);
        }
        if (tree > 0) {
          const cold = northern[i]! < 7;
          const leaf = cold ? 1 : Math.min(1, Math.max(0.25, (now[i]! + 6) / 14));
          const hard = tree * shine * (1 + (optical ? 0.42 : 0.3) * rough);
          addToPixel(canvas, pixel, cold ? M.conifer : M.forest, hard * leaf);
          if (leaf < 1) addToPixel(canvas, pixel, M.shrub, hard * (1 - leaf));
        }
        cover[pixel] = tree > 0.5 ? COVER.trees : desert > 0.5 ? COVER.bare : arid > 0.55 ? COVER.shrub : COVER.grass;
        if (metres < 53) {
          const beach = 1 - smoothStep(18, 45, metres + 8 * rough);
          blendPixel(canvas, pixel, M.sand, 1 + 0.1 * rough, beach);
          if (beach > 0.5) cover[pixel] = COVER.bare;
        }
        if (now[i]! < 1) {
          const snow = smoothStep(1.5, 5, -now[i]! - 1.6 * rough) * (1 - 0.55 * tree);
          if (snow > 0) blendPixel(canvas, pixel, M.snow, Math.min(1.1, shine), snow);
          if (snow > 0.5) cover[pixel] = COVER.snow;
        }
      }
      if (water > 0) {
        const sea = metres < 0;
        const frozen = now[i]! < (sea ? -9 : -6);
        const wave = 1 + (optical ? 0.09 : 0.3) * (sea ? swell[i]! : rough);
        const wind = optical ? wave : wave * view.windBackscatter * (sea ? 1 : 0.45);
        if (frozen) blendPixel(canvas, pixel, M.ice, 1 + 0.1 * rough, water);
        else if (!sea) blendPixel(canvas, pixel, M.murkyWater, wind, water);
        else if (water === 1) {
          const deep = metres > -40 ? 0 : 1 - Math.exp((metres + 40) / 2600);
          addToPixel(canvas, pixel, M.deepWater, wind * deep);
          addToPixel(canvas, pixel, M.shallowWater, wind * (1 - deep));
        } else blendPixel(canvas, pixel, M.shallowWater, wind, water);
        if (water > 0.5) cover[pixel] = frozen ? COVER.snow : sea ? COVER.water : COVER.river;
        if (optical && sea && metres > -55 && pixelM < 12) {
          const surf = (1 - smoothStep(4, 40, -metres + 14 * rough)) * smoothStep(0, 0.5, swell[i]! + 0.15);
          if (surf > 0) blendPixel(canvas, pixel, M.foam, 1, 0.55 * surf * water);
        }
      }
    }
  }
}

/** What climate and season make of the nodes of a block. */
function climateNodes(
  block: Block,
  frame: Frame,
  geography: Geography,
  view: View,
): Readonly<Record<"bank" | "dry" | "green" | "limit" | "now", Float32Array>> {
  const { coarse, fine, wet, warm, shore } = geography;
  const count = coarse.columns * coarse.rows;
  const now = new Float32Array(count);
  const dry = new Float32Array(count);
  const limit = new Float32Array(count);
  const green = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const degrees = warm[i]! + seasonOf(coarse.latDeg[i]!, view.dayOfYear - 18);
    now[i] = degrees;
    dry[i] = 1 - smoothStep(0.34, 0.62, wet[i]!);
    limit[i] = 0.62 - 1.15 * wet[i]! + 0.05 * Math.max(0, 4 - warm[i]!);
    green[i] = Math.min(1, Math.max(0, (degrees - 1) / 11)) * (0.55 + 0.45 * wet[i]!);
  }
  const bank = new Float32Array(shore.length);
  if (!geography.anyLand) return { bank, dry, green, limit, now };
  for (let i = 0; i < shore.length; i += 1) {
    const column = ((i % fine.columns) - 1) * fine.stepPx;
    const row = (Math.floor(i / fine.columns) - 1) * fine.stepPx;
    const half = riverHalfM(shore[i]!, sampleNodes(coarse, wet, column, row));
    if (half === 0) continue;
    const x = bilinear(frame.x, column / block.columns, row / block.rows);
    const y = bilinear(frame.y, column / block.columns, row / block.rows);
    bank[i] = half * (1 + view.floodAt(x, y));
  }
  return { bank, dry, green, limit, now };
}
