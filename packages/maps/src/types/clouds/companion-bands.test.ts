import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { AnalysisPlan } from "../../planning/analysis.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { withCompanions } from "./companion-bands.ts";

interface BandFacts {
  readonly names: readonly string[];
  readonly role: BandRole | null;
  readonly radianceMult?: number;
  readonly radianceAdd?: number;
  readonly p005?: number;
  readonly p995?: number;
}

function sceneOf(satellite: string, bands: readonly BandFacts[]): PlannedScene {
  return {
    scene: { sceneId: "s", satellite, bands },
    raster: { bands: bands.map(({ p005 = 0, p995 = 1 }) => ({ statistics: { p005, p995 } })) },
    roles: bands.map(({ role }) => role),
  } as unknown as PlannedScene;
}

const RED: BandFacts = { names: ["Red", "red", "r", "B04"], role: "R" };
const PLAN: AnalysisPlan<OpticalParameters> = {
  accepted: true,
  gridPosition: 0,
  reduction: 1,
  planes: [[{ position: 0, quantity: "reflectance", resampling: "smooth" }]],
  parameters: {
    roles: ["R"],
    scale: 1,
    gsdM: 30,
    gridColumns: 100,
    gridRows: 100,
    sunAzimuthDeg: null,
    sunElevationDeg: null,
    sunSource: null,
  },
};

function companionsOf(scene: PlannedScene) {
  const plan = withCompanions(PLAN, [scene]);
  assert.ok(plan.accepted);
  const { classification, thermal } = plan.parameters;
  return { planes: plan.planes[0].slice(1), classification, thermal };
}

test("a scene classification is found by its name and taken as it is stored, before a thermal band", () => {
  const thermal = { names: ["Thermal 1", "B10"], role: "T1", radianceMult: 3.342e-4, radianceAdd: 0.1 } as const;
  for (const name of ["SCL", "scl", "S2A_T32TNS_20190723_SCL_20m", "Scene Classification Map"]) {
    const scene = sceneOf("LANDSAT_8", [RED, thermal, { names: [name], role: null }]);
    assert.deepEqual(companionsOf(scene), {
      planes: [
        { position: 2, quantity: "stored", resampling: "nearest" },
        { position: 1, quantity: "stored", resampling: "smooth" },
      ],
      classification: true,
      thermal: { mult: 3.342e-4, add: 0.1, k1: 774.8853, k2: 1321.0789 },
    });
  }
  for (const name of ["sclera", "QA_PIXEL", "classification"]) {
    assert.equal(companionsOf(sceneOf("LANDSAT_8", [RED, { names: [name], role: null }])).classification, false);
  }
});

function kelvinOf(p005: number, p995: number): unknown {
  return companionsOf(sceneOf("LANDSAT-9", [RED, { names: ["Thermal"], role: "T", p005, p995 }])).thermal;
}

test("a thermal band that is kelvin, or scaled kelvin, is read as such; one that is neither is left out", () => {
  assert.deepEqual(kelvinOf(262.5, 318), { mult: 1, add: 0, k1: null, k2: null });
  // 41,000 and 47,000 stand for 289 and 310 K.
  assert.deepEqual(kelvinOf(41_000, 47_000), { mult: 0.00341802, add: 149, k1: null, k2: null });
  assert.equal(kelvinOf(120, 160), null);
});

test("a refused plan stays refused, and one without such bands has none", () => {
  const refused = { accepted: false, errorCode: "UNSUPPORTED-IMAGERY", errorMessage: "no" } as const;
  assert.equal(withCompanions(refused, []), refused);
  assert.deepEqual(companionsOf(sceneOf("SENTINEL-2A", [RED])), { planes: [], classification: false, thermal: null });
});
