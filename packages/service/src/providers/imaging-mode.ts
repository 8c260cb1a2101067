import type { DatasetDescriptor } from "./provider.ts";

/** The mode of the sensors in which captures of a dataset are ordered; the dataset itself where they have no name. */
export function imagingModeOf({ dataset, sensors }: Pick<DatasetDescriptor, "dataset" | "sensors">): string {
  return sensors?.mode ?? dataset;
}
