import type { ResultLayer, ResultProduct } from "@swath/kernel/raster-mathematics/rendering";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Analysis } from "./analysis.ts";
import type { Acceptance, GridFileSuffix, MapTypeDescriptor, MapTypeSettings } from "../map-type.ts";
import { unsupported } from "./refusals.ts";

/** Declaration of an analysed map type; files follow from the layers. */
export interface ResultMapType {
  readonly id: string;
  readonly longName: string;
  readonly group: MapTypeDescriptor["group"];
  readonly description: string;
  readonly maturity: MapTypeDescriptor["maturity"];
  readonly measuredBy: MapTypeDescriptor["measuredBy"];
  readonly analysis: Analysis;
  readonly datasetTypes: readonly string[];
  readonly settings?: Partial<MapTypeSettings>;
  /** Name of the file of objects; absent when the analysis finds none. */
  readonly objectsFile?: "detections.geojson" | "attention_regions.geojson";
  /** Files beyond or instead of those that follow from the layers. */
  readonly files?: Readonly<Partial<Record<GridFileSuffix, Readonly<Record<string, ResultProduct>>>>>;
  readonly quality: { readonly note: string; readonly expected: string };
  readonly segmentationHierarchy?: MapTypeDescriptor["segmentationHierarchy"];
  readonly deprecatedClasses?: MapTypeDescriptor["deprecatedClasses"];
  readonly clearSky?: MapTypeDescriptor["clearSky"];
}

/** Above 372: tiles of 512 pixels. */
const VERSION = 400;

type Files = Partial<Record<GridFileSuffix, Record<string, ResultProduct>>>;

function add(files: Files, suffix: GridFileSuffix, name: string, product: ResultProduct): void {
  (files[suffix] ??= {})[name] = product;
}

/** Files of the layers: a picture of each class and of each layer of values, and the whole as SKI, GeoTIFF, JSON. */
function layerFiles(layers: readonly ResultLayer[]): Files {
  const files: Files = {};
  const classLayer = layers.findIndex(({ kind }) => kind === "classes");
  for (const [layer, described] of layers.entries()) {
    if (described.kind === "values") {
      add(files, "png", `${described.name}.png`, { kind: "values", layer, encoding: "png" });
      add(files, "webp", `${described.name}.webp`, { kind: "values", layer, encoding: "webp" });
      continue;
    }
    for (const { name } of described.classes) {
      add(files, "png", `${name}.png`, { kind: "class-png", layer, className: name });
    }
    if (layer === classLayer) {
      add(files, "png", "segmentation.png", { kind: "segmentation", layer, encoding: "png" });
      add(files, "webp", "segmentation.webp", { kind: "segmentation", layer, encoding: "webp" });
    }
  }
  add(files, "ski", classLayer < 0 ? "analysis.ski" : "segmentation.ski", { kind: "result-ski" });
  add(files, "json", "metadata.json", { kind: "result-metadata" });
  add(files, "json", "area.json", { kind: "result-area", layer: Math.max(classLayer, 0) });
  add(files, "geotiff", "analysis.geotiff", { kind: "result-geotiff" });
  add(files, "visu-geotiff", "visualization.geotiff", {
    kind: "result-visualization",
    layer: Math.max(classLayer, 0),
  });
  return files;
}

/** An analysis checks its bands when it plans. */
function accepts(mapType: string, scene: Scene): Acceptance {
  return scene.bands.length > 0
    ? { accepted: true }
    : unsupported(`${mapType} needs bands; scene ${scene.sceneId} has none`);
}

/** A map type whose tiles are drawn from the stored result of an analysis. */
export function resultMapType(input: ResultMapType): MapTypeDescriptor {
  const { id, analysis, objectsFile } = input;
  const files = layerFiles(analysis.layers);
  const classLayer = analysis.layers.findIndex(({ kind }) => kind === "classes");
  if (objectsFile !== undefined) add(files, "geojson", objectsFile, { kind: "objects" });
  else if (classLayer >= 0) add(files, "geojson", "polygons.geojson", { kind: "class-polygons", layer: classLayer });
  if (objectsFile !== undefined || classLayer >= 0) add(files, "shz", `${id}.shz`, { kind: "shapefile" });
  add(files, "zip", `${id}.zip`, { kind: "archive" });
  for (const [suffix, products] of Object.entries(input.files ?? {}) as [
    GridFileSuffix,
    Readonly<Record<string, ResultProduct>>,
  ][]) {
    for (const [name, product] of Object.entries(products)) add(files, suffix, name, product);
  }
  const classes = analysis.layers.flatMap((layer) => (layer.kind === "classes" ? layer.classes : []));
  return {
    id,
    longName: input.longName,
    group: input.group,
    description: input.description,
    maturity: input.maturity,
    measuredBy: input.measuredBy,
    version: VERSION,
    permissionNamespace: `algorithms.${id}`,
    gridFiles: Object.fromEntries(Object.entries(files).map(([suffix, products]) => [suffix, Object.keys(products)])),
    settings: {
      maxGsdM: null,
      marginM: 0,
      marginPx: analysis.marginPx,
      minSizePx: 1,
      resolutionM: null,
      isGlobal: analysis.algorithm.survey !== undefined,
      ...input.settings,
    },
    rendering: {
      kind: "result",
      algorithm: analysis.name,
      layers: analysis.layers,
      products: Object.assign({}, ...Object.values(files)) as Readonly<Record<string, ResultProduct>>,
      quality: input.quality,
    },
    datasetTypes: input.datasetTypes,
    segmentationColors:
      classes.length === 0 ? null : Object.fromEntries(classes.map(({ name, color }) => [name, color])),
    ...(input.segmentationHierarchy === undefined ? {} : { segmentationHierarchy: input.segmentationHierarchy }),
    ...(input.deprecatedClasses === undefined ? {} : { deprecatedClasses: input.deprecatedClasses }),
    ...(input.clearSky === undefined ? {} : { clearSky: input.clearSky }),
    accepts: (scene) => accepts(id, scene),
    analysis,
  };
}
