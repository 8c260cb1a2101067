import type { Client } from "@swath/client";
import { resolutionM, type SeriesOrder } from "./series-order.ts";

export type SeriesAnswer = Awaited<ReturnType<typeof loadSeries>>;

/** Statistics of all dates over the place; dates without them are named with the reason. */
export async function loadSeries(
  calls: Client,
  { mapType, area, sceneIds }: SeriesOrder,
  pays: boolean,
  signal: AbortSignal,
) {
  const request = {
    areas: area,
    mapTypes: [mapType],
    sceneIds,
    percentiles: [25, 75],
    resolution: resolutionM(area),
    ...(pays ? { allocate: true } : {}),
  };
  const { rows, failed, unmasked } = await calls.run("/mapsvc/statistics", request, {
    signal,
    allowPartial: true,
    // A paid series is finished: its maps are held afterwards.
    cancelOnAbort: !pays,
  });
  return { mapType, rows, failed, unmasked };
}
