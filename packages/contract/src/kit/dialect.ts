const DIALECTS: readonly string[] = ["ogc", "stac", "stapi"];

/** Whether a path belongs to a dialect: STAC API, STAPI or an OGC API, whose errors have members of those specifications. */
export function isOfDialect(path: string): boolean {
  return DIALECTS.includes(/^\/([^/?#]*)/u.exec(path)?.[1] ?? "");
}

/** The addresses of a path. Documents of OpenAPI name a landing page `/` below their server: it has a last slash there. */
export function addressesOf(path: string): readonly string[] {
  return DIALECTS.some((dialect) => path === `/${dialect}`) ? [path, `${path}/`] : [path];
}
