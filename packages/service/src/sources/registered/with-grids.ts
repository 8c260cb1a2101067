import { requireCrs } from "@swath/raster/crs/require-crs";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { NamedRaster } from "@swath/raster/store/scene-draft";
import type { CatalogueItem } from "../stac/item-scene.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The item with the grid of each file as its header has it: scenes then state their CRS and pixels rightly.
 *
 * @throws {RasterError} for a file without a position, as `requireCrs`
 */
export function withGrids(item: Json, { selection }: CatalogueItem, rasters: readonly NamedRaster[]): Json {
  const assets = isRecord(item["assets"]) ? { ...item["assets"] } : {};
  for (const [index, { asset }] of selection.files.entries()) {
    const stated = assets[asset.key];
    const raster = rasters[index]?.raster;
    if (!isRecord(stated) || raster === undefined) continue;
    const { georeference, widthPx, heightPx } = raster;
    const { epsg } = requireCrs(raster, asset.href.slice(0, 200));
    const transform = georeference.kind === "affine" ? [...georeference.transform] : null;
    if (transform === null || epsg === null) continue;
    const { "proj:bbox": _bbox, "proj:epsg": _epsg, ...rest } = stated;
    assets[asset.key] = {
      ...rest,
      "proj:code": `EPSG:${epsg}`,
      "proj:shape": [heightPx, widthPx],
      "proj:transform": transform,
    };
  }
  return { ...item, assets };
}
