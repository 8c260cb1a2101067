import type { MapGroupId } from "@swath/maps/map-type";

/** How a group of map types is shown. */
export interface MapGroup {
  /** Name of a symbol of the Material Symbols set. */
  readonly icon: string;
  readonly title: string;
  readonly description: string;
  readonly longDescription: string;
}

/** Groups in the order of their listing; each map type names its own. */
export const MAP_GROUPS: Readonly<Record<MapGroupId, MapGroup>> = {
  imagery: {
    icon: "satellite_alt",
    title: "Imagery",
    description: "The scene itself",
    longDescription: "Natural-colour pictures and original pixel values of optical scenes, composites of radar scenes.",
  },
  "land-cover": {
    icon: "landscape",
    title: "Land cover",
    description: "Water, roads, built-up and open land",
    longDescription: "What covers the ground, as exclusive classes with their areas, by optical and by radar scenes.",
  },
  water: {
    icon: "water",
    title: "Water",
    description: "Open water and moisture",
    longDescription: "Where open water is, and indices of water and moisture.",
  },
  vegetation: {
    icon: "eco",
    title: "Vegetation",
    description: "Vigour, chlorophyll and cover of plants",
    longDescription: "Indices of green biomass, chlorophyll and canopy structure, kernel forms among them.",
  },
  fire: {
    icon: "local_fire_department",
    title: "Fire",
    description: "Burned areas and their severity",
    longDescription: "What has burned between two dates, and indices that respond to char and ash.",
  },
  "built-up": {
    icon: "location_city",
    title: "Built-up land",
    description: "Sealed and built-up surfaces",
    longDescription: "Indices that set buildings and sealed ground apart from soil and vegetation.",
  },
  soil: {
    icon: "grain",
    title: "Soil",
    description: "Bare soil",
    longDescription: "Indices of bare soil, its brightness and its minerals.",
  },
  snow: {
    icon: "ac_unit",
    title: "Snow and ice",
    description: "Snow cover and glaciers",
    longDescription: "Indices of snow, ice and glacier surfaces.",
  },
  radar: {
    icon: "radar",
    title: "Radar indices",
    description: "Ratios of polarisations",
    longDescription: "Indices of vegetation and surfaces from the polarisations of radar scenes.",
  },
  objects: {
    icon: "directions_boat",
    title: "Objects",
    description: "Ships, aircraft, vehicles",
    longDescription: "Single objects with their place, size, heading and confidence.",
  },
  change: {
    icon: "difference",
    title: "Change",
    description: "Differences between dates",
    longDescription:
      "Differences of two scenes or a series, as heat maps, classes gained and lost, and regions to look at.",
  },
  atmosphere: {
    icon: "cloud",
    title: "Atmosphere",
    description: "Clouds, rain and gases",
    longDescription: "Clouds and their shadows, precipitation, and methane with its plumes.",
  },
  night: {
    icon: "dark_mode",
    title: "Night",
    description: "Light at night",
    longDescription: "Radiance of cities, fires and flares by monthly night-time composites.",
  },
  other: {
    icon: "category",
    title: "Other",
    description: "Further map types",
    longDescription: "Map types of models and plug-ins that belong to no other group.",
  },
};
