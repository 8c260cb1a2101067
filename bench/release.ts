import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { ServiceProcess } from "../e2e/service-process.ts";
import { median, printP95, quantile } from "./statistics.ts";
import { GRANULE_AREA, uploadGranule } from "./uploaded-granule.ts";

const ROLES = new Set<string>(["B", "G", "R", "N"]);
const RELEASES = 60;

/** A release of one index of a granule: from the request to the answer with its maps, and to its first tile. */
export async function run(): Promise<void> {
  await using service = await ServiceProcess.start();
  const { demo, sceneId } = await uploadGranule(service);
  const indices = Object.entries(SPECTRAL_INDICES)
    .filter(([, { roles }]) => roles.every((role) => ROLES.has(role)))
    .map(([id]) => id)
    .slice(0, RELEASES);
  const [releaseMs, tileMs]: [number[], number[]] = [[], []];
  for (const mapType of indices) {
    const startedMs = performance.now();
    const released = await demo.run("/mapsvc/release", {
      mapTypes: [mapType],
      sceneIds: [sceneId],
      extent: GRANULE_AREA,
    });
    const [map] = released.body.maps;
    releaseMs.push(performance.now() - startedMs);
    const [z, x, y] = map.tiles[0];
    const tile = await fetch(`${service.baseUrl}/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/${mapType}.png`);
    await tile.arrayBuffer();
    if (tile.status !== 200) throw new Error(`${mapType}: ${tile.status}`);
    tileMs.push(performance.now() - startedMs);
  }
  process.stdout.write(
    `${indices.length} indices: release median ${median(releaseMs).toFixed(0)} ms, p95 ${quantile(releaseMs, 0.95).toFixed(0)} ms\n`,
  );
  printP95("release-first-tile", quantile(tileMs, 0.95));
  printP95("release", quantile(releaseMs, 0.95));
}
