import type { MapObject } from "./map-object.ts";

/** Texts that a spreadsheet would run as a formula. */
const FORMULA = /^[\t\r=+@-]/;

/** Returns the objects as CSV (RFC 4180) with all their properties; lists are written as JSON. */
export function objectsCsv(objects: readonly MapObject[]): string {
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties)))];
  const head = ["id", "class", "longitude", "latitude"];
  const rest = names.filter((name) => !["featureId", "class", "latLonCenter"].includes(name));
  const rows = objects.map(({ id, className, longitude, latitude, properties }) => [
    id,
    className,
    longitude,
    latitude,
    ...rest.map((name) => (Object.hasOwn(properties, name) ? properties[name] : undefined)),
  ]);
  return [[...head, ...rest], ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
