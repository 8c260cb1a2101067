import { indexBands } from "@swath/kernel/bands/index-bands";
import { SPECTRAL_INDICES, type SpectralIndex } from "@swath/kernel/bands/spectral-index";
import type { MapGroupId, MapTypeDescriptor } from "../../map-type.ts";
import { lacksBands } from "../../planning/refusals.ts";
import { indexRange } from "./range.ts";

const GROUP_OF_DOMAIN: Readonly<Record<SpectralIndex["domain"], MapGroupId>> = {
  burn: "fire",
  clouds: "atmosphere",
  kernel: "vegetation",
  radar: "radar",
  snow: "snow",
  soil: "soil",
  urban: "built-up",
  vegetation: "vegetation",
  water: "water",
};

/** Bands of the real scenes on which the suite of indices compares every index with another implementation. */
const MEASURED_ROLES: ReadonlySet<string> = new Set([
  "A",
  "B",
  "G",
  "R",
  "RE1",
  "RE2",
  "RE3",
  "N",
  "N2",
  "WV",
  "S1",
  "S2",
  "VV",
  "VH",
]);

function isMeasured({ id, roles }: SpectralIndex): boolean {
  return Object.hasOwn(SPECTRAL_INDICES, id) && roles.every((role) => MEASURED_ROLES.has(role));
}

/**
 * The map type of one index of the catalogue; its id is the index's id. Files, rights and prices go by it, whatever the
 * values of its parameters.
 */
export function spectralIndexMapType(index: SpectralIndex): MapTypeDescriptor {
  const { id } = index;
  return {
    id,
    longName: index.longName,
    group: GROUP_OF_DOMAIN[index.domain] ?? "other",
    description: `${index.longName} (${index.shortName}), ${index.formula}`,
    maturity: isMeasured(index) ? "validated" : "self-tested",
    measuredBy: Object.hasOwn(SPECTRAL_INDICES, id) ? ["indices"] : [],
    version: 400,
    permissionNamespace: `algorithms.${id}`,
    gridFiles: {
      png: [`${id}.png`, "heatmap.png"],
      webp: [`${id}.webp`, "heatmap.webp"],
      ski: [`${id}.ski`],
      json: ["metadata.json", "area.json"],
      geotiff: ["analysis.geotiff"],
      "visu-geotiff": ["visualization.geotiff"],
      zip: [`${id}.zip`],
    },
    settings: { maxGsdM: null, marginM: 0, marginPx: 2, minSizePx: 1, resolutionM: null, isGlobal: false },
    rendering: {
      kind: "index",
      algorithm: index.shortName,
      index,
      range: indexRange(index),
      ramp: "diverging",
      products: {
        [`${id}.png`]: "visual-png",
        [`${id}.webp`]: "visual-webp",
        "heatmap.png": "heatmap-png",
        "heatmap.webp": "heatmap-webp",
        [`${id}.ski`]: "ski",
        "analysis.geotiff": "analysis-geotiff",
        "visualization.geotiff": "visualization-geotiff",
        "metadata.json": "metadata",
        "area.json": "area",
        [`${id}.zip`]: "archive",
      },
    },
    datasetTypes: index.domain === "radar" ? ["sar-grd"] : ["optical"],
    segmentationColors: null,
    accepts: (scene, roles) => {
      const bands = scene.bands.map((band, i) => ({ names: band.names, role: roles[i] ?? null }));
      const { missing } = indexBands(index, bands);
      return missing.length === 0 ? { accepted: true } : lacksBands(id, { scene }, index.roles, missing);
    },
  };
}
