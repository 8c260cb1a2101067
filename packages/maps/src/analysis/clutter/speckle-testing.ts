import { speckleTail } from "@swath/kernel/distributions/distributions";

/** Speckle of mean 1 as a field: a pixel has its value whatever window is read. Quantiles of 4,096 equal shares. */
const SHARES = 4096;
const tables = new Map<number, Float64Array>();

/** @param field scenes and planes have one each */
export function speckleOf(field: number, column: number, row: number, looks: number): number {
  let table = tables.get(looks);
  if (table === undefined) {
    table = quantiles(looks);
    tables.set(looks, table);
  }
  let hash = Math.imul(column + 0x9e37 * (field + 1), 0x85eb_ca6b) ^ Math.imul(row + 0x51ed * (field + 3), 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a_2d39);
  hash ^= hash >>> 15;
  return table[(hash >>> 0) % SHARES]!;
}

function quantiles(looks: number): Float64Array {
  return Float64Array.from({ length: SHARES }, (_, i) => {
    const above = 1 - (i + 0.5) / SHARES;
    let [low, high] = [0, 1000];
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (speckleTail(middle, looks) > above) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  });
}
