import type { SourceCrs } from "../source-raster.ts";
import type { GeoKeys } from "../tiff/geo-keys.ts";
export function crsFromGeoKeys(_keys: GeoKeys | null, _name: string): SourceCrs | null {
  return null;
}
