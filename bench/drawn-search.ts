import type { Polygon } from "@swath/kernel/geometry/geojson";
import { formatInstant } from "@swath/kernel/time/instant";
import { drawDataset, NOW_MS, square, type DatasetName } from "./generated-scenes.ts";
import { isoInstant, peerCollectionId } from "./peers/stac-items.ts";

const DAY_MS = 86_400_000;
const YEARS = 10;

/** Searches of one side and one span of time. */
export interface SearchCase {
  readonly name: string;
  readonly sideKm: number;
  /** Null for all time. */
  readonly days: number | null;
}

/** One search as a request to Swath and as one to a STAC API: any common area, one page, the newest first. */
export interface DrawnSearch {
  readonly swath: unknown;
  readonly extent: Polygon;
  /** The body of a STAC search, by the identifiers of an API. */
  readonly stac: (collectionId: (name: DatasetName) => string) => StacSearch;
}

export interface StacSearch {
  readonly collections: readonly string[];
  readonly intersects: Polygon;
  readonly limit: number;
  readonly datetime?: string;
}

/** Draws a search of three datasets in the box over Europe where half of the generated scenes lie. */
export function drawSearch({ sideKm, days }: SearchCase, limit: number, random: () => number): DrawnSearch {
  const datasets = new Map<string, DatasetName>();
  while (datasets.size < 3) {
    const one = drawDataset(random);
    datasets.set(peerCollectionId(one), one);
  }
  const endMs = NOW_MS - Math.floor(random() * YEARS * 365) * DAY_MS;
  const extent: Polygon = {
    type: "Polygon",
    coordinates: [square(-5 + random() * 30, 40 + random() * 16, sideKm, 0)],
  };
  const span = days === null ? null : { startMs: endMs - days * DAY_MS, endMs };
  return {
    swath: {
      datasets: [...datasets.values()],
      extent,
      minIntersection: 0,
      limit,
      ...(span === null ? {} : { startDatetime: formatInstant(span.startMs), endDatetime: formatInstant(span.endMs) }),
    },
    extent,
    stac: (collectionId) => ({
      collections: [...datasets.values()].map(collectionId),
      intersects: extent,
      limit,
      ...(span === null ? {} : { datetime: `${isoInstant(span.startMs)}/${isoInstant(span.endMs)}` }),
    }),
  };
}
