import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";
import { BLOCK_PX } from "./block.ts";
import { smoothStep } from "../noise.ts";
import { seasonOf } from "./geography.ts";
import { layBeach, layMarsh, laySnow, layVegetation, layWater } from "./ground-layers.ts";
import { bilinear, interpolateRow, sampleNodes } from "./node-lattice.ts";
import { addNoiseRow, grainRow, textureWavelengths } from "./texture.ts";

const pixelRow = (): Float32Array => new Float32Array(BLOCK_PX);
/** The fields of the row in hand. */
const buffers = {
  shore: pixelRow(),
  river: pixelRow(),
  woods: pixelRow(),
  light: pixelRow(),
  wet: pixelRow(),
  now: pixelRow(),
  dry: pixelRow(),
  warm: pixelRow(),
  green: pixelRow(),
  bank: pixelRow(),
  grain: pixelRow(),
  jitter: pixelRow(),
  swell: pixelRow(),
  deep: pixelRow(),
  tree: pixelRow(),
  marsh: pixelRow(),
};

export type GroundRow = typeof buffers;

/** What the cells of the lattice hold: land away from any water, shores and rivers, open sea. */
const DRY = 0;
const SHORE = 1;
const SEA = 2;

/** Jitter of shores and banks, metres either way. */
const JITTER_M = 9;
/** Beaches reach this far. */
const BEACH_M = 53;

/** Metres from the middle of a river to its bank. */
export function riverHalfM(shore: number, wet: number): number {
  if (wet < 0.3) return 0;
  return 26 * smoothStep(0.3, 0.55, wet) + 110 * Math.exp(-Math.max(0, shore) / 6000);
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
  const { columns, rows } = canvas;
  const { pixelM } = block;
  const climate = climateNodes(block, frame, geography, view);
  const light = canvas.channels === 0 ? null : lightOf(block, geography, view);
  const kinds = cellKinds(block, geography, climate.bank);
  const deep = geography.anySea ? geography.shore.map((metres) => deepOf(metres)) : null;
  const cells = Math.ceil(columns / fine.stepPx);
  const [shortM = 0, longM = 0] = textureWavelengths(pixelM);
  const any = {
    arid: climate.dry.some((value) => value > 0),
    desert: geography.wet.some((value) => value < 0.37),
    cold: climate.now.some((value) => value < 1),
    bare: climate.now.some((value) => value < 8) || geography.warm.some((value) => value < 7),
  };
  const row = rowOf(columns);
  row.dry.fill(0);
  row.wet.fill(1);
  row.now.fill(20);
  row.warm.fill(20);
  row.light.fill(1);
  for (let line = 0; line < rows; line += 1) {
    const v = (line + 0.5) / rows;
    const x = bilinear(frame.x, 0.5 / columns, v);
    const y = bilinear(frame.y, 0.5 / columns, v);
    const dx = (bilinear(frame.x, 1, v) - bilinear(frame.x, 0, v)) / columns;
    const dy = (bilinear(frame.y, 1, v) - bilinear(frame.y, 0, v)) / columns;
    const firstCell = (Math.floor(line / fine.stepPx) + 1) * fine.columns + 1;
    let dry = false;
    let shore = false;
    let sea = false;
    for (let cell = firstCell; cell < firstCell + cells; cell += 1) {
      const kind = kinds[cell];
      if (kind === DRY) dry = true;
      else if (kind === SHORE) shore = true;
      else sea = true;
    }
    if (shore || sea) canvas.wetRows[line] = 1;
    grainRow(row.grain, x, y, dx, dy, shortM, longM);
    if (light !== null) interpolateRow(fine, light, line, row.light);
    if (any.cold || any.bare) interpolateRow(coarse, climate.now, line, row.now);
    if (dry || shore) {
      if (any.bare) interpolateRow(coarse, geography.warm, line, row.warm);
      if (any.arid) interpolateRow(coarse, climate.dry, line, row.dry);
      if (any.desert) interpolateRow(coarse, geography.wet, line, row.wet);
      interpolateRow(coarse, climate.green, line, row.green);
      interpolateRow(fine, climate.thick, line, row.woods);
    }
    const marshy = (dry || shore) && interpolateRow(fine, climate.marsh, line, row.marsh) > 0.3;
    if (shore || sea) {
      interpolateRow(fine, geography.shore, line, row.shore);
      if (deep !== null) interpolateRow(fine, deep, line, row.deep);
    }
    if (shore) {
      interpolateRow(fine, climate.bank, line, row.bank);
      interpolateRow(fine, geography.river, line, row.river);
      if (pixelM < 40) {
        const jitter = row.jitter.fill(0);
        addNoiseRow(jitter, x, y, dx, dy, 46, JITTER_M, 303);
        for (let i = 0; i < columns; i += 1) {
          row.shore[i]! += jitter[i]!;
          row.river[i]! += jitter[i]!;
        }
      }
    }
    if ((shore || sea) && geography.anySea) addSwell(row.swell.fill(0), view, pixelM, x, y, dx, dy);
    for (let cell = 0; cell < cells; cell += 1) {
      const from = cell * fine.stepPx;
      let to = from + fine.stepPx;
      const kind = kinds[firstCell + cell]!;
      // Neighbours of one kind are painted in one go.
      while (cell + 1 < cells && kinds[firstCell + cell + 1] === kind) {
        cell += 1;
        to += fine.stepPx;
      }
      to = Math.min(to, columns);
      if (kind !== SEA) {
        layVegetation(canvas, row, view, line, from, to, any);
        if (marshy) layMarsh(canvas, row, line, from, to);
        if (kind === SHORE) layBeach(canvas, row, line, from, to);
        if (any.cold) laySnow(canvas, row, line, from, to);
      }
      if (kind !== DRY) layWater(canvas, row, view, pixelM, line, from, to);
    }
  }
}

const views = new Map<number, GroundRow>();

function rowOf(columns: number): GroundRow {
  let row = views.get(columns);
  if (row === undefined) {
    row = Object.fromEntries(
      Object.entries(buffers).map(([name, buffer]) => [name, buffer.subarray(0, columns)]),
    ) as GroundRow;
    views.set(columns, row);
  }
  return row;
}

/** How little of the ground shows through the sea, 0 to 1. */
function deepOf(metres: number): number {
  return metres > -40 ? 0 : 1 - Math.exp((metres + 40) / 2600);
}

/** Waves come in from the open sea along one direction and are stretched across it. */
function addSwell(swell: Float32Array, view: View, pixelM: number, x: number, y: number, dx: number, dy: number): void {
  if (pixelM < 25) {
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
  }
  addNoiseRow(swell, x + view.waveM, y, dx, dy, 1900, 0.8, 305);
}

/** What may be between four nodes, at the index of the north-western one. */
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

/** What climate and season make of the nodes of a block. */
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
