import type { PublishedMap } from "@swath/kernel/publication/publication";
import { formatDay } from "../format/dates.ts";
import { mapTypeName } from "../maps/layer-name.ts";

/** Map type, days of the first and the last scene, and the part of the area. */
export function mapTitle({ mapType, datetimes, part }: Pick<PublishedMap, "datetimes" | "mapType" | "part">): string {
  const days = [
    ...new Set([datetimes[0], datetimes.at(-1)].flatMap((one) => (one === undefined ? [] : [formatDay(one)]))),
  ];
  return [mapTypeName({ mapType }), days.join(" – "), part ?? ""].filter((one) => one !== "").join(", ");
}
