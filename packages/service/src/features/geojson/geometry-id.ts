import { createHash } from "node:crypto";
import type { Geometry } from "@swath/kernel/geometry/geojson";

/**
 * A geometry as JSON by RFC 8785: members in order, numbers in their shortest form, no white space. ECMAScript writes
 * finite numbers as the RFC has them, and natively: a quarter of a million positions take a tenth of what walking them
 * does, during which nobody else is answered.
 */
export function canonicalJson(geometry: Geometry): string {
  return geometry.type === "GeometryCollection"
    ? `{"geometries":[${geometry.geometries.map(canonicalJson).join(",")}],"type":"GeometryCollection"}`
    : `{"coordinates":${JSON.stringify(geometry.coordinates)},"type":"${geometry.type}"}`;
}

/** The id of a geometry in canonical form: base64url SHA-256 of its `canonicalJson`, 43 characters. */
export function geometryIdOf(json: string): string {
  return createHash("sha256").update(json, "utf8").digest("base64url");
}
