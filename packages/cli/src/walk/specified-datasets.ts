/** A dataset of the specification's table and where a walk looks for it. */
export interface SpecifiedDataset {
  readonly provider: string;
  readonly dataset: string;
  /** First and last day that are searched, ISO dates. */
  readonly from: string;
  readonly to: string;
  /** Whether there is a catalogue to search; otherwise only what was ingested is found. */
  readonly hasCatalogue: boolean;
}

/** Half a year, for archives list a few scenes of a place in a month. */
const PERIOD = { from: "2025-04-01", to: "2025-09-30" } as const;

/**
 * The table of the service interface, "Providers and datasets", with the identifiers of the interface decisions. Copied
 * from there and not derived from the providers of the service: a dataset that the service lost is then missed.
 */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  "optical-legacy": ["idaho-pansharpened"],
  "optical-archive": ["ard", "ard_clipped", "ortho_4ps"],
  pl: [
    "PSScene4Band",
    "PSScene4Band_tile",
    "PSScene",
    "PSScene_tile",
    "PSScene_analytic_4b_sr",
    "PSScene_analytic_4b_sr_tile",
    "SkySatScene",
    "SkySatCollect",
    "SkySatCollect_pansharpened",
  ],
  "radar-legacy": [
    "Spotlight_SLC",
    "SpotlightHigh_SLC",
    "Stripmap_SLC",
    "StripmapHigh_SLC",
    "Spotlight_GRD",
    "SpotlightHigh_GRD",
    "Stripmap_GRD",
    "StripmapHigh_GRD",
  ],
  ee: [
    "COPERNICUS/S1_GRD",
    "COPERNICUS/S2_HARMONIZED",
    "COPERNICUS/S2_SR_HARMONIZED",
    "GOOGLE/DYNAMICWORLD/V1",
    "JAXA/GPM_L3/GSMaP/v6/operational",
    "LANDSAT/LC08/C02/T1",
    "LANDSAT/LE07/C02/T1",
    "COPERNICUS/S5P/OFFL/L3_CH4",
  ],
  esa: ["COPERNICUS/S1_SLC"],
  noaa: ["VIIRS/Monthly"],
  "optical-agile": ["newsat", "newsat_sr"],
  ab: ["spot", "pleiades", "pleiades-neo"],
  "radar-multi": ["spotlight", "stripmap", "sliding_spotlight"],
  "radar-gec": ["spotlight_GEC"],
};

/** Every row of "Providers and datasets", in the order of the specification. */
export const SPECIFIED_DATASETS: readonly SpecifiedDataset[] = Object.entries(TABLE).flatMap(([provider, datasets]) =>
  datasets.map((dataset) => ({
    provider,
    dataset,
    ...PERIOD,
    hasCatalogue: provider !== "radar-legacy",
  })),
);
