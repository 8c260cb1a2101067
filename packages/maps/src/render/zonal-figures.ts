/** Statistics of one zone. */
export interface ZoneFigures {
  /** Objects whose centre lies in the zone; null for maps without objects. */
  readonly objects: number | null;
  readonly layers: readonly LayerFigures[];
}

export interface LayerFigures {
  readonly name: string;
  /** Pixels with a value under a clear sky; pixels at the edge count by their share inside. */
  readonly count: number;
  /** Share of the zone that these pixels cover. */
  readonly validShare: number;
  /** Share of the pixels with a value whose sky is clear; null when the scene does not tell, or without a value. */
  readonly clearShare: number | null;
  /** Null of layers of classes. */
  readonly values: ValueFigures | null;
  /** Null of layers of values. */
  readonly classes: readonly ClassFigures[] | null;
}

export interface ValueFigures {
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly quantiles: readonly (number | null)[];
  readonly histogram: readonly number[] | null;
}

export interface ClassFigures {
  readonly name: string;
  readonly areaKm2: number;
  /** Share of the counted pixels. */
  readonly share: number;
}
