import { centroid } from "@swath/kernel/geometry/centroid";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sampleData } from "../../packages/base/src/sample-data.ts";
import type { QualityBench } from "./quality-bench.ts";
import { LABELLED_CLOUDS, labelledCloudDocument } from "./labelled-clouds.ts";
import { SENTINEL_1_RTC, SENTINEL_2_L2A } from "./samples.ts";
import { squareOf, wishedScenes, type SceneWish } from "./simulated-scenes.ts";
import { burnPairs } from "./suites/land-cover-simulated.ts";

const COPERNICUS = "contains modified Copernicus Sentinel data";
const SIMULATED = "simulated";

/** What a picture is drawn from. */
export interface Subject {
  readonly scenes: readonly StoredScene[];
  readonly extent: MultiPolygon;
  readonly source: string;
  readonly place: string;
  readonly date: string;
}

export interface Picture {
  readonly mapType: string;
  readonly fileName: string;
  /**
   * `map` alone; `scene`: the scene and the map over it side by side; `dates`: the first and the last scene, the map over
   * the last.
   */
  readonly beside: "map" | "scene" | "dates";
  /** Side of the square with the most objects, metres; the extent of the scene unless given. */
  readonly closeUpM?: number;
  readonly isReal: boolean;
  readonly subject: (bench: QualityBench) => Promise<Subject | string>;
}

/** Place and date of a real scene. */
interface Taken {
  readonly source: string;
  readonly place: string;
  readonly date: string;
}

type Files = readonly (readonly [segments: readonly string[], document: Readonly<Record<string, unknown>>])[];

/** Real scenes, or in their absence the reason. */
function real(taken: Taken, ...files: Files): Picture["subject"] {
  return async (bench) => {
    const scenes: StoredScene[] = [];
    for (const [segments, document] of files) {
      const path = sampleData(...segments);
      if (path === null) return "sample data absent";
      scenes.push(await bench.ingest(path, document));
    }
    return { scenes, extent: scenes[0]!.scene.footprint, ...taken };
  };
}

/** Scenes of the simulated constellation, in the order of their times. */
function simulated(wish: Omit<SceneWish, "provider">, provider = "ee", count = 1): Picture["subject"] {
  return async (bench) => {
    const found = wishedScenes({ ...wish, provider }, 30);
    const orbit = found[0]?.relativeOrbit;
    const models = found
      .filter(({ relativeOrbit }) => count === 1 || relativeOrbit === orbit)
      .slice(0, count)
      .toReversed();
    if (models.length < count) return `there are ${models.length} such scenes, expected ${count}`;
    const extent = squareOf(wish);
    const scenes: StoredScene[] = [];
    for (const model of models) scenes.push(await bench.simulate(model, extent));
    return { scenes, extent, ...drawnBySimulator(wish.dataset, wish, scenes) };
  };
}

function drawnBySimulator(
  dataset: string,
  place: { readonly lonDeg: number; readonly latDeg: number } | null,
  scenes: readonly StoredScene[],
): Taken {
  const [lonDeg, latDeg] = place === null ? centroid(scenes[0]!.scene.footprint) : [place.lonDeg, place.latDeg];
  const dates = scenes.map(({ scene }) => scene.datetime.slice(0, 10));
  const [first, last] = [dates[0]!, dates.at(-1)!];
  return {
    source: `${SIMULATED}, ${dataset}`,
    place: `simulated ground at ${latDeg.toFixed(2)}°, ${lonDeg.toFixed(2)}°`,
    date: first === last ? first : `${first} to ${last}`,
  };
}

function fires(isPair: boolean): Picture["subject"] {
  return async (bench) => {
    const [pair] = await burnPairs(bench, 1);
    if (pair === undefined) return "no fire with a clear scene";
    const [before, after] = pair;
    return {
      scenes: isPair ? [before.stored, after.stored] : [after.stored],
      extent: after.extent,
      ...drawnBySimulator("COPERNICUS/S2_SR_HARMONIZED", null, isPair ? [before.stored, after.stored] : [after.stored]),
    };
  };
}

const TEMUCO = { source: COPERNICUS, place: "southern Chile, 38.83° S 72.48° W", date: "date not stated" };
const S2 = real(TEMUCO, [["optical_s2", "433D_629L_3_1_S2L2A.tif"], SENTINEL_2_L2A]);
const FIELDS = real({ source: COPERNICUS, place: "northern Jutland, 57.23° N 9.84° E", date: "date not stated" }, [
  ["optical_s2", "637U_59R_1_3_S2L2A.tif"],
  SENTINEL_2_L2A,
]);
const S1 = real(TEMUCO, [["sar_s1", "433D_629L_3_1_S1RTC.tif"], SENTINEL_1_RTC]);
const PORT = real({ source: COPERNICUS, place: "port of Los Angeles", date: "2021-01-05" }, [
  ["ships_sar", "S1_portLA_2021-01-05_VV_dB.tif"],
  {
    sensor: "sentinel-1",
    satellite: "SENTINEL-1",
    datetime: "2021-01-05",
    mode: "IW",
    bands: [{ id: "VV", quantity: "backscatter-db" }],
  },
]);
const PLANET = "Planet Team (Planet Open California), CC BY-SA 4.0";
const BAY = real({ source: PLANET, place: "San Francisco Bay", date: "2017-07-19" }, [
  ["ships_optical", "planetscope_20170719_180901_101d_crop.tif"],
  { satellite: "PlanetScope", datetime: "2017-07-19T18:09:01Z", bands: ["red", "green", "blue"] },
]);
const APRONS = real({ source: PLANET, place: "San Francisco airport", date: "2016 or 2017" }, [
  ["aircraft", "planetscope_SFO.tif"],
  { satellite: "PlanetScope", datetime: "2016-10-01", bands: ["red", "green", "blue"] },
]);
const GARDENS = real({ source: "SpaceNet 6 (Maxar), CC BY-SA 4.0", place: "Rotterdam", date: "2019-08" }, [
  ["optical_vhr", "rotterdam_wv2_ms1.tif"],
  { satellite: "WORLDVIEW-2", datetime: "2019-08-15", bands: ["blue", "green", "red", "nir"] },
]);
const month = (name: string): Files[number] => [
  ["nightlights", `viirs_monthly_mumbai_${name}.tif`],
  { satellite: "VIIRS", datetime: `${name}-15`, bands: [{ names: ["avg_rad", "radiance"], quantity: "other" }] },
];
const VIIRS = "Earth Observation Group, Colorado School of Mines, CC BY 4.0";
const naip = (date: string): Files[number] => [
  ["change_optical", `naip_m_4709963_se_14_1_${date}_crop.tif`],
  {
    satellite: "NAIP",
    datetime: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
    bands: ["red", "green", "blue", "nir"],
  },
];
const CLOUDY = real({ source: COPERNICUS, place: "fields and forest, place not stated", date: "date not stated" }, [
  ["more", "clouds_sentinel2.tif"],
  labelledCloudDocument(LABELLED_CLOUDS[0]),
]);
const RAIN = real({ source: "NASA GPM IMERG", place: "180° to 105° W", date: "2024-06-17" }, [
  ["precipitation", "gpm_imerg_1d_20240617_west_180W-105W.tif"],
  { satellite: "GPM", datetime: "2024-06-17", bands: [{ names: ["hourlyPrecipRate"], quantity: "other" }] },
]);

const FROM_MS = Date.UTC(2022, 4, 1);
const COAST = { lonDeg: 2.26, latDeg: 41.395, fromMs: FROM_MS };
const S2_SIMULATED = { ...COAST, dataset: "COPERNICUS/S2_SR_HARMONIZED", sideM: 4000 };
const S1_SIMULATED = { ...COAST, dataset: "COPERNICUS/S1_GRD", sideM: 4000, days: 120 };
const CAR_PARK = { lonDeg: 153.13, latDeg: -27.42, fromMs: FROM_MS, dataset: "pleiades-neo", sideM: 110, days: 900 };
const POOLS = { lonDeg: 139.7702, latDeg: 35.6203, fromMs: FROM_MS, dataset: "pleiades", sideM: 200, days: 900 };

/** One of each map type outside of the catalogue of indices, and some of that; real scenes first. */
export const PICTURES: readonly Picture[] = [
  { mapType: "imagery", fileName: "truecolor.png", beside: "map", isReal: true, subject: S2 },
  { mapType: "ndvi", fileName: "ndvi.png", beside: "scene", isReal: true, subject: FIELDS },
  { mapType: "mndwi", fileName: "mndwi.png", beside: "scene", isReal: true, subject: S2 },
  { mapType: "ndbi", fileName: "ndbi.png", beside: "scene", isReal: true, subject: S2 },
  { mapType: "wrunc", fileName: "segmentation.png", beside: "scene", isReal: true, subject: S2 },
  { mapType: "land-cover", fileName: "segmentation.png", beside: "scene", isReal: true, subject: S2 },
  { mapType: "wrun", fileName: "segmentation.png", beside: "scene", isReal: true, subject: S1 },
  { mapType: "water", fileName: "segmentation.png", beside: "scene", isReal: true, subject: S2 },
  { mapType: "clouds", fileName: "segmentation.png", beside: "scene", isReal: true, subject: CLOUDY },
  { mapType: "segments", fileName: "segmentation.png", beside: "scene", isReal: true, subject: FIELDS },
  { mapType: "ships", fileName: "ships.png", beside: "scene", closeUpM: 4000, isReal: true, subject: PORT },
  { mapType: "boats", fileName: "boats.png", beside: "scene", closeUpM: 1500, isReal: true, subject: BAY },
  { mapType: "aircraft", fileName: "aircraft.png", beside: "scene", closeUpM: 700, isReal: true, subject: APRONS },
  { mapType: "trees", fileName: "trees.png", beside: "scene", closeUpM: 120, isReal: true, subject: GARDENS },
  {
    mapType: "change",
    fileName: "change.png",
    beside: "dates",
    isReal: true,
    subject: real(
      {
        source: "USDA NAIP, public domain",
        place: "North Dakota, 47.02° N 99.15° W",
        date: "2010-06-29 to 2015-09-26",
      },
      naip("20100629"),
      naip("20150926"),
    ),
  },
  { mapType: "precipitation", fileName: "precipitation.png", beside: "map", isReal: true, subject: RAIN },
  {
    mapType: "nightlight",
    fileName: "nightlight.png",
    beside: "map",
    isReal: true,
    subject: real({ source: VIIRS, place: "Mumbai", date: "2019-01" }, month("2019-01")),
  },
  {
    mapType: "nightlight-change",
    fileName: "nightlight-change.png",
    beside: "map",
    isReal: true,
    subject: real({ source: VIIRS, place: "Mumbai", date: "2013-01 to 2019-01" }, month("2013-01"), month("2019-01")),
  },
  {
    mapType: "wrunc-change",
    fileName: "segmentation.png",
    beside: "dates",
    isReal: false,
    subject: simulated({ ...S2_SIMULATED, days: 90 }, "ee", 2),
  },
  { mapType: "burned", fileName: "segmentation.png", beside: "scene", isReal: false, subject: fires(false) },
  { mapType: "burned-pair", fileName: "segmentation.png", beside: "dates", isReal: false, subject: fires(true) },
  {
    mapType: "cars",
    fileName: "segmentation.png",
    beside: "scene",
    isReal: false,
    subject: simulated(CAR_PARK, "ab"),
  },
  { mapType: "pools", fileName: "pools.png", beside: "scene", isReal: false, subject: simulated(POOLS, "ab") },
  {
    mapType: "ships-series",
    fileName: "ships.png",
    beside: "scene",
    closeUpM: 2000,
    isReal: false,
    subject: simulated(S1_SIMULATED, "ee", 5),
  },
  {
    mapType: "change-series",
    fileName: "heatmap.png",
    beside: "scene",
    isReal: false,
    subject: simulated(S1_SIMULATED, "ee", 5),
  },
  {
    mapType: "precipitation-sum",
    fileName: "precipitation-sum.png",
    beside: "map",
    isReal: false,
    subject: simulated(
      {
        lonDeg: 153,
        latDeg: -27,
        fromMs: FROM_MS,
        dataset: "JAXA/GPM_L3/GSMaP/v6/operational",
        sideM: 3_000_000,
        days: 1,
      },
      "ee",
      12,
    ),
  },
  {
    mapType: "methane",
    fileName: "methane.png",
    beside: "map",
    isReal: false,
    subject: simulated({
      lonDeg: 135,
      latDeg: -25,
      fromMs: FROM_MS,
      dataset: "COPERNICUS/S5P/OFFL/L3_CH4",
      sideM: 1_500_000,
      days: 20,
    }),
  },
];
