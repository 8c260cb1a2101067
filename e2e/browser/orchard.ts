import assert from "node:assert/strict";
import { ingestCoast } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import type { RawClient } from "../raw-client.ts";

/** Blue, green, red and near infrared of a lawn and of a crown, which is darker. */
const LAWN = [700, 1200, 700, 4000];
const CROWN = [250, 450, 250, 3500];
const RADIUS_PX = 2.5;
/** Crowns stand on a grid, apart from each other. */
const SPACING_PX = 8;

/** A map of tree crowns. */
export interface Orchard {
  readonly mapId: string;
  readonly sceneId: string;
  /** The paid area, a GeoJSON polygon. */
  readonly area: object;
}

/** Ingests an orchard of pixels of 1 m and lets the service find its crowns: `rows` by `rows` of them. */
export async function makeOrchard(demo: RawClient, rows: number): Promise<Orchard> {
  const sidePx = rows * SPACING_PX;
  const bytes = coastGeotiff({
    widthPx: sidePx,
    heightPx: sidePx,
    resolutionM: 1,
    value: (band, column, row) => {
      const middle = SPACING_PX / 2;
      const distance = Math.hypot((column % SPACING_PX) - middle, (row % SPACING_PX) - middle);
      const texture = (column * 7 + row * 13) % 31;
      return ((distance <= RADIUS_PX ? CROWN : LAWN)[band] ?? 0) + texture;
    },
  });
  const sceneId = await ingestCoast(demo, bytes);
  const area = areaOf(sidePx);
  const { body } = await demo.post("/mapsvc/release/initiate", {
    mapTypes: ["trees"],
    sceneIds: [sceneId],
    extent: area,
    allocate: true,
  });
  assert.equal(await demo.settled(body.pipelineId), "RESOLVED", JSON.stringify(body));
  const released = await demo.post("/mapsvc/release/retrieve", { pipelineId: body.pipelineId });
  const [map] = released.body.maps;
  assert.ok(map !== undefined, JSON.stringify(released.body));
  return { mapId: map.mapId, sceneId, area };
}

/** A little inside the edges of the scene, whose corner is at 500,000 m, 100,000 m of EPSG:32633. */
function areaOf(sidePx: number) {
  const degrees = sidePx / 111_400;
  const [west, north] = [15.00001, 0.90442];
  const [east, south] = [west + degrees * 0.999, north - degrees * 1.006];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}
