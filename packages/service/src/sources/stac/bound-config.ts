import type { StacSettings, StacSourceConfig } from "./config.ts";

/** Settings of one dataset at a catalogue; no collections mean all of them. */
export interface BoundSettings extends Omit<StacSettings, "collections"> {
  readonly collections?: StacSettings["collections"];
}

/** Settings that bind one dataset, as the configuration of a catalogue that serves this dataset alone. */
export function boundConfig(settings: BoundSettings, provider: string, dataset: string): StacSourceConfig {
  const { collections = [], where, bands, satellite, sensor, harmonize, ...api } = settings;
  return {
    kind: "stac",
    ...api,
    datasets: [
      {
        provider,
        dataset,
        collections,
        ...(where === undefined ? {} : { where }),
        ...(bands === undefined ? {} : { bands }),
        ...(satellite === undefined ? {} : { satellite }),
        ...(sensor === undefined ? {} : { sensor }),
        ...(harmonize === undefined ? {} : { harmonize }),
      },
    ],
  };
}
