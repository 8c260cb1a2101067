import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import { seasonOf, type Geography } from "./geography.ts";
import { smoothStep } from "../noise.ts";
import { bilinear, sampleNodes } from "./node-lattice.ts";
import type { View } from "./view.ts";

/** Kinds of cells of the lattice: land away from any water, shores and rivers, open sea. */
export const DRY = 0;
export const SHORE = 1;
export const SEA = 2;

/** Jitter of shores and banks, metres either way. */
export const JITTER_M = 9;
/** Beaches reach this far. */
const BEACH_M = 53;

/** The nodes of a block, between which its pixels are interpolated. */
export interface GroundNodes {
  readonly geography: Geography;
  readonly climate: ReturnType<typeof climateNodes>;
  /** Null when nothing is drawn. */
  readonly light: Float32Array | null;
  /** Null without sea. */
  readonly deep: Float32Array | null;
  readonly kinds: Uint8Array;
  readonly any: Readonly<Record<"arid" | "bare" | "cold" | "desert", boolean>>;
}

/** Climate, light and kinds of ground at the nodes of a block. */
export function groundNodes(canvas: Canvas, block: Block, frame: Frame, geography: Geography, view: View): GroundNodes {
  const climate = climateNodes(block, frame, geography, view);
  return {
    geography,
    climate,
    light: canvas.channels === 0 ? null : lightOf(block, geography, view),
    deep: geography.anySea ? geography.shore.map((metres) => deepOf(metres)) : null,
    kinds: cellKinds(block, geography, climate.bank),
    any: {
      arid: climate.dry.some((value) => value > 0),
      desert: geography.wet.some((value) => value < 0.37),
      cold: climate.now.some((value) => value < 1),
      bare: climate.now.some((value) => value < 8) || geography.warm.some((value) => value < 7),
    },
  };
}

/** Metres from the middle of a river to its bank. */
function riverHalfM(shore: number, wet: number): number {
  if (wet < 0.3) return 0;
  return 26 * smoothStep(0.3, 0.55, wet) + 110 * Math.exp(-Math.max(0, shore) / 6000);
}

/** Light on the nodes by their slope: to the sun for optical sensors, to the satellite for radar. */
function lightOf(block: Block, geography: Geography, view: View): Float32Array {
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

/** How little of the ground shows through the sea, 0 to 1. */
function deepOf(metres: number): number {
  return metres > -40 ? 0 : 1 - Math.exp((metres + 40) / 2600);
}

/** The kind of the cell between four nodes, at the index of the north-western one. */
function cellKinds(block: Block, geography: Geography, bank: Float32Array): Uint8Array {
  const { fine, shore, river } = geography;
  const kinds = new Uint8Array(shore.length);
  const nearM = Math.max(BEACH_M, block.pixelM / 2) + JITTER_M;
  const offM = -block.pixelM / 2 - BEACH_M - JITTER_M;
  const besideM = JITTER_M + block.pixelM / 2;
  for (let j = 0; j < fine.rows - 1; j += 1) {
    for (let i = 0; i < fine.columns - 1; i += 1) {
      const a = j * fine.columns + i;
      const c = a + fine.columns;
      const low = Math.min(shore[a]!, shore[a + 1]!, shore[c]!, shore[c + 1]!);
      const high = Math.max(shore[a]!, shore[a + 1]!, shore[c]!, shore[c + 1]!);
      if (high < offM) {
        kinds[a] = SEA;
        continue;
      }
      const wide = Math.max(bank[a]!, bank[a + 1]!, bank[c]!, bank[c + 1]!);
      const left = Math.min(river[a]!, river[a + 1]!, river[c]!, river[c + 1]!);
      const right = Math.max(river[a]!, river[a + 1]!, river[c]!, river[c + 1]!);
      const reach = wide + besideM;
      kinds[a] = low < nearM || (wide > 0.5 && left < reach && right > -reach) ? SHORE : DRY;
    }
  }
  return kinds;
}

/** Low wet ground beside rivers and behind sheltered shores, where no woods stand: above one half it is marsh. */
function marshAt(shore: number, besideM: number, woods: number, wet: number): number {
  const river = 1 - smoothStep(60, 620, besideM);
  const coast = shore < 0 ? 0 : 0.75 * (1 - smoothStep(300, 1400, shore));
  return Math.max(river, coast) * smoothStep(0.42, 0.6, wet) * (1 - smoothStep(-0.25, 0.05, woods));
}

/** Climate and season at the nodes of a block. */
function climateNodes(
  block: Block,
  frame: Frame,
  geography: Geography,
  view: View,
): Readonly<Record<"bank" | "dry" | "green" | "marsh" | "now" | "thick", Float32Array>> {
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
  // Woods grow where this is above 0.
  const thick = new Float32Array(shore.length);
  // Wetlands are where this is above one half.
  const marsh = new Float32Array(shore.length);
  if (!geography.anyLand) return { bank, dry, green, marsh, now, thick };
  for (let i = 0; i < shore.length; i += 1) {
    const column = ((i % fine.columns) - 1) * fine.stepPx;
    const row = (Math.floor(i / fine.columns) - 1) * fine.stepPx;
    thick[i] = geography.woods[i]! - sampleNodes(coarse, limit, column, row);
    const moist = sampleNodes(coarse, wet, column, row);
    const half = riverHalfM(shore[i]!, moist);
    if (half === 0) continue;
    marsh[i] = marshAt(shore[i]!, Math.abs(geography.river[i]!) - half, geography.woods[i]!, moist);
    const x = bilinear(frame.x, column / block.columns, row / block.rows);
    const y = bilinear(frame.y, column / block.columns, row / block.rows);
    bank[i] = half * (1 + view.floodAt(x, y));
  }
  return { bank, dry, green, marsh, now, thick };
}
