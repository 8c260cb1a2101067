import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import sharp from "sharp";
import { createMapTypes } from "../../packages/maps/src/registry.ts";
import type { GridRequest } from "../../packages/maps/src/render/grid-renderer.ts";
import { sampleData } from "../../packages/base/src/sample-data.ts";
import { openQualityBench, type QualityBench } from "./quality-bench.ts";
import { SENTINEL_1_RTC, SENTINEL_2_L2A } from "./samples.ts";
import { squareOf, wishedScenes, type SceneWish } from "./simulated-scenes.ts";
import { burnPairs } from "./suites/land-cover-simulated.ts";

const mapTypes = createMapTypes([]);

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const SIDE_PX = 360;
const QUALITY = 72;

const COPERNICUS = "contains modified Copernicus Sentinel data";
const SIMULATED = "simulated";

/** What a picture is drawn from. */
interface Subject {
  readonly scenes: readonly StoredScene[];
  readonly extent: MultiPolygon;
  readonly source: string;
}

interface Picture {
  readonly mapType: string;
  readonly fileName: string;
  /** Drawn on the picture of the latest scene, which says more where most of a map is empty. */
  readonly isOverlay?: boolean;
  readonly subject: (bench: QualityBench) => Promise<Subject | string>;
}

type Files = readonly (readonly [segments: readonly string[], document: Readonly<Record<string, unknown>>])[];

/** Real scenes, or in their absence the reason. */
function real(source: string, ...files: Files): Picture["subject"] {
  return async (bench) => {
    const scenes: StoredScene[] = [];
    for (const [segments, document] of files) {
      const path = sampleData(...segments);
      if (path === null) return "sample data absent";
      scenes.push(await bench.ingest(path, document));
    }
    return { scenes, extent: scenes[0]!.scene.footprint, source };
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
    return { scenes, extent, source: `${SIMULATED}, ${wish.dataset}` };
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
      source: `${SIMULATED}, COPERNICUS/S2_SR_HARMONIZED`,
    };
  };
}

const S2 = real(COPERNICUS, [["optical_s2", "433D_629L_3_1_S2L2A.tif"], SENTINEL_2_L2A]);
const FIELDS = real(COPERNICUS, [["optical_s2", "637U_59R_1_3_S2L2A.tif"], SENTINEL_2_L2A]);
const S1 = real(COPERNICUS, [["sar_s1", "433D_629L_3_1_S1RTC.tif"], SENTINEL_1_RTC]);
const PORT = real(COPERNICUS, [
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
const BAY = real(PLANET, [
  ["ships_optical", "planetscope_20170719_180901_101d_crop.tif"],
  { satellite: "PlanetScope", datetime: "2017-07-19T18:09:01Z", bands: ["red", "green", "blue"] },
]);
const APRONS = real(PLANET, [
  ["aircraft", "planetscope_SFO.tif"],
  { satellite: "PlanetScope", datetime: "2016-10-01", bands: ["red", "green", "blue"] },
]);
const GARDENS = real("SpaceNet 6 (Maxar), CC BY-SA 4.0", [
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
const RAIN = real("NASA GPM IMERG", [
  ["precipitation", "gpm_imerg_1d_20240617_west_180W-105W.tif"],
  { satellite: "GPM", datetime: "2024-06-17", bands: [{ names: ["hourlyPrecipRate"], quantity: "other" }] },
]);

const FROM_MS = Date.UTC(2022, 4, 1);
const COAST = { lonDeg: 2.26, latDeg: 41.395, fromMs: FROM_MS };
const S2_SIMULATED = { ...COAST, dataset: "COPERNICUS/S2_SR_HARMONIZED", sideM: 4000 };
const S1_SIMULATED = { ...COAST, dataset: "COPERNICUS/S1_GRD", sideM: 4000, days: 120 };
const CAR_PARK = { lonDeg: 153.13, latDeg: -27.42, fromMs: FROM_MS, dataset: "pleiades-neo", sideM: 110, days: 900 };
const POOLS = { lonDeg: 139.7702, latDeg: 35.6203, fromMs: FROM_MS, dataset: "pleiades", sideM: 200, days: 900 };

/** One of each map type outside of the catalogue of indices, and some of that. */
const PICTURES: readonly Picture[] = [
  { mapType: "imagery", fileName: "truecolor.png", subject: S2 },
  { mapType: "ndvi", fileName: "ndvi.png", subject: FIELDS },
  { mapType: "mndwi", fileName: "mndwi.png", subject: S2 },
  { mapType: "ndbi", fileName: "ndbi.png", subject: S2 },
  { mapType: "wrunc", fileName: "segmentation.png", subject: S2 },
  { mapType: "land-cover", fileName: "segmentation.png", subject: S2 },
  { mapType: "wrun", fileName: "segmentation.png", subject: S1 },
  {
    mapType: "wrunc-change",
    fileName: "segmentation.png",
    isOverlay: true,
    subject: simulated({ ...S2_SIMULATED, days: 90 }, "ee", 2),
  },
  { mapType: "water", fileName: "segmentation.png", isOverlay: true, subject: S2 },
  {
    mapType: "clouds",
    fileName: "segmentation.png",
    isOverlay: true,
    subject: simulated({ ...S2_SIMULATED, days: 700, clouds: { from: 0.15, to: 0.5 } }),
  },
  { mapType: "burned", fileName: "segmentation.png", isOverlay: true, subject: fires(false) },
  { mapType: "burned-pair", fileName: "segmentation.png", isOverlay: true, subject: fires(true) },
  { mapType: "segments", fileName: "segmentation.png", isOverlay: true, subject: FIELDS },
  { mapType: "ships", fileName: "ships.png", isOverlay: true, subject: PORT },
  { mapType: "boats", fileName: "boats.png", isOverlay: true, subject: BAY },
  { mapType: "aircraft", fileName: "aircraft.png", isOverlay: true, subject: APRONS },
  { mapType: "cars", fileName: "segmentation.png", isOverlay: true, subject: simulated(CAR_PARK, "ab") },
  { mapType: "trees", fileName: "trees.png", isOverlay: true, subject: GARDENS },
  { mapType: "pools", fileName: "pools.png", isOverlay: true, subject: simulated(POOLS, "ab") },
  {
    mapType: "change",
    fileName: "change.png",
    isOverlay: true,
    subject: real("USDA NAIP, public domain", naip("20100629"), naip("20150926")),
  },
  { mapType: "ships-series", fileName: "ships.png", isOverlay: true, subject: simulated(S1_SIMULATED, "ee", 5) },
  { mapType: "change-series", fileName: "heatmap.png", isOverlay: true, subject: simulated(S1_SIMULATED, "ee", 5) },
  { mapType: "precipitation", fileName: "precipitation.png", subject: RAIN },
  {
    mapType: "precipitation-sum",
    fileName: "precipitation-sum.png",
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
    subject: simulated({
      lonDeg: 135,
      latDeg: -25,
      fromMs: FROM_MS,
      dataset: "COPERNICUS/S5P/OFFL/L3_CH4",
      sideM: 1_500_000,
      days: 20,
    }),
  },
  { mapType: "nightlight", fileName: "nightlight.png", subject: real(VIIRS, month("2019-01")) },
  {
    mapType: "nightlight-change",
    fileName: "nightlight-change.png",
    subject: real(VIIRS, month("2013-01"), month("2019-01")),
  },
];

async function drawn(
  bench: QualityBench,
  mapTypeId: string,
  fileName: string,
  { scenes, extent }: Subject,
): Promise<Uint8Array | string> {
  const mapType = mapTypes.find(mapTypeId);
  const latest = scenes.at(-1);
  if (mapType === undefined || latest === undefined) return `there is no map type ${mapTypeId}`;
  let of: Pick<GridRequest, "raster" | "result"> = { raster: latest.raster };
  if (mapType.analysis !== undefined) {
    const outcome = await bench.run(mapTypeId, scenes, extent);
    if (outcome.kind === "refused") return outcome.reason;
    of = outcome.result.drawn;
  }
  const file = await bench.render({
    mapType: mapTypeId,
    version: mapType.version,
    rendering: mapType.rendering,
    mapId: "gallery",
    scene: latest.scene,
    ...of,
    window: { kind: "bounds", bounds: mbr(extent), maxSizePx: SIDE_PX },
    clip: null,
    fileName,
    percentileStretch: mapTypeId === "imagery",
    userThreshold: null,
    forceDownload: true,
  });
  return file.kind === "file" ? file.body : `${fileName} is ${file.kind}`;
}

/** A picture as WebP, over that of the scene where that is wanted. */
async function picture(
  bench: QualityBench,
  { mapType, fileName, isOverlay }: Picture,
  subject: Subject,
): Promise<Buffer | string> {
  const top = await drawn(bench, mapType, fileName, subject);
  if (typeof top === "string") return top;
  const base = isOverlay === true ? await drawn(bench, "imagery", "truecolor.png", subject) : null;
  if (typeof base === "string") return base;
  const { width, height } = await sharp(base ?? top).metadata();
  const white = sharp({ create: { width, height, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 1 } } });
  // Results of a coarser grid are drawn smaller.
  const fitted = await sharp(top).resize(width, height, { kernel: "nearest", fit: "fill" }).png().toBuffer();
  const layers = (base === null ? [fitted] : [Buffer.from(base), fitted]).map((input) => ({ input }));
  return await white.composite(layers).webp({ quality: QUALITY }).toBuffer();
}

/** Draws docs/images/gallery and writes docs/gallery.md. @throws {Error} when a map type has no picture */
export async function drawGallery(): Promise<void> {
  const folder = join(DOCS, "images", "gallery");
  mkdirSync(folder, { recursive: true });
  const without = mapTypes.all
    .map(({ id }) => id)
    .filter((id) => !(id in SPECTRAL_INDICES) && !PICTURES.some(({ mapType }) => mapType === id));
  if (without.length > 0) throw new Error(`the gallery has no picture of ${without.join(", ")}`);
  await using bench = await openQualityBench();
  const rows: string[] = [];
  for (const one of PICTURES) {
    const subject = await one.subject(bench);
    const image = typeof subject === "string" ? subject : await picture(bench, one, subject);
    if (typeof image === "string" || typeof subject === "string") {
      process.stderr.write(`${one.mapType}: ${String(image)}\n`);
      continue;
    }
    writeFileSync(join(folder, `${one.mapType}.webp`), image);
    process.stderr.write(`${one.mapType}: ${image.length} bytes\n`);
    const page = one.mapType in SPECTRAL_INDICES ? "index" : one.mapType;
    rows.push(
      `| [${one.mapType}](map-types/${page}.md) | ![${one.mapType}](images/gallery/${one.mapType}.webp) | \`${one.fileName}\`${one.isOverlay === true ? " over `truecolor.png`" : ""} | ${subject.source} |`,
    );
  }
  const text = [
    "# Gallery",
    "",
    "One picture of each map type, drawn by the renderer of the service. `npm run quality -- --gallery` draws them; pictures",
    "of real scenes need the sample data. Simulated pictures do not show the Earth.",
    "",
    "`images/fields.webp` of the README is `truecolor.png`, `ndvi.png` and `segments.png` of the demo on the Sentinel-2",
    "sample scene of fields, side by side: `npm run demo -- SCENE --types imagery,ndvi,segments`.",
    "",
    "| Map type | Picture | File | Imagery |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
  writeFileSync(join(DOCS, "gallery.md"), text);
}
