import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";
import { smoothStep } from "../noise.ts";
import { BLOCK_PX } from "./block.ts";
import { COVER } from "./canvas.ts";
import { seasonOf } from "./geography.ts";
import { bilinear, interpolateRow } from "./node-lattice.ts";
import { M, OPTICAL_CHANNELS } from "./spectra.ts";
import { addNoiseRow, textureWavelengths } from "./texture.ts";

const row = (): Float32Array => new Float32Array(BLOCK_PX);
const buffers = {
  shore: row(),
  river: row(),
  woods: row(),
  light: row(),
  wet: row(),
  warm: row(),
  season: row(),
  grain: row(),
  jitter: row(),
  swell: row(),
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
  const { columns, rows, channels, pixels, table, cover } = canvas;
  const { pixelM } = block;
  const light = lightOf(block, geography, view);
  const season = Float32Array.from(coarse.latDeg, (latDeg) => seasonOf(latDeg, view.dayOfYear - 18));
  const shore = buffers.shore.subarray(0, columns);
  const river = buffers.river.subarray(0, columns);
  const woods = buffers.woods.subarray(0, columns);
  const lit = buffers.light.subarray(0, columns);
  const wet = buffers.wet.subarray(0, columns);
  const warm = buffers.warm.subarray(0, columns);
  const swing = buffers.season.subarray(0, columns);
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
    interpolateRow(coarse, geography.wet, line, wet);
    interpolateRow(coarse, geography.warm, line, warm);
    interpolateRow(coarse, season, line, swing);
    if (geography.anyLand) {
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
      if (pixelM < 25) addNoiseRow(swell, 0.8 * x + 0.6 * y, 3 * (0.8 * y - 0.6 * x) + view.waveM, 0.8 * dx + 0.6 * dy, 3 * (0.8 * dy - 0.6 * dx), 90, 0.7, 304);
      addNoiseRow(swell, x + view.waveM, y, dx, dy, 1900, 0.8, 305);
    }
    for (let i = 0; i < columns; i += 1) {
      const pixel = line * columns + i;
      const at = pixel * channels;
      const rough = grain[i]!;
      canvas.light[pixel] = lit[i]! * (1 + 0.16 * rough);
      const metres = shore[i]!;
      const moisture = wet[i]!;
      const land = Math.min(1, Math.max(0, metres / pixelM + 0.5));
      let water = 1 - land;
      if (land > 0) {
        const half = riverHalfM(metres, moisture);
        if (half > 0) {
          const flooded = half * (1 + view.floodAt(x + i * dx, y + i * dy)) + 0.2;
          const part = bandPart(river[i]!, flooded, pixelM);
          if (part > water) water = part;
        }
      }
      if (water < 1) {
        const now = warm[i]! + swing[i]!;
        const dry = 1 - smoothStep(0.34, 0.62, moisture);
        const desert = 1 - smoothStep(0.16, 0.33, moisture + 0.05 * rough);
        const green = Math.min(1, Math.max(0, (now - 1) / 11)) * (0.55 + 0.45 * moisture) + 0.12 * rough;
        const limit = 0.62 - 1.15 * moisture + 0.05 * Math.max(0, 4 - warm[i]!);
        const tree = smoothStep(limit - 0.12, limit + 0.12, woods[i]! + 0.2 * rough);
        const bright = lit[i]! * (1 + roughness * rough);
        const treeBright = lit[i]! * (1 + (optical ? 0.42 : 0.3) * rough);
        const cold = warm[i]! < 7;
        const wood = (cold ? M.conifer : M.forest) * channels;
        const bare = (woods[i]! > 0.1 ? M.bareRock : M.desert) * channels;
        const leaf = cold ? 1 : Math.min(1, Math.max(0.25, (now + 6) / 14));
        const soft = (1 - tree) * bright;
        const hard = tree * treeBright;
        const wGrass = soft * (1 - desert) * (1 - dry) * green;
        const wStraw = soft * (1 - desert) * ((1 - dry) * (1 - green) + dry * (1 - green) * 0.45);
        const wSavanna = soft * (1 - desert) * dry * (1 - 0.45 * (1 - green));
        const wBare = soft * desert;
        const wTree = hard * leaf;
        const wTwig = hard * (1 - leaf);
        for (let k = 0; k < channels; k += 1) {
          pixels[at + k] =
            wGrass * table[M.grass * channels + k]! +
            wStraw * table[M.straw * channels + k]! +
            wSavanna * table[M.savanna * channels + k]! +
            wBare * table[bare + k]! +
            wTree * table[wood + k]! +
            wTwig * table[M.shrub * channels + k]!;
        }
        cover[pixel] = tree > 0.5 ? COVER.trees : desert > 0.5 ? COVER.bare : dry > 0.55 ? COVER.shrub : COVER.grass;
        const beach = land < 1 || metres < 45 ? 1 - smoothStep(18, 45, metres + 8 * rough) : 0;
        if (beach > 0) {
          mix(canvas, at, M.sand, 1 + 0.1 * rough, beach);
          if (beach > 0.5) cover[pixel] = COVER.bare;
        }
        const snow = smoothStep(-1.5, -5, now + 1.6 * rough) * (1 - 0.55 * tree);
        if (snow > 0) {
          mix(canvas, at, M.snow, Math.min(1.1, lit[i]!), snow);
          if (snow > 0.5) cover[pixel] = COVER.snow;
        }
      }
      if (water > 0) {
        const sea = metres < 0;
        const deep = sea ? 1 - Math.exp(Math.min(0, metres + 40) / 2600) : 0;
        const wave = 1 + (optical ? 0.09 : 0.3) * (sea ? swell[i]! : rough);
        const shallow = (sea ? M.shallowWater : M.murkyWater) * channels;
        const deepFrom = M.deepWater * channels;
        const frozen = warm[i]! + swing[i]! < (sea ? -9 : -6) ? 1 : 0;
        const wind = optical ? 1 : view.windBackscatter * (sea ? 1 : 0.45);
        for (let k = 0; k < channels; k += 1) {
          const liquid = (table[shallow + k]! + (table[deepFrom + k]! - table[shallow + k]!) * deep) * wave * wind;
          const surface = frozen === 1 ? table[M.ice * channels + k]! * (1 + 0.1 * rough) : liquid;
          pixels[at + k] = water === 1 ? surface : pixels[at + k]! + (surface - pixels[at + k]!) * water;
        }
        if (water > 0.5) cover[pixel] = frozen === 1 ? COVER.snow : sea ? COVER.water : COVER.river;
        if (optical && sea && metres > -55 && pixelM < 12) {
          const surf = (1 - smoothStep(4, 40, -metres + 14 * rough)) * smoothStep(0, 0.5, swell[i]! + 0.15);
          if (surf > 0) mix(canvas, at, M.foam, 1, 0.55 * surf * water);
        }
      }
    }
  }
}

function mix(canvas: Canvas, at: number, material: number, light: number, part: number): void {
  const { channels, pixels, table } = canvas;
  const from = material * channels;
  for (let k = 0; k < channels; k += 1) {
    pixels[at + k] = pixels[at + k]! + (table[from + k]! * light - pixels[at + k]!) * part;
  }
}
