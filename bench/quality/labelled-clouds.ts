/** Scenes with labels of people: `clouds_NAME.tif` and `clouds_NAME_labels.tif` of the samples. */
export const LABELLED_CLOUDS = [
  {
    data: "Sentinel-2, 30 m, fields and forest",
    name: "sentinel2",
    sensor: "sentinel-2",
    bands: ["B02", "B03", "B04", "B08", "B11", "B12"],
  },
  {
    data: "Landsat 5, tropical forest",
    name: "landsat5",
    sensor: "landsat-5",
    bands: ["B1", "B2", "B3", "B4", "B5", "B7"],
  },
] as const;

/** Labels that people gave: 1 is snow, 2 marks rivers and lakes, 3 is land. */
export const CLOUD_LABELS: Readonly<Record<number, string>> = {
  0: "shadow",
  1: "none",
  2: "none",
  3: "none",
  4: "clouds",
};

const reflectance = (id: string) => ({ id, reflectanceMult: 1e-4, reflectanceAdd: 0 });

/** The scene.json of a labelled scene; its time is invented. */
export function labelledCloudDocument({ sensor, bands }: (typeof LABELLED_CLOUDS)[number]) {
  return { sensor, datetime: "2020-07-01T10:00:00Z", bands: bands.map(reflectance) };
}
