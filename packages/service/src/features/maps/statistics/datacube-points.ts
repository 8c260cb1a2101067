import { createHash } from "node:crypto";
import type { StatisticsRequest, StatisticsRow } from "@swath/contract/features/maps/statistics-contract";
import { algorithmName, type NewDatapoint } from "../../datacube/datapoint.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { provenanceOf } from "../provenance/get-provenance.ts";

/** Names of map types without parameters are names of algorithms; others get a hash of the whole. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const NAME_LENGTH = 24;
const HASH_LENGTH = 8;
const VERSION = "1";

/** A map, and the map of clouds that says which of its pixels count. */
interface CountedMap {
  readonly map: LoadedMap;
  readonly mask: LoadedMap | null;
}

/**
 * Figures of statistics on their way into the datacube. Of two scenes of a dataset at the same moment, the scene with
 * more pixels of the area counts.
 */
export class DatacubePoints {
  readonly #points = new Map<string, { readonly count: number; readonly point: NewDatapoint }>();

  /** @param rows the layers of an area of the map */
  add(rows: readonly StatisticsRow[], map: CountedMap, request: StatisticsRequest): void {
    const [first] = rows;
    if (first === undefined) return;
    const prefix = typeName(first.mapType);
    for (const row of rows) {
      const layer = rows.length > 1 ? `${prefix}_${row.layer}` : prefix;
      const shared = sharedOf(row, map, request);
      this.#keep(row, shared, `${layer}_count`, row.count, "pixels");
      if (row.mean !== null) this.#keep(row, shared, `${layer}_mean`, row.mean, "");
      const p50 = row.percentiles?.["p50"];
      if (p50 != null) this.#keep(row, shared, `${layer}_p50`, p50, "");
      for (const [name, { areaKm2 }] of Object.entries(row.classes ?? {})) {
        // Without a pixel nothing is known of the classes.
        if (row.count > 0) this.#keep(row, shared, `${prefix}_${name}_areaKm2`, areaKm2, "km2");
      }
    }
    if (first.objects !== null) {
      this.#keep(first, sharedOf(first, map, request), `${prefix}_objects`, first.objects, "objects");
    }
  }

  all(): readonly NewDatapoint[] {
    return Array.from(this.#points.values(), ({ point }) => point);
  }

  #keep(
    { count }: StatisticsRow,
    shared: Omit<NewDatapoint, "algorithm" | "unit" | "value">,
    name: string,
    value: number,
    unit: string,
  ): void {
    const point = { ...shared, algorithm: shortName(name), value, unit };
    const key = JSON.stringify([point.algorithm, point.source, point.aoiId, point.start.getTime()]);
    const before = this.#points.get(key);
    if (before === undefined || before.count < count) this.#points.set(key, { count, point });
  }
}

function sharedOf(
  { area, clearShare, sceneId, datetime }: StatisticsRow,
  { map: loaded, mask }: CountedMap,
  { cloudFree = true, resolution }: StatisticsRequest,
): Omit<NewDatapoint, "algorithm" | "unit" | "value"> {
  const { map, mapType, stored } = loaded;
  const { scene, revision } = stored;
  // Maps that were released before inputs were recorded have no record.
  const [recorded] = provenanceOf([loaded]);
  const at = new Date(`${datetime.replace(" ", "T")}Z`);
  return {
    source: scene.dataset,
    aoiId: area,
    start: at,
    end: at,
    version: VERSION,
    cloudCover: clearShare === null ? null : 1 - clearShare,
    sceneId,
    provenance: {
      operation: "/mapsvc/statistics",
      mapType: map.mapType,
      version: mapType.version,
      mapId: map.mapId,
      ...(recorded === undefined ? {} : { provenanceId: recorded.provenanceId }),
      sceneRevision: revision ?? 0,
      cloudFree,
      ...(mask === null ? {} : { clouds: cloudsOf(mask) }),
      ...(resolution === undefined ? {} : { resolution }),
    },
  };
}

/** The map of clouds: other clouds give other figures. */
function cloudsOf(mask: LoadedMap): Readonly<Record<string, unknown>> {
  const { map, mapType } = mask;
  const [recorded] = provenanceOf([mask]);
  return {
    mapType: map.mapType,
    version: mapType.version,
    mapId: map.mapId,
    ...(recorded === undefined ? {} : { provenanceId: recorded.provenanceId }),
  };
}

function typeName(mapType: string): string {
  return PLAIN_NAME.test(mapType) ? mapType : withHash(mapType);
}

/** The name of an algorithm; a hash tells long names from each other. */
function shortName(name: string): string {
  const plain = algorithmName(name);
  return plain === name ? name : withHash(name);
}

function withHash(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
  return `${algorithmName(text).slice(0, NAME_LENGTH)}_${hash}`;
}
