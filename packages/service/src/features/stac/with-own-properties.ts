import { isRecord } from "@swath/raster/scene-metadata/json-reader";

type Document = Readonly<Record<string, unknown>>;

/** The document of an item with the properties that its group registered and the service does not state itself. */
export function withOwnProperties(document: Document, item: string | null): Document {
  if (item === null) return document;
  const registered: unknown = JSON.parse(item);
  const own = isRecord(registered) ? registered["properties"] : null;
  const { properties } = document;
  if (!isRecord(own) || !isRecord(properties)) return document;
  return { ...document, properties: { ...own, ...properties } };
}
