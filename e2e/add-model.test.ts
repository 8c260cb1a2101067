import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../packages/cli/src/program.ts";
import { KNOWN_PACKAGES } from "../packages/cli/src/models/known-package.ts";
import { sampleData } from "../packages/base/src/sample-data.ts";
import { MASK_CLOUD, MASK_THIN } from "../packages/maps/src/analysis/cloud/cloud-model.ts";
import { readManifest } from "../packages/maps/src/models/read-manifest.ts";
import { temporaryFolder } from "../packages/raster/src/tiff/gdal-testing.ts";
import { writeExampleModel } from "../scripts/example-model.ts";
import { installExtra } from "../scripts/extras.ts";
import { cloudsOfScene } from "./cloud-network-testing.ts";

/** Value of clouds in the labels of people. */
const LABELLED_CLOUD = 4;

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder.path, ...parts);

before(() => {
  installExtra("models");
  writeExampleModel(at("example"));
});
after(() => folder[Symbol.dispose]());

async function add(...args: readonly string[]) {
  let [stdout, stderr] = ["", ""];
  const status = await run(["models", "add", ...args, "--json"], {
    out: { write: (text) => (stdout += text) },
    err: { write: (text) => (stderr += text) },
    variables: { SWATH_CONFIG_HOME: at("no-such-folder") },
  });
  return { status, stdout, stderr };
}

/** Whether pip finds the package; nothing is downloaded. */
function indexReached(): boolean {
  try {
    const found = execFileSync("python3", ["-m", "pip", "index", "versions", "ukis-csmask"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 30_000,
    });
    return found.includes("1.0.0");
  } catch {
    return false;
  }
}

test("manifests of known packages are manifests that the service accepts", () => {
  for (const { models } of KNOWN_PACKAGES) {
    assert.ok(models.length > 0);
    for (const { manifest } of models) assert.deepEqual(readManifest(manifest).valid, true, manifest.id);
  }
});

test("a file and its manifest become a folder of the service once, and never with another digest", async () => {
  const manifest = at("example/bright-spots/manifest.json");
  const model = at("example/bright-spots/model.onnx");
  const added = await add(model, "--manifest", manifest, "--to", at("models"));
  assert.equal(added.status, 0, added.stderr);
  assert.equal(JSON.parse(added.stdout).installed[0].mapType, "model-bright-spots");
  assert.deepEqual(readFileSync(at("models/bright-spots/model.onnx")), readFileSync(model));
  const again = await add(model, "--manifest", manifest, "--to", at("models"));
  assert.notEqual(again.status, 0);
  assert.match(again.stderr, /is there already/);

  const document = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(at("wrong.json"), JSON.stringify({ ...document, id: "other", sha256: "0".repeat(64) }));
  const wrong = await add(model, "--manifest", at("wrong.json"), "--to", at("models"));
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stderr, /sha256|SHA-256/);
  writeFileSync(at("escape.json"), JSON.stringify({ ...document, id: "../escape" }));
  const escape = await add(model, "--manifest", at("escape.json"), "--to", at("models"));
  assert.notEqual(escape.status, 0);
  assert.deepEqual(readdirSync(at("models")), ["bright-spots"]);
  assert.ok(!existsSync(at("escape")));
  assert.ok(!readdirSync(folder.path).some((name) => name.startsWith(".models-")));
});

test("a wheel with another digest is refused before it is opened", async () => {
  writeFileSync(at("fake.whl"), "PK");
  const { status, stderr } = await add("ukis-csmask", "--file", at("fake.whl"), "--to", at("refused"));
  assert.notEqual(status, 0);
  assert.match(stderr, new RegExp(`expected ${KNOWN_PACKAGES[0]!.sha256}`));
  assert.ok(!existsSync(at("refused")));
});

test("ukis-csmask comes from the package index, has its digests, and tells the clouds of a scene", async (t) => {
  if (!indexReached()) {
    t.skip("the package index of Python cannot be reached");
    return;
  }
  const { status, stderr } = await add("ukis-csmask", "--only", "csmask-6-bands-l1c", "--to", at("open"));
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(at("open")), ["csmask-6-bands-l1c"]);
  const bytes = readFileSync(at("open/csmask-6-bands-l1c/model.onnx"));
  const { sha256 } = JSON.parse(readFileSync(at("open/csmask-6-bands-l1c/manifest.json"), "utf8"));
  assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);

  const [scene, labels] = ["", "_labels"].map((end) => sampleData("more", `clouds_landsat5${end}.tif`));
  if (scene == null || labels == null) return;
  const seen = await cloudsOfScene(at("open"), scene, labels);
  assert.equal(seen.description["source"], "network csmask-6-bands-l1c 1.0.0 and rules");
  let [both, either] = [0, 0];
  for (const [i, value] of seen.classes.entries()) {
    const isFound = value === MASK_CLOUD || value === MASK_THIN;
    if (isFound && seen.labels[i] === LABELLED_CLOUD) both += 1;
    if (isFound || seen.labels[i] === LABELLED_CLOUD) either += 1;
  }
  // F1 of the whole scene is 0.90.
  const f1 = (2 * both) / (both + either);
  assert.ok(f1 > 0.8, `got an F1 of clouds of ${f1}`);
});
