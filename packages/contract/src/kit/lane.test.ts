import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import type { Lane, PipelineOperation } from "./pipeline-operation.ts";

test("pipelines of the quick lane are those whose caller waits for the answer", () => {
  const pipelines = Object.values(contract)
    .flatMap((feature) => Object.values<{ readonly kind: string }>(feature))
    .filter((operation): operation is PipelineOperation => operation.kind === "pipeline");
  const pathsOf = (lane: Lane) => new Set(pipelines.filter((one) => one.lane === lane).map(({ path }) => path));
  const quick = [
    "/imagery/search",
    "/mapsvc/dry-run",
    "/mapsvc/mosaic-dry-run",
    "/mapsvc/nwise",
    "/mapsvc/pairwise",
    "/scene-tasking/feasibility",
    "/scene-tasking/multi-feasibility",
  ];
  assert.deepEqual(pathsOf("quick"), new Set(quick));
  const heavy = pathsOf("heavy");
  for (const path of ["/mapsvc/release", "/mapsvc/statistics", "/mapsvc/export", "/imagery/ingest"]) {
    assert.ok(heavy.has(path), path);
  }
});
