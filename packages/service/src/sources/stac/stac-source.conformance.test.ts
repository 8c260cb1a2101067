import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { extentArea } from "@swath/kernel/geometry/extent";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { systemClock } from "@swath/base/clock";
import { conformsToSource } from "@swath/raster/source/scene-source.conformance";
import { createStacSource } from "./stac-source.ts";
import { LANDSAT_ASSETS } from "./testing/sample-items.ts";

const extent = extentArea({
  type: "Polygon",
  coordinates: [
    [
      [5, 51.6],
      [6.4, 51.6],
      [6.4, 52.6],
      [5, 52.6],
      [5, 51.6],
    ],
  ],
});
if (extent === null) throw new Error("the extent has no area");

const server = fork(join(import.meta.dirname, "testing", "stac-server.process.ts"), {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
after(() => {
  server.kill();
});

const address = firstLine();

for (const sort of ["server", "slices"] as const) {
  conformsToSource({
    name: `stac, sorted by ${sort}`,
    provider: "ee",
    dataset: "LANDSAT/LC08/C02/T1",
    extent,
    fromMs: Date.UTC(2020, 0, 1),
    toMs: Date.UTC(2020, 6, 1),
    absentSceneId: sceneId("ee", "LANDSAT/LC08/C02/T1", "LC08_none"),
    open: async () => {
      const url = await address;
      return createStacSource(
        {
          kind: "stac",
          url,
          sort,
          rewriteHrefs: [{ from: LANDSAT_ASSETS, to: `${url}/files/` }],
          datasets: [{ provider: "ee", dataset: "LANDSAT/LC08/C02/T1", collections: ["landsat-8-c2-l2"] }],
        },
        { clock: systemClock },
      );
    },
  });
}

async function firstLine(): Promise<string> {
  if (server.stdout === null) throw new Error("the server has no output");
  const [line]: unknown[] = await once(createInterface(server.stdout), "line");
  return String(line);
}
