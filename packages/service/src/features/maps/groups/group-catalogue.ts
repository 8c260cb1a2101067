import type { MapTypeDescriptor } from "../../../map-types/map-type.ts";

/** How a group of map types is shown. */
export interface MapGroup {
  /** Name of a symbol of the Material Symbols set. */
  readonly icon: string;
  readonly title: string;
  readonly description: string;
  readonly longDescription: string;
  /** Map types by id; those that a service does not have are left out. */
  readonly mapTypes: readonly string[];
  /** Application domains of the spectral indices that belong to it. */
  readonly indexDomains: readonly string[];
}

/** The group of map types that no other names. */
export const OTHER_GROUP = "other";

/** Groups in the order of their listing. */
export const MAP_GROUPS: Readonly<Record<string, MapGroup>> = {
  imagery: {
    icon: "satellite_alt",
    title: "Imagery",
    description: "The scene itself",
    longDescription: "Natural-colour pictures and original pixel values of optical scenes, composites of radar scenes.",
    mapTypes: ["imagery"],
    indexDomains: [],
  },
  "land-cover": {
    icon: "landscape",
    title: "Land cover",
    description: "Water, roads, built-up and open land",
    longDescription: "What covers the ground, as exclusive classes with their areas, by optical and by radar scenes.",
    mapTypes: ["wrunc", "wrun", "segments"],
    indexDomains: [],
  },
  water: {
    icon: "water",
    title: "Water",
    description: "Open water and moisture",
    longDescription: "Where open water is, and indices of water and moisture.",
    mapTypes: ["water"],
    indexDomains: ["water"],
  },
  vegetation: {
    icon: "eco",
    title: "Vegetation",
    description: "Vigour, chlorophyll and cover of plants",
    longDescription: "Indices of green biomass, chlorophyll and canopy structure, kernel forms among them.",
    mapTypes: [],
    indexDomains: ["vegetation", "kernel"],
  },
  fire: {
    icon: "local_fire_department",
    title: "Fire",
    description: "Burned areas and their severity",
    longDescription: "What has burned between two dates, and indices that respond to char and ash.",
    mapTypes: ["burned", "burned-pair"],
    indexDomains: ["burn"],
  },
  "built-up": {
    icon: "location_city",
    title: "Built-up land",
    description: "Sealed and built-up surfaces",
    longDescription: "Indices that set buildings and sealed ground apart from soil and vegetation.",
    mapTypes: [],
    indexDomains: ["urban"],
  },
  soil: {
    icon: "grain",
    title: "Soil",
    description: "Bare soil",
    longDescription: "Indices of bare soil, its brightness and its minerals.",
    mapTypes: [],
    indexDomains: ["soil"],
  },
  snow: {
    icon: "ac_unit",
    title: "Snow and ice",
    description: "Snow cover and glaciers",
    longDescription: "Indices of snow, ice and glacier surfaces.",
    mapTypes: [],
    indexDomains: ["snow"],
  },
  radar: {
    icon: "radar",
    title: "Radar indices",
    description: "Ratios of polarisations",
    longDescription: "Indices of vegetation and surfaces from the polarisations of radar scenes.",
    mapTypes: [],
    indexDomains: ["radar"],
  },
  objects: {
    icon: "directions_boat",
    title: "Objects",
    description: "Ships, aircraft, vehicles",
    longDescription: "Single objects with their place, size, heading and confidence.",
    mapTypes: ["ships", "ships-series", "boats", "aircraft", "cars", "containers", "trees", "pools", "onnx"],
    indexDomains: [],
  },
  change: {
    icon: "difference",
    title: "Change",
    description: "What differs between dates",
    longDescription:
      "Differences of two scenes or a series, as heat maps, classes gained and lost, and regions to look at.",
    mapTypes: ["change", "change-series", "wrunc-change", "nightlight-change", "heatmap", "attention"],
    indexDomains: [],
  },
  atmosphere: {
    icon: "cloud",
    title: "Atmosphere",
    description: "Clouds, rain and gases",
    longDescription: "Clouds and their shadows, precipitation, and methane with its plumes.",
    mapTypes: ["clouds", "precipitation", "precipitation-sum", "methane"],
    indexDomains: ["clouds"],
  },
  night: {
    icon: "dark_mode",
    title: "Night",
    description: "Light at night",
    longDescription: "Radiance of cities, fires and flares by monthly night-time composites.",
    mapTypes: ["nightlight"],
    indexDomains: [],
  },
  [OTHER_GROUP]: {
    icon: "category",
    title: "Other",
    description: "Further map types",
    longDescription: "Map types of models and plug-ins that belong to no other group.",
    mapTypes: [],
    indexDomains: [],
  },
};

const GROUP_OF_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries(MAP_GROUPS).flatMap(([group, { mapTypes }]) => mapTypes.map((id) => [id, group] as const)),
);
const GROUP_OF_DOMAIN: ReadonlyMap<string, string> = new Map(
  Object.entries(MAP_GROUPS).flatMap(([group, { indexDomains }]) => indexDomains.map((one) => [one, group] as const)),
);

/** The one group that a map type belongs to. */
export function groupOf({ id, rendering }: MapTypeDescriptor): string {
  const named = GROUP_OF_TYPE.get(id);
  if (named !== undefined) return named;
  return (rendering.kind === "index" ? GROUP_OF_DOMAIN.get(rendering.index.domain) : undefined) ?? OTHER_GROUP;
}
