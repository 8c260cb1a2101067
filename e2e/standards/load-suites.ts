import type { CoastMap } from "./coast-map.ts";
import { PACKAGES } from "./python-environment.ts";
import { runPython } from "./python-suite.ts";
import type { StacTarget } from "./stac-suites.ts";
import type { StandardRun } from "./standard-run.ts";

/** Loads pixels of the item of a scene at their signed addresses. */
export async function loadPixels(
  python: string,
  { rootUrl, token }: StacTarget,
  { collection, sceneId, source }: CoastMap,
): Promise<readonly StandardRun[]> {
  const args = [rootUrl, token, collection, sceneId, source];
  return [
    await runPython(python, "odc_stac_load.py", args, {
      client: `odc-stac ${PACKAGES["odc-stac"]}`,
      ran: "lazy load of a band by ranges, compared with the ingested file",
    }),
    await runPython(python, "stackstac_load.py", args, {
      client: `stackstac ${PACKAGES.stackstac}`,
      ran: "stack of a band, compared with the ingested file",
    }),
  ];
}

/** Keeps the items of a collection as GeoParquet. */
export async function keepItems(
  python: string,
  { collection, rootUrl, token }: StacTarget,
  expected: number,
): Promise<StandardRun> {
  return await runPython(python, "rustac_items.py", [rootUrl, token, collection, String(expected)], {
    client: `rustac ${PACKAGES.rustac}`,
    ran: "search by pages, items as GeoParquet and back",
  });
}
