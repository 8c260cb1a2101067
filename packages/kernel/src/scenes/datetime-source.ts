/**
 * What stated the time of acquisition of an uploaded scene, most trusted first: its owner after the ingest, a document,
 * metadata of the file, or the name of the file. `unknown` where nothing did: the time is the time of ingest.
 */
export const DATETIME_SOURCES = ["owner", "document", "metadata", "file-name", "unknown"] as const;

export type DatetimeSource = (typeof DATETIME_SOURCES)[number];
