import type { Landscape } from "./landscape.ts";
import type { Paint, Spectrum } from "./materials.ts";
import type { Piece } from "./subdivision.ts";
import { sample } from "./lattice.ts";
import { blend, fill, MATERIALS, shade } from "./materials.ts";
import { hashUnit, noise } from "./noise.ts";
import { subdivide } from "./subdivision.ts";

const BLOCK_U_M = 104;
const BLOCK_V_M = 74;
const STREET_HALF_M = 4.4;
const BUILT_FROM = 0.36;

const ROOFS: readonly Spectrum[] = [
  MATERIALS.roofTile,
  MATERIALS.roofTile,
  MATERIALS.roofTile,
  MATERIALS.roofGrey,
  MATERIALS.roofDark,
  MATERIALS.roofWhite,
];

/** What a town painter found; with "none" it has painted nothing. */
export type TownGround = "none" | "park" | "street" | "urban";

/**
 * Paints towns: blocks between irregular streets along the coast, cut into lots with a house each, industrial halls on
 * some, parks on others. Roofs are lit by their pitch and throw shadows.
 */
export function createTownPainter(landscape: Landscape): (x: number, y: number, paint: Paint) => TownGround {
  const { seed } = landscape.options;
  const lot: Piece = { u0: 0, u1: 0, v0: 0, v1: 0, key: 0 };
  const block = { u0: 0, u1: 0, v0: 0, v1: 0, key: 0, kind: 0, built: false, halfU: 0, halfV: 0 };
  const cos = landscape.inlandX;
  const sin = landscape.inlandY;

  const lineAt = (index: number, spacing: number, salt: number): number =>
    (index + 0.34 * (hashUnit(index, salt, seed + 40) - 0.5)) * spacing;

  function findBlock(u: number, v: number): void {
    let i = Math.floor(u / BLOCK_U_M);
    if (u < lineAt(i, BLOCK_U_M, 1)) i -= 1;
    else if (u >= lineAt(i + 1, BLOCK_U_M, 1)) i += 1;
    let j = Math.floor(v / BLOCK_V_M);
    if (v < lineAt(j, BLOCK_V_M, 2)) j -= 1;
    else if (v >= lineAt(j + 1, BLOCK_V_M, 2)) j += 1;
    const key = Math.imul(i, 10_007) + j;
    if (key === block.key && block.u1 > block.u0) return;
    block.u0 = lineAt(i, BLOCK_U_M, 1);
    block.u1 = lineAt(i + 1, BLOCK_U_M, 1);
    block.v0 = lineAt(j, BLOCK_V_M, 2);
    block.v1 = lineAt(j + 1, BLOCK_V_M, 2);
    block.key = key;
    block.halfU = i % 4 === 0 ? STREET_HALF_M * 1.7 : STREET_HALF_M;
    block.halfV = j % 5 === 0 ? STREET_HALF_M * 1.7 : STREET_HALF_M;
    const middleU = (block.u0 + block.u1) / 2;
    const middleV = (block.v0 + block.v1) / 2;
    const density = sample(
      landscape.lattice,
      landscape.built,
      middleU * cos - middleV * sin,
      middleU * sin + middleV * cos,
    );
    block.built = density > BUILT_FROM;
    const chance = hashUnit(key, 3, seed + 41);
    // Dense in the middle, halls and parks anywhere, houses with gardens at the rim.
    block.kind = chance < 0.08 ? 3 : chance < 0.2 ? 2 : density > 0.72 + 0.2 * (chance - 0.5) ? 1 : 0;
  }

  /** Height of the building at a place of the current block in metres, 0 for none; leaves its lot in `lot`. */
  function buildingHeight(u: number, v: number): number {
    lot.u0 = block.u0 + block.halfU + 2;
    lot.u1 = block.u1 - STREET_HALF_M - 2;
    lot.v0 = block.v0 + block.halfV + 2;
    lot.v1 = block.v1 - STREET_HALF_M - 2;
    if (block.kind === 3 || u < lot.u0 || u > lot.u1 || v < lot.v0 || v > lot.v1) return 0;
    lot.key = block.key;
    subdivide(lot, u, v, block.kind === 2 ? 44 : block.kind === 1 ? 21 : 17, 1, seed + 42);
    if (hashUnit(lot.key, 1, seed + 43) > (block.kind === 0 ? 0.86 : 0.95)) return 0;
    const inset = block.kind === 0 ? 3.3 : block.kind === 1 ? 0.9 : 4;
    lot.u0 += inset;
    lot.u1 -= inset + 2 * hashUnit(lot.key, 2, seed + 43);
    lot.v0 += inset;
    lot.v1 -= inset + 2 * hashUnit(lot.key, 3, seed + 43);
    if (u < lot.u0 || u > lot.u1 || v < lot.v0 || v > lot.v1) return 0;
    const storeys = 0.6 + 0.8 * hashUnit(lot.key, 4, seed + 43);
    return storeys * (block.kind === 0 ? 7 : block.kind === 1 ? 14 : 10);
  }

  const sunU = landscape.sunX * cos + landscape.sunY * sin;
  const sunV = -landscape.sunX * sin + landscape.sunY * cos;

  return (x, y, paint) => {
    // Streets bend with the same warp as the country roads, so that the two meet without a seam.
    const wx = x + 0.8 * sample(landscape.lattice, landscape.warpX, x, y);
    const wy = y + 0.8 * sample(landscape.lattice, landscape.warpY, x, y);
    const u = wx * cos + wy * sin;
    const v = -wx * sin + wy * cos;
    findBlock(u, v);
    if (!block.built) return "none";
    const grain = noise(x / 5, y / 5, seed + 44);
    const street =
      u - block.u0 < block.halfU ||
      block.u1 - u < STREET_HALF_M ||
      v - block.v0 < block.halfV ||
      block.v1 - v < STREET_HALF_M;
    if (street) {
      fill(paint, MATERIALS.asphalt, 1.12 + 0.12 * grain);
    } else {
      const height = buildingHeight(u, v);
      if (height > 0) {
        const roof =
          block.kind === 2
            ? hashUnit(lot.key, 5, seed) < 0.6
              ? MATERIALS.roofWhite
              : MATERIALS.roofGrey
            : ROOFS[Math.floor(hashUnit(lot.key, 5, seed) * ROOFS.length)]!;
        const alongU = lot.u1 - lot.u0 > lot.v1 - lot.v0;
        const pitch = alongU
          ? Math.sign(v - (lot.v0 + lot.v1) / 2) * sunV
          : Math.sign(u - (lot.u0 + lot.u1) / 2) * sunU;
        const slope = block.kind === 0 ? 0.24 : block.kind === 1 ? 0.14 : 0.03;
        fill(paint, roof, (0.85 + 0.3 * hashUnit(lot.key, 6, seed)) * (1 + slope * pitch) * (1 + 0.05 * grain));
        return "urban";
      }
      const trees = noise(x / 7, y / 7, seed + 45);
      if (block.kind === 3) fill(paint, trees > 0.05 ? MATERIALS.forest : MATERIALS.grass, 1 + 0.2 * grain);
      else if (block.kind === 2) fill(paint, MATERIALS.concrete, 0.95 + 0.1 * grain);
      else if (block.kind === 1) fill(paint, trees > 0.35 ? MATERIALS.garden : MATERIALS.concrete, 0.8 + 0.12 * grain);
      else {
        fill(paint, MATERIALS.garden, 0.9 + 0.18 * grain);
        if (trees > 0.3) blend(paint, MATERIALS.forest, 0.95, 0.8);
        else if (trees < -0.25) blend(paint, MATERIALS.gravel, 0.95, 0.75);
      }
    }
    for (let reach = 3; reach <= 12; reach += 4.5) {
      const height = buildingHeight(u + sunU * reach, v + sunV * reach);
      if (height * landscape.shadowRun >= reach) {
        shade(paint, 0.42, 0.4);
        break;
      }
    }
    if (street) return "street";
    return block.kind === 3 ? "park" : "urban";
  };
}
