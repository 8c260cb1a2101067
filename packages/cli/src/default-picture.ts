import type { Client } from "@swath/client";

/** All classes of a map in one picture. */
export const CLASSES_PICTURE = "segmentation.png";

/** The file that shows a map at a glance: all of its classes, or the picture that is named after its map type. */
export async function defaultPicture(client: Client, mapId: string, mapType: string): Promise<string> {
  if (mapType === "imagery") return "truecolor.png";
  const { segmentationMetadata } = await client.get("/mapsvc/map-types/:map_id", { map_id: mapId });
  return segmentationMetadata === undefined ? `${indexName(mapType)}.png` : CLASSES_PICTURE;
}

/** `index:<name>:<parameters>` has the files of the index, `expression:<formula>` those of every own formula. */
function indexName(mapType: string): string {
  const [form, name] = mapType.split(":");
  if (form === "expression") return form;
  return form === "index" && name !== undefined ? name.toLowerCase() : mapType;
}
