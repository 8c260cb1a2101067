/** A random forest in flat arrays. Plain data. */
export interface Forest {
  readonly classCount: number;
  readonly featureCount: number;
  /**
   * Two numbers per node: `child * 32 + feature` and the threshold; features up to and including the threshold go to
   * `child`, greater ones to `child + 1`. A leaf has feature 31 and its class instead of the child.
   */
  readonly nodes: Int32Array;
  /** First node of each tree. */
  readonly roots: Int32Array;
  /** Share of samples that the trees which have not seen them put into a wrong class; NaN when all trees have seen all. */
  readonly outOfBagError: number;
}

/** Features are counted in five bits, and 31 marks leaves. */
export const MAX_FEATURES = 31;
export const LEAF = 31;
/** Bits of a node that hold the feature. */
export const FEATURE_BITS = 5;

/** The class that most trees vote for, the lowest of equals. */
export function classOf(forest: Forest, features: ArrayLike<number>): number {
  const votes = votesOf(forest, features);
  let best = 0;
  for (let c = 1; c < votes.length; c++) if (votes[c]! > votes[best]!) best = c;
  return best;
}

/** Votes of all trees by class. */
export function votesOf({ nodes, roots, classCount }: Forest, features: ArrayLike<number>): Int32Array {
  const votes = new Int32Array(classCount);
  for (const root of roots) votes[leafClass(nodes, root, features)]!++;
  return votes;
}

/** Index of the class that one tree votes for. @param root its first node @param features in the order of training */
export function leafClass(nodes: Int32Array, root: number, features: ArrayLike<number>): number {
  let node = root;
  for (;;) {
    const packed = nodes[2 * node]!;
    const feature = packed & LEAF;
    const child = packed >> FEATURE_BITS;
    if (feature === LEAF) return child;
    node = features[feature]! <= nodes[2 * node + 1]! ? child : child + 1;
  }
}
