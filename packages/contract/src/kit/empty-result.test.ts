import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { contract } from "../contract.ts";
import { emptyResultOf } from "./empty-result.ts";
import { definePipeline, type PipelineOperation } from "./pipeline-operation.ts";

test("an empty result has the required members: lists without content, other members that may be null", () => {
  const { schema, value } = emptyResultOf(
    Type.Object({ url: Type.String(), tiles: Type.Array(Type.Integer()), zoom: Type.Optional(Type.Integer()) }),
  );
  assert.deepEqual(value, { url: null, tiles: [] });
  assert.ok(Value.Check(schema, value));
  assert.ok(!Value.Check(schema, { url: null, tiles: [1] }));
});

test("a pipeline that declares partial results and no empty one may answer either", () => {
  const { emptyResult, partialResult } = definePipeline({
    path: "/sums",
    summary: "Add up",
    request: Type.Object({}),
    result: Type.Object({ sum: Type.Number() }),
    partialResult: Type.Object({ sumSoFar: Type.Number() }),
  });
  assert.deepEqual(emptyResult, { sum: null });
  assert.ok(partialResult !== null && Value.Check(partialResult, { sumSoFar: 1 }));
  assert.ok(Value.Check(partialResult, emptyResult));
});

test("every pipeline of the contract has an empty result of its declared shape", () => {
  const pipelines = Object.values(contract)
    .flatMap((feature): readonly object[] => Object.values(feature))
    .filter((one): one is PipelineOperation => "kind" in one && one.kind === "pipeline");
  assert.ok(pipelines.length >= 11);
  for (const { emptyResult, partialResult, path, result } of pipelines) {
    const schemas = partialResult === null ? [result] : [result, partialResult];
    assert.ok(
      schemas.some((schema) => Value.Check(schema, emptyResult)),
      path,
    );
  }
});
