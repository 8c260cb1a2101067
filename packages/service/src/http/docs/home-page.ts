/** Where a program finds everything else. */
export const HOME_POINTERS = {
  name: "Swath",
  description: "satellite imagery: search, ingestion, maps",
  console: "/console",
  documentation: "/docs",
  openapi: "/openapi.json",
  health: "/health",
} as const;

/** Whether a request prefers a page: browsers name HTML, programs name JSON, anything or nothing. */
export function prefersPage(accept: string | undefined): boolean {
  const wanted = (accept ?? "").toLowerCase();
  const page = wanted.indexOf("text/html");
  const json = wanted.indexOf("application/json");
  return page >= 0 && (json < 0 || page < json);
}
