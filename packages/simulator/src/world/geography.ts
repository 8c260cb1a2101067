import type { Block } from "./block.ts";
import type { NodeLattice } from "./node-lattice.ts";
import { smoothStep } from "../noise.ts";
import { eastM, northM } from "./block.ts";
import { ANCHORS, continent } from "./continents.ts";
import { createNodes, sampleNodes } from "./node-lattice.ts";
import { addOctave, addOctaves, noise3, octaves, placeOnSphere } from "./sphere-noise.ts";

/*
 * Terminology.
 * - shore: metres to the sea, positive on land.
 * - river: metres to the middle of the nearest river, signed by bank.
 * - wet: 0 desert, 1 rain forest. warm: mean temperature of the year in degrees Celsius.
 */

const SEED = 4100;
/** Reach of a city's say over where the coast runs. */
const ANCHOR_M = 160_000;

/** The slow fields of a block: `fine` nodes for form, `coarse` ones for climate. */
export interface Geography {
  readonly fine: NodeLattice;
  readonly shore: Float32Array;
  readonly heightM: Float32Array;
  readonly river: Float32Array;
  /** About -1 to 1; woods grow where it is high. */
  readonly woods: Float32Array;
  readonly coarse: NodeLattice;
  readonly wet: Float32Array;
  readonly warm: Float32Array;
  /** Above 0 where the land is farmed. */
  readonly farmed: Float32Array;
  readonly anyLand: boolean;
  readonly anySea: boolean;
}

const scratch = new Float64Array(3);
const form: CoastForm = { metres: 0, rugged: 1 };

/** The large forms of a coast: metres to the shore without bays, and how calm the coast is near a city. */
interface CoastForm {
  metres: number;
  /** 1 for a rugged coast, less where a city needs its ground. */
  rugged: number;
}

function formCoast(lonDeg: number, latDeg: number, place: Float64Array, at: number, out: CoastForm): void {
  const x = place[at]!;
  const y = place[at + 1]!;
  const z = place[at + 2]!;
  const strayX = octaves(x, y, z, 1_900_000, 400_000, 0.5, SEED + 4);
  const strayY = octaves(x, y, z, 1_900_000, 400_000, 0.5, SEED + 7);
  let metres = (continent(lonDeg + 5 * strayX, latDeg + 4 * strayY) - 0.42) * 800_000;
  metres += 300_000 * octaves(x, y, z, 1_500_000, 90_000, 0.5, SEED);
  let rugged = 1;
  for (const anchor of ANCHORS) {
    const north = northM(anchor, latDeg);
    if (north > ANCHOR_M || north < -ANCHOR_M) continue;
    const east = eastM(anchor, lonDeg, latDeg);
    if (east > ANCHOR_M || east < -ANCHOR_M) continue;
    const distance = Math.sqrt(east * east + north * north);
    if (distance > ANCHOR_M) continue;
    const weight = 1 - smoothStep(0.25, 1, distance / ANCHOR_M);
    const toSea = anchor.seaDeg === null ? 0 : (anchor.seaDeg * Math.PI) / 180;
    const ahead = anchor.seaDeg === null ? 0 : east * Math.sin(toSea) + north * Math.cos(toSea);
    const local = Math.min(anchor.seaDeg === null ? 60_000 : 40_000, anchor.shoreKm * 1000 - ahead);
    metres += (local - metres) * weight;
    rugged = Math.min(rugged, 1 - 0.75 * weight);
  }
  out.metres = metres;
  out.rugged = rugged;
}

/** Bays and coves are this close to the shore of the large forms, and of the bays. */
const BAYS_M = 60_000;
const COVES_M = 6000;

/** Metres to the shore with the bays that are longer than `shortestM`. */
function detailShore(x: number, y: number, z: number, formM: number, rugged: number, shortestM: number): number {
  if (Math.abs(formM) > BAYS_M) return formM;
  let metres = formM + rugged * 6500 * octaves(x, y, z, 50_000, Math.max(shortestM, 8000), 0.52, SEED + 10);
  if (Math.abs(metres) < COVES_M) {
    metres += 0.5 * (1 + rugged) * 560 * octaves(x, y, z, 6000, shortestM, 0.48, SEED + 20);
  }
  return metres;
}

/** Metres to the shore at a place by the large forms alone. */
export function coastOf(lonDeg: number, latDeg: number): number {
  placeOnSphere(lonDeg, latDeg, scratch);
  formCoast(lonDeg, latDeg, scratch, 0, form);
  return form.metres;
}

/** Metres to the shore at a place, with every bay that matters to a city. */
export function shoreOf(lonDeg: number, latDeg: number): number {
  placeOnSphere(lonDeg, latDeg, scratch);
  formCoast(lonDeg, latDeg, scratch, 0, form);
  return detailShore(scratch[0]!, scratch[1]!, scratch[2]!, form.metres, form.rugged, 150);
}

/** Where mountains are: above 0 hills, towards 1 alps. */
function regionAt(x: number, y: number, z: number): number {
  return octaves(x, y, z, 1_200_000, 150_000, 0.5, SEED + 60);
}

function heightAt(x: number, y: number, z: number, region: number, shore: number, shortestM: number): number {
  if (shore <= 0) return Math.max(-4000, shore * 0.02);
  let rise = 0;
  let strength = 1;
  let salt = SEED + 70;
  for (let wavelengthM = 26_000; wavelengthM >= shortestM; wavelengthM /= 2) {
    const scale = 1 / wavelengthM;
    const value = noise3(x * scale + salt, y * scale, z * scale, salt);
    // Long waves are ridges and valleys, short ones are rolling ground.
    rise += strength * (wavelengthM > RIDGED_M ? 0.8 - 1.6 * Math.abs(value) : 0.8 * value);
    strength *= RISE_GAIN;
    salt += 1;
  }
  return raised(region, shore, rise);
}

const RIDGED_M = 1500;
const RISE_GAIN = 0.47;

/** Height of a place by its region, its distance from the sea and the rise of its ground. */
function raised(region: number, shore: number, rise: number): number {
  if (shore <= 0) return Math.max(-4000, shore * 0.02);
  const hilly = smoothStep(-0.25, 0.9, region) * smoothStep(1500, 60_000, shore);
  const alpine = smoothStep(0.45, 1.1, region) * smoothStep(20_000, 140_000, shore);
  const plain = 3 + 60 * (1 - Math.exp(-shore / 30_000)) + Math.min(4, shore * 0.02);
  return plain + (8 + 170 * hilly + 1150 * alpine) * Math.max(-0.1, 0.5 + rise) + 650 * alpine;
}

/** Wetness, 0 to 1. */
function wetAt(x: number, y: number, z: number, latDeg: number, shore: number): number {
  const belt = 0.3 * Math.exp(-((latDeg / 13) ** 2)) - 0.42 * Math.exp(-(((Math.abs(latDeg) - 23) / 9) ** 2));
  const coast = 0.22 * Math.exp(-Math.max(0, shore) / 150_000);
  return Math.max(0, Math.min(1, 0.6 + belt + coast + 0.3 * octaves(x, y, z, 1_600_000, 100_000, 0.5, SEED + 80)));
}

/** Mean temperature of the year at sea level and height. */
function warmAt(latDeg: number, heightM: number): number {
  return 28 - 0.0088 * latDeg * latDeg - 0.0062 * Math.max(0, heightM);
}

/** Degrees by which the present season differs from the mean of the year. */
export function seasonOf(latDeg: number, dayOfYear: number): number {
  const swing = Math.sign(latDeg) * Math.min(15, 0.26 * Math.abs(latDeg));
  return swing * Math.cos(((dayOfYear - 202) / 365.25) * 2 * Math.PI);
}

/** Climate and vegetation of a place; reused between calls. */
export interface Climate {
  region: number;
  wet: number;
  warm: number;
  /** Above 0 where the land is farmed. */
  farmed: number;
}

const climate: Climate = { region: 0, wet: 0, warm: 0, farmed: 0 };

/** Climate by the large forms only, so that it is the same at every resolution. Leaves the coast in `form`. */
function climateAt(lonDeg: number, latDeg: number, place: Float64Array, at: number): Climate {
  const x = place[at]!;
  const y = place[at + 1]!;
  const z = place[at + 2]!;
  formCoast(lonDeg, latDeg, place, at, form);
  climate.region = regionAt(x, y, z);
  const rise = heightAt(x, y, z, climate.region, Math.max(1, form.metres), 3000);
  // People settled where it rains enough.
  climate.wet = Math.min(0.85, wetAt(x, y, z, latDeg, form.metres) + 0.2 * (1 - form.rugged));
  climate.warm = warmAt(latDeg, rise);
  climate.farmed =
    0.75 * octaves(x, y, z, 90_000, 12_000, 0.6, SEED + 110) +
    0.5 -
    2.2 * Math.abs(climate.wet - 0.58) -
    0.0012 * Math.max(0, rise - 250) +
    0.04 * Math.min(0, climate.warm - 5);
  return climate;
}

/** Climate of a place. Read it before the next call. */
export function climateOf(lonDeg: number, latDeg: number): Climate {
  placeOnSphere(lonDeg, latDeg, scratch);
  return climateAt(lonDeg, latDeg, scratch, 0);
}

/** Metres between places below which nothing of a lattice can be seen. */
function shortestOf(nodes: NodeLattice): number {
  return 2.2 * nodes.spacingM;
}

/** A spacing of nodes that resolves all detail of the fields, whatever the pixels. */
const ENOUGH_M = 15;
const HERE = [0, 0, 0] as const;

/**
 * Works out the fields of a block.
 *
 * @param relief whether heights are needed
 */
export function surveyBlock(block: Block, relief: boolean): Geography {
  const fine = createNodes(block, block.pixelM * 16 <= ENOUGH_M ? (block.pixelM * 32 <= ENOUGH_M ? 32 : 16) : 8);
  const coarse = createNodes(block, 32);
  const count = coarse.columns * coarse.rows;
  const forms = new Float32Array(count);
  const ruggeds = new Float32Array(count);
  const regions = new Float32Array(count);
  const wet = new Float32Array(count);
  const warm = new Float32Array(count);
  const farmed = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const here = climateAt(coarse.lonDeg[i]!, coarse.latDeg[i]!, coarse.place, 3 * i);
    forms[i] = form.metres;
    ruggeds[i] = form.rugged;
    regions[i] = here.region;
    wet[i] = here.wet;
    warm[i] = here.warm;
    farmed[i] = here.farmed;
  }
  const size = fine.columns * fine.rows;
  const shortest = shortestOf(fine);
  const shore = surveyShore(fine, coarse, forms, ruggeds, shortest);
  const heightM = new Float32Array(size);
  const river = new Float32Array(size);
  const woods = new Float32Array(size);
  let anyLand = false;
  let anySea = false;
  for (let i = 0; i < size; i += 1) {
    if (shore[i]! > -60 - fine.spacingM) anyLand = true;
    if (shore[i]! < 60 + fine.spacingM) anySea = true;
  }
  if (anyLand) {
    const sum = new Float64Array(size);
    addOctaves(sum, fine.place, HERE, 30_000, Math.max(500, shortest), 0.4, SEED + 40, 8200);
    river.set(sum);
    sum.fill(0);
    addOctaves(sum, fine.place, HERE, 9000, Math.max(60, shortest), 0.55, SEED + 90, 0.62);
    woods.set(sum);
  }
  if (anyLand && relief) {
    const rise = new Float64Array(size);
    let strength = 1;
    let salt = SEED + 70;
    for (let wavelengthM = 26_000; wavelengthM >= Math.max(60, shortest); wavelengthM /= 2) {
      const ridged = wavelengthM > RIDGED_M;
      addOctave(rise, fine.place, 1 / wavelengthM, salt, 0, 0, salt, strength * (ridged ? 1 : 0.8), ridged);
      strength *= RISE_GAIN;
      salt += 1;
    }
    for (let i = 0; i < size; i += 1) {
      const column = ((i % fine.columns) - 1) * fine.stepPx;
      const row = (Math.floor(i / fine.columns) - 1) * fine.stepPx;
      heightM[i] = raised(sampleNodes(coarse, regions, column, row), shore[i]!, rise[i]!);
    }
  }
  return { fine, shore, heightM, river, woods, coarse, wet, warm, farmed, anyLand, anySea };
}

/** As `detailShore` at the nodes of a block. */
function surveyShore(
  fine: NodeLattice,
  coarse: NodeLattice,
  forms: Float32Array,
  ruggeds: Float32Array,
  shortestM: number,
): Float32Array {
  const size = fine.columns * fine.rows;
  const shore = new Float32Array(size);
  const rugged = new Float32Array(size);
  let near = false;
  for (let i = 0; i < size; i += 1) {
    const column = ((i % fine.columns) - 1) * fine.stepPx;
    const row = (Math.floor(i / fine.columns) - 1) * fine.stepPx;
    shore[i] = sampleNodes(coarse, forms, column, row);
    rugged[i] = sampleNodes(coarse, ruggeds, column, row);
    if (Math.abs(shore[i]!) <= BAYS_M) near = true;
  }
  if (!near) return shore;
  const bays = new Float64Array(size);
  addOctaves(bays, fine.place, HERE, 50_000, Math.max(shortestM, 8000), 0.52, SEED + 10, 6500);
  let close = false;
  for (let i = 0; i < size; i += 1) {
    if (Math.abs(shore[i]!) > BAYS_M) rugged[i] = -1;
    else shore[i]! += rugged[i]! * bays[i]!;
    if (Math.abs(shore[i]!) < COVES_M) close = true;
  }
  if (!close) return shore;
  const coves = new Float64Array(size);
  addOctaves(coves, fine.place, HERE, 6000, shortestM, 0.48, SEED + 20, 280);
  for (let i = 0; i < size; i += 1) {
    if (Math.abs(shore[i]!) < COVES_M) shore[i]! += (1 + rugged[i]!) * coves[i]!;
  }
  return shore;
}
