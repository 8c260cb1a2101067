import type { AnalysisBlock, BlockAlgorithm, BlockResult, Parameters } from "../analysis/block.ts";
import type { Infer } from "../models/run-model.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { PlannedScene } from "./planned-scene.ts";
import type { Refusal } from "./refusals.ts";

/** A plane that an analysis wants of a scene. */
export interface WantedPlane {
  /** Position in `scene.bands`. */
  readonly position: number;
  /**
   * Quantity of its values: reflectance 0 to 1 corrected for the sun, linear radar power, or stored pixel values.
   */
  readonly quantity: "reflectance" | "power" | "stored";
  /** How it is brought to the grid when its own pixels are others. */
  readonly resampling: "smooth" | "nearest";
}

export type AnalysisPlan<Given extends Parameters = Parameters> =
  | {
      readonly accepted: true;
      /** The band of the first scene whose grid the analysis works on. */
      readonly gridPosition: number;
      /** Pixels of that band that one pixel of the analysis grid spans; 1 for the native grid. */
      readonly reduction: number;
      /** `planes[s]` are the planes of scene s, in the order the algorithm expects. */
      readonly planes: readonly (readonly WantedPlane[])[];
      /** Recorded with the result and part of its identity. */
      readonly parameters: Given;
    }
  | Refusal;

/**
 * Work done once on the pixels of scenes, whose result is stored and then drawn tile by tile. Results are shared by
 * everybody who asks for the same scenes, algorithm version and parameters.
 */
export interface Analysis<Given extends Parameters = Parameters, Model = unknown> {
  /** Name in metadata.json. */
  readonly name: string;
  /** Raised whenever the same input would give other pixels; part of a result's identity. */
  readonly algoVersion: number;
  /** Scenes that one result is made of: 1 to 1, 2 to 2 for pairs, 2 to 64 for series; ordered by time. */
  readonly scenes: { readonly min: number; readonly max: number };
  readonly layers: readonly ResultLayer[];
  /** Pixels around a block that its computation looks at. */
  readonly marginPx: number;
  /** Side of the blocks of grids of at least 4,096 pixels: a wide margin weighs less. 512 unless given. */
  readonly largeBlockPx?: number;
  /** Whether blocks need the outlines of land. */
  readonly wantsLand: boolean;
  plan(scenes: readonly PlannedScene[]): AnalysisPlan<Given>;
  readonly algorithm: BlockAlgorithm<Given, Model>;
  /** Computes blocks instead of `algorithm.compute` where the parameters hold the `manifest` of an installed model. */
  readonly inference?: {
    compute(block: AnalysisBlock, infer: Infer, parameters: Given, model: Model): Promise<BlockResult>;
  };
}
