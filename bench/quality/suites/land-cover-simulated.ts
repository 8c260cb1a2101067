import { burnsAround } from "../../../packages/simulator/src/world/burns.ts";
import { simulatedConfusion, type Merge, type SimulatedScene } from "../classes.ts";
import { f1, iou, overallAccuracy, type Confusion } from "../confusion.ts";
import { atLeast, COVER, figuresOf, itself, onlyWater, withRoads, type Measure } from "../cover-figures.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { squareOf, wishedScenes, type SceneWish } from "../simulated-scenes.ts";

/** Coasts, rivers, towns and fields of every continent, beside the middle of the towns. */
const PLACES = [
  { lonDeg: 153.199, latDeg: -27.379 },
  { lonDeg: -43.08, latDeg: -22.935 },
  { lonDeg: 2.26, latDeg: 41.395 },
  { lonDeg: -122.395, latDeg: 37.815 },
  { lonDeg: 23.62, latDeg: 37.95 },
  { lonDeg: 174.87, latDeg: -36.875 },
  { lonDeg: 4.2, latDeg: 51.32 },
  { lonDeg: 114.2, latDeg: 22.28 },
  { lonDeg: 10.7, latDeg: 59.87 },
  { lonDeg: -58.3, latDeg: -34.65 },
  { lonDeg: 18.35, latDeg: -33.85 },
  { lonDeg: 100.58, latDeg: 13.62 },
  { lonDeg: 12.5, latDeg: 46.3 },
  { lonDeg: 30.2, latDeg: 2.1 },
] as const;
/** Scenes of one sensor; more places than that are tried. */
const SCENES = 8;

interface Sensor {
  readonly name: string;
  readonly provider: string;
  readonly dataset: string;
  readonly sideM: number;
}

const SENTINEL_2: Sensor = { name: "Sentinel-2", provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED", sideM: 5000 };
const PLANET: Sensor = { name: "PlanetScope", provider: "pl", dataset: "PSScene", sideM: 1500 };
const PLEIADES: Sensor = { name: "Pléiades 0.5 m", provider: "ab", dataset: "pleiades", sideM: 380 };
const SENTINEL_1: Sensor = { name: "Sentinel-1", provider: "ee", dataset: "COPERNICUS/S1_GRD", sideM: 5000 };

const FROM_MS = Date.UTC(2021, 2, 1);
const DAYS = 900;

/** One scene of each place that has one. */
async function scenesOf(
  bench: QualityBench,
  { provider, dataset, sideM }: Sensor,
  wish: Partial<SceneWish>,
  places: readonly { readonly lonDeg: number; readonly latDeg: number }[] = PLACES,
): Promise<readonly SimulatedScene[]> {
  const scenes: SimulatedScene[] = [];
  for (const place of places) {
    if (scenes.length >= SCENES) break;
    const [model] = wishedScenes({ fromMs: FROM_MS, days: DAYS, ...wish, ...place, provider, dataset, sideM }, 1);
    if (model === undefined) continue;
    const extent = squareOf({ ...place, sideM });
    scenes.push({ model, stored: await bench.simulate(model, extent), extent });
  }
  return scenes;
}

const worldCover: Merge = (name) => (name === "snow" || name === "burned" ? "nonurban" : name);
const worldCoverWithRoads: Merge = (name) => withRoads(worldCover(name) ?? "nonurban");
const radarTruth: Merge = (name) => (name === "clouds" ? null : worldCoverWithRoads(name));
const only =
  (wanted: string, leaveOut: readonly string[] = []): Merge =>
  (name) =>
    leaveOut.includes(name) ? null : name === wanted ? wanted : "other";

async function simulated(
  bench: QualityBench,
  mapType: string,
  data: string,
  scenes: readonly (readonly SimulatedScene[])[],
  names: readonly string[],
  merge: { readonly truth: Merge; readonly found: Merge },
  measures: readonly Measure[],
): Promise<readonly Figure[]> {
  const like = { mapType, page: mapType, data };
  const units: Confusion[] = [];
  for (const one of scenes) {
    const confusion = await simulatedConfusion(bench, mapType, one, names, merge);
    if (typeof confusion === "string") {
      return measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, confusion));
    }
    units.push(confusion);
  }
  if (units.length === 0) return measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, "no such scene"));
  return figuresOf(like, units, `${units.length} scenes`, measures);
}

const waterIou: Measure = { metric: "water IoU", of: (one) => iou(one, "water"), bar: null, needs: "water" };
const coverMeasures = (oa: Bar | null, water: Bar | null): readonly Measure[] => [
  { metric: "overall accuracy", of: overallAccuracy, bar: oa },
  { ...waterIou, bar: water },
  { metric: "urban IoU", of: (one) => iou(one, "urban"), bar: null, needs: "urban" },
];

const alone = (scenes: readonly SimulatedScene[]): readonly (readonly SimulatedScene[])[] => scenes.map((one) => [one]);

async function simulatedCover(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const clear = { clouds: { from: 0, to: 0.08 } };
  const sentinel2 = await scenesOf(bench, SENTINEL_2, clear);
  const planet = await scenesOf(bench, PLANET, clear);
  const pleiades = await scenesOf(bench, PLEIADES, clear);
  const sentinel1 = await scenesOf(bench, SENTINEL_1, {});
  const merged = { truth: worldCoverWithRoads, found: withRoads };
  figures.push(
    ...(await simulated(
      bench,
      "wrunc",
      "simulated Sentinel-2",
      alone(sentinel2),
      COVER,
      merged,
      coverMeasures(atLeast(0.75), atLeast(0.85)),
    )),
    ...(await simulated(
      bench,
      "wrunc",
      "simulated PlanetScope",
      alone(planet),
      COVER,
      merged,
      coverMeasures(null, null),
    )),
    ...(await simulated(
      bench,
      "wrunc",
      "simulated Pléiades 0.5 m",
      alone(pleiades),
      [...COVER, "roads"],
      { truth: worldCover, found: itself },
      [
        ...coverMeasures(null, null),
        { metric: "roads IoU", of: (one) => iou(one, "roads"), bar: atLeast(0.25), needs: "roads" },
      ],
    )),
    ...(await simulated(
      bench,
      "wrun",
      "simulated Sentinel-1",
      alone(sentinel1),
      ["water", "urban", "nonurban"],
      { truth: radarTruth, found: withRoads },
      coverMeasures(null, null),
    )),
    ...(await simulated(
      bench,
      "water",
      "simulated Sentinel-2",
      alone(sentinel2),
      ["water", "other"],
      { truth: onlyWater, found: onlyWater },
      [{ ...waterIou, bar: atLeast(0.85) }],
    )),
    ...(await simulated(
      bench,
      "water",
      "simulated Sentinel-1",
      alone(sentinel1),
      ["water", "other"],
      { truth: only("water", ["clouds"]), found: only("water") },
      [waterIou],
    )),
  );
  return figures;
}

async function simulatedClouds(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const cloudy = { clouds: { from: 0.15, to: 0.6 } };
  for (const [sensor, bar] of [
    [SENTINEL_2, atLeast(0.8)],
    [PLANET, atLeast(0.65)],
  ] as const) {
    const scenes = await scenesOf(bench, sensor, cloudy);
    figures.push(
      ...(await simulated(
        bench,
        "clouds",
        `simulated ${sensor.name}, 15 to 60 % clouds`,
        scenes.map((one) => [one]),
        ["clouds", "other"],
        { truth: only("clouds"), found: only("clouds") },
        [
          { metric: "F1", of: (one) => f1(one, "clouds"), bar },
          { metric: "IoU", of: (one) => iou(one, "clouds"), bar: null },
        ],
      )),
      ...(await simulated(
        bench,
        "clouds",
        `simulated ${sensor.name}, 15 to 60 % clouds`,
        scenes.map((one) => [one]),
        ["clouds", "other"],
        { truth: only("clouds"), found: (name) => (name === "thin-clouds" ? "clouds" : only("clouds")(name)) },
        [{ metric: "F1 of clouds and thin clouds together", of: (one) => f1(one, "clouds"), bar: null }],
      )),
    );
  }
  return figures;
}

const DAY_MS = 86_400_000;
const BURN_SCENES = 6;

/** Where and when large fires of the simulated world begin, and what clear scenes of them are like. */
function* largeFires(untilDay: number, stepDays: number, keptDays: number) {
  const { provider, dataset } = SENTINEL_2;
  for (let day = 18_800; day < untilDay; day += stepDays) {
    for (const burn of burnsAround(24, -12, 600_000, day)) {
      if (burn.day < day - keptDays || burn.day > day || burn.radiusM < 900 || burn.radiusM > 3000) continue;
      const place = { lonDeg: burn.lonDeg, latDeg: burn.latDeg, sideM: 5000 };
      const clear = { ...place, provider, dataset, clouds: { from: 0, to: 0.05 } };
      yield { day: burn.day, clear, extent: squareOf(place) };
    }
  }
}

/** Fires of the simulated world with a clear scene some days after and another some weeks before. */
export async function burnPairs(
  bench: QualityBench,
  count = BURN_SCENES,
): Promise<readonly (readonly [SimulatedScene, SimulatedScene])[]> {
  const pairs: (readonly [SimulatedScene, SimulatedScene])[] = [];
  for (const { day, clear, extent } of largeFires(19_200, 9, 8)) {
    if (pairs.length >= count) break;
    const [after] = wishedScenes({ ...clear, fromMs: (day + 4) * DAY_MS, days: 16 }, 1);
    const [before] = wishedScenes({ ...clear, fromMs: (day - 30) * DAY_MS, days: 28 }, 1);
    if (after === undefined || before === undefined) continue;
    const made = async (model: typeof after): Promise<SimulatedScene> => ({
      model,
      stored: await bench.simulate(model, extent),
      extent,
    });
    pairs.push([await made(before), await made(after)]);
  }
  return pairs;
}

const BURNING_SCENES = 3;
/** Fires burn for four days. */
const BURNING_DAYS = 3;

/** Scenes of fires that burn, with their flames and smoke. */
async function burningScenes(bench: QualityBench): Promise<readonly SimulatedScene[]> {
  const scenes: SimulatedScene[] = [];
  for (const { day, clear, extent } of largeFires(19_400, 4, 4)) {
    if (scenes.length >= BURNING_SCENES) break;
    const [model] = wishedScenes({ ...clear, fromMs: (day + 1) * DAY_MS, days: BURNING_DAYS }, 1);
    if (model === undefined) continue;
    scenes.push({ model, stored: await bench.simulate(model, extent), extent });
  }
  return scenes;
}

const burnedF1 = (bar: Bar): readonly Measure[] => [
  { metric: "F1", of: (one) => f1(one, "burned"), bar },
  { metric: "IoU", of: (one) => iou(one, "burned"), bar: null },
];
const severe: Merge = (name) => (name.endsWith("severity") || name === "burned" ? "burned" : "other");

async function simulatedBurns(bench: QualityBench): Promise<readonly Figure[]> {
  const pairs = await burnPairs(bench);
  const names = ["burned", "other"];
  return [
    ...(await simulated(
      bench,
      "burned",
      "simulated Sentinel-2, fires",
      pairs.map(([, after]) => [after]),
      names,
      { truth: only("burned", ["clouds"]), found: only("burned", ["clouds"]) },
      burnedF1(atLeast(0.5)),
    )),
    ...(await simulated(
      bench,
      "burned",
      "simulated Sentinel-2, fires that burn, with flames and smoke",
      alone(await burningScenes(bench)),
      names,
      { truth: only("burned", ["clouds"]), found: only("burned", ["clouds"]) },
      burnedF1(atLeast(0.5)),
    )),
    ...(await simulated(
      bench,
      "burned-pair",
      "simulated Sentinel-2, before and after fires",
      pairs,
      names,
      { truth: only("burned", ["clouds"]), found: severe },
      burnedF1(atLeast(0.8)),
    )),
  ];
}

export async function simulatedLandCoverFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await simulatedCover(bench)), ...(await simulatedClouds(bench)), ...(await simulatedBurns(bench))];
}
