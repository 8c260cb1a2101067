import { classAreasM2, customClasses, describeClasses, type ClassDescription } from "./custom-classes.ts";
import { binaryCoverage, knownAreaM2, weightedAreaM2, type GridJob } from "./grid-job.ts";
import type { ValueLayer } from "./job-memo.ts";
import { classPixelsAt, sampleLayer, valuesAt, type ResultRendering } from "./result-layer.ts";
import {
  countSet,
  histogramOf,
  knownValues,
  ratio,
  valueStatistics,
  type Histogram,
  type ValueStatistics,
} from "./value-statistics.ts";

const HISTOGRAM_BINS = 64;
/** Class whose share is the share of clouds in the window; without it the scene's own stands. */
const CLOUDS = "clouds";

/** Area of each class in the window, or of the valid pixels of a layer of values, m². */
export function resultAreas(
  job: GridJob,
  rendering: ResultRendering,
  position: number,
): Readonly<Record<string, number>> {
  const pixels = classPixelsAt(job, rendering, position);
  return pixels === null
    ? { valid: knownAreaM2(job, valuesAt(job, rendering, position).values) }
    : classAreasM2(job, pixels);
}

interface LayerDescription {
  readonly unit: string;
  readonly statistics: ValueStatistics;
  readonly histogram: Histogram;
}

/** Values of a layer summed over the released area. */
interface LayerTotal {
  readonly value: number;
  readonly unit: string;
}

function totalOf(
  job: GridJob,
  { unit, perSquareMetre }: NonNullable<ValueLayer["total"]>,
  values: Float32Array,
): LayerTotal {
  const weights = new Float64Array(values.length);
  for (let i = 0; i < weights.length; i++) {
    const value = values[i]!;
    if (!Number.isNaN(value)) weights[i] = value * job.coverage[i]!;
  }
  const total = perSquareMetre * weightedAreaM2(job.grid, weights);
  return { value: Number(total.toPrecision(7)), unit };
}

/** The members of metadata.json that describe a result. */
export function resultMetadata(job: GridJob, rendering: ResultRendering): Readonly<Record<string, unknown>> {
  let classes: Readonly<Record<string, ClassDescription>> = {};
  const layers: Record<string, LayerDescription> = {};
  const inArea = countSet(binaryCoverage(job.coverage));
  const firstValues = rendering.layers.findIndex(({ kind }) => kind === "values");
  const totals: Record<string, LayerTotal> = {};
  let validPx = 0;
  for (const position of rendering.layers.keys()) {
    const sampled = sampleLayer(job, rendering, position);
    validPx = Math.max(validPx, sampled.validPx);
    if (sampled.kind === "classes") {
      const pixels = classPixelsAt(job, rendering, position);
      if (pixels !== null) classes = { ...classes, ...describeClasses(job, pixels) };
    } else {
      const { layer, values, mask } = sampled;
      if (position === firstValues) classes = { ...classes, ...customClasses(job, values, mask) };
      const known = knownValues(values, mask);
      const [low, high] = layer.range;
      const histogram = histogramOf(known, low, high, HISTOGRAM_BINS);
      layers[layer.name] = { unit: layer.unit, statistics: valueStatistics(known), histogram };
      if (layer.total !== undefined) totals[layer.total.name] = totalOf(job, layer.total, values);
    }
  }
  const validRatio = ratio(validPx, inArea);
  const [first] = Object.values(layers);
  return {
    algorithm: { name: rendering.algorithm, params: {} },
    classes,
    statistics: first?.statistics ?? valueStatistics(new Float32Array()),
    ...(first === undefined ? {} : { histogram: first.histogram, layers }),
    ...totals,
    validRatio,
    ...(CLOUDS in classes ? { cloudRatio: classes[CLOUDS].ratio } : {}),
    quality: rendering.quality,
    ...foundObjects(job, rendering, validRatio),
    ...job.request.result?.metadata,
  };
}

interface FoundObjects {
  readonly objects: number;
  readonly features: {
    readonly features: number;
    readonly count: number;
    readonly byClass: Readonly<Record<string, number>>;
  };
  readonly sScore: number;
}

/** Of types with objects: how fit the scene is to find them, valid and free of clouds; null for others. */
export function sceneScore({ request }: GridJob, { products }: ResultRendering, validRatio: number): number | null {
  if (!Object.values(products).some(({ kind }) => kind === "objects")) return null;
  return Number((validRatio * (1 - (request.scene.cloudCover ?? 0))).toFixed(3));
}

/** Of types with objects: how many, by class, and the score of the scene. */
function foundObjects(job: GridJob, rendering: ResultRendering, validRatio: number): FoundObjects | null {
  const sScore = sceneScore(job, rendering, validRatio);
  if (sScore === null) return null;
  const objects = job.request.result?.objects ?? [];
  const byClass: Record<string, number> = {};
  let count = 0;
  for (const { properties } of objects) {
    const name = String(properties["class"] ?? "object");
    const members = typeof properties["count"] === "number" ? properties["count"] : 1;
    byClass[name] = (byClass[name] ?? 0) + members;
    count += members;
  }
  return {
    objects: objects.length,
    features: { features: objects.length, count, byClass },
    sScore,
  };
}
