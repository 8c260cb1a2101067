import { RasterError } from "../raster-error.ts";
import type { SourceCrs, SourceRaster } from "../source-raster.ts";

/**
 * The CRS of a raster that is georeferenced.
 *
 * @throws {RasterError} unsupported when the file has no CRS or no position in it; unreadable when its position is
 * no position
 */
export function requireCrs(raster: Pick<SourceRaster, "crs" | "georeference">, name: string): SourceCrs {
  if (raster.georeference.kind === "none") {
    const { fault } = raster.georeference;
    if (fault !== undefined) throw new RasterError("unreadable", `${name}: has ${fault}`);
    throw new RasterError(
      "unsupported",
      `${name}: has no georeference, expected a geotransform or at least three ground control points`,
    );
  }
  if (raster.crs === null) {
    throw new RasterError(
      "unsupported",
      `${name}: has no coordinate reference system, expected GeoTIFF keys with an EPSG code or a projection`,
    );
  }
  return raster.crs;
}
