const DIALECTS: readonly string[] = ["ogc", "stac", "stapi"];

/** Whether a path belongs to a dialect: STAC API, STAPI or an OGC API, whose errors have members of those specifications. */
export function isOfDialect(path: string): boolean {
  return DIALECTS.includes(/^\/([^/?#]*)/u.exec(path)?.[1] ?? "");
}
