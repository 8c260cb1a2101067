import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine, invertAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import { polygonMask, type PixelRing } from "@swath/kernel/raster-mathematics/polygon-mask";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";

/** Most points per edge of an area in the CRS of a scene: edges straight in longitude and latitude bend there. */
const MAX_EDGE_POINTS = 16;
/** A shorter edge, about a kilometre, bends by centimetres. */
const STRAIGHT_DEG = 0.01;

/** Outlines of an area in the CRS of a raster, as `[x0, y0, x1, y1, …]`; without points that the CRS does not have. */
export function areaRings(area: MultiPolygon, raster: StoredRaster): readonly (readonly number[])[] {
  const { toCrs } = sceneGeometry(raster);
  return area.coordinates.flat().map((ring) => {
    const points: number[] = [];
    for (let i = 1; i < ring.length; i++) {
      const [lon1, lat1] = ring[i - 1]!;
      const [lon2, lat2] = ring[i]!;
      const lengthDeg = Math.max(Math.abs(lon2 - lon1), Math.abs(lat2 - lat1));
      const steps = Math.max(1, Math.min(MAX_EDGE_POINTS, Math.ceil(lengthDeg / STRAIGHT_DEG)));
      for (let step = 0; step < steps; step++) {
        const t = step / steps;
        const point = toCrs(lon1 + t * (lon2 - lon1), lat1 + t * (lat2 - lat1));
        if (point !== null) points.push(...point);
      }
    }
    return points;
  });
}

/** 255 for every pixel whose centre lies inside the outlines, else 0. */
export function ringsMask(
  rings: readonly (readonly number[])[],
  geotransform: Affine,
  widthPx: number,
  heightPx: number,
): Uint8Array {
  const inverse = invertAffine(geotransform);
  const inPixels = rings.map((ring): PixelRing => {
    const pixels: number[] = [];
    for (let i = 0; i < ring.length; i += 2) pixels.push(...applyAffine(inverse, ring[i]!, ring[i + 1]!));
    return pixels;
  });
  return polygonMask(inPixels, widthPx, heightPx);
}
