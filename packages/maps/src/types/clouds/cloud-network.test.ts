import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { MASK_CLEAR, MASK_CLOUD } from "../../analysis/cloud/cloud-model.ts";
import type { CloudsParameters } from "../../analysis/cloud/clouds.ts";
import { opticalTestParameters, paintedBlock, ROLES, SPECTRA } from "../../analysis/optical/testing.ts";
import { manifest } from "../../models/model-manifest-testing.ts";
import type { ModelBand, ModelManifest } from "../../models/model-manifest.ts";
import type { Infer } from "../../models/run-model.ts";
import type { AnalysisPlan } from "../../planning/analysis.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { createMapTypes } from "../../registry.ts";
import { cloudNetworks, withNetwork } from "./cloud-network.ts";
import { networkClouds } from "./network-clouds.ts";

const FOUR: readonly ModelBand[] = ["blue", "green", "red", "nir"];
const SIX: readonly ModelBand[] = [...FOUR, "swir1", "swir2"];

function network(id: string, bands: readonly ModelBand[]): ModelManifest {
  return manifest({
    id,
    task: "segment",
    classes: ["clouds", "cloud-shadows"],
    bands,
    input: { dtype: "float32", size: [128, 128], valueRange: "reflectance" },
    gsd: { train: 30, min: 8, max: 60 },
    output: { format: "mask", activation: "softmax" },
  });
}

const INSTALLED = ["csmask-4-bands-l2a", "csmask-6-bands-l1c", "csmask-4-bands-l1c", "other"].map((id) =>
  network(id, id.includes("6") ? SIX : FOUR),
);

/** A scene whose darkest blue reflects that much. */
function sceneOf(roles: readonly BandRole[], darkestBlue: number, gsdM = 30): PlannedScene {
  const geotransform = [gsdM, 0, 500_000, 0, -gsdM, 5_400_000];
  const bands = roles.map((role) => ({
    role,
    quantity: "reflectance",
    dataType: "uint16",
    geotransform,
    statistics: { p005: role === "B" ? 10_000 * darkestBlue : 0, p995: 5000 },
  }));
  const described = roles.map((role) => ({
    names: [role],
    approximateResolutionX: gsdM,
    approximateResolutionY: gsdM,
  }));
  return { scene: { sceneId: "s", bands: described }, raster: { bands }, roles } as unknown as PlannedScene;
}

function chosen(roles: readonly BandRole[], darkestBlue: number, given: Partial<CloudsParameters> = {}) {
  const parameters = { ...opticalTestParameters(64, 64, { roles }), classification: false, thermal: null, ...given };
  const plan: AnalysisPlan<CloudsParameters> = {
    accepted: true,
    gridPosition: 0,
    reduction: 1,
    planes: [[]],
    parameters,
  };
  const { gsdM } = parameters;
  const planned = withNetwork(plan, [sceneOf(roles, darkestBlue, gsdM === 10 ? 30 : gsdM)], cloudNetworks(INSTALLED));
  assert.ok(planned.accepted);
  return planned.parameters.manifest?.id ?? null;
}

test("a scene has the network of its bands and of its level, which dark blue ground tells", () => {
  assert.equal(chosen(ROLES, 0.08), "csmask-6-bands-l1c");
  assert.equal(chosen(["B", "G", "R", "N"], 0.08), "csmask-4-bands-l1c");
  assert.equal(chosen(["B", "G", "R", "N"], 0.01), "csmask-4-bands-l2a");
  assert.equal(chosen([...ROLES, "C"], 0.01), "csmask-6-bands-l1c");
});

test("rules decide where no network suits: few bands, a picture, a classification of the product, another resolution", () => {
  assert.equal(chosen(["G", "R", "N"], 0.08), null);
  assert.equal(chosen(ROLES, 0.08, { scale: 0.001 }), null);
  assert.equal(chosen(ROLES, 0.08, { classification: true }), null);
  assert.equal(chosen(ROLES, 0.08, { gsdM: 3 }), null);
});

test("clouds change with the networks that are installed, and with no other model", () => {
  const rules = createMapTypes([]).find("clouds")?.analysis;
  assert.equal(rules?.inference, undefined);
  assert.equal(createMapTypes([network("other", SIX)]).find("clouds")?.analysis, rules);
  assert.notEqual(createMapTypes(INSTALLED).find("clouds")?.analysis?.inference, undefined);
});

function isCloud(column: number): boolean {
  return column >= 20 && column < 44;
}

/** Clouds by blue alone: the first channel. */
const infer: Infer = async ({ data, dims }) => {
  const size = dims[2] * dims[3];
  const scores = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) scores[(data[i] > 0.3 ? size : 0) + i] = 9;
  return [{ data: scores, dims: [1, 3, dims[2], dims[3]] }];
};

test("a block is given to the network in the order of its bands, and its classes become those of the mask", async () => {
  const manifestOfSix = network("csmask-6-bands-l1c", SIX);
  // Shortwave infrared before blue, so that a wrong order shows.
  const roles: readonly BandRole[] = ["S2", "S1", "N", "R", "G", "B"];
  const parameters = {
    ...opticalTestParameters(64, 64, { roles, gsdM: 30 }),
    classification: false,
    thermal: null,
    manifest: manifestOfSix,
  };
  const core = { column: 0, row: 0, columns: 64, rows: 64 };
  const block = paintedBlock(
    core,
    40,
    [64, 64],
    (column) => (isCloud(column) ? SPECTRA.cloud : SPECTRA.forest).toReversed(),
    parameters,
  );
  const clouds = {
    minBrightness: 2000,
    minProbability: 0.5,
    minOpaque: 1500,
    cloudShare: 0,
    shadows: { found: false, direction: null, columns: 0, step: 1, mask: new Uint8Array(0), darkBelow: 0 },
  };
  const model = { offset: 0, clouds, network: "csmask-6-bands-l1c 1", cloudShare: 0 };
  const { layers } = await networkClouds(block, infer, parameters, model);
  const at = (column: number): number | undefined => layers[0][(40 + 30) * block.rect.columns + 40 + column];
  assert.deepEqual([at(5), at(30), at(60), at(-5)], [MASK_CLEAR, MASK_CLOUD, MASK_CLEAR, 0]);
});
