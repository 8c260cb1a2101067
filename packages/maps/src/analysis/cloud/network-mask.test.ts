import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { opticalBands } from "../optical/optical-block.ts";
import { opticalTestParameters, paintedBlock, ROLES, SPECTRA } from "../optical/testing.ts";
import { MASK_CLEAR, MASK_CLOUD, MASK_SHADOW, MASK_SNOW, MASK_THIN, type CloudModel } from "./cloud-model.ts";
import { NETWORK_CLOUDS, NETWORK_SHADOWS, networkMask } from "./network-mask.ts";

const NONE = 3;
const MODEL: CloudModel = {
  minBrightness: 2000,
  minProbability: 0.5,
  minOpaque: 1500,
  cloudShare: 0.1,
  shadows: { found: false, direction: null, columns: 0, step: 1, mask: new Uint8Array(0), darkBelow: 0 },
};
/** Flood water full of soil: bright in visible light, dark in the infrared. */
const FLOOD = [0.12, 0.14, 0.16, 0.09, 0.02, 0.01];
const VEIL = [0.16, 0.15, 0.14, 0.3, 0.25, 0.18];

/** The class of one pixel with that spectrum and that class of the network. */
function classOf(
  spectrum: readonly number[],
  network: number,
  { model = MODEL, roles = ROLES }: { readonly model?: CloudModel; readonly roles?: readonly BandRole[] } = {},
): number | undefined {
  const parameters = opticalTestParameters(1, 1, { roles });
  const core = { column: 0, row: 0, columns: 1, rows: 1 };
  const block = paintedBlock(core, 0, [1, 1], () => spectrum, parameters, 0);
  const bands = opticalBands(block, 0, parameters, 0);
  return networkMask(Uint8Array.of(network), bands, model, block.rect)[0];
}

test("clouds of the network are opaque or thin by the light of the ground that they leave", () => {
  assert.equal(classOf(SPECTRA.cloud, NETWORK_CLOUDS), MASK_CLOUD);
  assert.equal(classOf(VEIL, NETWORK_CLOUDS), MASK_THIN);
  assert.equal(classOf(SPECTRA.field, NONE), MASK_CLEAR);
  assert.equal(classOf(SPECTRA.field, 0), 0);
});

test("snow is snow whatever the network says", () => {
  for (const network of [NETWORK_CLOUDS, NETWORK_SHADOWS, NONE]) {
    assert.equal(classOf(SPECTRA.snow, network), MASK_SNOW);
  }
});

test("flood water is neither cloud nor shadow, and a cloud above water stays one", () => {
  assert.equal(classOf(FLOOD, NETWORK_CLOUDS), MASK_CLEAR);
  assert.equal(classOf(SPECTRA.water, NETWORK_SHADOWS), MASK_CLEAR);
  const veiled = [0.15, 0.15, 0.14, 0.1, 0.08, 0.06];
  assert.equal(classOf(veiled, NETWORK_CLOUDS), MASK_THIN);
});

test("water is a shadow where a cloud of the scene can throw one, and dark land is one anywhere", () => {
  const shadows = { ...MODEL.shadows, found: true, columns: 1, mask: Uint8Array.of(1) };
  assert.equal(classOf(SPECTRA.water, NETWORK_SHADOWS, { model: { ...MODEL, shadows } }), MASK_SHADOW);
  assert.equal(classOf(SPECTRA.shadow, NETWORK_SHADOWS), MASK_SHADOW);
});

test("cirrus that the network is not given is thin cloud", () => {
  const roles: readonly BandRole[] = [...ROLES, "C"];
  assert.equal(classOf([...SPECTRA.forest, 0.02], NONE, { roles }), MASK_THIN);
  assert.equal(classOf([...SPECTRA.forest, 0.005], NONE, { roles }), MASK_CLEAR);
});
