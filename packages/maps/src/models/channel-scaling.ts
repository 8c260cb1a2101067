import type { ModelManifest } from "./model-manifest.ts";

/** How raw values of a channel become numbers of the model: shifted, stretched, bounded, scaled. */
export interface ChannelScaling {
  readonly offset: number;
  readonly gain: number;
  readonly least: number;
  readonly most: number;
  readonly scale: number;
  readonly mean: number;
  readonly std: number;
}

/**
 * The scaling of one channel.
 *
 * @param ranges stored values per channel that become 0 and 255 with `percentile`; else unused
 */
export function channelScaling(
  { input }: Pick<ModelManifest, "input">,
  ranges: readonly (readonly [low: number, high: number])[],
  channel: number,
): ChannelScaling {
  const isStretched = input.valueRange === "percentile";
  const [low, high] = isStretched ? (ranges[channel] ?? [0, 255]) : [0, 255];
  return {
    offset: isStretched ? low : 0,
    gain: isStretched && high > low ? 255 / (high - low) : 1,
    least: isStretched ? 0 : -Infinity,
    most: isStretched ? 255 : Infinity,
    scale: input.scale,
    mean: input.mean[channel] ?? 0,
    std: input.std[channel] ?? 1,
  };
}

/** A number of the model from a raw value that is one. */
export function scaled(raw: number, { offset, gain, least, most, scale, mean, std }: ChannelScaling): number {
  return (Math.min(most, Math.max(least, (raw - offset) * gain)) * scale - mean) / std;
}
