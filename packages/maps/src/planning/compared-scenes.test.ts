import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { PlannedScene } from "./planned-scene.ts";
import type { RadarSeriesParameters } from "../types/change-series/survey-series.ts";
import type { ChangeParameters, CoverPlanes } from "../types/change/change.ts";
import type { LandCoverChangeParameters } from "../types/wrunc-change/land-cover-change.ts";
import type { CloudSearch } from "../types/change/optical/clear-ground.ts";
import { changeSeries } from "../types/change-series/map-type.ts";
import { change } from "../types/change/map-type.ts";
import { commonBands, leastLooks } from "./compared-scenes.ts";
import { wruncChange } from "../types/wrunc-change/map-type.ts";

const TEN_METRES = 10;

function planned(
  sceneId: string,
  bands: readonly (readonly [role: BandRole | null, gsd?: number, name?: string])[],
  members: Partial<Scene> = {},
  quantity: StoredBand["quantity"] = "reflectance",
): PlannedScene {
  return {
    scene: {
      sceneId,
      datetime: "2020-01-01 00:00:00",
      satellite: "none",
      dataset: "uploads",
      bands: bands.map(([role, gsd = TEN_METRES, name]) => ({
        names: [name ?? role ?? "unknown"],
        gsd,
        approximateResolutionX: gsd,
        approximateResolutionY: gsd,
      })),
      ...members,
    } as unknown as Scene,
    raster: {
      bands: bands.map(([role]) => ({ role, quantity, widthPx: 100, heightPx: 100, statistics: { p995: 200 } })),
    } as unknown as PlannedScene["raster"],
    roles: bands.map(([role]) => role),
  };
}

const RADAR = { lookSide: "right", orbitPass: "ascending", mode: "IW", relativeOrbitNumberStart: 15 } as const;

function radar(sceneId: string, members: Partial<Scene> = {}, roles: readonly BandRole[] = ["VV", "VH"]): PlannedScene {
  return planned(
    sceneId,
    roles.map((role) => [role]),
    { ...RADAR, ...members },
    "backscatter-linear",
  );
}

const rgbn = (sceneId: string): PlannedScene => planned(sceneId, [["R"], ["G"], ["B"], ["N"]]);

test("two optical scenes are compared by the bands both have, each found at its own place", () => {
  const plan = change.analysis!.plan([rgbn("a"), planned("b", [["B"], ["N"], ["G"], ["R"], ["T"]])]);
  assert.ok(plan.accepted);
  assert.deepEqual(
    plan.planes.map((planes) => planes.map(({ position }) => position)),
    [
      [2, 1, 0, 3],
      [0, 2, 3, 1],
    ],
  );
  const { clouds, ...compared } = plan.parameters as ChangeParameters & { readonly clouds?: CloudSearch };
  assert.deepEqual(
    clouds?.map(({ roles, gridColumns }) => [roles, gridColumns]),
    [
      [["B", "G", "R", "N"], 100],
      [["B", "G", "R", "N"], 100],
    ],
  );
  assert.deepEqual(compared, {
    mostRegions: 100,
    roles: ["B", "G", "R", "N"],
    method: "irmad",
    alpha: 1e-3,
    bands: ["B", "G", "R", "N"],
    calibrated: true,
    red: 2,
    nir: 3,
    green: 1,
  });
});

const withInfrared = (sceneId: string, quantity?: StoredBand["quantity"]): PlannedScene =>
  planned(sceneId, [["S1", 20], ["B"], ["G"], ["R"], ["N"], ["C", 60]], {}, quantity);

test("bands that only clouds need come after those that are compared; pictures are searched for none", () => {
  const plan = change.analysis!.plan([withInfrared("a"), withInfrared("b")]);
  assert.ok(plan.accepted);
  assert.deepEqual(
    plan.planes.map((planes) => planes.map(({ position }) => position)),
    [
      [1, 2, 3, 4, 0, 5],
      [1, 2, 3, 4, 0, 5],
    ],
  );
  const [search] = (plan.parameters as { readonly clouds?: CloudSearch }).clouds ?? [];
  assert.deepEqual(search?.roles, ["B", "G", "R", "N", "S1", "C"]);
  for (const [first, second] of [
    [withInfrared("a", "display"), withInfrared("b", "display")],
    [planned("a", [["G"], ["R"], ["N"]]), rgbn("b")],
  ] as const) {
    const unmasked = change.analysis!.plan([first, second]);
    assert.ok(unmasked.accepted && !("clouds" in unmasked.parameters));
  }
});

test("fewer than three common bands are compared by change vectors; bands without a role by their names", () => {
  const two = change.analysis!.plan([planned("a", [["R"], ["N"]]), rgbn("b")]);
  assert.equal(two.accepted && (two.parameters as ChangeParameters).method, "cva");
  const named = (sceneId: string): PlannedScene =>
    planned(sceneId, [
      [null, 30, "Band 1"],
      [null, 30, "Band 2"],
      [null, 30, "Band 3"],
    ]);
  const plan = change.analysis!.plan([named("a"), named("b")]);
  assert.ok(plan.accepted);
  assert.equal(plan.planes[0]?.length, 3);
  assert.deepEqual([(plan.parameters as CoverPlanes).red, (plan.parameters as CoverPlanes).nir], [-1, -1]);
});

test("bands much coarser than the others are left out, and the grid is that of the coarser scene", () => {
  const sentinel = planned("a", [["B"], ["G"], ["R"], ["N"], ["S1", 20], ["S2", 20]]);
  const fine = commonBands([sentinel, sentinel]);
  assert.deepEqual(fine?.roles, ["B", "G", "R", "N"]);
  assert.equal(fine.reduction, 1);
  const landsat = planned("b", [
    ["B", 30],
    ["G", 30],
    ["R", 30],
    ["N", 30],
  ]);
  assert.equal(commonBands([sentinel, landsat])?.reduction, 3);
  assert.equal(commonBands([landsat, sentinel])?.reduction, 1);
  assert.equal(commonBands([planned("a", [["T"]]), planned("b", [["N"]])]), null);
});

test("radar is compared within an orbit, a side and the same polarisations, by what both have", () => {
  const plan = change.analysis!.plan([radar("a"), radar("b", { looks: 5 })]);
  assert.ok(plan.accepted);
  assert.equal((plan.parameters as ChangeParameters).method, "log-ratio");
  assert.equal((plan.parameters as RadarSeriesParameters).looks, null, "unknown of one is unknown of the pair");
  assert.deepEqual(
    plan.planes[0]?.map(({ quantity }) => quantity),
    ["power", "power"],
  );
  for (const [other, says] of [
    [radar("b", { relativeOrbitNumberStart: 8 }), /relative orbit 8/],
    [radar("b", { lookSide: "left" }), /look side left/],
    [radar("b", { orbitPass: "descending" }), /pass descending/],
    [radar("b", {}, ["VV"]), /mode IW, VV\)/],
    [rgbn("b"), /b is optical/],
  ] as const) {
    const refused = change.analysis!.plan([radar("a"), other]);
    assert.ok(!refused.accepted);
    assert.equal(refused.errorCode, "UNSUPPORTED-IMAGERY");
    assert.match(refused.errorMessage, says);
  }
});

function series(count: number): readonly PlannedScene[] {
  return Array.from({ length: count }, (_, i) => radar(`s${i}`, { satellite: "SENTINEL-1" }));
}

test("a long series is judged by one polarisation so that it fits into memory", () => {
  const short = changeSeries.analysis!.plan(series(32));
  assert.ok(short.accepted);
  assert.deepEqual(
    [short.planes.length, short.planes[0]?.length, (short.parameters as RadarSeriesParameters).looks],
    [32, 2, 4.4],
  );
  const long = changeSeries.analysis!.plan(series(64));
  assert.ok(long.accepted);
  assert.deepEqual(
    long.planes.map((planes) => planes.length),
    Array.from({ length: 64 }, () => 1),
  );
  const optical = changeSeries.analysis!.plan([rgbn("a"), rgbn("b")]);
  assert.ok(!optical.accepted);
  assert.match(optical.errorMessage, /a is optical/);
});

test("land cover is compared of optical scenes with blue, green, red and infrared", () => {
  const plan = wruncChange.analysis!.plan([rgbn("a"), planned("b", [["B"], ["G"], ["R"], ["N"]], {}, "display")]);
  assert.ok(plan.accepted);
  assert.equal((plan.parameters as LandCoverChangeParameters).calibrated, false);
  assert.deepEqual(
    (plan.parameters as LandCoverChangeParameters).scenes.map(({ scale }) => scale),
    [1, 0.002],
  );
  const lacks = wruncChange.analysis!.plan([rgbn("a"), planned("b", [["B"], ["G"], ["R"]])]);
  assert.ok(!lacks.accepted);
  assert.match(lacks.errorMessage, /scene b lacks N/);
  const isRadar = wruncChange.analysis!.plan([radar("a"), radar("b")]);
  assert.ok(!isRadar.accepted);
});

test("looks come from the scene, or from what the sensor is known for", () => {
  assert.equal(leastLooks([radar("a", { looks: 1 }), radar("b", { looks: 5 })]), 1);
  assert.ok(Math.abs(leastLooks([radar("a", { looks: 5 })])! - 4.4) < 1e-12);
  assert.equal(leastLooks([radar("a", { satellite: "Sentinel-1A" })]), 4.4);
  assert.equal(leastLooks([radar("a", { looks: 1 }), radar("b")]), null);
});
