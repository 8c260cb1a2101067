/** A rectangle of pixels, half-open: columns `[column, column + columns)`. */
export interface PixelRect {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** Where and how large pixels are; constant within a block to better than a thousandth. */
export interface PixelGround {
  /** Length of a pixel on the ground, metres. */
  readonly metresPerPixelX: number;
  readonly metresPerPixelY: number;
  /** Bearing of the upward pixel axis, degrees clockwise from true north: the convergence of the grid. */
  readonly northDeg: number;
  /** Centre of the block, degrees. */
  readonly lonDeg: number;
  readonly latDeg: number;
}

/**
 * A block of the analysis grid with a margin on every side, so that a window operation near the edge of the core sees
 * what it would see in the whole image. Beyond the image and where a scene has no data, pixels are NaN.
 */
export interface AnalysisBlock {
  /** The whole block, margin included, in pixels of the grid; may begin below 0. */
  readonly rect: PixelRect;
  /** The part that the block answers for, in pixels of the grid; cores of neighbours touch and never overlap. */
  readonly core: PixelRect;
  /**
   * `scenes[s][i]` is the i-th plane the plan asked of scene s, `rect.columns * rect.rows` values, row-major:
   * reflectance, linear power or stored values, NaN where invalid.
   */
  readonly scenes: readonly (readonly Float32Array[])[];
  /** 1 on land, 0 at sea, of the same size, when the analysis asks for it; else null. */
  readonly land: Uint8Array | null;
  readonly ground: PixelGround;
}

/** Something found in the pixels. Coordinates are pixels of the grid, corners of pixels being whole numbers. */
export interface FoundObject {
  /** Name of a class of the analysis. */
  readonly className: string;
  /** Decides which block and which tile the object belongs to. */
  readonly centre: readonly [column: number, row: number];
  /** Corners of the minimum-area rectangle, in order, not closed. */
  readonly corners: readonly (readonly [column: number, row: number])[];
  /** Area of its pixels on the ground, m². */
  readonly areaM2: number;
  /** Objects it stands for: 1, or more for a cluster that cannot be separated. */
  readonly count: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Further members of the feature's properties, such as `lengthM`, `widthM`, `headingDeg`, `significance`. */
  readonly properties: Readonly<Record<string, number | string>>;
}

/** What an analysis makes of one block. */
export interface BlockResult {
  /** One plane per layer, of the size of `rect`: classes as uint8 (0: no data), values as float32 (NaN: no data). */
  readonly layers: readonly (Uint8Array | Float32Array)[];
  /** Only objects whose centre lies in the core are kept. */
  readonly objects: readonly FoundObject[];
}

/** What an analysis may look at of whole scenes before it computes blocks. */
export interface AnalysisSurvey {
  /** All scenes reduced to at most about a million pixels; `core` is all of it, and its pixels are larger. */
  readonly overview: AnalysisBlock;
  /** Up to 16 windows of 256 pixels at full resolution, spread evenly over where the scenes have data. */
  readonly windows: readonly AnalysisBlock[];
}

/** Numbers, texts and nested data that a plan gives its algorithm and a result records; shared code looks at no member. */
export type Parameters = object;

/**
 * An algorithm on blocks; pure, and the same for the same block whatever was computed before. Its members are methods, so
 * that a list can hold algorithms of any parameters and model: each is only given those of its own plan and survey.
 */
export interface BlockAlgorithm<Given extends Parameters = Parameters, Model = unknown> {
  /**
   * What is learnt of the whole scenes first: thresholds, trained classifiers. It depends on the scenes and never on the
   * requested area, so that neighbouring requests agree. Plain data that can be cloned into threads.
   */
  survey?(survey: AnalysisSurvey, parameters: Given): Model;
  compute(block: AnalysisBlock, model: Model, parameters: Given): BlockResult;
  /** Removes or joins objects that only all of them together tell apart, such as ambiguities and doubles. */
  finish?(objects: readonly FoundObject[], model: Model, parameters: Given): readonly FoundObject[];
  /** What metadata.json says of the model: out-of-bag error, thresholds. */
  describe?(model: Model): Readonly<Record<string, unknown>>;
}
