import { placesOnMap } from "./antimeridian.ts";
import { edgesMeetMoreThan } from "./edge-meetings.ts";
import type { GeoJson, Geometry, LinearRing, PolygonCoordinates, Position } from "./geojson.ts";
import { ringNesting } from "./ring-nesting.ts";

/** One fault of a GeoJSON; `path` is a JSON Pointer into it. */
export interface GeometryFault {
  readonly path: string;
  readonly message: string;
}

export interface GeometryRules {
  /** Largest absolute latitude; 90 unless said. */
  readonly maxLatitudeDeg?: number;
  /** Deepest nesting of collections; 8 unless said. */
  readonly maxDepth?: number;
}

/** More are not listed: a wrong projection makes every position a fault. */
const MAX_FAULTS = 10;
/** Meetings of edges that an overlay works through in about half a second. */
const MAX_EDGE_MEETINGS = 20_000;
/** Clients unwrap across the antimeridian by up to one turn either way. */
const MAX_LONGITUDE_DEG = 540;

class Check {
  readonly faults: GeometryFault[] = [];
  readonly rings: LinearRing[] = [];
  readonly #maxLatitudeDeg: number;
  readonly #maxDepth: number;

  constructor(rules: GeometryRules) {
    this.#maxLatitudeDeg = rules.maxLatitudeDeg ?? 90;
    this.#maxDepth = rules.maxDepth ?? 8;
  }

  fault(path: string, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path, message });
  }

  /** Paths are put together for faults only. */
  positions(positions: readonly Position[], path: string, least: number): void {
    if (!this.isList(positions, path, least)) return;
    for (let i = 0; i < positions.length && this.faults.length < MAX_FAULTS; i += 1) {
      const fault = this.#positionFault(positions[i]);
      if (fault !== null) this.fault(`${path}/${i}`, fault);
    }
  }

  position(position: Position, path: string): void {
    const fault = this.#positionFault(position);
    if (fault !== null) this.fault(path, fault);
  }

  #positionFault(position: Position | undefined): string | null {
    if (!Array.isArray(position) || position.length < 2) return "a position is [longitude, latitude]";
    // Each number is read once: code that is not compiled yet makes an object of every number that it reads.
    const lon = position[0];
    const lat = position[1];
    const isFinite = Number.isFinite(lon) && Number.isFinite(lat);
    if (!isFinite || (position.length > 2 && !position.every(Number.isFinite))) return "coordinates are finite numbers";
    if (Math.abs(lat) > this.#maxLatitudeDeg) {
      return `latitude ${lat} is beyond ±${this.#maxLatitudeDeg}; positions are [longitude, latitude]`;
    }
    return Math.abs(lon) > MAX_LONGITUDE_DEG ? `longitude ${lon} is beyond ±${MAX_LONGITUDE_DEG}` : null;
  }

  isList(items: readonly unknown[], path: string, least: number): boolean {
    if (!Array.isArray(items)) {
      this.fault(path, "must be an array");
      return false;
    }
    if (items.length < least) this.fault(path, `must have at least ${least} items, has ${items.length}`);
    return true;
  }

  list<Item>(items: readonly Item[], path: string, least: number, each: (item: Item, path: string) => void): void {
    if (!this.isList(items, path, least)) return;
    for (let i = 0; i < items.length && this.faults.length < MAX_FAULTS; i += 1) {
      const item: Item | undefined = items[i];
      if (item !== undefined) each(item, `${path}/${i}`);
    }
  }

  ring(ring: LinearRing, path: string): void {
    const before = this.faults.length;
    this.positions(ring, path, 4);
    // A value that is no list of positions has no ends to compare.
    if (this.faults.length > before) return;
    const first = ring[0];
    const last = ring.at(-1);
    if (first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])) {
      this.fault(path, "a ring is closed: its last position equals its first");
    }
    this.rings.push(ring);
  }

  polygon(polygon: PolygonCoordinates, path: string): void {
    this.list(polygon, path, 1, (ring, at) => this.ring(ring, at));
  }

  geometry(geometry: Geometry, path: string, depth: number): void {
    if (typeof geometry !== "object" || geometry === null) {
      this.fault(path, "must be a GeoJSON geometry");
      return;
    }
    const at = `${path}/coordinates`;
    switch (geometry.type) {
      case "Point":
        this.position(geometry.coordinates, at);
        break;
      case "MultiPoint":
        this.positions(geometry.coordinates, at, 1);
        break;
      case "LineString":
        this.positions(geometry.coordinates, at, 2);
        break;
      case "MultiLineString":
        this.list(geometry.coordinates, at, 1, (line, p) => this.positions(line, p, 2));
        break;
      case "Polygon":
        this.polygon(geometry.coordinates, at);
        break;
      case "MultiPolygon":
        this.list(geometry.coordinates, at, 1, (polygon, p) => this.polygon(polygon, p));
        break;
      case "GeometryCollection":
        if (depth >= this.#maxDepth) this.fault(path, `collections are nested more than ${this.#maxDepth} deep`);
        else this.list(geometry.geometries, `${path}/geometries`, 0, (one, p) => this.geometry(one, p, depth + 1));
        break;
      default:
        this.fault(`${path}/type`, "must be a GeoJSON geometry type");
    }
  }

  geojson(geojson: GeoJson, path: string): void {
    if (geojson.type === "Feature") {
      if (geojson.geometry !== null) this.geometry(geojson.geometry, `${path}/geometry`, 0);
    } else if (geojson.type === "FeatureCollection") {
      this.list(geojson.features, `${path}/features`, 0, (feature, at) => {
        if (typeof feature !== "object" || feature === null) this.fault(at, "must be a GeoJSON feature");
        else if (feature.geometry !== null) this.geometry(feature.geometry, `${at}/geometry`, 0);
      });
    } else {
      this.geometry(geojson, path, 0);
    }
  }
}

/**
 * The faults of the positions of a GeoJSON, at most ten: those that are not finite or out of range, and rings that are
 * open or have fewer than four. Safe on any JSON value of the right outer type.
 *
 * @param path JSON Pointer of the value in its document, such as "/extent"
 */
export function positionFaults(geojson: GeoJson, path = "", rules: GeometryRules = {}): readonly GeometryFault[] {
  const check = new Check(rules);
  check.geojson(geojson, path);
  return check.faults;
}

/** The fault of rings that meet so often that no overlay ends in time. Of all polygons, for an area is their union. */
export function entanglementFault(rings: readonly LinearRing[], path: string): GeometryFault | null {
  const places = rings.flatMap(placesOnMap);
  // Outlines that do not meet, nearly all that people draw, need no count: 4 ms instead of 350 ms for a star of 9,000.
  if (ringNesting(places) !== null || !edgesMeetMoreThan(places, MAX_EDGE_MEETINGS)) return null;
  return {
    path,
    message: `its outlines cross or overlap more than ${MAX_EDGE_MEETINGS} times; unite or simplify them`,
  };
}

/**
 * The faults of a GeoJSON, at most ten: those of `positionFaults`, and outlines that meet so often that no overlay ends
 * in time. Rings may otherwise touch or cross themselves.
 *
 * @param path as `positionFaults`
 */
export function validateGeoJson(geojson: GeoJson, path = "", rules: GeometryRules = {}): readonly GeometryFault[] {
  const check = new Check(rules);
  check.geojson(geojson, path);
  if (check.faults.length > 0) return check.faults;
  const fault = entanglementFault(check.rings, path);
  return fault === null ? [] : [fault];
}
