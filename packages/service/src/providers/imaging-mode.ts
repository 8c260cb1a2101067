import type { DatasetDescriptor } from "./provider.ts";

/** Optical sensors have one mode of imaging. */
const OPTICAL_MODE = "standard";

/** The mode in which captures of a dataset are ordered: a radar has a dataset for each of its modes. */
export function imagingModeOf({ dataset, type }: Pick<DatasetDescriptor, "dataset" | "type">): string {
  return type === "optical" ? OPTICAL_MODE : dataset;
}
