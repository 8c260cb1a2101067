/** GeoJSON as RFC 7946 defines it: WGS84, longitude before latitude, degrees, edges straight in lon/lat. */

export type Position = readonly [lonDeg: number, latDeg: number, ...rest: number[]];
/** Closed: the last position equals the first; at least four positions. */
export type LinearRing = readonly Position[];
/** The first ring is the exterior, the rest are holes. */
export type PolygonCoordinates = readonly LinearRing[];
export type MultiPolygonCoordinates = readonly PolygonCoordinates[];

export interface Point {
  readonly type: "Point";
  readonly coordinates: Position;
}
export interface MultiPoint {
  readonly type: "MultiPoint";
  readonly coordinates: readonly Position[];
}
export interface LineString {
  readonly type: "LineString";
  readonly coordinates: readonly Position[];
}
export interface MultiLineString {
  readonly type: "MultiLineString";
  readonly coordinates: readonly (readonly Position[])[];
}
export interface Polygon {
  readonly type: "Polygon";
  readonly coordinates: PolygonCoordinates;
}
export interface MultiPolygon {
  readonly type: "MultiPolygon";
  readonly coordinates: MultiPolygonCoordinates;
}
export interface GeometryCollection {
  readonly type: "GeometryCollection";
  readonly geometries: readonly Geometry[];
}

export type AreaGeometry = Polygon | MultiPolygon;
export type Geometry = Point | MultiPoint | LineString | MultiLineString | AreaGeometry | GeometryCollection;

export interface Feature {
  readonly type: "Feature";
  readonly id?: string | number;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}
export interface FeatureCollection {
  readonly type: "FeatureCollection";
  readonly features: readonly Feature[];
}
export type GeoJson = Geometry | Feature | FeatureCollection;

/** `[west, south, east, north]` in degrees; `east` may exceed 180 when the box crosses the antimeridian. */
export type Bounds = readonly [westDeg: number, southDeg: number, eastDeg: number, northDeg: number];
