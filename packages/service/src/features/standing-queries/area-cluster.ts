import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { WatchedArea } from "./watched-areas.ts";

/** Areas of a cluster: their places in the query, their features, and the bytes of their encoded forms. */
export type ClusterMembers = readonly [
  places: readonly number[],
  featureIds: readonly string[],
  bytes: readonly number[],
];

/** Neighbouring areas of a query, stored in one row: a scene meets tens of rows instead of a thousand. */
export interface AreaCluster {
  readonly members: ClusterMembers;
  /** The areas, one after the other. */
  readonly areas: Uint8Array;
  /** Unwrapped. */
  readonly bounds: Bounds;
}

/** A feature whose area a cluster holds. */
export interface MemberFeature {
  /** Of the area in the query. */
  readonly place: number;
  readonly featureId: string;
}

export interface MemberArea extends MemberFeature {
  /** Encoded by the kernel's footprint codec. */
  readonly area: Uint8Array;
}

/** A scene that meets the box of a cluster decodes all of its areas, about 3 us each. */
const MOST_MEMBERS = 32;
/** Areas with more distance form clusters that scenes meet without meeting an area. */
const MOST_EXTENT_DEG = 0.5;

/** Groups areas in the order of their Morton codes. Each is in one cluster. */
export function clusterAreas(areas: readonly WatchedArea[]): readonly AreaCluster[] {
  const sorted = areas
    .map((watched, place) => ({ ...watched, place, code: mortonCode(watched.bounds) }))
    .toSorted((a, b) => a.code - b.code || a.place - b.place);
  const clusters: AreaCluster[] = [];
  let members: (WatchedArea & { readonly place: number })[] = [];
  let bounds: Bounds | null = null;
  for (const area of sorted) {
    const joined: Bounds = bounds === null ? area.bounds : union(bounds, area.bounds);
    if (bounds !== null && (members.length === MOST_MEMBERS || isWide(joined))) {
      clusters.push(clusterOf(members, bounds));
      members = [];
      bounds = area.bounds;
    } else {
      bounds = joined;
    }
    members.push(area);
  }
  if (bounds !== null) clusters.push(clusterOf(members, bounds));
  return clusters;
}

function clusterOf(members: readonly (WatchedArea & { readonly place: number })[], bounds: Bounds): AreaCluster {
  return {
    members: [
      members.map(({ place }) => place),
      members.map(({ featureId }) => featureId),
      members.map(({ area }) => area.length),
    ],
    areas: Buffer.concat(members.map(({ area }) => area)),
    bounds,
  };
}

export function memberFeatures([places, featureIds]: ClusterMembers): readonly MemberFeature[] {
  return places.map((place, index) => ({ place, featureId: featureIds[index] ?? "" }));
}

/** The areas of a cluster, whose bytes begin at a place. */
export function memberAreas(members: ClusterMembers, areas: Uint8Array, from: number): readonly MemberArea[] {
  const [, , bytes] = members;
  let end = from;
  return memberFeatures(members).map((feature, index) => {
    const start = end;
    end += bytes[index] ?? 0;
    return { ...feature, area: areas.subarray(start, end) };
  });
}

function union(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

function isWide([west, south, east, north]: Bounds): boolean {
  return east - west > MOST_EXTENT_DEG || north - south > MOST_EXTENT_DEG;
}

/** The bits of the corner in the south-west, in steps of 0.01 degrees, interleaved: near codes are near places. */
function mortonCode([west, south]: Bounds): number {
  return 2 * spread(Math.floor((south + 90) * 100)) + spread(Math.floor((west + 180) * 100));
}

/** The 17 bits of a number with a zero between each two. */
function spread(value: number): number {
  let code = 0;
  for (let bit = 0; bit < 17; bit += 1) if (Math.floor(value / 2 ** bit) % 2 === 1) code += 4 ** bit;
  return code;
}
