import { encodeShapefile, type ShapeFeature } from "@swath/raster/shapefile/shapefile";
import { classPolygons } from "./class-polygons.ts";
import type { GridJob } from "./grid-job.ts";
import { featureIdOf, outlinesOf } from "./objects-file.ts";
import type { ResultRendering } from "./result-layer.ts";

/** The objects of a result, or the polygons of its classes when it has none to find, as a zipped shapefile. */
export async function resultShapefile(job: GridJob, rendering: ResultRendering): Promise<Uint8Array> {
  const { request } = job;
  if (Object.values(rendering.products).some(({ kind }) => kind === "objects")) {
    return await encodeShapefile(request.mapType, objectFeatures(job), ["class", "area", "count"]);
  }
  const layer = rendering.layers.findIndex(({ kind }) => kind === "classes");
  const features = layer < 0 ? [] : classPolygons(job, rendering, layer);
  return await encodeShapefile(
    request.mapType,
    features.map(({ className, areaM2, rings }) => ({ rings, attributes: { class: className, area: areaM2 } })),
    ["class", "area"],
  );
}

/** Lists have no place in a table: the centre becomes two fields, others text. */
function objectFeatures({ request }: GridJob): readonly ShapeFeature[] {
  return (request.result?.objects ?? []).map((object) => {
    const attributes: Record<string, number | string> = {};
    for (const [key, value] of Object.entries(object.properties)) {
      if (key === "latLonCenter" && typeof value === "object") {
        attributes["centerLat"] = value[0] ?? Number.NaN;
        attributes["centerLon"] = value[1] ?? Number.NaN;
      } else attributes[key] = typeof value === "object" ? value.join(" ") : value;
    }
    return { rings: outlinesOf(object).flat(), attributes: { ...attributes, featureId: featureIdOf(request, object) } };
  });
}
