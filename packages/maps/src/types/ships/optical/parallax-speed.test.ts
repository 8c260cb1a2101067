import assert from "node:assert/strict";
import { test } from "node:test";
import { seededNormal, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { shipsOf, type SeaScene } from "../sea/sea-testing.ts";
import type { ShipParameters } from "../ships.ts";

const PIXEL_M = 10;
const SIDE = 320;
const SECONDS = [0.527, 1.005] as const;
const SEA = [0.05, 0.04, 0.03, 0.01] as const;
const NOISE = 0.0015;
const SUBSAMPLES = 5;

const PARAMETERS: ShipParameters = {
  mode: "optical",
  className: "ships",
  lengthM: [50, null],
  pixelM: PIXEL_M,
  roles: ["B", "G", "R", "N"],
  isReflectance: true,
  falseAlarmRate: 1e-6,
  parallaxS: SECONDS,
};

interface Moving {
  readonly lengthM: number;
  readonly widthM: number;
  readonly headingDeg: number;
  readonly speedMs: number;
  /** Light above the sea by band of the fore and of the aft half. */
  readonly fore: readonly number[];
  readonly aft: readonly number[];
}

/** Twelve ships of one kind, each band rendered where the ship is at its time, by the share of each pixel that it covers. */
function render(ship: Moving, seed: number): SeaScene {
  const uniform = seededUniform(seed);
  const normal = seededNormal(uniform);
  const times = [0, SECONDS[0], SECONDS[1], 0.264];
  const planes = SEA.map((level) => Float32Array.from({ length: SIDE * SIDE }, () => level + NOISE * normal()));
  const angle = (ship.headingDeg * Math.PI) / 180;
  const [east, south] = [Math.sin(angle), -Math.cos(angle)];
  for (let n = 0; n < 12; n++) {
    const column = 50 + (n % 4) * 72 + uniform();
    const row = 60 + Math.floor(n / 4) * 95 + uniform();
    for (const [band, plane] of planes.entries()) {
      const x = column + (east * ship.speedMs * times[band]) / PIXEL_M;
      const y = row + (south * ship.speedMs * times[band]) / PIXEL_M;
      const reach = Math.ceil(ship.lengthM / PIXEL_M / 2) + 3;
      for (let r = Math.floor(y) - reach; r <= y + reach; r++) {
        for (let c = Math.floor(x) - reach; c <= x + reach; c++) {
          let light = 0;
          for (let k = 0; k < SUBSAMPLES ** 2; k++) {
            const dx = (c + ((k % SUBSAMPLES) + 0.5) / SUBSAMPLES - x) * PIXEL_M;
            const dy = (r + (Math.floor(k / SUBSAMPLES) + 0.5) / SUBSAMPLES - y) * PIXEL_M;
            const along = dx * east + dy * south;
            if (Math.abs(along) > ship.lengthM / 2 || Math.abs(dx * south - dy * east) > ship.widthM / 2) continue;
            light += (along > 0 ? ship.fore : ship.aft)[band] / SUBSAMPLES ** 2;
          }
          if (light > 0) plane[r * SIDE + c] += light;
        }
      }
    }
  }
  return { columns: SIDE, rows: SIDE, planes, land: null, pixelM: PIXEL_M };
}

const WHITE = [0.2, 0.2, 0.2, 0.22];
const RED = [0.05, 0.07, 0.25, 0.2];

function speedsOf(
  ship: Moving,
  seed: number,
): { readonly ships: number; readonly speeds: readonly number[]; readonly sigmas: readonly number[] } {
  const { objects } = shipsOf(render(ship, seed), PARAMETERS);
  const told = objects.filter(({ properties }) => properties["speedMs"] !== undefined);
  return {
    ships: objects.length,
    speeds: told.map(({ properties }) => Number(properties["speedMs"])),
    sigmas: told.map(({ properties }) => Number(properties["speedSigmaMs"])),
  };
}

test("speeds are told without bias, and as well as their sigma says", () => {
  const errors: number[] = [];
  let [ships, sigmas] = [0, 0];
  for (const [seed, [lengthM, widthM, headingDeg, speedMs]] of (
    [
      [90, 18, 20, 8],
      [150, 24, 75, 10],
      [120, 20, 130, 12],
      [220, 32, 300, 9],
      [70, 16, 250, 14],
    ] as const
  ).entries()) {
    const told = speedsOf({ lengthM, widthM, headingDeg, speedMs, fore: WHITE, aft: WHITE }, seed + 1);
    ships += told.ships;
    for (const [k, speed] of told.speeds.entries()) {
      errors.push(speed - speedMs);
      sigmas += told.sigmas[k];
    }
  }
  const mean = errors.reduce((sum, e) => sum + e, 0) / errors.length;
  const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
  const sigma = sigmas / errors.length;
  assert.ok(errors.length >= 0.8 * ships && ships >= 55, `${errors.length} of ${ships}`);
  assert.ok(Math.abs(mean) < 0.4, `bias ${mean}`);
  assert.ok(rms < sigma, `error ${rms}, stated ${sigma}`);
});

test("ships that stand or creep have no speed", () => {
  for (const [seed, speedMs] of [0, 2].entries()) {
    const told = speedsOf({ lengthM: 120, widthM: 22, headingDeg: 40, speedMs, fore: WHITE, aft: WHITE }, seed + 11);
    assert.ok(told.ships >= 10, `${told.ships}`);
    assert.deepEqual(told.speeds, []);
  }
});

test("a red bow and a white stern are no speed", () => {
  const told = speedsOf({ lengthM: 180, widthM: 28, headingDeg: 110, speedMs: 0, fore: RED, aft: WHITE }, 21);
  assert.ok(told.ships >= 10, `${told.ships}`);
  assert.deepEqual(told.speeds, []);
});
