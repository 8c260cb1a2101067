import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, FoundObject, PixelRect } from "../../analysis/block.ts";
import { METHANE_MARGIN_PX, methanePlumes, PLUME, type MethaneParameters } from "./plumes.ts";

/** No planes beside methane. */
const NOTHING_ELSE: MethaneParameters = { screens: [], winds: [] };

/** Normal noise of Box and Muller on a congruential generator, so that a pixel has its value whatever window is read. */
function noise(column: number, row: number): number {
  const hash = (salt: number): number => {
    let h = Math.imul(column + 0x9e37, 0x85ebca6b) ^ Math.imul(row + salt, 0xc2b2ae35);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
  };
  return Math.sqrt(-2 * Math.log(hash(1) + 1e-12)) * Math.cos(2 * Math.PI * hash(77));
}

const PLUME_AT = { column: 600, row: 300, columns: 6, rows: 4 } as const;
const NOISE_PPB = 8;
const EXCESS_PPB = 60;

/** A field that rises by 20 ppb over 1 000 pixels, with a plume, and no data in a corner. */
function valueAt(column: number, row: number): number {
  if (column < 0 || row < 0 || column >= 1024 || row >= 512) return Number.NaN;
  if (column > 1000 && row < 30) return Number.NaN;
  const inPlume =
    column >= PLUME_AT.column &&
    column < PLUME_AT.column + PLUME_AT.columns &&
    row >= PLUME_AT.row &&
    row < PLUME_AT.row + PLUME_AT.rows;
  return 1850 + column / 50 + NOISE_PPB * noise(column, row) + (inPlume ? EXCESS_PPB : 0);
}

function block(core: PixelRect, ...others: readonly ((column: number, row: number) => number)[]): AnalysisBlock {
  const rect = {
    column: core.column - METHANE_MARGIN_PX,
    row: core.row - METHANE_MARGIN_PX,
    columns: core.columns + 2 * METHANE_MARGIN_PX,
    rows: core.rows + 2 * METHANE_MARGIN_PX,
  };
  const plane = (at: (column: number, row: number) => number): Float32Array =>
    Float32Array.from({ length: rect.columns * rect.rows }, (_, i) =>
      at(rect.column + (i % rect.columns), rect.row + Math.floor(i / rect.columns)),
    );
  const ground = { metresPerPixelX: 1113, metresPerPixelY: 1113, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes: [[valueAt, ...others].map(plane)], land: null, ground };
}

test("a plume above the noise is found once, with its excess; noise gives few others", () => {
  const { objects, layers } = methanePlumes.compute(
    block({ column: 512, row: 0, columns: 512, rows: 512 }),
    null,
    NOTHING_ELSE,
  );
  const near = objects.filter(
    ({ centre: [x, y] }) => Math.abs(x - PLUME_AT.column - 3) < 4 && Math.abs(y - PLUME_AT.row - 2) < 4,
  );
  assert.equal(near.length, 1);
  const excess = Number(near[0].properties["excessPpb"]);
  assert.ok(Math.abs(excess - EXCESS_PPB) < 3 * (NOISE_PPB / Math.sqrt(24)) + 3, `${excess} ppb`);
  // Two neighbours of 262 144 pixels both beyond 3 sigma: 8 pairs per pixel / 2 times 0.00135 squared, about 2.
  assert.ok(objects.length - 1 <= 8, `${objects.length} plumes`);
  assert.ok((layers[2] as Uint8Array).includes(PLUME));
});

test("two blocks agree about the pixels that both see with their margins", () => {
  const left = methanePlumes.compute(block({ column: 0, row: 0, columns: 512, rows: 512 }), null, NOTHING_ELSE);
  const right = methanePlumes.compute(block({ column: 512, row: 0, columns: 512, rows: 512 }), null, NOTHING_ELSE);
  const width = 512 + 2 * METHANE_MARGIN_PX;
  const at = (layer: Float32Array | Uint8Array, column: number, row: number, start: number): number =>
    layer[(row + METHANE_MARGIN_PX) * width + column - start + METHANE_MARGIN_PX];
  for (let row = 0; row < 512; row += 13) {
    const [a, b] = [at(left.layers[1], 511, row, 0), at(right.layers[1], 512, row, 512)];
    const expected = valueAt(512, row) - valueAt(511, row);
    assert.ok(Math.abs(b - a - expected) < 0.5, `row ${row}: the background jumps by ${b - a - expected}`);
  }
});

/** Around the plume. */
const CORE = { column: 512, row: 256, columns: 128, rows: 128 };

function foundAtPlume(made: AnalysisBlock, parameters: MethaneParameters): readonly FoundObject[] {
  return methanePlumes
    .compute(made, null, parameters)
    .objects.filter(
      ({ centre: [x, y] }) => Math.abs(x - PLUME_AT.column - 3) < 4 && Math.abs(y - PLUME_AT.row - 2) < 4,
    );
}

test("an excess that follows aerosol or albedo is no plume, one that does not is", () => {
  const screens = ["aerosol_optical_depth"];
  assert.equal(
    foundAtPlume(
      block(CORE, (column, row) => 0.1 + valueAt(column, row) / 1000),
      { screens, winds: [] },
    ).length,
    0,
  );
  assert.equal(
    foundAtPlume(
      block(CORE, (column, row) => 0.1 + noise(column + 5000, row + 300) / 100),
      { screens, winds: [] },
    ).length,
    1,
  );
  assert.equal(
    foundAtPlume(
      block(CORE, () => Number.NaN),
      { screens, winds: [] },
    ).length,
    1,
    "what is not known refuses nothing",
  );
});

test("with wind a plume has an emission rate, mass times effective wind over length", () => {
  const [still] = foundAtPlume(block(CORE), NOTHING_ELSE);
  assert.ok(still !== undefined && !("emissionTonnesPerHour" in still.properties));
  const [blown] = foundAtPlume(block(CORE, () => 3, () => -4), { screens: [], winds: ["u10", "v10"] }); // prettier-ignore
  assert.ok(blown !== undefined);
  const { windSpeedMs, emissionTonnesPerHour, excessPpb } = blown.properties;
  assert.equal(windSpeedMs, 5);
  // By hand: 1 ppb is 1e-9 * 101325 / 9.80665 * 16.0425 / 28.9647 = 5.7227e-6 kg of a square metre of column.
  const pixels = blown.areaM2 / 1113 ** 2;
  const expected = ((Number(excessPpb) * pixels * 1113 ** 2 * 5.7227e-6 * 0.59 * 5) / (1113 * Math.sqrt(pixels))) * 3.6;
  assert.ok(Math.abs(Number(emissionTonnesPerHour) / expected - 1) < 1e-3, `${emissionTonnesPerHour}, ${expected}`);
  const [calm] = foundAtPlume(block(CORE, () => 1.5), { screens: [], winds: ["wind_speed"] }); // prettier-ignore
  assert.deepEqual(
    [calm?.properties["windSpeedMs"], calm?.properties["emissionTonnesPerHour"]],
    [1.5, undefined],
    "below 2 m/s there is none",
  );
});
