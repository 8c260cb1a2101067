import { fillClutter, seededGamma, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import type { SeaScene } from "./sea-testing.ts";
import type { ShipParameters } from "../ships.ts";

export const PIXEL_M = 10;
export const LOOKS = 4.4;
/** Mean power of the sea. */
const SEA = 0.01;

/** A ship as a bar of speckle. */
export interface DrawnShip {
  readonly column: number;
  readonly row: number;
  readonly lengthM: number;
  readonly widthM: number;
  readonly headingDeg: number;
  readonly contrastDb: number;
}

/** What a search of Sentinel-1 is told. */
export function parameters(more: Partial<ShipParameters> = {}): ShipParameters {
  return {
    mode: "radar",
    pixelM: PIXEL_M,
    resolutionM: PIXEL_M,
    falseAlarmRate: 1e-7,
    looks: LOOKS,
    flightDeg: [-12, 12],
    ambiguityM: [],
    sizeM: [PIXEL_M, PIXEL_M],
    ...more,
  } as ShipParameters;
}

/** Sea of K-distributed clutter with ships as bright bars of speckle. */
export function seaWith(
  columns: number,
  rows: number,
  nu: number,
  ships: readonly DrawnShip[],
  seed: number,
): SeaScene {
  const uniform = seededUniform(seed);
  const power = new Float32Array(columns * rows);
  fillClutter(power, LOOKS, nu, SEA, uniform);
  const speckle = seededGamma(LOOKS, uniform);
  for (const ship of ships) {
    const [sine, cosine] = [Math.sin((ship.headingDeg * Math.PI) / 180), Math.cos((ship.headingDeg * Math.PI) / 180)];
    const reach = Math.ceil(ship.lengthM / PIXEL_M / 2) + 1;
    const level = SEA * 10 ** (ship.contrastDb / 10);
    for (let row = Math.floor(ship.row) - reach; row <= ship.row + reach; row++) {
      for (let column = Math.floor(ship.column) - reach; column <= ship.column + reach; column++) {
        if (row < 0 || column < 0 || row >= rows || column >= columns) continue;
        const right = (column + 0.5 - ship.column) * PIXEL_M;
        const down = (row + 0.5 - ship.row) * PIXEL_M;
        const along = Math.abs(right * sine - down * cosine);
        const across = Math.abs(right * cosine + down * sine);
        if (along > ship.lengthM / 2 || across > ship.widthM / 2) continue;
        power[row * columns + column] = level * speckle();
      }
    }
  }
  return { columns, rows, planes: [power], land: null, pixelM: PIXEL_M };
}

/** A fleet on a loose lattice, of the sizes and strengths that ships have. */
export function fleet(side: number, spacing: number, seed: number): readonly DrawnShip[] {
  const uniform = seededUniform(seed);
  const ships: DrawnShip[] = [];
  for (let row = spacing / 2; row < side; row += spacing) {
    for (let column = spacing / 2; column < side; column += spacing) {
      const lengthM = 40 + 260 * uniform();
      ships.push({
        column: column + (uniform() - 0.5) * spacing * 0.4,
        row: row + (uniform() - 0.5) * spacing * 0.4,
        lengthM,
        widthM: Math.max(12, lengthM / 6.5),
        headingDeg: 180 * uniform(),
        contrastDb: 14 + 8 * uniform(),
      });
    }
  }
  return ships;
}
