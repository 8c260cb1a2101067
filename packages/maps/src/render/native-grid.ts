import { indexBands, type NamedBand } from "@swath/kernel/bands/index-bands";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import { areaRings } from "./area-mask.ts";

/** A point this near to the edge of a pixel, in pixels, lies on the edge. */
const EDGE_TOLERANCE_PX = 1e-6;

/**
 * Band whose pixels the values of a rendering are: the finest of a scene, the coarsest of the bands of an index, the
 * first layer of a result.
 */
export function nativeBand(rendering: Rendering, { bands }: StoredRaster, scene: Scene): number {
  if (rendering.kind === "result") return 0;
  const area = (position: number): number =>
    Math.abs(bands[position]!.geotransform[0] * bands[position]!.geotransform[4]);
  if (rendering.kind === "composite") {
    return [...bands.keys()].reduce((best, position) => (area(position) < area(best) ? position : best), 0);
  }
  const { positions } = indexBands(rendering.index, namedBands(scene, bands));
  const used = [...positions.values()];
  return used.reduce((best, position) => (area(position) > area(best) ? position : best), used[0] ?? 0);
}

/** The bands of a scene with the names of its description and the roles of the store. */
export function namedBands(scene: Scene, bands: readonly StoredBand[]): readonly NamedBand[] {
  return bands.map(({ role }, position) => ({ names: scene.bands[position]?.names ?? [], role }));
}

/** The pixels of a band around an area; null when none of them lies there. */
export function nativeWindow(
  raster: StoredRaster,
  position: number,
  crsEpsg: number | null,
  area: MultiPolygon,
): NativeWindow | null {
  const band: StoredBand = raster.bands[position]!;
  const inverse = invertAffine(band.geotransform);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of areaRings(area, raster)) {
    for (let i = 0; i < ring.length; i += 2) {
      const [column, row] = applyAffine(inverse, ring[i]!, ring[i + 1]!);
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
  }
  const column = Math.max(0, Math.floor(left + EDGE_TOLERANCE_PX));
  const row = Math.max(0, Math.floor(top + EDGE_TOLERANCE_PX));
  const widthPx = Math.min(band.widthPx, Math.ceil(right - EDGE_TOLERANCE_PX)) - column;
  const heightPx = Math.min(band.heightPx, Math.ceil(bottom - EDGE_TOLERANCE_PX)) - row;
  // Also false for NaN, when the CRS has no point of the area.
  if (!(widthPx > 0 && heightPx > 0)) return null;
  return { kind: "native", position, crsEpsg, reduction: 1, column, row, widthPx, heightPx };
}
