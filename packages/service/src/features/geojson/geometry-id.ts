import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { Geometry } from "@swath/kernel/geometry/geojson";

/** A geometry as JSON by RFC 8785: members in order, numbers in their shortest form, no white space. */
export function canonicalJson(geometry: Geometry): string {
  const content =
    geometry.type === "GeometryCollection"
      ? { type: geometry.type, geometries: geometry.geometries }
      : { type: geometry.type, coordinates: geometry.coordinates };
  const json = canonicalize(content);
  if (json === undefined) throw new TypeError("a geometry has a JSON form");
  return json;
}

/** The id of a geometry in canonical form: base64url SHA-256 of its `canonicalJson`, 43 characters. */
export function geometryIdOf(json: string): string {
  return createHash("sha256").update(json, "utf8").digest("base64url");
}
