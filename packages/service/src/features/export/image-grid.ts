import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import { createProjection, isGeographic, type Projection } from "@swath/kernel/crs/projection";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { crsOfEpsg } from "@swath/raster/crs/epsg-crs";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";

/** Where the pixels of one band are in the CRS of its scene. */
export interface BandGrid {
  readonly originX: number;
  readonly originY: number;
  readonly pixelSizeX: number;
  readonly pixelSizeY: number;
  /** Null while nobody has opened the scene. */
  readonly size: { readonly widthPx: number; readonly heightPx: number } | null;
  /** Metres on the ground per pixel. */
  readonly resolutionX: number;
  readonly resolutionY: number;
  readonly bytesPerPixel: number;
}

/** The pixel grids of a scene. */
export interface ImageGrid {
  /** CRS coordinates of a longitude and latitude within the scene; null where there are none. */
  readonly toCrs: (lonDeg: number, latDeg: number) => readonly [x: number, y: number] | null;
  readonly toLonLat: Projection["inverse"];
  readonly bands: readonly BandGrid[];
}

const BYTES = { uint8: 1, int8: 1, uint16: 2, int16: 2, uint32: 4, int32: 4, float32: 4, float64: 8 } as const;

/** Footprints may reach so far beyond the first pixel. */
const ORIGIN_TOLERANCE_DEG = 1;

/** The grids of a scene whose pixels are in the store. */
export function storedGrid(scene: Scene, raster: StoredRaster): ImageGrid {
  const { controlGrid, proj4 } = raster;
  const projection = controlGrid === null ? createProjection(proj4) : controlGridProjection(controlGrid);
  return {
    toCrs: sceneGeometry(raster).toCrs,
    toLonLat: projection.inverse,
    bands: raster.bands.map(({ geotransform, widthPx, heightPx, dataType }, i) => ({
      originX: geotransform[2],
      originY: geotransform[5],
      pixelSizeX: geotransform[0],
      pixelSizeY: geotransform[4],
      size: { widthPx, heightPx },
      resolutionX: scene.bands[i]?.approximateResolutionX ?? geotransform[0],
      resolutionY: scene.bands[i]?.approximateResolutionY ?? -geotransform[4],
      bytesPerPixel: BYTES[dataType],
    })),
  };
}

/** The grids that a catalogue tells of a scene; null when it does not tell, so that only opening the scene can. */
export async function catalogueGrid({ crsEpsg, bands }: Scene): Promise<ImageGrid | null> {
  const crs = crsEpsg > 0 ? await crsOfEpsg(crsEpsg) : null;
  if (crs === null || bands.length === 0) return null;
  if (bands.some(({ pixelSizeX, pixelSizeY }) => pixelSizeX === 0 || pixelSizeY === 0)) return null;
  const projection = createProjection(crs.proj4);
  const westmost = Math.min(...bands.map(({ crsOriginX }) => crsOriginX));
  return {
    toCrs: (lonDeg, latDeg) => {
      const [x, y] = projection.forward(lonDeg, latDeg);
      // A scene across the antimeridian goes on eastwards from its origin.
      return isGeographic(crs.proj4) && x < westmost - ORIGIN_TOLERANCE_DEG ? [x + 360, y] : [x, y];
    },
    toLonLat: projection.inverse,
    bands: bands.map((band) => ({
      originX: band.crsOriginX,
      originY: band.crsOriginY,
      pixelSizeX: band.pixelSizeX,
      pixelSizeY: band.pixelSizeY,
      size: null,
      resolutionX: band.approximateResolutionX,
      resolutionY: band.approximateResolutionY,
      bytesPerPixel: Math.ceil(band.bitDepth / 8),
    })),
  };
}
