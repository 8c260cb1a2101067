import type { ModelBand } from "../scene-model.ts";
import type { Block } from "./block.ts";
import type { NodeLattice } from "./node-lattice.ts";
import type { SceneContext } from "./scene-context.ts";
import { hashUnit, smoothStep } from "../noise.ts";
import { BLOCK_PX, columnAt, eastM, frameOf, nearLongitude, northM, rowAt } from "./block.ts";
import { climateOf, coastOf, shoreOf } from "./geography.ts";
import { bilinear, createNodes, interpolateRow, sampleNodes } from "./node-lattice.ts";
import { placesNear } from "./places.ts";
import { cloudExcess } from "./sky.ts";
import { octaves } from "./sphere-noise.ts";
import { densityAt } from "./town-density.ts";
import type { Moment } from "./weather.ts";
import { blended, meanCloudCover, momentOf } from "./weather.ts";
import { rainSystemOf } from "./rain-system.ts";

/** The quantities of environmental bands, by the beginning of their meaning. */
const QUANTITIES = [
  ["precipitation", precipitation],
  ["methane", methane],
  ["night-lights", nightLights],
  ["cloud-free", cloudFreeObservations],
] as const satisfies readonly (readonly [string, Quantity])[];

/** Physical values of the pixels of a block, NaN where nothing was measured. */
type Quantity = (context: SceneContext, block: Block, band: ModelBand) => Float32Array;

/** How the pixels of a meaning are made, or null when the world has no such quantity. */
export function quantityOf(meaning: string | null): Quantity | null {
  return QUANTITIES.find(([name]) => meaning?.startsWith(name) === true)?.[1] ?? null;
}

const line = new Float32Array(BLOCK_PX);

function spread(block: Block, nodes: NodeLattice, field: Float32Array, out: Float32Array): void {
  const row = line.subarray(0, block.columns);
  for (let j = 0; j < block.rows; j += 1) {
    interpolateRow(nodes, field, j, row);
    out.set(row, j * block.columns);
  }
}

/** Rain in mm/h at a strength of the weather system and of the texture within it, both normal deviates. */
function rainRate(system: number, texture: number): number {
  const wet = 0.75 * system + 0.85 * texture - 1.35;
  return wet <= 0 ? 0 : Math.min(60, 2.6 * wet ** 1.9);
}

/** Rain of the hour that begins with the scene, at its middle. */
function precipitation(context: SceneContext, block: Block): Float32Array {
  const moment = momentOf(context.model.acquiredAtMs + 1_800_000);
  const leaving = rainSystemOf(block, moment.system);
  const coming = rainSystemOf(block, moment.system + 1);
  const { fine } = leaving;
  const rates = new Float32Array(fine.columns * fine.rows);
  for (let i = 0; i < rates.length; i += 1) {
    const system = blended(moment, leaving.strength[i]!, coming.strength[i]!);
    if (system < -1) continue;
    rates[i] = rainRate(system + leaving.zone[i]!, blended(moment, leaving.texture[i]!, coming.texture[i]!));
  }
  const out = new Float32Array(block.columns * block.rows);
  spread(block, fine, rates, out);
  return out;
}

const SOURCE_DEG = 2;
const PLUME_M = 90_000;

/** Column-averaged methane in ppb: a background that grows year by year, and plumes downwind of sources. */
function methane(context: SceneContext, block: Block): Float32Array {
  const { acquiredAtMs } = context.model;
  const day = Math.floor(acquiredAtMs / 86_400_000);
  const moment = momentOf(acquiredAtMs + 43_200_000);
  const nodes = createNodes(block, 4);
  const field = new Float32Array(nodes.columns * nodes.rows);
  const growth = (day - 17_900) / 365.25;
  const seed = 40_000 + (day % 10_000);
  for (let i = 0; i < field.length; i += 1) {
    const x = nodes.place[3 * i]!;
    const y = nodes.place[3 * i + 1]!;
    const z = nodes.place[3 * i + 2]!;
    const latDeg = nodes.latDeg[i]!;
    const hemisphere = 22 * Math.tanh(latDeg / 25);
    const drift = 9 * octaves(x, y, z, 1_500_000, 190_000, 0.5, seed);
    field[i] = 1850 + 9.5 * growth + hemisphere + drift;
  }
  addPlumes(block, nodes, field, day);
  const out = new Float32Array(block.columns * block.rows);
  spread(block, nodes, field, out);
  maskMethane(block, moment, out, day);
  return out;
}

function addPlumes(block: Block, nodes: NodeLattice, field: Float32Array, day: number): void {
  const reachDeg = (block.reachM + PLUME_M) / 111_195;
  const cos = Math.max(0.05, Math.cos((block.centreLatDeg * Math.PI) / 180));
  for (
    let j = Math.floor((block.centreLatDeg - reachDeg) / SOURCE_DEG);
    j <= Math.floor((block.centreLatDeg + reachDeg) / SOURCE_DEG);
    j += 1
  ) {
    const from = Math.floor((block.centreLonDeg - reachDeg / cos) / SOURCE_DEG);
    const to = Math.floor((block.centreLonDeg + reachDeg / cos) / SOURCE_DEG);
    for (let i = from; i <= to; i += 1) {
      const cell = ((i % 180) + 180) % 180;
      if (hashUnit(cell, j, 950) > 0.3) continue;
      const source = {
        lonDeg: (i + hashUnit(cell, j, 951)) * SOURCE_DEG,
        latDeg: (j + hashUnit(cell, j, 952)) * SOURCE_DEG,
      };
      // Most sources leak now and then, a few always.
      const rate = 160 * hashUnit(cell, j, 953) ** 3 * (0.3 + hashUnit(cell, j * 4096 + (day % 4096), 954));
      if (rate < 6 || shoreOf(nearLongitude(source.lonDeg, 0), source.latDeg) < 0) continue;
      const windRad =
        2 *
        Math.PI *
        hashUnit(Math.round(source.lonDeg / 15), Math.round(source.latDeg / 15) * 8192 + (day % 8192), 955);
      for (let node = 0; node < field.length; node += 1) {
        const east = eastM(source, nodes.lonDeg[node]!, nodes.latDeg[node]!);
        const north = northM(source, nodes.latDeg[node]!);
        const along = Math.sin(windRad) * east + Math.cos(windRad) * north;
        if (along < -9000 || along > PLUME_M) continue;
        const across = Math.cos(windRad) * east - Math.sin(windRad) * north;
        const width = 4500 + 0.16 * Math.max(0, along);
        const ahead = along < 0 ? Math.exp(-((along / 4500) ** 2)) : Math.exp(-along / 38_000);
        field[node]! += rate * ahead * (4500 / width) * Math.exp(-((across / width) ** 2));
      }
    }
  }
}

/** Nothing is measured under clouds, and over the sea only in the glint of the sun. Measurements are noisy. */
function maskMethane(block: Block, moment: Moment, out: Float32Array, day: number): void {
  const nodes = createNodes(block, 8);
  const clouds = new Float32Array(nodes.columns * nodes.rows);
  const inland = new Float32Array(clouds.length);
  // Bays do not matter to a swath that reaches 40 km out to sea.
  const coarse = createNodes(block, 32);
  const forms = coarse.lonDeg.map((lonDeg, i) => coastOf(nearLongitude(lonDeg, 0), coarse.latDeg[i]!));
  for (let i = 0; i < clouds.length; i += 1) {
    const lonDeg = nearLongitude(nodes.lonDeg[i]!, 0);
    const latDeg = nodes.latDeg[i]!;
    clouds[i] = cloudExcess(moment, lonDeg, latDeg, 4 * block.pixelM);
    const glint = octaves(
      nodes.place[3 * i]!,
      nodes.place[3 * i + 1]!,
      nodes.place[3 * i + 2]!,
      400_000,
      50_000,
      0.5,
      50_000 + (day % 1000),
    );
    const column = ((i % nodes.columns) - 1) * nodes.stepPx;
    const row = (Math.floor(i / nodes.columns) - 1) * nodes.stepPx;
    inland[i] = sampleNodes(coarse, forms, column, row) + 60_000 * (glint - 0.7);
  }
  const sky = new Float32Array(block.columns);
  const shore = new Float32Array(block.columns);
  for (let row = 0; row < block.rows; row += 1) {
    interpolateRow(nodes, clouds, row, sky);
    interpolateRow(nodes, inland, row, shore);
    for (let i = 0; i < block.columns; i += 1) {
      const at = row * block.columns + i;
      const grain =
        hashUnit(block.column + i, block.row + row, day + 1) + hashUnit(block.column + i, block.row + row, day + 2) - 1;
      if (sky[i]! + 0.3 * grain > 0.3 || shore[i]! < -42_000) out[at] = NaN;
      else out[at]! += 7 * grain;
    }
  }
}

/** Radiance of a month at night in nW/cm²/sr: towns and their glow over a dark background. */
function nightLights(context: SceneContext, block: Block): Float32Array {
  const month = Math.floor(context.model.acquiredAtMs / 2_629_746_000);
  const out = new Float32Array(block.columns * block.rows);
  const { columns, rows, pixelM } = block;
  for (let i = 0; i < out.length; i += 1) {
    out[i] = 0.12 + 0.16 * hashUnit(block.column + (i % columns), block.row + Math.floor(i / columns), month);
  }
  for (const place of placesNear(block)) {
    const frame = frameOf(block, place);
    const glowM = place.radiusM * 1.5 + 2600;
    const size = Math.min(1, place.radiusM / 16_000);
    const peak =
      (7 + 75 * Math.sqrt(size)) *
      (0.7 + 0.6 * hashUnit(place.seed, 1, 960)) *
      (0.96 + 0.08 * hashUnit(place.seed, month, 961));
    const middleColumn = columnAt(block, frame, 0, 0);
    const middleRow = rowAt(block, frame, 0, 0);
    const across = glowM / block.pixelWidthM;
    const down = glowM / block.pixelHeightM;
    for (let row = Math.max(0, Math.floor(middleRow - down)); row < Math.min(rows, middleRow + down); row += 1) {
      for (
        let column = Math.max(0, Math.floor(middleColumn - across));
        column < Math.min(columns, middleColumn + across);
        column += 1
      ) {
        const x = bilinear(frame.x, (column + 0.5) / columns, (row + 0.5) / rows);
        const y = bilinear(frame.y, (column + 0.5) / columns, (row + 0.5) / rows);
        const distance = Math.sqrt(x * x + y * y);
        if (distance > glowM) continue;
        const density = densityAt(place, x, y);
        const lit = density > 0.2 ? smoothStep(0.2, 1.1, density) : 0;
        const glow = 0.035 * Math.exp(-distance / (place.radiusM * 0.5 + 900)) * (1 - distance / glowM);
        const patch = 0.6 + 0.8 * hashUnit(Math.floor(x / 900), Math.floor(y / 900), place.seed);
        out[row * columns + column]! += peak * (lit * patch + glow) * Math.min(1, (place.radiusM * 1.6) / pixelM);
      }
    }
  }
  return out;
}

/** How many nights of the month were clear. */
function cloudFreeObservations(context: SceneContext, block: Block): Float32Array {
  const date = context.model.acquiredAtMs / 86_400_000;
  const dayOfYear = (date + 15) % 365.2425;
  const month = Math.floor(context.model.acquiredAtMs / 2_629_746_000);
  const nodes = createNodes(block, 16);
  const field = new Float32Array(nodes.columns * nodes.rows);
  for (let i = 0; i < field.length; i += 1) {
    const clear = 1 - meanCloudCover(nodes.latDeg[i]!, dayOfYear);
    const weather = octaves(
      nodes.place[3 * i]!,
      nodes.place[3 * i + 1]!,
      nodes.place[3 * i + 2]!,
      900_000,
      60_000,
      0.5,
      970 + (month % 1000),
    );
    field[i] = Math.max(1, 24 * Math.max(0.03, clear + 0.28 * weather));
  }
  const out = new Float32Array(block.columns * block.rows);
  spread(block, nodes, field, out);
  return out;
}

/** Air temperature at the corners of a block, degrees Celsius, as the mean of the year. */
export function warmthOf(block: Block): readonly number[] {
  return [0, 1, 2, 3].map((corner) => climateOf(nearLongitude(block.lonDeg[corner]!, 0), block.latDeg[corner]!).warm);
}
