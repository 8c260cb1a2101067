import assert from "node:assert/strict";
import { test } from "node:test";
import { classOf, votesOf } from "./forest.ts";
import { predictPlanes } from "./predict-plane.ts";
import { trainForest, type ForestOptions, type TrainingSet } from "./train-forest.ts";

const OPTIONS: ForestOptions = { trees: 60, maxDepth: 14, minLeafSamples: 5, seed: 1 };
const FEATURES = 8;

/** Numerical Recipes' generator, upper 16 bits: the same numbers in every language. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  };
}

/** About normal, in units of 65536. */
function normal(next: () => number): number {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += next();
  return sum - 6 * 65_536;
}

const MEANS = [
  [0, 0, 0],
  [900, -900, 0],
  [0, 700, -700],
  [500, 500, -1000],
] as const;

/** Three classes in eight features, four of them noise, one an interaction of two others. */
function samples(): TrainingSet {
  const next = sequence(7);
  const count = 4000;
  const features = new Int16Array(count * FEATURES);
  const labels = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const label = i % 3;
    labels[i] = label;
    for (let f = 0; f < FEATURES; f++) {
      features[i * FEATURES + f] = (MEANS[f]?.[label] ?? 0) + Math.floor((normal(next) * 1000) / 65_536);
    }
    if (label === 2) {
      features[i * FEATURES] = Math.floor((features[i * FEATURES + 1] * features[i * FEATURES + 2]) / 1000);
    }
  }
  return { featureCount: FEATURES, features, labels, classCount: 3 };
}

const all = samples();
const half: TrainingSet = {
  ...all,
  features: all.features.subarray(0, 2000 * FEATURES),
  labels: all.labels.subarray(0, 2000),
};
const forest = trainForest(half, OPTIONS);

// scikit-learn 1.x on the same numbers, RandomForestClassifier(60, max_depth=14, min_samples_leaf=5,
// max_features="sqrt", oob_score=True), mean of 8 seeds: accuracy on the other half 0.7688 (s.d. 0.0032), error out of
// bag 0.2444 (s.d. 0.0028). The sum of all features was -35202.
test("a forest is as accurate as scikit-learn's on the same samples, in and out of bag", () => {
  assert.deepEqual([...all.features.subarray(0, 8)], [567, 1491, -913, 745, -918, 994, 481, -5]);
  assert.equal(
    all.features.reduce((sum, value) => sum + value, 0),
    -35_202,
  );
  let right = 0;
  for (let i = 2000; i < 4000; i++) {
    if (classOf(forest, all.features.subarray(i * FEATURES, (i + 1) * FEATURES)) === all.labels[i]) right++;
  }
  assert.ok(Math.abs(right / 2000 - 0.7688) < 0.015, `accuracy ${right / 2000}`);
  assert.ok(Math.abs(forest.outOfBagError - 0.2444) < 0.015, `out of bag ${forest.outOfBagError}`);
});

test("the same seed grows the same forest, another seed another", () => {
  assert.deepEqual(trainForest(half, OPTIONS), forest);
  assert.notDeepEqual(trainForest(half, { ...OPTIONS, seed: 2 }).nodes, forest.nodes);
});

test("trees end at the depth and the leaf size that were asked for", () => {
  const stump = trainForest(half, { ...OPTIONS, trees: 3, maxDepth: 1 });
  assert.ok(stump.nodes.length / 2 <= 9, "three trees of at most three nodes");
  const coarse = trainForest(half, { ...OPTIONS, minLeafSamples: 400 });
  assert.ok(coarse.nodes.length < forest.nodes.length / 4);
});

test("planes are predicted as pixels are, but for trees that could not or hardly change the winner", () => {
  const columns = 50;
  const planes = Array.from({ length: FEATURES }, (_, f) =>
    Int16Array.from({ length: 2000 }, (__, i) => all.features[(i + 2000) * FEATURES + f]),
  );
  const wanted = new Uint8Array(2000).fill(1);
  wanted[7] = 0;
  const shares = predictPlanes(forest, planes, wanted, columns);
  let same = 0;
  for (let i = 0; i < 2000; i++) {
    if (i === 7) continue;
    const row = all.features.subarray((i + 2000) * FEATURES, (i + 2001) * FEATURES);
    const votes = votesOf(forest, row);
    assert.equal(
      votes.reduce((sum, n) => sum + n, 0),
      60,
    );
    let best = 0;
    for (let c = 1; c < 3; c++) if (shares[c][i] > shares[best][i]) best = c;
    if (best === classOf(forest, row)) same++;
    const sum = shares[0][i] + shares[1][i] + shares[2][i];
    assert.ok(sum >= 254 && sum <= 256);
  }
  assert.ok(same >= 0.98 * 1999, `${same} of 1999 agree`);
  assert.deepEqual(
    shares.map((plane) => plane[7]),
    [0, 0, 0],
  );
});

test("samples of one class, and equal features, make forests of leaves; none is refused", () => {
  const one = trainForest({ ...half, labels: new Uint8Array(2000).fill(1) }, OPTIONS);
  assert.equal(classOf(one, new Int16Array(8)), 1);
  assert.equal(one.outOfBagError, 0);
  const flat = trainForest({ ...half, features: new Int16Array(2000 * FEATURES) }, OPTIONS);
  assert.equal(flat.nodes.length / 2, OPTIONS.trees);
  assert.throws(() => trainForest({ ...half, labels: new Uint8Array(0) }, OPTIONS), RangeError);
  assert.throws(() => trainForest({ ...half, featureCount: 32 }, OPTIONS), RangeError);
});
