import { createClient } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { serviceUrl } from "../connection.ts";
import { resolveMap } from "../map-name.ts";
import { formatTable } from "../output.ts";
import { parsePlace } from "../place.ts";

export interface PointOptions {
  readonly resolution?: number;
}

/** `swath point`: all values of a map at places. The map ID grants the access: nobody needs to sign in. */
export async function point(
  context: CommandContext,
  { resolution }: PointOptions,
  [map = "", ...places]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const points = places.map((place) => [...parsePlace(place, "the place")] satisfies number[] as [number, number]);
  const mapId = await resolveMap(context, map);
  const client = createClient({ baseUrl: await serviceUrl(context) });
  const request = { mapId, points, ...(resolution === undefined ? {} : { resolution }) };
  const answer = await client.call("/mapsvc/point/get", request, { signal });
  const rows = answer.points.flatMap(({ point: place, values, reason, resolutionM }) => {
    if (values === null) return [[place.join(","), reason ?? "", "", "", ""]];
    return values.map(({ name, value, unit, className, reflectance }) => [
      place.join(","),
      name,
      value === null ? "no data" : String(value),
      className ?? (reflectance == null ? (unit ?? "") : `reflectance ${reflectance.toPrecision(4)}`),
      resolutionM === null ? "" : `${resolutionM.toPrecision(3)} m`,
    ]);
  });
  output.result(answer, [`${answer.mapType} of ${answer.sceneId}, ${answer.datetime} UTC`, ...formatTable(rows)]);
}
