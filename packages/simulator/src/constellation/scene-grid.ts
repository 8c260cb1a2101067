import { createProjection, type Projection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone, utmProjString, utmZoneAt, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import type { ModelBand } from "../scene-model.ts";
import type { ProductBand } from "./band-tables.ts";

type Placement = Pick<ModelBand, "widthPx" | "heightPx" | "originX" | "originY" | "pixelSizeX" | "pixelSizeY">;

const projections = new Map<number, Projection>();

/** The projection of a WGS84 UTM zone. @throws {RangeError} for any other code */
export function utmProjection(epsg: number): Projection {
  let projection = projections.get(epsg);
  if (projection === undefined) {
    const zone = utmZoneOfEpsg(epsg);
    if (zone === null) throw new RangeError(`expected the EPSG code of a UTM zone, got ${epsg}`);
    projection = createProjection(utmProjString(zone));
    projections.set(epsg, projection);
  }
  return projection;
}

export function utmEpsgAt(lonDeg: number, latDeg: number): number {
  return epsgOfUtmZone(utmZoneAt(lonDeg, latDeg));
}

const snaps = new WeakMap<readonly ProductBand[], number>();

/** Whole metres that every pixel size of a product divides: scenes start at multiples of it, so their grids agree. */
export function snapM(bands: readonly ProductBand[]): number {
  let snap = snaps.get(bands);
  if (snap === undefined) {
    const centimetres = bands.map(({ gsdM }) => Math.round(gsdM * 100));
    snap = [100, ...centimetres].reduce((a, b) => (a * b) / divisor(a, b), 1) / 100;
    snaps.set(bands, snap);
  }
  return snap;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** Bounds of an outline in a UTM zone, extended to multiples of `snap`. */
export function snappedBounds(
  epsg: number,
  outline: readonly number[],
  snap: number,
): readonly [west: number, south: number, east: number, north: number] {
  const { forward } = utmProjection(epsg);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [x, y] = forward(outline[i] ?? 0, outline[i + 1] ?? 0);
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return [
    Math.floor(west / snap) * snap,
    Math.floor(south / snap) * snap,
    Math.ceil(east / snap) * snap,
    Math.ceil(north / snap) * snap,
  ];
}

/** The bands of a product on a scene's ground. */
export function placeBands(
  bands: readonly ProductBand[],
  [west, south, east, north]: readonly [number, number, number, number],
  sinSunElevation: number,
): readonly ModelBand[] {
  const placements = new Map<number, Placement>();
  return bands.map((band): ModelBand => {
    const { gsdM, encoding } = band;
    let placement = placements.get(gsdM);
    if (placement === undefined) {
      placement = {
        widthPx: Math.round((east - west) / gsdM),
        heightPx: Math.round((north - south) / gsdM),
        originX: west,
        originY: north,
        pixelSizeX: gsdM,
        pixelSizeY: -gsdM,
      };
      placements.set(gsdM, placement);
    }
    const factor = encoding.beforeSun ? 1 / sinSunElevation : 1;
    return {
      names: band.names,
      role: band.role,
      wavelengthNm: band.wavelengthNm,
      quantity: band.quantity,
      dataType: band.dataType,
      bitDepth: band.bitDepth,
      gsdM,
      scale: encoding.scale * factor,
      offset: encoding.offset * factor,
      meaning: band.meaning,
      irradiance: band.irradiance,
      ...placement,
    };
  });
}
