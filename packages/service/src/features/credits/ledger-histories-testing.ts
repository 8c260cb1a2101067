import { soldArea } from "@swath/kernel/credits/sold-area";
import type { Price } from "@swath/kernel/credits/pricing";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { storeTileGrid } from "@swath/kernel/tiles/store-tile";
import * as fc from "fast-check";
import { boxArea } from "./testing.ts";

/** Test support: random histories of a ledger. */

/** What can be paid for, each under a key of its own. */
export interface Product extends Price {
  readonly name: string;
  /** Of a price of a map type, on top of that of its scene, else null. */
  readonly mapTypeOf: number | null;
  readonly freeArea: MultiPolygon | null;
}

/**
 * Over the same box; the second has a minimum area of about two typical polygons, a part of the third is free. The
 * fifth is sold by store tiles, of the sixth there is a clipped child, and the last is the price of a map type of the
 * first.
 */
export const SCENE_BOUNDS: Bounds = [14, 50, 14.2, 50.2];
export const CHILD_BOUNDS: Bounds = [14.04, 50.03, 14.17, 50.16];
export const MAP_TYPE = "ndvi";
export const FREE_AREA = boxArea([14.05, 50.02, 14.11, 50.2]);
export const PRODUCTS: readonly Product[] = [
  { name: "plain", microPerKm2: 2_500_001n, minAreaM2: 0, mapTypeOf: null, freeArea: null },
  { name: "minimum", microPerKm2: 999_983n, minAreaM2: 40_000_000, mapTypeOf: null, freeArea: null },
  { name: "partly-free", microPerKm2: 1_000_000n, minAreaM2: 3_000_000, mapTypeOf: null, freeArea: FREE_AREA },
  { name: "free", microPerKm2: 0n, minAreaM2: 0, mapTypeOf: null, freeArea: null },
  { name: "PSScene_tile", microPerKm2: 300_007n, minAreaM2: 30_000_000, mapTypeOf: null, freeArea: null },
  { name: "ard_clipped", microPerKm2: 1_700_003n, minAreaM2: 20_000_000, mapTypeOf: null, freeArea: null },
  { name: "map type", microPerKm2: 700_001n, minAreaM2: 5_000_000, mapTypeOf: 0, freeArea: null },
];
export const TILED = 4;
export const PARENT = 5;
const MAP_TYPE_PRODUCT = 6;

/** What a request names: scenes, by their products, the child of the one that has one, and map types. */
export interface Offer {
  readonly scene: number | null;
  readonly child: boolean;
  readonly mapType: boolean;
}

export const OFFERS: readonly Offer[] = [
  { scene: 0, child: false, mapType: false },
  { scene: 0, child: false, mapType: true },
  { scene: 1, child: false, mapType: false },
  { scene: 2, child: false, mapType: false },
  { scene: 3, child: false, mapType: false },
  { scene: TILED, child: false, mapType: false },
  { scene: PARENT, child: false, mapType: false },
  { scene: null, child: true, mapType: false },
  { scene: PARENT, child: true, mapType: false },
];

/** A product and what of it is sold. */
interface Line {
  readonly product: number;
  readonly area: MultiPolygon;
}

const SCENE_AREA = boxArea(SCENE_BOUNDS);
const CHILD_AREA = boxArea(CHILD_BOUNDS);
/** Of scenes in longitude and latitude. */
const TILES = storeTileGrid(4326);

function linesOf(offer: Offer | undefined, drawn: MultiPolygon): readonly Line[] {
  if (offer === undefined) return [];
  const { scene, child, mapType } = offer;
  const products = [...(scene === null ? [] : [scene]), ...(mapType ? [MAP_TYPE_PRODUCT] : [])];
  const lines = products.map((product) => ({
    product,
    area: soldArea(drawn, SCENE_AREA, product === TILED ? TILES : null).area,
  }));
  return child ? [...lines, { product: PARENT, area: soldArea(drawn, CHILD_AREA, null).area }] : lines;
}

export type Step =
  | { readonly do: "grant"; readonly group: number; readonly micro: bigint }
  | { readonly do: "limit"; readonly group: number; readonly user: number; readonly micro: bigint | null }
  | { readonly do: "licence"; readonly group: number; readonly isValid: boolean }
  | {
      readonly do: "allocate";
      readonly group: number;
      readonly user: number;
      readonly offer: number;
      readonly drawn: MultiPolygon;
      /** What of the products it asks for. */
      readonly lines: readonly Line[];
      readonly costFree: boolean;
      /** How often the same request is sent again, with its idempotency key. */
      readonly repeats: number;
    }
  | {
      readonly do: "order";
      readonly group: number;
      readonly user: number;
      readonly micro: bigint;
      /** Then it is settled for this share of its price, and then, in part or not, returned. */
      readonly settledPercent: bigint | null;
      readonly returned: number | null;
    };

export const GROUPS = 2;
export const USERS = 3;
const group = fc.nat(GROUPS - 1);
const user = fc.nat(USERS - 1);

/** A position of the grid that all polygons are drawn on, seven decimals. */
function at(x: number, y: number): [number, number] {
  return [Math.round((13.99 + x * 1e-4) * 1e7) / 1e7, Math.round((49.99 + y * 1e-4) * 1e7) / 1e7];
}

/** Triangles, boxes and boxes with a corner cut out, over the scenes, some of them reaching out. */
const drawn = fc
  .record({
    shape: fc.constantFrom("triangle", "box", "corner"),
    x: fc.nat(2200),
    y: fc.nat(2200),
    corners: fc.tuple(fc.nat(700), fc.nat(700), fc.nat(700), fc.nat(700)),
  })
  .map(({ shape, x, y, corners: [a, b, c, d] }): MultiPolygon => {
    const [width, height] = [a + 10, b + 10];
    const cut = at(x + (width * c) / 1000, y + (height * d) / 1000);
    const box = [at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height)];
    const corner = [at(x, y), at(x + width, y), [at(x + width, y)[0], cut[1]], cut, [cut[0], at(x, y + height)[1]]];
    const rings = { triangle: [at(x, y), at(x + a, y + b), at(x + c, y + d)], box, corner: [...corner, box[3]] };
    const ring = rings[shape].flatMap((position): [number, number][] => {
      const [lon, lat] = position ?? [];
      return lon === undefined || lat === undefined ? [] : [[lon, lat]];
    });
    return { type: "MultiPolygon", coordinates: [[[...ring, ring[0] ?? [0, 0]]]] };
  });

/** What is asked for, where it is drawn, and what is sold of it; every scene that is named is met. */
const sale = fc
  .record({ offer: fc.nat(OFFERS.length - 1), drawn })
  .map((one) => ({ ...one, lines: linesOf(OFFERS[one.offer], one.drawn) }))
  .filter(({ lines }) => lines.every(({ area }) => areaKm2(area) > 1e-4));

const allocate = fc
  .record({
    do: fc.constant("allocate" as const),
    group,
    user,
    sale,
    costFree: fc.integer({ min: 0, max: 15 }).map((value) => value === 0),
    repeats: fc.constantFrom(0, 0, 0, 1, 2),
  })
  .map((one) => ({ ...one, ...one.sale }));

export const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: allocate, weight: 8 },
  { arbitrary: fc.record({ do: fc.constant("grant" as const), group, micro: fc.bigInt(1n, 150_000_000n) }), weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constant("limit" as const),
      group,
      user,
      micro: fc.option(fc.bigInt(0n, 200_000_000n)),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("licence" as const), group, isValid: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("order" as const),
      group,
      user,
      micro: fc.bigInt(0n, 60_000_000n),
      settledPercent: fc.option(fc.bigInt(0n, 105n)),
      returned: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    weight: 2,
  },
);

/** A history starts with credit, so that most of it can be paid. */
export const history = fc
  .tuple(fc.bigInt(0n, 400_000_000n), fc.array(step, { minLength: 1, maxLength: 12 }))
  .map(([micro, steps]): readonly Step[] => [{ do: "grant", group: 0, micro: micro + 1n }, ...steps]);

export type Allocate = Extract<Step, { do: "allocate" }>;
export type Order = Extract<Step, { do: "order" }>;
