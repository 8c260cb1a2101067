import { FEATURE_BITS, LEAF, leafClass, MAX_FEATURES, type Forest } from "./forest.ts";
import { seededRandom } from "./random.ts";

/** What a forest learns from: one row of features per sample, whole numbers of 16 bits. */
export interface TrainingSet {
  readonly featureCount: number;
  /** `features[s * featureCount + f]`. */
  readonly features: Int16Array;
  /** Class of each sample, from 0. */
  readonly labels: Uint8Array;
  readonly classCount: number;
}

/** How a forest is grown; the same seed grows the same one. */
export interface ForestOptions {
  readonly trees: number;
  readonly maxDepth: number;
  readonly minLeafSamples: number;
  readonly seed: number;
}

/** Candidates of thresholds per feature: quantiles of the training set. */
const BINS = 256;

interface Nodes {
  readonly packed: number[];
  readonly thresholds: number[];
}

interface Growing extends Nodes {
  readonly set: TrainingSet;
  readonly options: ForestOptions;
  /** Bin of every value, by feature and then sample. */
  readonly bins: readonly Uint8Array[];
  /** `edges[f][b]` is the greatest value of bin b. */
  readonly edges: readonly Int16Array[];
  readonly random: (bound: number) => number;
  readonly histogram: Int32Array;
  readonly order: Uint8Array;
}

/**
 * Grows classification trees (Breiman 2001): each of a bootstrap sample, each node split by Gini impurity at the best of
 * a random choice of about the square root of the features, thresholds at 256 quantiles.
 *
 * @throws {RangeError} without samples, or with more than 31 features
 */
export function trainForest(set: TrainingSet, options: ForestOptions): Forest {
  const { featureCount, features, labels, classCount } = set;
  const count = labels.length;
  if (count === 0) throw new RangeError("a forest was to be trained without samples, expected at least one");
  if (featureCount > MAX_FEATURES || featureCount < 1) {
    throw new RangeError(`a forest was to be trained on ${featureCount} features, expected 1 to ${MAX_FEATURES}`);
  }
  const binned = Array.from({ length: featureCount }, (_, feature) => binsOf(features, featureCount, feature, count));
  const growing: Growing = {
    set,
    options,
    bins: binned.map(({ bins }) => bins),
    edges: binned.map(({ edges }) => edges),
    random: seededRandom(options.seed),
    packed: [],
    thresholds: [],
    histogram: new Int32Array(BINS * classCount),
    order: Uint8Array.from({ length: featureCount }, (_, f) => f),
  };
  const roots = new Int32Array(options.trees);
  const kept: Nodes = { packed: [], thresholds: [] };
  const outOfBagVotes = new Int32Array(count * classCount);
  for (let tree = 0; tree < options.trees; tree++) {
    const members = new Int32Array(count);
    const drawn = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const sample = growing.random(count);
      members[i] = sample;
      drawn[sample] = 1;
    }
    growTree(growing, members);
    const root = kept.packed.length;
    roots[tree] = root;
    keepTree(growing, kept);
    const nodes = interleaved(kept.packed, kept.thresholds, root);
    for (let sample = 0; sample < count; sample++) {
      if (drawn[sample] === 1) continue;
      const row = features.subarray(sample * featureCount, (sample + 1) * featureCount);
      outOfBagVotes[sample * classCount + leafClass(nodes, root, row)]!++;
    }
  }
  return {
    classCount,
    featureCount,
    nodes: interleaved(kept.packed, kept.thresholds, 0),
    roots,
    outOfBagError: errorOf(outOfBagVotes, labels, classCount),
  };
}

function binsOf(features: Int16Array, featureCount: number, feature: number, count: number) {
  const values = new Int16Array(count);
  for (let sample = 0; sample < count; sample++) values[sample] = features[sample * featureCount + feature]!;
  const sorted = values.toSorted();
  const edges: number[] = [];
  for (let bin = 1; bin <= BINS; bin++) {
    const edge = sorted[Math.ceil((bin * count) / BINS) - 1]!;
    if (edges.length === 0 || edge > edges[edges.length - 1]!) edges.push(edge);
  }
  const binOf = new Uint8Array(65_536);
  let bin = 0;
  for (let value = -32_768; value < 32_768; value++) {
    while (bin < edges.length - 1 && value > edges[bin]!) bin++;
    binOf[value + 32_768] = bin;
  }
  return { bins: Uint8Array.from(values, (value) => binOf[value + 32_768]!), edges: Int16Array.from(edges) };
}

/** Grows one tree from node 0 on, breadth first, so that the two children of a node lie side by side. */
function growTree(growing: Growing, members: Int32Array): void {
  const { packed, thresholds } = growing;
  packed.length = 0;
  thresholds.length = 0;
  packed.push(0);
  thresholds.push(0);
  const queue = [{ node: 0, from: 0, to: members.length, depth: 0 }];
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const { node, from, to, depth } = task;
    const split = bestSplit(growing, members, from, to, depth);
    if (split.feature === LEAF) {
      packed[node] = (split.majority << FEATURE_BITS) | LEAF;
      continue;
    }
    const middle = partition(growing.bins[split.feature]!, members, from, to, split.bin);
    const child = packed.length;
    packed.push(0, 0);
    thresholds.push(0, 0);
    packed[node] = (child << FEATURE_BITS) | split.feature;
    thresholds[node] = growing.edges[split.feature]![split.bin]!;
    queue.push({ node: child, from, to: middle, depth: depth + 1 });
    queue.push({ node: child + 1, from: middle, to, depth: depth + 1 });
  }
}

/**
 * Appends the grown tree, without splits between leaves of one class: they made their parts purer and change no vote, and
 * without them pixels come through in half the steps.
 */
function keepTree({ packed, thresholds }: Growing, kept: Nodes): void {
  for (let node = packed.length - 1; node >= 0; node--) {
    if ((packed[node]! & LEAF) === LEAF) continue;
    const child = packed[node]! >> FEATURE_BITS;
    if ((packed[child]! & LEAF) === LEAF && packed[child] === packed[child + 1]) packed[node] = packed[child]!;
  }
  const order = [0];
  const base = kept.packed.length;
  for (let read = 0; read < order.length; read++) {
    const node = order[read]!;
    const value = packed[node]!;
    if ((value & LEAF) === LEAF) {
      kept.packed.push(value);
      kept.thresholds.push(0);
      continue;
    }
    const child = value >> FEATURE_BITS;
    kept.packed.push(((base + order.length) << FEATURE_BITS) | (value & LEAF));
    kept.thresholds.push(thresholds[node]!);
    order.push(child, child + 1);
  }
}

function bestSplit(growing: Growing, members: Int32Array, from: number, to: number, depth: number) {
  const { set, options, bins, edges, histogram, order, random } = growing;
  const { classCount, labels, featureCount } = set;
  const total = new Int32Array(classCount);
  for (let i = from; i < to; i++) total[labels[members[i]!]!]!++;
  let majority = 0;
  for (let c = 1; c < classCount; c++) if (total[c]! > total[majority]!) majority = c;
  const leaf = { feature: LEAF, bin: 0, majority };
  const size = to - from;
  if (depth >= options.maxDepth || size < 2 * options.minLeafSamples || total[majority] === size) return leaf;
  const tries = Math.max(1, Math.round(Math.sqrt(featureCount)));
  const left = new Int32Array(classCount);
  let best = leaf;
  let bestScore = Number.NEGATIVE_INFINITY;
  // Features that cannot split are passed over until the wanted number could, as in the usual implementations.
  for (let drawn = 0, tried = 0; drawn < featureCount && tried < tries; drawn++) {
    const other = drawn + random(featureCount - drawn);
    const feature = order[other]!;
    order[other] = order[drawn]!;
    order[drawn] = feature;
    const column = bins[feature]!;
    const last = edges[feature]!.length - 1;
    histogram.fill(0, 0, (last + 1) * classCount);
    for (let i = from; i < to; i++) {
      const sample = members[i]!;
      histogram[column[sample]! * classCount + labels[sample]!]!++;
    }
    left.fill(0);
    let leftSize = 0;
    let splits = false;
    for (let bin = 0; bin < last; bin++) {
      let moved = 0;
      for (let c = 0; c < classCount; c++) {
        const n = histogram[bin * classCount + c]!;
        left[c]! += n;
        moved += n;
      }
      leftSize += moved;
      if (moved === 0 || leftSize < options.minLeafSamples || size - leftSize < options.minLeafSamples) continue;
      splits = true;
      let leftSquares = 0;
      let rightSquares = 0;
      for (let c = 0; c < classCount; c++) {
        const l = left[c]!;
        const r = total[c]! - l;
        leftSquares += l * l;
        rightSquares += r * r;
      }
      // The greatest weighted purity has the least Gini impurity.
      const score = leftSquares / leftSize + rightSquares / (size - leftSize);
      if (score > bestScore) {
        bestScore = score;
        best = { feature, bin, majority };
      }
    }
    if (splits) tried++;
  }
  return best;
}

function partition(bins: Uint8Array, members: Int32Array, from: number, to: number, bin: number): number {
  let middle = from;
  for (let i = from; i < to; i++) {
    const sample = members[i]!;
    if (bins[sample]! > bin) continue;
    members[i] = members[middle]!;
    members[middle++] = sample;
  }
  return middle;
}

/** Nodes from `first` on, at their own positions. */
function interleaved(packed: readonly number[], thresholds: readonly number[], first: number): Int32Array {
  const nodes = new Int32Array(2 * packed.length);
  for (let i = first; i < packed.length; i++) {
    nodes[2 * i] = packed[i]!;
    nodes[2 * i + 1] = thresholds[i]!;
  }
  return nodes;
}

function errorOf(votes: Int32Array, labels: Uint8Array, classCount: number): number {
  let judged = 0;
  let wrong = 0;
  for (let sample = 0; sample < labels.length; sample++) {
    let best = -1;
    let most = 0;
    for (let c = 0; c < classCount; c++) {
      if (votes[sample * classCount + c]! <= most) continue;
      most = votes[sample * classCount + c]!;
      best = c;
    }
    if (best < 0) continue;
    judged++;
    if (best !== labels[sample]) wrong++;
  }
  return judged === 0 ? Number.NaN : wrong / judged;
}
