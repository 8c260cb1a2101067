import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { applyDiff, readDiff } from "../scripts/walk-through/apply-diff.ts";
import { copyTree } from "../scripts/walk-through/copy-tree.ts";
import { readSteps, type Step } from "../scripts/walk-through/read-steps.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "CONTRIBUTING.md"), "utf8");

const WALK_THROUGHS = ["Add a map type", "Add a provider", "Add an endpoint", "Add a feature"];

/** A copy of the sources in a folder that goes with it. */
class CopiedTree implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "swath-walk-through-"));

  constructor() {
    copyTree(this.folder);
  }

  apply(steps: readonly Step[]): void {
    for (const step of steps) {
      switch (step.kind) {
        case "file":
          this.#write(step.path, () => step.text);
          break;
        case "diff":
          for (const diff of readDiff(step.text)) this.#write(diff.path, (text) => applyDiff(text, diff));
          break;
        case "commands":
          for (const line of step.lines) this.run(line);
          break;
        default:
          step satisfies never;
      }
    }
  }

  /** @throws {AssertionError} with the output when the command fails */
  run(command: string): void {
    // A runner that finds this variable runs no test.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(command, { cwd: this.folder, env, shell: true, encoding: "utf8" });
    assert.equal(status, 0, `${command}\n${stdout}\n${stderr}`);
  }

  #write(path: string, change: (present: string) => string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, change(present(file)));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function present(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("walk-throughs of CONTRIBUTING and skeletons pass the checks, and the service serves them", async () => {
  using tree = new CopiedTree();
  for (const heading of WALK_THROUGHS) tree.apply(readSteps(PAGE, heading));
  for (const what of ["map-type tile-roof", "provider nadir", "endpoint geojson/list-kinds"]) {
    tree.run(`npm run --silent new -- ${what}`);
  }
  tree.run("npm run --silent gen");
  // The steps of `npm run check` that read what the pages change: all of them take twice as long.
  tree.run("npm run --silent format -- --check");
  tree.run("npm run --silent lint -- packages/contract/src packages/maps/src/types packages/service/src e2e");
  tree.run("npm run --silent types -- packages/contract packages/maps packages/service .");
  tree.run("npm run --silent gen -- --check");
  tree.run("npm test -- layers.test.ts registry.test.ts named-once");
  tree.run("npm test -- features/sun features/geojson/api.db providers/registry");
  await using service = await ServiceProcess.start({}, tree.folder);
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const types = JSON.stringify((await demo.post("/mapsvc/map-types/list", {})).body);
  for (const id of ["red-roof", "tile-roof"]) assert.ok(types.includes(`"${id}"`), id);
  const datasets = JSON.stringify((await demo.post("/imagery/datasets/list", {})).body);
  for (const id of ["acme_visual", "nadir_optical"]) assert.ok(datasets.includes(`"${id}"`), id);
  const counted = await demo.post("/geojson/feature/count", {});
  assert.deepEqual([counted.status, counted.body], [200, { count: 0 }]);
  const sun = await demo.post("/sun/position", { longitude: 0, latitude: 0 });
  assert.equal(sun.status, 200, JSON.stringify(sun.body));
  const skeleton = await demo.post("/geojson/list-kinds", {});
  assert.deepEqual([skeleton.status, skeleton.body], [200, {}]);
});
