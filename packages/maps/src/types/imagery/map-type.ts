import type { MapTypeDescriptor } from "../../map-type.ts";
import { unsupported } from "../../planning/refusals.ts";

/** The picture itself: natural colour where the bands allow it, radar composite, palette or gray otherwise. */
export const imagery: MapTypeDescriptor = {
  id: "imagery",
  longName: "Natural-colour picture",
  group: "imagery",
  description: "Natural-colour picture of the scene and its original pixel values",
  maturity: "validated",
  measuredBy: ["imagery"],
  version: 400,
  permissionNamespace: "imagery.images",
  gridFiles: {
    png: ["truecolor.png"],
    webp: ["truecolor.webp"],
    ski: ["imagery.ski"],
    json: ["metadata.json", "area.json"],
    geotiff: ["analysis.geotiff"],
    "visu-geotiff": ["visualization.geotiff"],
    zip: ["imagery.zip"],
  },
  settings: { maxGsdM: null, marginM: 0, marginPx: 2, minSizePx: 1, resolutionM: null, isGlobal: false },
  rendering: {
    kind: "composite",
    algorithm: "composite",
    products: {
      "truecolor.png": "visual-png",
      "truecolor.webp": "visual-webp",
      "imagery.ski": "ski",
      "analysis.geotiff": "analysis-geotiff",
      "visualization.geotiff": "visualization-geotiff",
      "metadata.json": "metadata",
      "area.json": "area",
      "imagery.zip": "archive",
    },
  },
  datasetTypes: ["optical", "sar-grd", "probabilities", "environmental"],
  segmentationColors: null,
  accepts: (scene) =>
    scene.bands.length > 0 ? { accepted: true } : unsupported(`imagery needs bands; scene ${scene.sceneId} has none`),
};
