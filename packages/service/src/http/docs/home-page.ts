import { PAGE_STYLE } from "./page-style.ts";

/** Where a program finds everything else. */
export const HOME_POINTERS = {
  name: "Swath",
  description: "satellite imagery: search, ingestion, maps",
  documentation: "/docs",
  openapi: "/openapi.json",
  health: "/health",
} as const;

/** The page of the root address for browsers; it loads nothing. */
export const HOME_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Swath</title><style>${PAGE_STYLE}</style></head><body>
<h1>Swath</h1><p>This service finds satellite imagery, makes maps of it and serves them as tiles and files.</p>
<ul><li><a href="/docs#order">The order of calls</a>, from signing in to a tile</li>
<li><a href="/docs">Every operation</a>, with its fields, examples and a form to try it</li>
<li><a href="/openapi.json">openapi.json</a>, for generators of clients</li>
<li><a href="/health">Health</a> of the service</li></ul>
</body></html>`;

/** Whether a request prefers a page: browsers name HTML, programs name JSON, anything or nothing. */
export function prefersPage(accept: string | undefined): boolean {
  const wanted = (accept ?? "").toLowerCase();
  const page = wanted.indexOf("text/html");
  const json = wanted.indexOf("application/json");
  return page >= 0 && (json < 0 || page < json);
}
