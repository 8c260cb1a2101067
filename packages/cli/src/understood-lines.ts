import type { IngestedScene } from "./upload-scene.ts";

type Understood = NonNullable<IngestedScene["understood"]>;

const TIME_SOURCES: Readonly<Record<string, string>> = {
  owner: "set by its owner",
  document: "from the scene document",
  metadata: "from the metadata of the file",
  "file-name": "from the name of the file",
  unknown: "unknown: this is the time of ingest",
};

/** An uploaded scene for people: time, place, CRS, bands, sensor. */
export function understoodLines(scene: Understood): readonly string[] {
  const source = scene.datetimeSource === null ? undefined : TIME_SOURCES[scene.datetimeSource];
  const crs = scene.crsEpsg === 0 ? "user-defined" : `EPSG:${scene.crsEpsg}`;
  return [
    `time   ${scene.datetime} UTC${source === undefined ? "" : `, ${source}`}`,
    `place  ${scene.bounds.map((degrees) => degrees.toFixed(4)).join(",")}, ${scene.areaKm2.toFixed(2)} km2, ${crs}`,
    `bands  ${scene.bands.map(bandText).join(", ")}`,
    `sensor ${scene.sensor === null ? scene.satellite : `${scene.satellite}, bands of ${scene.sensor}`}`,
  ];
}

function bandText({ names, role }: Understood["bands"][number]): string {
  return `${names[0] ?? "?"}${role === null ? " (meaning unknown)" : ` (${role})`}`;
}
