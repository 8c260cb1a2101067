import type { Client } from "@swath/client";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { PublishedMap } from "@swath/kernel/publication/publication";
import { downloadFile } from "../download-file.ts";
import type { PublicationDraft } from "./publication-folder.ts";
import type { SizeLimit } from "./size-limit.ts";
import type { WantedMap } from "./wanted-maps.ts";

const OBJECTS_FILE = "detections.geojson";

export interface MapPublisher {
  readonly client: Client;
  readonly draft: PublicationDraft;
  readonly size: SizeLimit;
  readonly hidesFeatures: boolean;
  readonly signal: AbortSignal;
}

/** Writes the files of a map: the picture as PMTiles, and objects without those that its analysis hides. */
export async function publishMap(publisher: MapPublisher, wanted: WantedMap, position: number): Promise<PublishedMap> {
  const { client, hidesFeatures, signal } = publisher;
  const { mapId, mapType, part } = wanted;
  const [facts, legend, tileJson, provenance] = await Promise.all([
    factsOf(publisher, mapId),
    client.get("/mapsvc/map-types/:map_id", { map_id: mapId }, { signal }),
    client.get("/mapsvc/map/:map_id/tilejson.json", { map_id: mapId }, { signal }),
    client.call("/mapsvc/provenance/get", { mapId }, { signal }),
  ]);
  const stem = `${String(position + 1).padStart(4, "0")}-${fileStem(mapType)}`;
  const { bounds, attribution } = tileJson;
  return {
    mapType,
    part,
    datetimes: provenance.scenes.map(({ datetime }) => datetime),
    attributions: attribution === "" ? [] : [attribution],
    bounds: boundsOf(bounds),
    // A picture is drawn from all objects: the hidden ones, too.
    picture:
      facts.hasObjects && hidesFeatures
        ? null
        : await exportFile(publisher, { mapId, gridFile: "pmtiles" }, `maps/${stem}.pmtiles`),
    objects: facts.hasObjects
      ? await exportFile(publisher, { mapId, gridFile: "geojson", fileName: OBJECTS_FILE }, `objects/${stem}.geojson`)
      : null,
    colours: legend.segmentationMetadata?.segmentationColors ?? {},
    histogram: facts.histogram,
  };
}

interface ExportRequest {
  readonly mapId: string;
  readonly gridFile: "geojson" | "pmtiles";
  readonly fileName?: string;
}

async function exportFile(
  { client, draft, size, signal }: MapPublisher,
  request: ExportRequest,
  name: string,
): Promise<string> {
  const made = await client.run("/mapsvc/export", request, { signal });
  size.take(made.size);
  await downloadFile(made.url, draft.path(name), signal);
  return name;
}

interface MapFacts {
  readonly hasObjects: boolean;
  readonly histogram: PublishedMap["histogram"];
}

async function factsOf({ client, signal }: MapPublisher, mapId: string): Promise<MapFacts> {
  const params = { map_id: mapId, geometry_id: "-", file_name: "metadata.json" };
  const answer = await client.file("/mapsvc/grid/:map_id/:geometry_id/:file_name", { params, signal });
  const read = (await answer.json()) as { readonly histogram?: PublishedMap["histogram"]; readonly features?: unknown };
  return { hasObjects: read.features !== undefined, histogram: read.histogram ?? null };
}

/** Letters and digits of the name of a map type, which may be a formula. */
function fileStem(mapType: string): string {
  return (
    mapType
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, "-")
      .replaceAll(/^-|-$/gu, "")
      .slice(0, 40) || "map"
  );
}

function boundsOf([west, south, east, north]: readonly number[]): Bounds | null {
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  return [west, south, east, north];
}
