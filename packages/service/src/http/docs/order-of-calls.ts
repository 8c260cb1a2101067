/** A step of the main job: its operations by identifier, and their purpose. */
interface Step {
  readonly operations: readonly string[];
  readonly purpose: string;
}

const STEPS: readonly Step[] = [
  {
    operations: ["oauth.ro"],
    purpose: "Sign in. Other requests carry the id_token as Authorization: Bearer.",
  },
  {
    operations: ["imagery.listDatasets", "maps.listMapTypes"],
    purpose: "List the datasets and map types of the caller.",
  },
  {
    operations: ["ingestion.requestUpload", "ingestion.putUpload", "ingestion.ingestScenePipeline.initiate"],
    purpose: "Upload own imagery, if there is some.",
  },
  {
    operations: ["imagery.search.initiate", "pipelines.getStatus", "imagery.search.retrieve"],
    purpose:
      "Search. Every path with /initiate works like this one: initiate, then ask for the status after nextTry seconds until it is RESOLVED or FAILED, then retrieve.",
  },
  {
    operations: ["credits.checkArea", "credits.allocateArea"],
    purpose: "See the price of an area and pay for it. Free datasets need neither.",
  },
  {
    operations: ["maps.release.initiate", "maps.release.retrieve"],
    purpose: "Make maps of scenes. Each map has a signed map ID and its tiles.",
  },
  {
    operations: ["maps.gridTile", "maps.gridFile", "maps.exportMap.initiate"],
    purpose: "Get tiles, files of the whole area, or an export. The map ID grants reading; no token is needed.",
  },
];

/** The main job as a list of links to operations that the document has. */
export function orderOfCalls(paths: ReadonlyMap<string, string>): string {
  const items = STEPS.flatMap(({ operations, purpose }) => {
    const links = operations.flatMap((id) => {
      const path = paths.get(id);
      return path === undefined ? [] : [`<a class="p" href="#${id}">${path}</a>`];
    });
    return links.length === 0 ? [] : [`<li>${purpose}<br>${links.join(", ")}</li>`];
  });
  return `<section id="order"><h2>Order of calls</h2><ol>${items.join("")}</ol></section>`;
}
