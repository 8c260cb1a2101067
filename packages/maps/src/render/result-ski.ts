import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import { encodeSki } from "@swath/raster/encode/ski";
import { binaryCoverage, type GridJob } from "./grid-job.ts";
import type { SampledClasses, SampledValues } from "./job-memo.ts";
import { sampleLayer, type ResultRendering } from "./result-layer.ts";
import { sceneScore } from "./result-metadata.ts";
import { skiGeoreference } from "./ski-meta.ts";
import { countSet, ratio } from "./value-statistics.ts";

/** SKI has no floating-point pixels: a value is low + pixel * (high - low) / 10000. */
const SKI_STEPS = 10_000;

interface ResultBand {
  readonly name: string;
  readonly pixels: Uint8Array | Int16Array;
  readonly mask: Uint8Array;
  readonly scale?: number;
  readonly offset?: number;
}

/** One band per class, 1 where it is, and one per layer of values; null without a valid pixel. */
export function resultSki(job: GridJob, rendering: ResultRendering): Promise<Uint8Array> | null {
  const { widthPx, heightPx } = job.grid;
  const sampled = [...rendering.layers.keys()].map((position) => sampleLayer(job, rendering, position));
  if (sampled.every(({ validPx }) => validPx === 0) && !job.request.forceDownload) return null;
  const bands = sampled.flatMap((layer) => (layer.kind === "classes" ? classBands(layer) : [valueBand(layer)]));
  const version = String(job.request.version);
  const names = bands.map(({ name }) => name);
  const masks = bands.map(({ mask }) => mask);
  const { algoVersion = version } = job.request.result?.metadata ?? {};
  const validPx = Math.max(...sampled.map((layer) => layer.validPx));
  const sScore = sceneScore(job, rendering, ratio(validPx, countSet(binaryCoverage(job.coverage))));
  return encodeSki({
    bands: [
      ...bands.map(({ name, pixels }) => ({ names: [name], widthPx, heightPx, pixels })),
      ...skiMaskBands(names, masks, widthPx, heightPx),
    ],
    version,
    meta: {
      meta: {
        algoVersion,
        bands: bands.map(({ name, scale, offset }) => ({
          ...skiGeoreference(job.grid),
          names: [name],
          ...(scale === undefined ? {} : { scale, offset }),
        })),
        crsEpsg: 3857,
        ...(sScore === null ? {} : { sScore }),
      },
    },
  });
}

function classBands({ layer, numbers, mask }: SampledClasses): readonly ResultBand[] {
  return layer.classes.map(({ name, value }) => {
    const pixels = new Uint8Array(numbers.length);
    for (let i = 0; i < pixels.length; i++) pixels[i] = mask[i] !== 0 && numbers[i] === value ? 1 : 0;
    return { name, pixels, mask };
  });
}

function valueBand({ layer, values, mask }: SampledValues): ResultBand {
  const [low, high] = layer.range;
  const scale = (high - low) / SKI_STEPS;
  const perStep = SKI_STEPS / (high - low);
  const pixels = new Int16Array(values.length);
  for (let i = 0; i < pixels.length; i++) {
    if (mask[i] === 0) continue;
    const step = Math.round((values[i]! - low) * perStep);
    pixels[i] = step < -32_768 ? -32_768 : step > 32_767 ? 32_767 : step;
  }
  return { name: layer.name, pixels, mask, scale, offset: low };
}
