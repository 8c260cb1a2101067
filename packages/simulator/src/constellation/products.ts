import type { SceneModel } from "../scene-model.ts";
import {
  DOVE_EIGHT,
  DOVE_FOUR,
  DYNAMIC_WORLD,
  elevenBit,
  LANDSAT_7_BANDS,
  LANDSAT_8_BANDS,
  radar,
  SENTINEL_2_SURFACE,
  SENTINEL_2_TOA,
  type ProductBand,
} from "./band-tables.ts";
import {
  ARCHIVERS,
  DOVES,
  GEC_RADAR,
  LANDSAT_7,
  LANDSAT_8,
  LEGACY_OPTICAL,
  LEGACY_RADAR,
  MULTI_RADAR,
  NEOS,
  NEWSATS,
  PLEIADES,
  SENTINEL_1,
  SENTINEL_2,
  SKYSATS,
  SPOTS,
} from "./satellites.ts";
import { DEMONSTRATION_AREA } from "./sites.ts";
import {
  acrossNadir,
  swathPlan,
  withinIncidence,
  withinRoll,
  type SwathPlan,
  type SwathPlanOptions,
} from "./swath-plan.ts";

type Polarisation = SceneModel["polarisations"][number];

/** A dataset made of the captures of a plan. */
export interface Product {
  readonly provider: string;
  readonly dataset: string;
  readonly type: SceneModel["datasetType"];
  readonly plan: SwathPlan;
  /** By the code of the satellite. */
  readonly bandsOf: (satelliteCode: string) => readonly ProductBand[];
  readonly mode: string | null;
  readonly polarisations: readonly Polarisation[];
  readonly looks: number | null;
  /** Whether the provider says something of the quality of its scenes. */
  readonly hasQuality: boolean;
  /** Cloudier scenes are not made into the product. */
  readonly maxCloudCover: number;
}

const optical = (name: string, options: Omit<SwathPlanOptions, "name" | "minSunElevationDeg">): SwathPlan =>
  swathPlan({ minSunElevationDeg: 12, share: 0.9, listedShare: 0.15, ...options, name });
const sar = (
  name: string,
  options: Omit<SwathPlanOptions, "name" | "minSunElevationDeg" | "latencyHours">,
): SwathPlan => swathPlan({ latencyHours: 6, ...options, name, minSunElevationDeg: null });

/*
 * Scenes are a few thousand pixels a side whatever the swath. They are drawn whole and on demand, at about 6 million
 * pixels a second and band. A scene of the size of the satellite's product would take minutes.
 */
const sentinel2 = swathPlan({
  name: "sentinel-2",
  satellites: SENTINEL_2,
  columns: acrossNadir(290, 1),
  stripLengthKm: 100,
  along: 4,
  across: 12,
  minSunElevationDeg: 8,
  latencyHours: 6,
});
const sentinel1 = swathPlan({
  name: "sentinel-1",
  satellites: SENTINEL_1,
  columns: withinIncidence(29.1, 46, null, ["right"]),
  stripLengthKm: 170,
  along: 4,
  across: 5,
  minSunElevationDeg: null,
  latencyHours: 6,
});
const landsat8 = swathPlan({
  name: "landsat-8",
  satellites: LANDSAT_8,
  columns: acrossNadir(185, 1),
  stripLengthKm: 180,
  along: 3,
  across: 3,
  minSunElevationDeg: 8,
  latencyHours: 24,
});
const landsat7 = swathPlan({
  name: "landsat-7",
  satellites: LANDSAT_7,
  columns: acrossNadir(183, 1),
  stripLengthKm: 170,
  along: 3,
  across: 3,
  minSunElevationDeg: 8,
  latencyHours: 24,
});
const doves = swathPlan({
  name: "doves",
  satellites: DOVES,
  columns: acrossNadir(32.5, 1),
  stripLengthKm: 19.6,
  along: 2,
  across: 3,
  minSunElevationDeg: 10,
  latencyHours: 12,
});

const skySatCapture = {
  satellites: SKYSATS,
  columns: withinRoll(6.6, 30),
  stripLengthKm: 22,
  latencyHours: 12,
} as const;
const skySatCollect = optical("skysats", { ...skySatCapture, along: 5, across: 2 });
const skySatScene = optical("skysats", { ...skySatCapture, along: 10, across: 2 });

const archiveCapture = {
  satellites: ARCHIVERS,
  columns: withinRoll(15, 30),
  stripLengthKm: 60,
  listedShare: 0.08,
  latencyHours: 24,
} as const;
const archive = optical("archive", { ...archiveCapture, along: 4 });
const archiveTiles = optical("archive", { ...archiveCapture, along: 12, across: 3 });

const legacyOptical = optical("legacy-optical", {
  satellites: LEGACY_OPTICAL,
  columns: withinRoll(16, 30),
  stripLengthKm: 48,
  along: 3,
  listedShare: 0.04,
  area: DEMONSTRATION_AREA,
  latencyHours: 24,
});

/** Ground sampling of the cameras of the archives, metres, and the real camera that they are similar to. */
const ARCHIVE_CAMERAS: Readonly<Record<string, { readonly gsdM: number; readonly like: string }>> = {
  WA2: { gsdM: 0.5, like: "WORLDVIEW-2" },
  WA3: { gsdM: 0.3, like: "WORLDVIEW-3" },
  GA1: { gsdM: 0.4, like: "WORLDVIEW-2" },
  WL2: { gsdM: 0.5, like: "WORLDVIEW-2" },
  WL3: { gsdM: 0.3, like: "WORLDVIEW-3" },
  GL1: { gsdM: 0.4, like: "WORLDVIEW-2" },
};

function archived(roles: Parameters<typeof elevenBit>[0]): Product["bandsOf"] {
  const made = Object.fromEntries(
    Object.entries(ARCHIVE_CAMERAS).map(([code, { gsdM, like }]) => [code, elevenBit(roles, gsdM, like)]),
  );
  return (code) => made[code] ?? [];
}

function product(
  provider: string,
  dataset: string,
  plan: SwathPlan,
  bands: readonly ProductBand[] | Product["bandsOf"],
): Product {
  return {
    provider,
    dataset,
    type: "optical",
    plan,
    bandsOf: typeof bands === "function" ? bands : () => bands,
    mode: null,
    polarisations: [],
    looks: null,
    hasQuality: provider === "pl",
    maxCloudCover: 1,
  };
}

function radarProduct(
  provider: string,
  dataset: string,
  plan: SwathPlan,
  mode: string,
  polarisations: readonly Polarisation[],
  gsdM: number,
  type: "sar-grd" | "sar-slc" = "sar-grd",
): Product {
  return {
    ...product(provider, dataset, plan, radar(polarisations, gsdM)),
    type,
    mode,
    polarisations,
    looks: type === "sar-slc" ? 1 : mode === "IW" ? 5 : 4,
  };
}

const BOTH_SIDES = ["right", "left"] as const;
/** One spot, five kilometres across, somewhere in every 50 by 25 km that are chosen. */
const spotlight = (
  name: string,
  satellites: typeof GEC_RADAR,
  lengthKm: number,
  [minDeg, maxDeg]: readonly [number, number],
  listedShare: number,
) =>
  sar(name, {
    listedShare,
    satellites,
    columns: withinIncidence(minDeg, maxDeg, 25, BOTH_SIDES),
    stripLengthKm: 50,
    along: 50 / lengthKm,
    across: 5,
    isSpot: true,
    share: 0.9,
  });
const stripmap = (
  name: string,
  satellites: typeof GEC_RADAR,
  [widthKm, lengthKm]: readonly [number, number],
  listedShare: number,
) =>
  sar(name, {
    satellites,
    columns: withinIncidence(20, 40, widthKm, BOTH_SIDES),
    stripLengthKm: lengthKm,
    listedShare,
    share: 0.3,
  });

const legacySpotlight = spotlight("legacy-spotlight", LEGACY_RADAR, 5, [20, 35], 0.15);
const legacySpotlightHigh = spotlight("legacy-spotlight-high", LEGACY_RADAR, 5, [20, 35], 0.15);
const legacyStripmap = stripmap("legacy-stripmap", LEGACY_RADAR, [30, 50], 0.1);
const legacyStripmapHigh = stripmap("legacy-stripmap-high", LEGACY_RADAR, [30, 50], 0.1);

const RGB_NIR = ["B", "G", "R", "N"] as const;

/** Every dataset that is imaged along swaths, by provider and name. */
export const PRODUCTS: readonly Product[] = [
  product(
    "ab",
    "pleiades",
    optical("pleiades", {
      satellites: PLEIADES,
      columns: withinRoll(20, 30),
      stripLengthKm: 60,
      along: 3,
      latencyHours: 12,
    }),
    elevenBit(RGB_NIR, 0.5),
  ),
  product(
    "ab",
    "pleiades-neo",
    optical("pleiades-neo", {
      satellites: NEOS,
      columns: withinRoll(14, 30),
      stripLengthKm: 56,
      along: 4,
      latencyHours: 12,
    }),
    elevenBit(["A", "B", "G", "R", "RE1", "N"], 0.3),
  ),
  product(
    "ab",
    "spot",
    optical("spot", {
      satellites: SPOTS,
      columns: withinRoll(60, 30),
      stripLengthKm: 60,
      latencyHours: 12,
    }),
    elevenBit(RGB_NIR, 1.5),
  ),
  radarProduct("ee", "COPERNICUS/S1_GRD", sentinel1, "IW", ["VV", "VH"], 10),
  product("ee", "COPERNICUS/S2_HARMONIZED", sentinel2, SENTINEL_2_TOA),
  product("ee", "COPERNICUS/S2_SR_HARMONIZED", sentinel2, SENTINEL_2_SURFACE),
  {
    ...product("ee", "GOOGLE/DYNAMICWORLD/V1", sentinel2, DYNAMIC_WORLD),
    type: "probabilities",
    maxCloudCover: 0.35,
  },
  product("ee", "LANDSAT/LC08/C02/T1", landsat8, LANDSAT_8_BANDS),
  product("ee", "LANDSAT/LE07/C02/T1", landsat7, LANDSAT_7_BANDS),
  radarProduct("esa", "COPERNICUS/S1_SLC", sentinel1, "IW", ["VV", "VH"], 14, "sar-slc"),
  product(
    "optical-agile",
    "newsat",
    optical("newsat", {
      satellites: NEWSATS,
      columns: withinRoll(5, 25),
      stripLengthKm: 40,
      along: 8,
      latencyHours: 12,
    }),
    elevenBit(RGB_NIR, 1),
  ),
  product(
    "optical-agile",
    "newsat_sr",
    optical("newsat", {
      satellites: NEWSATS,
      columns: withinRoll(5, 25),
      stripLengthKm: 40,
      along: 8,
      latencyHours: 24,
    }),
    elevenBit(RGB_NIR, 0.7),
  ),
  product("optical-archive", "ard", archiveTiles, archived(["A", ...RGB_NIR, "RE1"])),
  product("optical-archive", "ard_clipped", archive, archived(["A", ...RGB_NIR, "RE1"])),
  product("optical-archive", "ortho_4ps", archive, archived(RGB_NIR)),
  product("optical-legacy", "idaho-pansharpened", legacyOptical, archived(RGB_NIR)),
  product("pl", "PSScene", doves, DOVE_EIGHT),
  product("pl", "PSScene4Band", doves, DOVE_FOUR),
  product("pl", "PSScene4Band_tile", doves, DOVE_FOUR),
  product("pl", "PSScene_analytic_4b_sr", doves, DOVE_FOUR),
  product("pl", "PSScene_analytic_4b_sr_tile", doves, DOVE_FOUR),
  product("pl", "PSScene_tile", doves, DOVE_EIGHT),
  product("pl", "SkySatCollect", skySatCollect, elevenBit(RGB_NIR, 0.8)),
  product("pl", "SkySatCollect_pansharpened", skySatCollect, elevenBit(RGB_NIR, 0.5)),
  product("pl", "SkySatScene", skySatScene, elevenBit(RGB_NIR, 0.8)),
  radarProduct("radar-gec", "spotlight_GEC", spotlight("gec", GEC_RADAR, 5, [20, 60], 0.08), "SPOTLIGHT", ["VV"], 0.5),
  radarProduct("radar-legacy", "SpotlightHigh_GRD", legacySpotlightHigh, "SLH", ["VV"], 0.5),
  radarProduct("radar-legacy", "SpotlightHigh_SLC", legacySpotlightHigh, "SLH", ["VV"], 1, "sar-slc"),
  radarProduct("radar-legacy", "Spotlight_GRD", legacySpotlight, "SL", ["VV"], 0.5),
  radarProduct("radar-legacy", "Spotlight_SLC", legacySpotlight, "SL", ["VV"], 1, "sar-slc"),
  radarProduct("radar-legacy", "StripmapHigh_GRD", legacyStripmapHigh, "SMH", ["VV"], 2.5),
  radarProduct("radar-legacy", "StripmapHigh_SLC", legacyStripmapHigh, "SMH", ["VV"], 3, "sar-slc"),
  radarProduct("radar-legacy", "Stripmap_GRD", legacyStripmap, "SM", ["VV"], 2.5),
  radarProduct("radar-legacy", "Stripmap_SLC", legacyStripmap, "SM", ["VV"], 3, "sar-slc"),
  radarProduct(
    "radar-multi",
    "sliding_spotlight",
    spotlight("multi-sliding", MULTI_RADAR, 10, [15, 45], 0.03),
    "sliding_spotlight",
    ["HH"],
    0.8,
  ),
  radarProduct(
    "radar-multi",
    "spotlight",
    spotlight("multi-spotlight", MULTI_RADAR, 5, [15, 45], 0.03),
    "spotlight",
    ["HH"],
    0.5,
  ),
  radarProduct(
    "radar-multi",
    "stripmap",
    stripmap("multi-stripmap", MULTI_RADAR, [5, 20], 0.04),
    "stripmap",
    ["HH"],
    1,
  ),
];
