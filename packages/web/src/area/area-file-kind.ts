const KINDS = {
  geojson: "geojson",
  json: "geojson",
  gpx: "gpx",
  kml: "kml",
  kmz: "archive",
  shz: "archive",
  wkt: "wkt",
} as const;

export type AreaFileKind = (typeof KINDS)[keyof typeof KINDS];

/** The kind of a file of an area, from its name; null for another file. A plain `.zip` may be imagery too. */
export function areaFileKind(fileName: string): AreaFileKind | null {
  const suffix = /\.([^.]+)$/u.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return isKind(suffix) ? KINDS[suffix] : null;
}

/** The kind of a pasted text; null for a text that is no area. */
export function areaTextKind(pasted: string): Exclude<AreaFileKind, "archive"> | null {
  const start = pasted.trimStart().slice(0, 2_000);
  if (start.startsWith("{")) return "geojson";
  if (start.startsWith("<")) return /<gpx[\s>]/i.test(start) ? "gpx" : "kml";
  return /^(?:SRID=\d+;)?\s*(?:MULTI)?(?:POLYGON|LINESTRING|POINT|GEOMETRYCOLLECTION)\b/i.test(start) ? "wkt" : null;
}

function isKind(text: string): text is keyof typeof KINDS {
  return Object.hasOwn(KINDS, text);
}
