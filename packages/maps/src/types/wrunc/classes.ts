import { CLOUDS, NONURBAN, ROADS, URBAN, WATER } from "../../analysis/land-cover/classes.ts";
import type { ResultClass } from "@swath/kernel/raster-mathematics/rendering";
import type { MapTypeDescriptor, SegmentationHierarchy } from "../../map-type.ts";

export const RADAR_LAND_COVER_CLASSES: readonly ResultClass[] = [
  { name: "water", value: WATER, color: [31, 120, 255] },
  { name: "roads", value: ROADS, color: [128, 128, 128] },
  { name: "urban", value: URBAN, color: [227, 26, 28] },
  { name: "nonurban", value: NONURBAN, color: [51, 160, 44] },
];

export const LAND_COVER_CLASSES: readonly ResultClass[] = [
  ...RADAR_LAND_COVER_CLASSES,
  { name: "clouds", value: CLOUDS, color: [255, 255, 255] },
];

const PARENTS = { nonwater: ["roads", "urban", "nonurban"], artificial: ["roads", "urban"] };

export const LAND_COVER_HIERARCHY: SegmentationHierarchy = {
  baseClasses: LAND_COVER_CLASSES.map(({ name }) => name),
  parentClasses: PARENTS,
  masterClass: "all",
};

export const RADAR_LAND_COVER_HIERARCHY: SegmentationHierarchy = {
  baseClasses: RADAR_LAND_COVER_CLASSES.map(({ name }) => name),
  parentClasses: PARENTS,
  masterClass: "all",
};

/** Files of 256-pixel tiles may hold older classes: vegetation separately, and no clouds. */
export const DEPRECATED_LAND_COVER: NonNullable<MapTypeDescriptor["deprecatedClasses"]> = {
  "372": {
    water: [31, 120, 255],
    roads: [128, 128, 128],
    urban: [227, 26, 28],
    trees: [0, 100, 0],
    bare: [166, 118, 29],
  },
};
